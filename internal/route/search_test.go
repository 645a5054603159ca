package route

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func box(x0, y0, x1, y1 float64) []r2.Vec {
	return []r2.Vec{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

func indexOf(rings ...[]r2.Vec) *space.Index {
	var shapes []space.Shape
	for i, r := range rings {
		shapes = append(shapes, space.Shape{ID: uint32(i), Ring: r})
	}
	var x space.Index
	x.Build(shapes, 1, 0)
	return &x
}

// TestFind verifies ways that one can work out by hand.
func TestFind(t *testing.T) {
	for _, test := range []struct {
		name     string
		rings    [][]r2.Vec
		body     float64
		from, to r2.Vec
		want     float64
	}{
		{"nothing", nil, 0.3, r2.Vec{}, r2.Vec{X: 3, Y: 4}, 5},
		{"beside", [][]r2.Vec{box(0, 1, 4, 2)}, 0.3, r2.Vec{X: -1}, r2.Vec{X: 5}, 6},
		{"round a box", [][]r2.Vec{box(-1, -1, 1, 1)}, 0, r2.Vec{X: -3, Y: 0}, r2.Vec{X: 3, Y: 0}, 2*math.Hypot(2, 1) + 2},
		{"shut in", [][]r2.Vec{box(-2, -2, -1, 2), box(1, -2, 2, 2), box(-2, -2, 2, -1), box(-2, 1, 2, 2)}, 0, r2.Vec{}, r2.Vec{X: 9}, math.Inf(1)},
		{"too wide for the gap", [][]r2.Vec{box(-1, 0.2, 1, 9), box(-1, -9, 1, -0.2)}, 0.3, r2.Vec{X: -3}, r2.Vec{X: 3}, 2*math.Hypot(2, 9.3) + 2},
		{"narrow enough for the gap", [][]r2.Vec{box(-1, 0.2, 1, 9), box(-1, -9, 1, -0.2)}, 0.19, r2.Vec{X: -3}, r2.Vec{X: 3}, 6},
		{"boxes that touch at a corner", [][]r2.Vec{box(-2, 0, 0, 2), box(0, -2, 2, 0)}, 0, r2.Vec{X: -1, Y: -1}, r2.Vec{X: 1, Y: 1}, 4 + 2*math.Sqrt2},
	} {
		var g Graph
		var s Search
		g.Build(indexOf(test.rings...), test.body)
		path, got, ok := s.Find(&g, test.from, test.to, nil)
		if ok == math.IsInf(test.want, 1) || ok && math.Abs(got-test.want) > 0.02*test.want {
			t.Errorf("%s: got=%v, %v over %v, want=%v", test.name, got, ok, path, test.want)
		}
		sum, at := 0., test.from
		for _, p := range path {
			sum, at = sum+vec.Norm(vec.Sub(p, at)), p
		}
		if ok && (math.Abs(sum-got) > 1e-9 || at != test.to) {
			t.Errorf("%s: the path is %v m long to %v, want %v to %v", test.name, sum, at, got, test.to)
		}
	}
}

// exact returns the length of the shortest way of a point among polygons, by all pairs of
// corners, +Inf if there is none.
func exact(rings [][]r2.Vec, from, to r2.Vec) float64 {
	points := []r2.Vec{from, to}
	for _, r := range rings {
		points = append(points, r...)
	}
	free := func(a, b r2.Vec) bool {
		for _, r := range rings {
			if crosses(r, a, b) {
				return false
			}
		}
		return true
	}
	length, closed := make([]float64, len(points)), make([]bool, len(points))
	for i := range length {
		length[i] = math.Inf(1)
	}
	length[0] = 0
	for {
		best := -1
		for i := range points {
			if !closed[i] && !math.IsInf(length[i], 1) && (best < 0 || length[i] < length[best]) {
				best = i
			}
		}
		if best < 0 || best == 1 {
			return length[1]
		}
		closed[best] = true
		for k := range points {
			if !closed[k] && free(points[best], points[k]) {
				length[k] = min(length[k], length[best]+vec.Norm(vec.Sub(points[k], points[best])))
			}
		}
	}
}

// crosses reports whether a straight way leads through the inside of a convex polygon that turns
// left.
func crosses(ring []r2.Vec, a, b r2.Vec) bool {
	lo, hi := 0., 1.
	way := vec.Sub(b, a)
	for i, p := range ring {
		edge := vec.Sub(ring[(i+1)%len(ring)], p)
		at, rate := vec.Cross(edge, vec.Sub(a, p)), vec.Cross(edge, way)
		switch {
		case rate == 0 && at <= 1e-12:
			return false
		case rate > 0:
			lo = max(lo, -at/rate)
		case rate < 0:
			hi = min(hi, -at/rate)
		}
	}
	return hi-lo > 1e-9
}

// TestFindExact verifies that ways of a point among polygons are the shortest.
func TestFindExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s Search
	worst, none := 0., 0
	for round := range 60 {
		var rings [][]r2.Vec
		for range 3 + round/3 {
			center, size, n := r2.Vec{X: 20 * r.Float64(), Y: 20 * r.Float64()}, 0.5+2*r.Float64(), 3+r.IntN(5)
			first := 7 * r.Float64()
			var ring []r2.Vec
			for k := range n {
				sin, cos := math.Sincos(first + 2*math.Pi*float64(k)/float64(n))
				ring = append(ring, r2.Vec{X: center.X + size*cos, Y: center.Y + size*sin})
			}
			rings = append(rings, ring)
		}
		var g Graph
		g.Build(indexOf(rings...), 0)
		for range 5 {
			from, to := r2.Vec{X: -1, Y: 20 * r.Float64()}, r2.Vec{X: 21, Y: 20 * r.Float64()}
			want := exact(rings, from, to)
			_, got, ok := s.Find(&g, from, to, nil)
			if ok == math.IsInf(want, 1) || ok && !(math.Abs(got-want) <= 1e-4*want) {
				t.Fatalf("round %d: got=%v, %v, want=%v", round, got, ok, want)
			}
			if !ok {
				none++
			} else {
				worst = max(worst, math.Abs(got-want)/want)
			}
		}
	}
	t.Logf("at most %.2g off, %d without a way", worst, none)
}

// TestFindAllocates verifies that a warm search allocates nothing.
func TestFindAllocates(t *testing.T) {
	var g Graph
	var s Search
	g.Build(indexOf(box(-1, -1, 1, 1), box(2, -3, 3, 4)), 0.25)
	var path []r2.Vec
	if got := testing.AllocsPerRun(20, func() {
		path, _, _ = s.Find(&g, r2.Vec{X: -5}, r2.Vec{X: 9}, path[:0])
	}); got != 0 {
		t.Errorf("got=%v, want=0", got)
	}
	if len(path) < 2 {
		t.Errorf("path: got=%v", path)
	}
}

// TestFlat verifies that polygons without area are gone round as the wall that they look like, whichever
// way they go and wherever they turn back.
func TestFlat(t *testing.T) {
	from, to := r2.Vec{X: -3, Y: -0.1}, r2.Vec{X: 12, Y: -0.1}
	for _, turn := range []float64{0, 0.3, 1, 2, 2.9} {
		at := func(along ...float64) (ring []r2.Vec) {
			for _, x := range along {
				ring = append(ring, rotated(r2.Vec{X: x}, turn))
			}
			return ring
		}
		for _, ring := range [][]r2.Vec{at(0, 9, 10, 10), at(10, 9, 0, 0), at(10, 0, 5), at(0, 5, 10, 5)} {
			g, s := &Graph{}, &Search{}
			g.Build(indexOf(ring), 0.25)
			a, b := rotated(from, turn), rotated(to, turn)
			path, length, ok := s.Find(g, a, b, nil)
			if !ok || length < 15 || length > 15.2 || len(path) < 3 {
				t.Errorf("%v: got=%v, %v m, %v, want=a way of a little more than 15 m", ring, path, length, ok)
			}
			if _, _, ok := s.Find(g, b, a, nil); !ok {
				t.Errorf("%v: no way back", ring)
			}
		}
	}
}
