package systems

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/frame/frametest"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// avoiders are a crowd in which agents avoid one another, of all kinds and among
// obstacles of all kinds.
type avoiders struct {
	*stage
	orca     *ORCA
	entities []ecs.Entity // of agents, by id
	walls    []orca.Edge
}

// systemsOfAvoiders returns what a avoiders has in its frame.
func systemsOfAvoiders(o *ORCA, more ...any) []any {
	return append([]any{&sense.Obstacles{}, &sense.Neighbors{}, &Arrival{}, o, &Integration{}}, more...)
}

// newAvoiders puts n agents, and obstacles among them, into the world of a stage,
// in an order of rows.
func newAvoiders(s *stage, o *ORCA, n int, order uint64) *avoiders {
	t := &avoiders{stage: s, orca: o, entities: make([]ecs.Entity, n)}
	side := math.Sqrt(float64(n) / 0.25)
	draw := func(i, use int) float64 { return frame.HashFloat(7, uint64(i), 0, uint64(use)) }
	at := func(i, use int) r2.Vec { return xy(side*draw(i, use), side*draw(i, use+1)) }
	square := []r2.Vec{xy(0, 0), xy(2, 0), xy(2, 0), xy(2, 2), xy(0.5, 1)}
	ecs.AddResource(s.World, &sense.Polygons{square, {xy(0, 0), xy(1, 0)}})
	for i := range n / 25 {
		p := at(i, 100)
		switch i % 3 {
		case 0:
			t.Put(c.Position{Vec: p}, c.Obstacle{Radius: 0.7})
			t.walls = append(t.walls, orca.Wall(p, p, 0.7))
		case 1:
			t.Put(c.Position{Vec: p}, c.Obstacle{Span: xy(2, -3), Radius: 0.1})
			t.walls = append(t.walls, orca.Wall(p, vec.Add(p, xy(2, -3)), 0.1))
		case 2:
			t.Put(c.Position{Vec: p}, c.Obstacle{Polygon: 1})
			var corners []r2.Vec
			for _, q := range square {
				corners = append(corners, vec.Add(p, q))
			}
			t.walls = orca.Ring(t.walls, corners, 0)
		}
	}
	t.Put(c.Position{Vec: xy(nan, 1)}, c.Obstacle{Radius: 3})
	t.Put(c.Position{Vec: xy(1, 1)}, c.Obstacle{Polygon: 2}) // of two corners
	ids := make([]int, n)
	for i := range ids {
		ids[i] = i
	}
	if order > 0 {
		rand.New(rand.NewPCG(order, 3)).Shuffle(n, func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	}
	for _, i := range ids {
		limits := c.Limits{MaxSpeed: 1 + draw(i, 4), MaxForce: 1}
		comps := []any{c.Agent{ID: uint64(i)}, c.Position{Vec: at(i, 0)}, c.Velocity{Vec: xy(2*draw(i, 2)-1, 2*draw(i, 3)-1)},
			limits, c.Target{Vec: at(i, 6)}, c.Arrival{Gain: 2, SlowingRadius: 1}}
		if i%7 != 0 {
			comps = append(comps, c.Radius{Meters: 0.1 + float64(0.4*draw(i, 8))})
		}
		if i%11 != 0 { // the others heed nobody
			par := c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 5, MaxNeighbors: 8, Priority: 1}
			switch i % 13 {
			case 0:
				par.Gain = 0
			case 1:
				par.NeighborDist = 0
			case 2:
				par.MaxNeighbors = 0
			case 3:
				par.Priority, par.NeighborDist, par.MaxNeighbors = 3, 12, 30
			case 4:
				par.Priority, par.TimeHorizon, par.TimeHorizonObst = 0, 0, 0
			}
			comps = append(comps, par)
		}
		if order > 0 && i%5 == 0 {
			comps = append(comps, ballast{})
		}
		t.entities[i] = t.Put(comps...)
	}
	return t
}

// hashed returns the state.
func (t *avoiders) hashed(h *measure.Hash) uint64 {
	f := frame.New(h)
	f.Workers = 1
	f.Initialize(t.World)
	defer f.Finalize(t.World)
	f.Update(t.World)
	return h.Sum()
}

// plainly returns the velocities after the next step, by the rule alone and a loop
// over all agents.
func (t *avoiders) plainly(faithful bool) []r2.Vec {
	type found struct {
		d2 float64
		i  int
	}
	next, dt, solver := make([]r2.Vec, len(t.entities)), t.Clock.Dt, &orca.Solver{}
	place, velocity := func(i int) r2.Vec { return frametest.Of[c.Position](t.stage, t.entities[i]).Vec }, func(i int) r2.Vec { return frametest.Of[c.Velocity](t.stage, t.entities[i]).Vec }
	parOf := func(i int) (par c.ORCA) {
		if t.Has(t.entities[i], ecs.ComponentID[c.ORCA](t.World)) {
			par = *frametest.Of[c.ORCA](t.stage, t.entities[i])
		}
		return par
	}
	radius := func(i int) float64 {
		if t.Has(t.entities[i], ecs.ComponentID[c.Radius](t.World)) {
			return frametest.Of[c.Radius](t.stage, t.entities[i]).Meters
		}
		return 0
	}
	way := func(i int) r2.Vec {
		if t.Has(t.entities[i], ecs.ComponentID[c.PreferredVelocity](t.World)) {
			return vec.Unit(frametest.Of[c.PreferredVelocity](t.stage, t.entities[i]).Vec)
		}
		return r2.Vec{}
	}
	for i, e := range t.entities {
		p, v, par, limits := place(i), velocity(i), parOf(i), frametest.Of[c.Limits](t.stage, e)
		slow := frametest.Of[c.Arrival](t.stage, e)
		force := vec.AddScaled(r2.Vec{}, slow.Gain, arriveAt(p, v, frametest.Of[c.Target](t.stage, e).Vec, limits.MaxSpeed, slow.SlowingRadius))
		if par.Gain == 0 {
			_, next[i] = integrate(p, v, force, 1, *limits, dt)
			continue
		}
		a := orca.Agent{
			ID: uint64(i), Position: p, Velocity: v, Preferred: vec.AddScaled(v, 1/par.Gain, force), Radius: radius(i), MaxSpeed: limits.MaxSpeed,
			Horizon: par.TimeHorizon, ObstacleHorizon: par.TimeHorizonObst,
			Way: way(i), Ahead: vec.Norm(vec.Sub(frametest.Of[c.Target](t.stage, e).Vec, p)),
		}
		if !faithful {
			a.Firm, a.Yield, a.Detour = true, true, true
			slot := math.Floor(t.Clock.Time/2 + frame.HashFloat(t.orca.Seed, a.ID, 0, useSidePhase))
			a.Side, a.Sidestep = orca.Sides(frame.HashFloat(t.orca.Seed, a.ID, uint64(slot), useSide))
		}
		var all []found
		for j := range t.entities {
			if d2 := vec.Norm2(vec.Sub(place(j), p)); j != i && d2 <= float64(par.NeighborDist*par.NeighborDist) {
				all = append(all, found{d2, j})
			}
		}
		slices.SortFunc(all, func(x, y found) int { return cmp.Or(cmp.Compare(x.d2, y.d2), cmp.Compare(x.i, y.i)) })
		var others []orca.Other
		if par.MaxNeighbors > 0 {
			all = all[:min(len(all), par.MaxNeighbors)]
		}
		for _, f := range all {
			share := 1.
			if theirs := parOf(f.i); theirs.Gain > 0 && theirs.NeighborDist > 0 {
				share = orca.Share(par.Priority, theirs.Priority)
			}
			others = append(others, orca.Other{ID: uint64(f.i), Position: place(f.i), Velocity: velocity(f.i), Radius: radius(f.i), Way: way(f.i), Share: share})
		}
		next[i], _ = solver.Velocity(&a, others, t.walls, dt)
		_, next[i] = integrate(p, next[i], r2.Vec{}, 1, *limits, dt)
	}
	return next
}

// The system does what the rule says, to the last bit.
func TestORCAIsTheRule(t *testing.T) {
	for _, faithful := range []bool{false, true} {
		o := &ORCA{Seed: 5, Faithful: faithful}
		s := newAvoiders(newStage(t, 0.1, systemsOfAvoiders(o)...), o, 300, 0)
		for step := range 20 {
			want := s.plainly(faithful)
			s.Step()
			for i, e := range s.entities {
				if got := frametest.Of[c.Velocity](s.stage, e).Vec; got != want[i] {
					t.Fatalf("step %d, agent %d: got=%v, want=%v", step, i, got, want[i])
				}
			}
		}
	}
}

// The state after some steps is one for all orders of rows, workers and batches.
func TestORCAHash(t *testing.T) {
	var want uint64
	for i, v := range []variant{{workers: 1, batchRows: 128}, {workers: 2, batchRows: 64}, {workers: 3, batchRows: 7, order: 1}, {workers: 8, batchRows: 1000, order: 2}} {
		w := ecs.NewWorld(16)
		o := &ORCA{}
		s := &stage{World: &w, Give: Add, Frame: frame.New(systemsOfAvoiders(o)...), Clock: &frame.Clock{Dt: 0.1}}
		s.Frame.Workers, s.Frame.BatchRows, s.Frame.ShareRows = v.workers, v.batchRows, 64
		ecs.AddResource(s.World, s.Clock)
		all := newAvoiders(s, o, 5000, v.order)
		s.Frame.Initialize(s.World)
		for range 8 {
			s.Step()
		}
		s.Frame.Finalize(s.World)
		got := all.hashed(&measure.Hash{})
		if i == 0 {
			want = got
		}
		if got != want {
			t.Errorf("%+v: got=%x, want=%x", v, got, want)
		}
	}
}

// walkersOf returns a stage with ORCA in it, and somebody for each of the given
// lists of components.
func walkersOf(t testing.TB, o *ORCA, all ...[]any) (*stage, []ecs.Entity) {
	s := newStage(t, 0.1, systemsOfAvoiders(o)...)
	var entities []ecs.Entity
	for i, comps := range all {
		entities = append(entities, s.Put(append(comps, c.Agent{ID: uint64(i + 1)}, c.Limits{MaxSpeed: 1.5, MaxForce: 9}, c.Arrival{Gain: 2, SlowingRadius: 1})...))
	}
	return s, entities
}

// crosser is somebody who crosses to the opposite point.
func crosser(at r2.Vec, radius float64) []any {
	return []any{
		c.Position{Vec: at}, c.Velocity{}, c.Target{Vec: vec.Scale(-1, at)}, c.Radius{Meters: radius},
		c.ORCA{Gain: 2, TimeHorizon: 3, TimeHorizonObst: 1, NeighborDist: 10, MaxNeighbors: 10, Priority: 1},
	}
}

// clearance returns the least gap of two bodies.
func clearance(s *stage, all []ecs.Entity) float64 {
	least := inf
	for i, e := range all {
		for _, o := range all[:i] {
			d := vec.Norm(vec.Sub(frametest.Of[c.Position](s, e).Vec, frametest.Of[c.Position](s, o).Vec))
			least = min(least, d-frametest.Of[c.Radius](s, e).Meters-frametest.Of[c.Radius](s, o).Meters)
		}
	}
	return least
}

// Those who meet pass, without a collision, as the paper has it where it can.
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
		for step := range 300 {
			s.Step()
			if gap := clearance(s, all); gap < -1e-9 {
				t.Fatalf("%s, step %d: penetration: got=%v, want=0", tc.name, step, -gap)
			}
		}
		for i, e := range all {
			if d := vec.Norm(vec.Sub(frametest.Of[c.Position](s, e).Vec, frametest.Of[c.Target](s, e).Vec)); d > 0.1 {
				t.Errorf("%s: agent %d is %v m from its target after 30 s", tc.name, i, d)
			}
		}
	}
}

// Who is overtaken by somebody who does not see it makes way alone.
func TestORCAOvertakenBlindly(t *testing.T) {
	for _, tc := range []struct {
		name string
		par  c.ORCA
		sees uint32
	}{
		{"sees nobody", c.ORCA{Gain: 2, TimeHorizon: 3, NeighborDist: 10, Priority: 1}, 1},
		{"looks nowhere", c.ORCA{Gain: 2, TimeHorizon: 3, MaxNeighbors: 10, Priority: 1}, 1},
		{"sees another layer", c.ORCA{Gain: 2, TimeHorizon: 3, NeighborDist: 10, MaxNeighbors: 10, Priority: 1}, 2},
	} {
		slow, fast := crosser(xy(-5, 0), 0.3), crosser(xy(-7, 0.05), 0.3)
		fast[2], fast[4] = c.Target{Vec: xy(20, 0)}, tc.par
		s, all := walkersOf(t, &ORCA{}, slow, append(fast, c.Layers{On: 1, Sees: tc.sees}))
		frametest.Of[c.Limits](s, all[0]).MaxSpeed = 0.5
		for step := range 100 {
			s.Step()
			if gap := clearance(s, all); gap < -1e-9 {
				t.Fatalf("%s, step %d: penetration: got=%v, want=0", tc.name, step, -gap)
			}
		}
	}
}

// Who has the higher priority goes straighter on.
func TestORCAPriority(t *testing.T) {
	aside := func(own, theirs float64) (mine, others float64) {
		a, b := crosser(xy(-5, 0), 0.3), crosser(xy(5, 0.1), 0.3)
		b[2] = c.Target{Vec: xy(-5, 0.1)}
		for i, p := range []float64{own, theirs} {
			par := []*[]any{&a, &b}[i]
			o := (*par)[4].(c.ORCA)
			o.Priority = p
			(*par)[4] = o
		}
		s, all := walkersOf(t, &ORCA{Faithful: true}, a, b)
		for range 80 {
			s.Step()
			mine = max(mine, math.Abs(frametest.Of[c.Position](s, all[0]).Y))
			others = max(others, math.Abs(frametest.Of[c.Position](s, all[1]).Y-0.1))
		}
		return mine, others
	}
	if a, b := aside(1, 1); math.Abs(a-b) > 1e-9 || a < 0.1 {
		t.Errorf("equal priorities: aside: got=%v and %v, want=as much", a, b)
	}
	if a, b := aside(3, 1); !(2*a < b) {
		t.Errorf("three times the priority: aside: got=%v and %v, want=less than half", a, b)
	}
	if a, b := aside(inf, 1); !(a < 1e-9 && b > 0.4) {
		t.Errorf("all priority: aside: got=%v and %v, want=0 and all", a, b)
	}
}

// Agents that die, are nowhere, pause or lie in one place harm nobody, and nothing
// that is not finite gets into the state.
func TestORCAOddNeighbors(t *testing.T) {
	kind := func(at r2.Vec) []any { return crosser(at, 0.3) }
	s, all := walkersOf(t, &ORCA{}, kind(xy(-3, 0)), kind(xy(3, 0)), kind(xy(0, 3)), kind(xy(0, -3)), kind(xy(2, 2)), kind(xy(-2, 2)), kind(xy(-2, -2)))
	frametest.Of[c.Position](s, all[1]).X = nan
	frametest.Of[c.Velocity](s, all[2]).Y = inf
	frametest.Of[c.Radius](s, all[3]).Meters = nan
	frametest.Of[c.Limits](s, all[4]).MaxSpeed = nan
	frametest.Of[c.ORCA](s, all[5]).Gain = nan
	for range 20 {
		frametest.Of[c.Steering](s, all[6]).X = nan
		s.Step()
	}
	s.RemoveEntity(all[5])
	for range 200 {
		s.Step()
	}
	if p := frametest.Of[c.Position](s, all[0]).Vec; !(vec.Norm(vec.Sub(p, xy(3, 0))) < 0.1) {
		t.Errorf("among odd neighbors: got=at %v, want=(3, 0)", p)
	}
	if p := frametest.Of[c.Position](s, all[6]).Vec; !(vec.Norm(vec.Sub(p, xy(2, 2))) < 1.5) { // where one stands who cannot move
		t.Errorf("after its steering was bad: got=at %v, want=near (2, 2)", p)
	}

	var heap [][]any
	for range 60 {
		heap = append(heap, crosser(xy(1, 1), 0.2))
	}
	s, all = walkersOf(t, &ORCA{}, heap...)
	for _, e := range all {
		frametest.Of[c.Target](s, e).Vec = xy(1, 1)
	}
	for range 100 {
		s.Step()
	}
	for i, e := range all {
		if p, v := frametest.Of[c.Position](s, e).Vec, frametest.Of[c.Velocity](s, e).Vec; !vec.Finite(p) || !vec.Finite(v) || vec.Norm(v) > 1.5+1e-12 {
			t.Fatalf("agent %d: got=%v %v, want=finite, and no faster than 1.5", i, p, v)
		}
	}
	if gap := clearance(s, all); gap < -0.1 {
		t.Errorf("60 from one place after 10 s: penetration: got=%v, want=0.1 at most", -gap)
	}
}

// A gain of 0 is as if there were no ORCA, and without others and obstacles the
// agent does what steers it desires.
func TestORCAAlone(t *testing.T) {
	for _, gain := range []float64{0, 2} {
		comps := crosser(xy(-3, 1), 0.3)
		comps[4] = c.ORCA{Gain: gain, TimeHorizon: 3, NeighborDist: 5, MaxNeighbors: 5}
		s, all := walkersOf(t, &ORCA{}, comps, comps[:4])
		frametest.Of[c.Position](s, all[1]).Y = 100
		frametest.Of[c.Target](s, all[1]).Y = 98
		frametest.Of[c.Limits](s, all[0]).MaxForce, frametest.Of[c.Limits](s, all[1]).MaxForce = 3, 3
		if gain > 0 { // no force, no inertia
			s.Step()
			if v := frametest.Of[c.Velocity](s, all[0]).Vec; math.Abs(vec.Norm(v)-1.5) > 1e-12 || math.Abs(v.Y+v.X/3) > 1e-12 {
				t.Errorf("velocity after a step: got=%v, want=1.5 m/s at the target", v)
			}
			continue
		}
		for range 50 {
			s.Step()
			a, b := frametest.Of[c.Position](s, all[0]).Vec, frametest.Of[c.Position](s, all[1]).Vec
			if vec.Norm(vec.Sub(vec.Sub(b, a), xy(0, 99))) > 1e-9 {
				t.Fatalf("paused: got=at %v, want=%v", a, vec.Sub(b, xy(0, 99)))
			}
		}
	}
}

// Obstacles that move, come and go are walls as they are now.
func TestORCAMovingObstacles(t *testing.T) {
	o := &ORCA{}
	s, all := walkersOf(t, o, crosser(xy(-5, 0), 0.3))
	disc := s.Put(c.Position{Vec: xy(0, -4)}, c.Obstacle{Radius: 1})
	wall := s.Put(c.Position{Vec: xy(0, 4)}, c.Obstacle{Span: xy(0, 1), Radius: 0.1})
	for step := range 200 {
		frametest.Of[c.Position](s, disc).Y = -4 + 0.03*float64(step)
		if step == 60 {
			s.RemoveEntity(wall)
		}
		s.Step()
		if d := vec.Norm(vec.Sub(frametest.Of[c.Position](s, all[0]).Vec, frametest.Of[c.Position](s, disc).Vec)); d < 1.3-0.04 { // it moves on meanwhile
			t.Fatalf("step %d: got=%v m from the center of the disc, want=1.3 or more", step, d)
		}
	}
	if p := frametest.Of[c.Position](s, all[0]).Vec; vec.Norm(vec.Sub(p, xy(5, 0))) > 0.1 {
		t.Errorf("got=at %v, want=(5, 0)", p)
	}
}

// A step allocates nothing, once it has seen the thickest of the crowd.
func TestORCAAllocatesNothing(t *testing.T) {
	if column.Copies {
		t.Skip("skipped: the safe build copies columns")
	}
	o := &ORCA{}
	s := newAvoiders(newStage(t, 0.1, systemsOfAvoiders(o)...), o, 300, 0)
	for range 150 {
		s.Step()
	}
	if got := testing.AllocsPerRun(50, s.Step); got != 0 {
		t.Errorf("allocations in a step: got=%v, want=0", got)
	}
}
