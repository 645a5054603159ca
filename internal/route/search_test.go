package route

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/testkit"
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

func TestFind(t *testing.T) {
	for _, test := range []struct {
		name     string
		rings    [][]r2.Vec
		body     float64
		from, to r2.Vec
		want     float64
	}{
		{"nothing", nil, 0.3, r2.Vec{}, r2.Vec{X: 3, Y: 4}, 5},
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
			t.Errorf("%s: path: got=%v m to %v, want=%v m to %v", test.name, sum, at, got, test.to)
		}
	}
}

// shortest returns the length of the shortest path from the first point to the second over the others, by
// Dijkstra's algorithm, or +Inf if there is none.
func shortest(points []r2.Vec, free func(i, k int) bool) float64 {
	length, closed := make([]float64, len(points)), make([]bool, len(points))
	for i := 1; i < len(points); i++ {
		length[i] = math.Inf(1)
	}
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
			if l := length[best] + vec.Norm(vec.Sub(points[k], points[best])); !closed[k] && l < length[k] && free(best, k) {
				length[k] = l
			}
		}
	}
}

// exact returns the length of the shortest path of a point, by trying all pairs of corners. The polygons must
// be convex and counterclockwise.
func exact(rings [][]r2.Vec, from, to r2.Vec) float64 {
	points := append([]r2.Vec{from, to}, slices.Concat(rings...)...)
	return shortest(points, func(i, k int) bool {
		return !slices.ContainsFunc(rings, func(r []r2.Vec) bool { return crosses(r, points[i], points[k]) })
	})
}

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
	t.Logf("at most %.2g off, %d without a path", worst, none)
}

func TestFindAllocates(t *testing.T) {
	var g Graph
	var s Search
	g.Build(indexOf(box(-1, -1, 1, 1), box(2, -3, 3, 4)), 0.25)
	var path []r2.Vec
	find := func() { path, _, _ = s.Find(&g, r2.Vec{X: -5}, r2.Vec{X: 9}, path[:0]) }
	find()
	testkit.NoAllocs(t, 20, find)
	if len(path) < 2 {
		t.Errorf("path: got=%v, want=two points or more", path)
	}
}

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
				t.Errorf("%v: got=%v, %v m, %v, want=a path of 15 to 15.2 m over three points or more", ring, path, length, ok)
			}
			if _, _, ok := s.Find(g, b, a, nil); !ok {
				t.Errorf("%v: path back: got=none, want=a path", ring)
			}
		}
	}
}

// plainly returns the length of the shortest path over the corners of a graph, without its links.
func plainly(g *Graph, from, to r2.Vec) float64 {
	points, widths := []r2.Vec{from, to}, []float64{g.widthAt(from), g.widthAt(to)}
	for i := range g.Len() {
		points, widths = append(points, g.corners[i].at), append(widths, g.width())
	}
	return shortest(points, func(i, k int) bool { return g.free(points[i], points[k], min(widths[i], widths[k])) })
}

func cluttered(r *rand.Rand, n int) (shapes []space.Shape) {
	at := func() r2.Vec { return r2.Vec{X: 20 * r.Float64(), Y: 20 * r.Float64()} }
	add := func(s space.Shape) {
		s.ID = uint32(len(shapes))
		shapes = append(shapes, s)
	}
	for range n {
		p := at()
		switch r.IntN(5) {
		case 0: // two boxes side by side
			x, y := math.Floor(p.X), math.Floor(p.Y)
			add(space.Shape{Ring: box(x, y, x+1, y+2)})
			add(space.Shape{Ring: box(x+1, y, x+2, y+float64(1+r.IntN(3)))})
		case 1:
			add(space.Shape{A: p, B: p, Radius: 0.2 + r.Float64()})
		case 2:
			add(space.Shape{A: p, B: vec.Add(p, r2.Vec{X: 3*r.Float64() - 1.5, Y: 3*r.Float64() - 1.5}), Radius: 0.3 * r.Float64()})
		case 3: // walls in a row that bends
			next := vec.Add(p, r2.Vec{X: 1 + r.Float64(), Y: r.Float64() - 0.5})
			add(space.Shape{A: p, B: next})
			add(space.Shape{A: next, B: vec.Add(next, r2.Vec{X: 1 + r.Float64(), Y: r.Float64() - 0.5})})
		case 4: // a polygon in the form of an L
			add(space.Shape{Ring: []r2.Vec{p, {X: p.X + 3, Y: p.Y}, {X: p.X + 3, Y: p.Y + 1}, {X: p.X + 1, Y: p.Y + 1}, {X: p.X + 1, Y: p.Y + 3}, {X: p.X, Y: p.Y + 3}}})
		}
	}
	return shapes
}

// From positions next to an obstacle, the length may change by at most 1%.
func TestFindPlainly(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var s Search
	found, none := 0, 0
	for round := range 80 {
		var x space.Index
		x.Build(cluttered(r, 3+round/5), 1, 0)
		body := []float64{0, 0.1, 0.3}[round%3]
		var g Graph
		g.Build(&x, body)
		for range 6 {
			from, to := r2.Vec{X: 22*r.Float64() - 1, Y: 22*r.Float64() - 1}, r2.Vec{X: 22*r.Float64() - 1, Y: 22*r.Float64() - 1}
			want := plainly(&g, from, to)
			_, got, ok := s.Find(&g, from, to, nil)
			most := 1e-6 * want
			if g.pressed(from) || g.pressed(to) {
				most = 0.01 * want
			}
			if ok == math.IsInf(want, 1) || ok && !(math.Abs(got-want) <= most+1e-6) {
				t.Errorf("round %d, body %v, %v to %v: got=%v, %v, want=%v", round, body, from, to, got, ok, want)
			}
			if ok {
				found++
			} else {
				none++
			}
		}
	}
	t.Logf("%d found, %d without a path", found, none)
	if found < 300 || none < 20 {
		t.Errorf("searches: got=%d with a path and %d without, want=300 and 20 or more", found, none)
	}
}
