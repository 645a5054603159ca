package sense

import (
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// nearing compares what is found by searching with what is selected of all.
type nearing struct {
	herding
	t       *testing.T
	cell    float64
	shorter int // lists with less than was asked for
}

func (s *nearing) compare(b *Block) {
	s.cell = b.neighbors.crowd.Cell()
	for k := range b.Len() {
		for _, most := range []int{0, 1, 3, 10} {
			searched := slices.Clone(b.Nearest(k, most))
			others := slices.Clone(b.Others(k, Look{MaxNeighbors: uint32(most)}))
			if b.near != nil && len(others) == most && most > 0 {
				s.t.Fatalf("agent %d has %d others: all within reach were listed", k, most)
			}
			b.narrow()
			if want := b.Nearest(k, most); !slices.Equal(searched, want) {
				s.t.Fatalf("%d nearest: got=%v, want=%v", most, searched, want)
			}
			if want := b.Others(k, Look{MaxNeighbors: uint32(most)}); !slices.Equal(others, want) {
				s.t.Fatalf("%d others: got=%v, want=%v", most, others, want)
			}
			if len(searched) < most {
				s.shorter++
			}
			b.near, b.gathered = nil, false
		}
	}
}

// TestNearestWithoutList verifies that a search near by finds what a list of all within
// reach has, in the same order.
func TestNearestWithoutList(t *testing.T) {
	w := ecs.NewWorld(16)
	put := func(id uint64, at r2.Vec) {
		e := w.NewEntity()
		testkit.Add(&w, e, c.Agent{ID: id}, c.Position{Vec: at}, c.Velocity{}, c.Steering{}, herd{6})
	}
	for i := range uint64(900) {
		put(i, r2.Vec{X: float64(i%30) / 3, Y: float64(i/30) / 3})
	}
	for i := range uint64(5) { // and some by themselves
		put(1000+i, r2.Vec{X: 50 + float64(i), Y: 50})
	}
	s := &nearing{herding: *newHerding(), t: t}
	s.look, s.answer = fewOf, s.compare
	f := frame.New(&Neighbors{}, s)
	f.Workers = 1
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	if !(s.cell > 0.3 && s.cell < 2) {
		t.Errorf("cells: got=%v m, want narrow ones", s.cell)
	}
	if s.shorter == 0 {
		t.Error("none found fewer than it asked for")
	}
}

// TestCellWidths verifies the width of cells, by how far agents look.
func TestCellWidths(t *testing.T) {
	for _, test := range []struct {
		name               string
		all, nearest, body float64
		narrowest, widest  float64
	}{
		{"none", 0, 0, 0, 2, 2},
		{"a flock", 4, 0, 0, 4, 4},
		{"the nearest", 0, 8, 0, 0, 8},
		{"bodies", 0, 0, 0.5, 0.5, 4},
		{"bodies beside the nearest", 0, 8, 0.5, 0.5, 8},
		{"bodies beside a flock", 4, 0, 0.5, 4, 4},
		{"a flock and the nearest", 4, 8, 0, 4, 8},
		{"a flock that looks farther", 9, 8, 0.5, 9, 9},
	} {
		var r reaches
		r.all.add(test.all, 3)
		r.nearest.add(test.nearest, 3)
		r.bodies.add(test.body, 300)
		narrowest, widest := r.cells()
		if !within(narrowest, test.narrowest, 1e-4*test.widest) || !within(widest, test.widest, 1e-4*test.widest) {
			t.Errorf("%s: got=%v to %v, want=%v to %v", test.name, narrowest, widest, test.narrowest, test.widest)
		}
		if r.reset(); r.some() {
			t.Errorf("%s: got some after a reset", test.name)
		}
	}
}

// fewOf is a look for the nearest few.
func fewOf(h herd) Look { return Look{NeighborDist: h.Reach, MaxNeighbors: 10} }

// nearestThree asks for the three nearest, and in the end again for one.
func nearestThree(b *Block) {
	for k := range b.Len() {
		b.Nearest(k, 3)
		b.Nearest(k, 1)
	}
}

// TestMetNearest verifies what counts as met for those that look for the nearest few.
func TestMetNearest(t *testing.T) {
	w := ecs.NewWorld(16)
	for i := range uint64(6) { // five in a row, and one by itself
		e := w.NewEntity()
		testkit.Add(&w, e, c.Agent{ID: i}, c.Position{Vec: r2.Vec{X: float64(i + i/5*100)}}, c.Velocity{}, c.Steering{}, herd{1.5})
	}
	n := &Neighbors{}
	f := frame.New(n, &herding{answer: nearestThree})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	if looked, met := n.Met(); looked != 6 || met != 1+2+2+2+1 {
		t.Errorf("met: got=%v %v, want=6 8", looked, met)
	}
}
