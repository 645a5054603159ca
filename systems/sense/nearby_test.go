package sense

import (
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
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

func (s *nearing) Meet(m *Meeting) {
	s.cell = m.of.crowd.Cell()
	for k := range m.Len() {
		for _, most := range []int{0, 1, 3, 10} {
			searched := slices.Clone(m.Nearest(k, most))
			minded := slices.Clone(m.Mind(k, 0, uint32(most)))
			if m.near != nil && len(minded) == most && most > 0 {
				s.t.Fatalf("agent %d minds %d: all within reach were listed", k, most)
			}
			m.narrow()
			if want := m.Nearest(k, most); !slices.Equal(searched, want) {
				s.t.Fatalf("%d nearest: got=%v, want=%v", most, searched, want)
			}
			if want := m.Mind(k, 0, uint32(most)); !slices.Equal(minded, want) {
				s.t.Fatalf("minded %d: got=%v, want=%v", most, minded, want)
			}
			if len(searched) < most {
				s.shorter++
			}
			m.near, m.gathered = nil, false
		}
	}
}

// TestNearestWithoutList holds that a search near by finds what a list of all within
// reach has, in the same order.
func TestNearestWithoutList(t *testing.T) {
	w := ecs.NewWorld(16)
	put := func(id uint64, at r2.Vec) {
		e := w.NewEntity()
		add(&w, e, c.Agent{ID: id}, c.Position{Vec: at}, c.Velocity{}, c.Steering{}, herd{6})
	}
	for i := range uint64(900) {
		put(i, r2.Vec{X: float64(i%30) / 3, Y: float64(i/30) / 3})
	}
	for i := range uint64(5) { // and some by themselves
		put(1000+i, r2.Vec{X: 50 + float64(i), Y: 50})
	}
	s := &nearing{herding: *newHerding(), t: t}
	s.Few = func(herd) bool { return true }
	f := frame.New(&Neighbors{}, s)
	f.Workers = 1
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	if !(s.cell > 0.3 && s.cell < 2) {
		t.Errorf("cells: got=%v m, want narrow ones", s.cell)
	}
	if s.shorter == 0 {
		t.Error("nobody found fewer than it asked for")
	}
}

// TestCellWidths holds how wide cells are to be, by who looks how far for what.
func TestCellWidths(t *testing.T) {
	for _, test := range []struct {
		name               string
		all, nearest, body float64
		narrowest, widest  float64
	}{
		{"nobody", 0, 0, 0, 2, 2},
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

// few asks for the three nearest, and in the end again for one.
type few struct{ herding }

func (s *few) Meet(m *Meeting) {
	for k := range m.Len() {
		m.Nearest(k, 3)
		m.Nearest(k, 1)
	}
}

// TestMetNearest holds what counts as met for those who look for the nearest few.
func TestMetNearest(t *testing.T) {
	w := ecs.NewWorld(16)
	for i := range uint64(6) { // five in a row, and one by itself
		e := w.NewEntity()
		add(&w, e, c.Agent{ID: i}, c.Position{Vec: r2.Vec{X: float64(i + i/5*100)}}, c.Velocity{}, c.Steering{}, herd{1.5})
	}
	n := &Neighbors{}
	f := frame.New(n, &few{*newHerding()})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	if looked, met := n.Met(); looked != 6 || met != 1+2+2+2+1 {
		t.Errorf("met: got=%v %v, want=6 8", looked, met)
	}
}
