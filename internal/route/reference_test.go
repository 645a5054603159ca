package route

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// plainly returns the length of the shortest way over the corners of a graph, by questions to
// the index alone: no wall that is known, no ring and no turn is left out.
func plainly(g *Graph, from, to r2.Vec) float64 {
	points, widths := []r2.Vec{from, to}, []float64{g.widthAt(from), g.widthAt(to)}
	for i := range g.corners {
		points, widths = append(points, g.corners[i].at), append(widths, g.width())
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
			l := length[best] + vec.Norm(vec.Sub(points[k], points[best]))
			if !closed[k] && l < length[k] && g.free(points[best], points[k], min(widths[best], widths[k])) {
				length[k] = l
			}
		}
	}
}

// cluttered returns obstacles of all kinds: boxes that touch, thick and thin walls, circles,
// and rings that go in.
func cluttered(r *rand.Rand, n int) (shapes []space.Shape) {
	at := func() r2.Vec { return r2.Vec{X: 20 * r.Float64(), Y: 20 * r.Float64()} }
	add := func(s space.Shape) {
		s.ID = uint32(len(shapes))
		shapes = append(shapes, s)
	}
	for range n {
		p := at()
		switch r.IntN(5) {
		case 0: // two boxes side by side, the second as high or not
			x, y := math.Floor(p.X), math.Floor(p.Y)
			add(space.Shape{Ring: box(x, y, x+1, y+2)})
			add(space.Shape{Ring: box(x+1, y, x+2, y+float64(1+r.IntN(3)))})
		case 1:
			add(space.Shape{A: p, B: p, Radius: 0.2 + r.Float64()})
		case 2:
			add(space.Shape{A: p, B: vec.Add(p, r2.Vec{X: 3*r.Float64() - 1.5, Y: 3*r.Float64() - 1.5}), Radius: 0.3 * r.Float64()})
		case 3: // walls in a row, that bend
			next := vec.Add(p, r2.Vec{X: 1 + r.Float64(), Y: r.Float64() - 0.5})
			add(space.Shape{A: p, B: next})
			add(space.Shape{A: next, B: vec.Add(next, r2.Vec{X: 1 + r.Float64(), Y: r.Float64() - 0.5})})
		case 4: // an angle
			add(space.Shape{Ring: []r2.Vec{p, {X: p.X + 3, Y: p.Y}, {X: p.X + 3, Y: p.Y + 1}, {X: p.X + 1, Y: p.Y + 1}, {X: p.X + 1, Y: p.Y + 3}, {X: p.X, Y: p.Y + 3}}})
		}
	}
	return shapes
}

// TestFindPlainly verifies that what is left out in a search changes no length: among obstacles of
// all kinds, for points and for bodies; and next to nothing from places that are too near to an
// obstacle.
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
	t.Logf("%d found, %d without a way", found, none)
	if found < 300 || none < 20 {
		t.Errorf("%d found, %d without a way: want more of them", found, none)
	}
}

// TestFlush verifies that nothing turns where a box goes on that is beside another, and that all
// that stick out are corners still.
func TestFlush(t *testing.T) {
	for _, test := range []struct {
		name  string
		rings [][]r2.Vec
		want  int
	}{
		{"one", [][]r2.Vec{box(0, 0, 1, 1)}, 4},
		{"side by side", [][]r2.Vec{box(0, 0, 1, 1), box(1, 0, 2, 1)}, 4},
		{"a step", [][]r2.Vec{box(0, 0, 1, 1), box(1, 0, 2, 2)}, 5},
		{"corner to corner", [][]r2.Vec{box(0, 0, 1, 1), box(1, 1, 2, 2)}, 6},
		{"a gap", [][]r2.Vec{box(0, 0, 1, 1), box(1.001, 0, 2, 1)}, 8},
	} {
		var g Graph
		g.Build(indexOf(test.rings...), 0)
		if g.Len() != test.want {
			t.Errorf("%s: got=%d corners, want=%d", test.name, g.Len(), test.want)
		}
	}
}
