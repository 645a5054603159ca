package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestORCAIsTheRule(t *testing.T) {
	for _, faithful := range []bool{false, true} {
		o := &ORCA{Seed: 5, Faithful: faithful}
		s := newAvoiders(newStage(t, 0.1, systemsOfAvoiders(o)...), o, 300, 0)
		s.Step()
		for step := range 20 {
			want := s.plainly(faithful)
			s.Step()
			for i, e := range s.entities {
				if got := testkit.ComponentOf[c.Velocity](s.stage, e).Vec; got != want[i] {
					t.Fatalf("step %d, agent %d: velocity: got=%v, want=%v", step, i, got, want[i])
				}
			}
		}
	}
}

func (v variant) hashOf(dt float64, steps int, systems []any, put func(*stage)) uint64 {
	w := ecs.NewWorld(16)
	s := &stage{World: &w, Give: Add, Frame: frame.New(systems...), Clock: &frame.Clock{Dt: dt}}
	s.Frame.Workers, s.Frame.BatchRows, s.Frame.ShareRows = v.workers, v.batchRows, 64
	ecs.AddResource(s.World, s.Clock)
	put(s)
	s.Frame.Initialize(s.World)
	s.Steps(steps)
	s.Frame.Finalize(s.World)
	return (&avoiders{stage: s}).hashed(&measure.Hash{})
}

func TestORCAHash(t *testing.T) {
	var want uint64
	for i, v := range []variant{{workers: 1}, {workers: 2, batchRows: 64}, {workers: 3, batchRows: 7, order: 1}, {workers: 8, batchRows: 1000, order: 2}} {
		o := &ORCA{}
		got := v.hashOf(0.1, 8, systemsOfAvoiders(o), func(s *stage) { newAvoiders(s, o, 2000, v.order) })
		if i == 0 {
			want = got
		}
		testkit.Equal(t, got, want, "%v: hash", v)
	}
}

func walkersOf(t testing.TB, o *ORCA, all ...[]any) (*stage, []ecs.Entity) {
	s := newStage(t, 0.1, systemsOfAvoiders(o)...)
	var entities []ecs.Entity
	for i, comps := range all {
		entities = append(entities, s.Put(append(comps, c.Agent{ID: uint64(i + 1)}, c.Limits{MaxSpeed: 1.5, MaxForce: 9}, c.Arrival{Gain: 2, SlowingRadius: 1})...))
	}
	return s, entities
}

// crosser crosses the origin to the opposite point.
func crosser(at r2.Vec, radius float64) []any {
	return []any{
		c.Position{Vec: at}, c.Velocity{}, c.Target{Vec: vec.Scale(-1, at)}, c.Radius{Meters: radius},
		c.ORCA{Gain: 2, TimeHorizon: 3, TimeHorizonObst: 1, NeighborDist: 10, MaxNeighbors: 10, Priority: 1},
	}
}

// clearance returns the minimum gap between two of the bodies, in m.
func clearance(s *stage, all []ecs.Entity) float64 {
	least := inf
	for i, e := range all {
		for _, o := range all[:i] {
			d := vec.Norm(vec.Sub(placeOf(s, e), placeOf(s, o)))
			least = min(least, d-testkit.ComponentOf[c.Radius](s, e).Meters-testkit.ComponentOf[c.Radius](s, o).Meters)
		}
	}
	return least
}

// apart fails the test when two of the bodies overlap.
func apart(t *testing.T, s *stage, all []ecs.Entity, steps int, name string) {
	t.Helper()
	for step := range steps {
		s.Step()
		if gap := clearance(s, all); gap < -1e-9 {
			t.Fatalf("%s, step %d: penetration: got=%v m, want=0", name, step, -gap)
		}
	}
}

func TestORCAMeetings(t *testing.T) {
	sin, cos := vec.SinCos(2 * math.Pi / 3)
	for _, tc := range []struct {
		name     string
		faithful bool
		all      [][]any
	}{
		{"head-on", false, [][]any{crosser(xy(-5, 0), 0.3), crosser(xy(5, 0), 0.3)}},
		{"head-on, unequal", false, [][]any{crosser(xy(-5, 0), 0.1), crosser(xy(5, 0), 1.5)}},
		{"crossing", false, [][]any{crosser(xy(-5, 0), 0.3), crosser(xy(0, 5), 0.3)}},
		{"crossing, faithful", true, [][]any{crosser(xy(-5, 0), 0.3), crosser(xy(0.3, 5), 0.3)}},
		{"three", false, [][]any{crosser(xy(5, 0), 0.3), crosser(xy(5*cos, 5*sin), 0.3), crosser(xy(5*cos, -5*sin), 0.3)}},
		{"four", false, [][]any{crosser(xy(5, 0), 0.3), crosser(xy(0, 5), 0.3), crosser(xy(-5, 0), 0.3), crosser(xy(0, -5), 0.3)}},
		{"two groups", false, [][]any{crosser(xy(-5, 0), 0.3), crosser(xy(-6, 0.7), 0.3), crosser(xy(5, 0), 0.3), crosser(xy(6, -0.7), 0.3), crosser(xy(6, 0.7), 0.3)}},
		{"one that does nothing for it", false, [][]any{crosser(xy(-5, 0), 0.3), crosser(xy(5, 0), 0.3)[:4]}},
	} {
		s, all := walkersOf(t, &ORCA{Faithful: tc.faithful}, tc.all...)
		apart(t, s, all, 300, tc.name)
		for i, e := range all {
			if d := vec.Norm(vec.Sub(placeOf(s, e), testkit.ComponentOf[c.Target](s, e).Vec)); d > 0.1 {
				t.Errorf("%s: agent %d: distance from its target after 30 s: got=%v m, want=0.1 or less", tc.name, i, d)
			}
		}
	}
}

func TestORCAOvertakenBlindly(t *testing.T) {
	for _, tc := range []struct {
		name string
		par  c.ORCA
		sees uint32
	}{
		{"sees all", c.ORCA{Gain: 2, TimeHorizon: 3, NeighborDist: 10, Priority: 1}, 1},
		{"looks nowhere", c.ORCA{Gain: 2, TimeHorizon: 3, MaxNeighbors: 10, Priority: 1}, 1},
		{"sees another layer", c.ORCA{Gain: 2, TimeHorizon: 3, NeighborDist: 10, MaxNeighbors: 10, Priority: 1}, 2},
	} {
		slow, fast := crosser(xy(-5, 0), 0.3), crosser(xy(-7, 0.05), 0.3)
		fast[2], fast[4] = c.Target{Vec: xy(20, 0)}, tc.par
		s, all := walkersOf(t, &ORCA{}, slow, append(fast, c.Layers{On: 1, Sees: tc.sees}))
		testkit.ComponentOf[c.Limits](s, all[0]).MaxSpeed = 0.5
		apart(t, s, all, 100, tc.name)
	}
}

func TestORCAPriority(t *testing.T) {
	for _, tc := range []struct {
		faithful    bool
		own, theirs float64 // priorities
		least, most float64 // of the way aside, divided by the way aside of the other
	}{
		{true, 1, 1, 1 - 1e-9, 1 + 1e-9},
		{true, 3, 1, 0.32, 0.35},
		{true, inf, 1, 0, 1e-9},
		{false, 1, 1, 0.98, 1.02},
		{false, 3, 1, 0.45, 0.65},
		{false, 1e6, 1, 0, 0.05},
		{false, inf, 1, 0, 1e-9},
	} {
		a, b := crosser(xy(-5, 0), 0.3), crosser(xy(5, 0.1), 0.3)
		b[2] = c.Target{Vec: xy(-5, 0.1)}
		s, all := walkersOf(t, &ORCA{Faithful: tc.faithful}, a, b)
		testkit.ComponentOf[c.ORCA](s, all[0]).Priority, testkit.ComponentOf[c.ORCA](s, all[1]).Priority = tc.own, tc.theirs
		mine, others, gap := 0., 0., inf
		for range 80 {
			s.Step()
			mine, others = max(mine, math.Abs(placeOf(s, all[0]).Y)), max(others, math.Abs(placeOf(s, all[1]).Y-0.1))
			gap = min(gap, clearance(s, all))
		}
		if share := mine / others; !(share >= tc.least && share <= tc.most) || mine+others > 1 || gap < -1e-9 {
			t.Errorf("faithful %v, priorities %v and %v: got=%.3f and %.3f m aside, gap %v; want=%v to %v of the other's, at most 1 m in all, gap 0 or more",
				tc.faithful, tc.own, tc.theirs, mine, others, gap, tc.least, tc.most)
		}
	}
}

// The target is nearer to an obstacle than the radius of the agent.
func TestORCABeforeAnObstacle(t *testing.T) {
	for _, tc := range []struct {
		name     string
		at       r2.Vec
		obstacle c.Obstacle
	}{
		{"a free-standing wall", xy(8, -5), c.Obstacle{Span: xy(0, 9), Radius: 0.1}},
		{"a slanted wall", xy(5, -4), c.Obstacle{Span: xy(6, 8), Radius: 0.1}},
		{"the jamb of a door", xy(7.8, 0.3), c.Obstacle{Span: xy(0, 4), Radius: 0.1}},
		{"a pillar behind", xy(8.2, 0.1), c.Obstacle{Radius: 0.3}},
		{"a pillar beside", xy(7.8, 0.4), c.Obstacle{Radius: 0.3}},
	} {
		s, all := walkersOf(t, &ORCA{}, crosser(r2.Vec{}, 0.3))
		testkit.ComponentOf[c.Target](s, all[0]).Vec = xy(7.8, 0)
		s.Put(c.Position{Vec: tc.at}, tc.obstacle)
		arrived, aside := inf, 0.
		for step := range 200 {
			s.Step()
			p := placeOf(s, all[0])
			if aside = max(aside, math.Abs(p.Y)); vec.Norm(vec.Sub(p, xy(7.8, 0))) < 0.5 {
				arrived = min(arrived, float64(step+1)*0.1)
			}
		}
		if speed := vec.Norm(testkit.ComponentOf[c.Velocity](s, all[0]).Vec); arrived > 6 || aside > 0.3 || speed > 1e-6 {
			t.Errorf("%s: got=there after %.1f s, %.2f m aside, at %.2g m/s after 20 s, want at most 6 s, 0.3 m, 1e-6 m/s", tc.name, arrived, aside, speed)
		}
	}
}

func TestORCAOddNeighbors(t *testing.T) {
	var odd, heap [][]any
	for _, at := range []r2.Vec{xy(-3, 0), xy(3, 0), xy(0, 3), xy(0, -3), xy(2, 2), xy(-2, 2), xy(-2, -2)} {
		odd = append(odd, crosser(at, 0.3))
	}
	s, all := walkersOf(t, &ORCA{}, odd...)
	testkit.ComponentOf[c.Position](s, all[1]).X = nan
	testkit.ComponentOf[c.Velocity](s, all[2]).Y = inf
	testkit.ComponentOf[c.Radius](s, all[3]).Meters = nan
	testkit.ComponentOf[c.Limits](s, all[4]).MaxSpeed = nan
	testkit.ComponentOf[c.ORCA](s, all[5]).Gain = nan
	for range 20 {
		testkit.ComponentOf[c.Steering](s, all[6]).X = nan
		s.Step()
	}
	s.RemoveEntity(all[5])
	s.Steps(200)
	testkit.Near(t, placeOf(s, all[0]), xy(3, 0), 0.07, "among odd neighbors: position")
	if p := placeOf(s, all[6]); !(vec.Norm(vec.Sub(p, xy(2, 2))) < 1.5) { // an agent that cannot move stands there
		t.Errorf("after its steering was bad: position: got=%v, want within 1.5 m of (2, 2)", p)
	}

	for range 60 {
		heap = append(heap, crosser(xy(1, 1), 0.2))
	}
	s, all = walkersOf(t, &ORCA{}, heap...)
	for _, e := range all {
		testkit.ComponentOf[c.Target](s, e).Vec = xy(1, 1)
	}
	s.Steps(100)
	for i, e := range all {
		if p, v := testkit.ComponentOf[c.Position](s, e).Vec, testkit.ComponentOf[c.Velocity](s, e).Vec; !vec.Finite(p) || !vec.Finite(v) || vec.Norm(v) > 1.5+1e-12 {
			t.Fatalf("agent %d: position and velocity: got=%v %v, want=finite, and no faster than 1.5", i, p, v)
		}
	}
	if gap := clearance(s, all); gap < -0.1 {
		t.Errorf("60 agents from one position after 10 s: penetration: got=%v, want=0.1 at most", -gap)
	}
}

func TestORCAAlone(t *testing.T) {
	comps := crosser(xy(-3, 1), 0.3)
	s, all := walkersOf(t, &ORCA{}, comps, comps[:4])
	testkit.ComponentOf[c.ORCA](s, all[0]).Gain = 0
	testkit.ComponentOf[c.Position](s, all[1]).Y = 100
	testkit.ComponentOf[c.Target](s, all[1]).Y = 98
	testkit.ComponentOf[c.Limits](s, all[0]).MaxForce, testkit.ComponentOf[c.Limits](s, all[1]).MaxForce = 3, 3
	for range 50 {
		s.Step()
		testkit.Near(t, vec.Sub(placeOf(s, all[1]), placeOf(s, all[0])), xy(0, 99), 5e-10, "gain 0: from it to an agent without ORCA")
	}
	s, all = walkersOf(t, &ORCA{}, comps)
	testkit.ComponentOf[c.Limits](s, all[0]).MaxForce = 3
	s.Step() // no force, no inertia
	testkit.Near(t, testkit.ComponentOf[c.Velocity](s, all[0]).Vec, vec.WithNorm(xy(3, -1), 1.5), 7e-13, "velocity after a step")
}

func TestORCAMovingObstacles(t *testing.T) {
	o := &ORCA{}
	s, all := walkersOf(t, o, crosser(xy(-5, 0), 0.3))
	disc := s.Put(c.Position{Vec: xy(0, -4)}, c.Obstacle{Radius: 1})
	wall := s.Put(c.Position{Vec: xy(0, 4)}, c.Obstacle{Span: xy(0, 1), Radius: 0.1})
	for step := range 200 {
		testkit.ComponentOf[c.Position](s, disc).Y = -4 + 0.03*float64(step)
		if step == 60 {
			s.RemoveEntity(wall)
		}
		s.Step()
		if d := vec.Norm(vec.Sub(placeOf(s, all[0]), placeOf(s, disc))); d < 1.3-0.04 { // the disc moves by 0.03 m per step
			t.Fatalf("step %d: got=%v m from the center of the disc, want=1.26 or more", step, d)
		}
	}
	testkit.Near(t, placeOf(s, all[0]), xy(5, 0), 0.07, "position after 20 s")
}
