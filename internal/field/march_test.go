package field

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/space"
	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/spatial/r2"
)

func open(n int) []float32 { return slices.Repeat([]float32{1}, n) }

func BenchmarkMarch(b *testing.B) {
	g := Grid{Cell: 0.25, Columns: 1000, Rows: 1000}
	slow := open(g.Len())
	var f Field
	for b.Loop() {
		f.Reset(g, slow, 1)
		f.Start(500_500, 0)
		f.March(math.MaxInt)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(g.Len()), "ns/cell")
}

func TestSteps(t *testing.T) {
	g := Grid{Cell: 0.5, Columns: 60, Rows: 40}
	slow := open(g.Len())
	for i := range slow {
		slow[i] = 1 + float32(i*i%7)
		if i%11 == 3 {
			slow[i] = float32(math.Inf(1))
		}
	}
	var a, b Field
	a.Reset(g, slow, 1)
	a.Start(700, 0)
	a.March(math.MaxInt)
	for range 2 { // the second time in used memory
		b.Reset(g, slow, 1)
		b.Start(700, 0)
		for n := 1; !b.March(n % 17); n++ {
		}
		for i := range g.Len() {
			if a.Distance(i) != b.Distance(i) {
				t.Fatalf("cell %d: got=%v, want=%v", i, b.Distance(i), a.Distance(i))
			}
		}
	}
}

func TestMarchFar(t *testing.T) {
	slow := open(400)
	for _, far := range []float64{0, 100, 1e6, 1e9, 1e200} {
		var f Field
		f.Reset(Grid{Cell: 0.5, Columns: 20, Rows: 20}, slow, 1)
		f.Start(0, far)
		f.Start(399, far+3)
		for !f.March(7) {
		}
		got, want := f.Distance(19)-far, 9.5
		if far == 1e200 {
			got, want = f.Distance(19), math.Inf(1)
		}
		if math.Abs(got-want) > 0.01 || far == 1e200 != math.IsInf(f.Distance(19), 1) {
			t.Errorf("from a distance of %v s: got=%v s more, want=%v", far, got, want)
		}
	}
}

type lattice struct{ n int }

func (l lattice) Node(id int64) graph.Node { return simple.Node(id) }
func (l lattice) From(id int64) graph.Nodes {
	var all []graph.Node
	x, y := int(id)%l.n, int(id)/l.n
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if (dx != 0 || dy != 0) && x+dx >= 0 && x+dx < l.n && y+dy >= 0 && y+dy < l.n {
				all = append(all, simple.Node((y+dy)*l.n+x+dx))
			}
		}
	}
	return iterator.NewOrderedNodes(all)
}
func (l lattice) Edge(u, v int64) graph.Edge { return nil }
func (l lattice) Weight(u, v int64) (float64, bool) {
	dx, dy := u%int64(l.n)-v%int64(l.n), u/int64(l.n)-v/int64(l.n)
	return math.Sqrt(float64(dx*dx + dy*dy)), true
}

func BenchmarkGonum(b *testing.B) {
	for b.Loop() {
		path.DijkstraFrom(simple.Node(500*1000+500), lattice{1000})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ns/cell")
}

func TestFloor(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		at := func() r2.Vec {
			p := r2.Vec{X: float64(rng.IntN(40)), Y: float64(rng.IntN(40))} // often in line with other points
			switch rng.IntN(10) {
			case 0:
				p = r2.Vec{X: rng.NormFloat64() * 1e6, Y: rng.NormFloat64() * 1e6}
			case 1, 2, 3:
				p = r2.Vec{X: rng.Float64() * 40, Y: rng.Float64() * 40}
			}
			return p
		}
		var shapes []space.Shape
		for id := range uint32(8) {
			s := space.Shape{ID: id, A: at(), Radius: float64(rng.IntN(3)) * 0.5}
			switch rng.IntN(3) {
			case 0:
				s.B = s.A
			case 1:
				s.B = at()
			case 2:
				for range 3 + rng.IntN(5) {
					s.Ring = append(s.Ring, at())
				}
			}
			shapes = append(shapes, s)
		}
		shapes = append(shapes, space.Shape{ID: 8, Radius: -1}, space.Shape{ID: 9, A: r2.Vec{X: math.NaN()}})
		var x space.Index
		x.Build(shapes, 1, 0)
		f := Floor{Grid: Grid{Cell: 0.5, Columns: 80, Rows: 70}, Radius: float64(rng.IntN(4)) * 0.25}
		for budget := 1 + rng.IntN(50); !f.Done(&x); {
			if left := f.Close(&x, budget); left < -10 {
				t.Fatalf("seed %d: rest of the budget: got=%d cells, want=-10 or more", seed, left)
			}
		}
		for i := range f.Slow {
			open := true
			x.Within(f.Center(i), f.Reach(), func(_ int, d float64) bool {
				open = d >= f.Reach()
				return open
			})
			if got := f.Slow[i] == 1; got != open {
				t.Fatalf("seed %d: cell at %v open: got=%v, want=%v", seed, f.Center(i), got, open)
			}
		}
	}
}
