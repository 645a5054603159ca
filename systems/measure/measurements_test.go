package measure

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestLineCrossed(t *testing.T) {
	up := MeasurementLine{A: r2.Vec{X: 1, Y: -1}, B: r2.Vec{X: 1, Y: 1}}
	for _, test := range []struct {
		name  string
		p, q  r2.Vec
		share float64
		ok    bool
	}{
		{"crosses in the middle", r2.Vec{}, r2.Vec{X: 2}, 0.5, true},
		{"the other way", r2.Vec{X: 5}, r2.Vec{}, 0.8, true},
		{"at an end", r2.Vec{Y: 1}, r2.Vec{X: 2, Y: 1}, 0.5, true},
		{"beyond an end", r2.Vec{Y: 1.1}, r2.Vec{X: 2, Y: 1.1}, 0, false},
		{"before it", r2.Vec{}, r2.Vec{X: 0.9}, 0, false},
		{"ends on it, from the left", r2.Vec{}, r2.Vec{X: 1}, 0, false},
		{"begins on it, to the right", r2.Vec{X: 1}, r2.Vec{X: 2}, 0, true},
		{"ends on it, from the right", r2.Vec{X: 2}, r2.Vec{X: 1}, 1, true},
		{"begins on it, to the left", r2.Vec{X: 1}, r2.Vec{}, 0, false},
		{"along it", r2.Vec{X: 1, Y: -2}, r2.Vec{X: 1, Y: 2}, 0, false},
		{"stands", r2.Vec{X: 1}, r2.Vec{X: 1}, 0, false},
	} {
		share, ok := up.crossed(test.p, test.q)
		if ok != test.ok || ok && math.Abs(share-test.share) > 1e-15 {
			t.Errorf("%s: got=%v %v, want=%v %v", test.name, share, ok, test.share, test.ok)
		}
	}
	if _, ok := (&MeasurementLine{}).crossed(r2.Vec{X: -1}, r2.Vec{X: 1}); ok {
		t.Error("a line of length 0: got a crossing, want none")
	}
}

// Three agents walk in single file at 2 m/s, one meter apart, over a line at 10 m. The last one turns
// around beyond it.
func TestGauges(t *testing.T) {
	trips := &TripMetrics{}
	g := &Measurements{TripMetrics: trips, Lines: []MeasurementLine{{r2.Vec{X: 10, Y: -2}, r2.Vec{X: 10, Y: 2}}}, Areas: []r2.Box{{Min: r2.Vec{X: 9.25, Y: -1}, Max: r2.Vec{X: 11.25, Y: 1}}}}
	s := newStage(t, 0.25, &testkit.Mover{}, trips, g)
	var all []ecs.Entity
	for i := range 3 {
		all = append(all, s.Put(c.Position{Vec: r2.Vec{X: float64(i)}}, c.Velocity{Vec: r2.Vec{X: 2}}, c.Limits{MaxSpeed: 9}))
	}
	trips.Begin(s.World)
	for step := range 40 {
		if step == 26 { // all agents have passed
			testkit.ComponentOf[c.Velocity](s, all[0]).X = -2
		}
		s.Step()
	}
	n := g.Line(0)
	if flow, ok := n.Flow(); n.Passed != 3 || n.First != 4 || n.Last != 5 || n.Speed != 2 || !ok || flow != 2 {
		t.Errorf("line: got=%+v, flow %v, want 3 agents from 4 s to 5 s at 2 m/s, flow 2", n, flow)
	}
	a := g.Area(0)
	if a.Steps != 16 || a.Time != 3 || math.Abs(a.Density-16*0.25/3/4) > 1e-9 || a.MaxDensity != 0.5 || a.Speed != 2 {
		t.Errorf("area: got=%+v, want 16 agent-steps in 3 s, density 1/3, at most 0.5, at 2 m/s", a)
	}
}

func TestFlowOfFew(t *testing.T) {
	for _, n := range []LineCount{{}, {Passed: 1, First: 1, Last: 1}, {Passed: 2, First: 3, Last: 3}} {
		if flow, ok := n.Flow(); ok || flow != 0 {
			t.Errorf("%+v: got=%v %v, want none", n, flow, ok)
		}
	}
}

func TestGaugesSharedEdge(t *testing.T) {
	trips := &TripMetrics{}
	area := func(x, y float64) r2.Box { return r2.Box{Min: r2.Vec{X: x, Y: y}, Max: r2.Vec{X: x + 1, Y: y + 1}} }
	g := &Measurements{TripMetrics: trips, Areas: []r2.Box{area(0, 0), area(1, 0), area(0, 1), area(1, 1)}}
	s := newStage(t, 1, trips, g)
	e := s.Put(c.Position{}, c.Velocity{})
	trips.Begin(s.World)
	before := [4]int{}
	for _, test := range []struct{ x, y, in float64 }{
		{0.5, 0.5, 0}, {1, 0.5, 1}, {0.5, 1, 2}, {1, 1, 3}, {0, 0, 0}, {2, 0.5, -1}, {0.5, 2, -1},
	} {
		testkit.ComponentOf[c.Position](s, e).Vec = r2.Vec{X: test.x, Y: test.y}
		s.Step()
		for k := range before {
			now := g.Area(k).Steps
			testkit.Equal(t, now > before[k], float64(k) == test.in, "at (%v, %v): in area %d", test.x, test.y, k)
			before[k] = now
		}
	}
}

func TestHashCovers(t *testing.T) {
	hashOf := func(id uint64, p, v, h r2.Vec, more ...any) uint64 {
		hash := &Hash{}
		s := newStage(t, 0.1, hash)
		s.Put(append([]any{c.Agent{ID: id}, c.Position{Vec: p}, c.Velocity{Vec: v}, c.Heading{Vec: h}}, more...)...)
		s.Put(c.Position{Vec: r2.Vec{X: float64(len(more))}}, c.Obstacle{Radius: 1})
		s.Step()
		return hash.Sum()
	}
	p, v, h, d := r2.Vec{X: 1, Y: 2}, r2.Vec{X: 3, Y: 4}, r2.Vec{X: 0.6, Y: 0.8}, r2.Vec{X: 1e-15}
	want := hashOf(1, p, v, h)
	for name, got := range map[string]uint64{
		"id":        hashOf(2, p, v, h),
		"position":  hashOf(1, r2.Add(p, d), v, h),
		"velocity":  hashOf(1, p, r2.Add(v, d), h),
		"heading":   hashOf(1, p, v, r2.Add(h, d)),
		"exchanged": hashOf(1, v, p, h),
		"axes":      hashOf(1, r2.Vec{X: 2, Y: 1}, v, h),
	} {
		if got == want {
			t.Errorf("%s: got the same hash, %x, want another", name, got)
		}
	}
	testkit.Equal(t, hashOf(1, p, v, h, c.Mass{Kilograms: 3}), want, "another component or obstacle")
}

func TestHashOfReborn(t *testing.T) {
	hash, neighbors := &Hash{}, &sense.Neighbors{Always: true}
	s := newStage(t, 1, neighbors, hash)
	first := s.Put(c.Position{Vec: r2.Vec{X: 1}}, c.Velocity{})
	s.Step()
	sum, id := hash.Sum(), neighbors.At(0).ID
	s.RemoveEntity(first)
	second := s.Put(c.Position{Vec: r2.Vec{X: 1}}, c.Velocity{})
	s.Step()
	if first.ID() != second.ID() || first == second {
		t.Fatalf("entities %v and %v, want the same entity ID, or nothing is tested", first, second)
	}
	if hash.Sum() == sum {
		t.Error("the later agent: got the same hash, want another")
	}
	if neighbors.At(0).ID == id {
		t.Errorf("the later agent as a neighbor: got the same ID, %d, want another", id)
	}
}
