package systems

import (
	"math"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/mlange-42/arche/ecs"
)

func TestArrivals(t *testing.T) {
	for _, tc := range []struct {
		name    string
		x       float64
		radius  float64
		arrives bool
	}{
		{"inside", 9.5, 1, true},
		{"on the rim", 9, 1, true},
		{"outside", math.Nextafter(9, 8), 1, false},
		{"at the target, radius 0", 10, 0, true},
		{"less than a millimeter from it, radius 0", 10.0005, 0, true},
		{"beside it, radius 0", 10.002, 0, false},
		{"position NaN", math.NaN(), 1, false},
		{"radius NaN", 10, math.NaN(), false},
	} {
		arrivals := &Arrivals{}
		s := newStage(t, 0.5, arrivals)
		s.Clock.Time = 4
		e := s.Put(c.Position{Vec: xy(tc.x, 0)}, c.Target{Vec: xy(10, 0)}, c.Agent{ID: 77}, c.Goal{Radius: tc.radius, Since: 1, Visits: 3, Remove: true})
		s.Step()
		var want []Arrived
		if tc.arrives {
			want = []Arrived{{Entity: e, ID: 77, Time: 4.5, Took: 3.5, Visit: 3, Remove: true}}
		}
		if got := arrivals.List(); !slices.Equal(got, want) {
			t.Errorf("%s: got=%v, want=%v", tc.name, got, want)
		}
		testkit.Equal(t, testkit.ComponentOf[c.Goal](s, e).Inside, tc.arrives, "%s: Inside", tc.name)
	}
}

func TestArrivalsListOnce(t *testing.T) {
	arrivals := &Arrivals{}
	s := newStage(t, 1, arrivals)
	e := s.Put(c.Position{}, c.Target{}, c.Goal{Radius: 1})
	visits := uint32(0)
	for i, tc := range []struct {
		x       float64
		arrives bool
	}{{5, false}, {0.5, true}, {0.2, false}, {1, false}, {1.5, false}, {1, true}, {0, false}} {
		testkit.ComponentOf[c.Position](s, e).X = tc.x
		s.Step()
		testkit.Equal(t, len(arrivals.List()) == 1, tc.arrives, "step %d, x=%v: listed", i, tc.x)
		if tc.arrives {
			visits++
		}
		testkit.Equal(t, testkit.ComponentOf[c.Goal](s, e).Visits, visits, "step %d: visits", i)
	}
}

func TestArrivalsOrder(t *testing.T) {
	arrivals := &Arrivals{}
	s := newStage(t, 1, arrivals)
	for _, id := range []uint64{50, 20, 90, 70} {
		e := s.Put(c.Position{}, c.Target{}, c.Goal{Radius: 1}, c.Agent{ID: id})
		if id == 20 {
			s.Add(e, ecs.ComponentID[ballast](s.World))
		}
	}
	e := s.Put(c.Position{}, c.Target{}, c.Goal{Radius: 1})
	s.Step()
	want := []uint64{uint64(e.ID()), 20, 50, 70, 90}
	var got []uint64
	for _, a := range arrivals.List() {
		got = append(got, a.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("IDs: got=%v, want=%v", got, want)
	}
	s.Step()
	testkit.Equal(t, len(arrivals.List()), 0, "arrivals after another step")
}
