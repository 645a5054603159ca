package systems

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// manySystems returns most systems that need no neighbors, in the order of a frame.
func manySystems(box r2.Box) []any {
	index := &sense.Obstacles{}
	return []any{
		&Follow{}, &Track{}, index, &PathFollowing{}, &KinematicSeek{}, &Seek{}, &Flee{}, &Arrival{}, &OpposingArrival{}, &DampedArrival{},
		&SmoothArrival{}, &Pursuit{}, &Evasion{}, &OffsetPursuit{}, &Wander{Seed: 5}, &ThreatScan{Obstacles: index}, &Avoidance{},
		&WallFollowing{Obstacles: index}, &Containment{Obstacles: index}, &TurnTowards{}, &TurnAway{}, &Integration{}, &Drive{}, &Facing{},
		&Bounds{Mode: BoundsBounce, Box: box}, &Arrivals{},
	}
}

type variant struct {
	workers, batchRows int
	order              uint64 // seed of the order of rows; 0 means by ID
	alone              bool   // each system runs in its own frame
}

func (v variant) String() string {
	return fmt.Sprintf("workers=%d/rows=%d/order=%d/alone=%v", v.workers, v.batchRows, v.order, v.alone)
}

// These tags spread a crowd over archetypes.
type (
	tagA    struct{}
	tagB    struct{}
	tagC    struct{}
	ballast struct{ _ [3]float64 }
)

// crowdOf spawns agents over about a hundred archetypes. Some of them follow, flee, pursue or evade
// pointer. order determines only the order of rows.
func crowdOf(w *ecs.World, first, n uint64, pointer ecs.Entity, order uint64) map[uint64]ecs.Entity {
	ids := make([]uint64, n)
	for i := range ids {
		ids[i] = first + uint64(i)
	}
	if order > 0 {
		r := rand.New(rand.NewPCG(order, first))
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	}
	entities := map[uint64]ecs.Entity{}
	for _, id := range ids {
		entities[id] = spawnOne(w, id, pointer)
	}
	quarry := ecs.ComponentID[c.Quarry](w)
	for i := range n { // some pursue each other, and some of their quarries die
		if e, other := entities[first+i], entities[first+(i+7)%n]; w.Has(e, quarry) && i%3 > 0 {
			(*c.Quarry)(w.Get(e, quarry)).Entity = other
		}
	}
	if order > 0 { // removing and adding a component moves rows
		ballastID := ecs.ComponentID[ballast](w)
		for i, id := range ids {
			if i%3 == 0 {
				w.Add(entities[id], ballastID)
			}
			if i%6 == 0 {
				w.Remove(entities[id], ballastID)
			}
		}
	}
	return entities
}

func spawnOne(w *ecs.World, id uint64, pointer ecs.Entity) ecs.Entity {
	draw := func(use uint64) float64 { return frame.HashFloat(7, id, 0, use) }
	point := func(use uint64) r2.Vec { return xy(100*draw(use), 100*draw(use+1)) }
	angle := 2 * math.Pi * draw(4)
	comps := []any{
		c.Agent{ID: id}, c.Position{Vec: point(0)}, c.Target{Vec: point(2)}, c.Steering{}, c.Velocity{Vec: xy(math.Cos(angle), math.Sin(angle))},
		c.Limits{MaxSpeed: 1 + 2*draw(5), MaxForce: 5}, c.Heading{Vec: xy(1, 0)}, c.Goal{Radius: 1},
	}
	for use, some := range []struct {
		chance float64
		comps  []any
	}{
		{0.5, []any{c.Mass{Kilograms: 0.5 + draw(6)}}},
		{0.5, []any{c.Radius{Meters: 0.5 * draw(7)}}},
		{0.3, []any{c.Seek{Gain: 1}}},
		{0.6, []any{c.Arrival{Gain: 2, SlowingRadius: 3}}},
		{0.15, []any{c.Flee{From: point(8), Gain: 1, Radius: 20}}},
		{0.2, []any{c.Evasion{Gain: 1, Horizon: 2, Radius: 20}, c.Pursuer{Entity: pointer}, c.FleeFrom{Entity: pointer}}},
		{0.2, []any{c.Follow{Entity: pointer}}},
		{0.6, []any{c.ThreatScan{LookAhead: 2 + 6*draw(10)}, c.Threat{}, c.Avoidance{MaxForce: 4}}},
		{0.4, []any{c.Facing{Rate: 2}}},
		{0.12, []any{c.TurnTowards{Rate: 1}, c.Drive{Speed: 1, TopSpeed: 1}, c.SmoothArrival{Gain: 1, Min: 1, Max: 9}}},
		{0.2, []any{c.Path{Index: 0, Reached: 3, Loop: true}}},
		{0.1, []any{c.OpposingArrival{Gain: 1, SlowingRadius: 2, TimeConstant: 1}}},
		{0.1, []any{c.DampedArrival{Gain: 1, SlowingRadius: 2, TimeConstant: 1}}},
		{0.2, []any{c.Quarry{Entity: pointer}, c.Pursuit{Gain: 1, Horizon: 2}, c.OffsetPursuit{Gain: 0.5 * draw(9), Horizon: 1, Distance: 3}}},
		{0.2, []any{c.Wander{Gain: 1, Distance: 1, Radius: 1, Rate: 1}}},
		{0.3, []any{c.Containment{Gain: 3, Horizon: 1.5, Box: r2.Box{Min: xy(5, 5), Max: xy(95, 95)}}}},
		{0.1, []any{c.WallFollowing{Gain: 2, Horizon: 1, Offset: 1, Range: 6}}},
		{0.5, []any{tagA{}}}, {0.5, []any{tagB{}}}, {0.5, []any{tagC{}}},
	} {
		if draw(100+uint64(use)) < some.chance {
			comps = append(comps, some.comps...)
		}
	}
	e := w.NewEntity()
	Add(w, e, comps...)
	return e
}

// run returns the hash after every tenth step.
func (v variant) run(t testing.TB, agents uint64, steps int) []uint64 {
	world := ecs.NewWorld(16)
	w, clock := &world, &frame.Clock{}
	s := &stage{World: w, Give: Add}
	ecs.AddResource(w, clock)
	ecs.AddResource(w, &Paths{{{X: 10, Y: 10}, {X: 90, Y: 20}, {X: 50, Y: 80}}})
	ecs.AddResource(w, &sense.Polygons{{{X: -3, Y: -3}, {X: 3, Y: -2}, {X: 0, Y: 4}}})
	pointer := s.Put(c.Position{}, c.Velocity{})
	var obstacles []ecs.Entity
	for i := range uint64(60) {
		o := c.Obstacle{Radius: 1 + 2*frame.HashFloat(3, i, 0, 2)}
		switch {
		case i%3 == 1:
			o = c.Obstacle{Span: r2.Vec{X: 5, Y: 3}, Radius: 0.1}
		case i%10 == 2:
			o = c.Obstacle{Polygon: 1}
		}
		at := xy(100*frame.HashFloat(3, i, 0, 0), 100*frame.HashFloat(3, i, 0, 1))
		obstacles = append(obstacles, s.Put(c.Position{Vec: at}, o))
	}
	entities := crowdOf(w, 1, agents, pointer, v.order)

	list := manySystems(r2.Box{Max: xy(100, 100)})
	frames := []*frame.Frame{frame.New(list...)}
	if v.alone {
		frames = nil
		for _, s := range list {
			frames = append(frames, frame.New(s))
		}
	}
	hash := &measure.Hash{}
	frames = append(frames, frame.New(hash))
	for _, f := range frames {
		f.Workers, f.BatchRows, f.ShareRows = v.workers, v.batchRows, 1
		f.Initialize(w)
		defer f.Finalize(w)
	}
	var hashes []uint64
	next := agents + 1
	for step := range steps {
		clock.Dt = 1. / 60
		if step%7 == 0 {
			clock.Dt = 1. / 30
		}
		testkit.ComponentOf[c.Position](s, pointer).Vec = xy(float64(step%100), 40)
		testkit.ComponentOf[c.Velocity](s, pointer).Vec = xy(float64(step%3), 1)
		for i := step % 4; i < len(obstacles); i += 4 {
			testkit.ComponentOf[c.Position](s, obstacles[i]).X += 0.05 * float64(i%5-2)
		}
		if step%20 == 5 {
			w.RemoveEntity(obstacles[0])
			obstacles = append(obstacles[1:], s.Put(c.Position{Vec: xy(float64(step%90), 33)}, c.Obstacle{Radius: 2}))
		}
		if step%10 == 3 {
			for id := next - agents; id < next-agents+20; id++ {
				w.RemoveEntity(entities[id])
			}
			for id, e := range crowdOf(w, next, 20, pointer, v.order) {
				entities[id] = e
			}
			next += 20
		}
		for _, f := range frames {
			f.Update(w)
		}
		clock.Advance()
		if step%10 == 9 {
			hashes = append(hashes, hash.Sum())
		}
	}
	return hashes
}

func TestSameBits(t *testing.T) {
	const agents, steps = 400, 60
	want := variant{workers: 1}.run(t, agents, steps)
	if want[0] == want[1] {
		t.Fatalf("hash after steps 10 and 20: got=%x for both, want a crowd that moves", want[0])
	}
	for _, v := range []variant{
		{workers: 2}, {workers: 7}, {workers: 16},
		{workers: 1, batchRows: 1}, {workers: 3, batchRows: 7}, {workers: 2, batchRows: 100000},
		{workers: 1, order: 1}, {workers: 3, order: 2, batchRows: 33},
		{workers: 1, alone: true}, {workers: 7, order: 3, alone: true},
	} {
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			for i, got := range v.run(t, agents, steps) {
				testkit.Equal(t, got, want[i], "hash after step %d", 10*i+10)
			}
		})
	}
}

func TestNoAllocations(t *testing.T) {
	for _, workers := range []int{1, 4} {
		world := ecs.NewWorld(16)
		w := &world
		pointer := w.NewEntity(ecs.ComponentID[c.Position](w))
		crowdOf(w, 1, 500, pointer, 0)
		f := frame.New(manySystems(r2.Box{Max: xy(100, 100)})...)
		f.Workers, f.ShareRows = workers, 1
		f.Initialize(w)
		for range 200 {
			f.Update(w)
		}
		testkit.NoAllocs(t, 100, func() { f.Update(w) })
		f.Finalize(w)
	}
}

type mixed struct {
	*stage
	agents []ecs.Entity
}

// These are the kinds of agents of a mixed stage. Each is the index of the first of two agents.
const (
	seeker  = 2 * iota // seeks, flees and avoids
	arriver            // arrives and follows a path
	glider             // has no Limits
	tank               // turns and drives
	kinds   = iota
)

func newMixed(t testing.TB) *mixed {
	s := newStage(t, 0.05, manySystems(r2.Box{Min: xy(-50, -50), Max: xy(50, 50)})...)
	ecs.AddResource(s.World, &Paths{{xy(0, 0), xy(9, 9)}})
	m := &mixed{stage: s}
	for i := range 4 {
		s.Put(c.Position{Vec: xy(5*float64(i), 3)}, c.Obstacle{Radius: 1})
	}
	for kind := range kinds {
		for i := range 2 {
			x := float64(2*kind + i)
			body := []any{c.Position{Vec: xy(x, -x)}, c.Velocity{Vec: xy(0.5, 1)}, c.Heading{Vec: xy(0, 1)},
				c.Target{Vec: xy(10, 4+x)}, c.Radius{Meters: 0.25}, c.Goal{Radius: 0.5}}
			steered := append(body, c.Steering{}, c.Mass{Kilograms: 2}, c.Limits{MaxSpeed: 2, MaxForce: 9},
				c.ThreatScan{LookAhead: 4}, c.Threat{}, c.Avoidance{MaxForce: 5}, c.Facing{Rate: 2})
			switch 2 * kind {
			case seeker:
				body = append(steered, c.Seek{Gain: 2}, c.Flee{From: xy(-3, -3), Gain: 1, Radius: 20})
			case arriver:
				body = append(steered, c.Arrival{Gain: 2, SlowingRadius: 3}, c.Path{Next: 1, Reached: 1, Loop: true})
			case glider:
				body = append(body, c.OpposingArrival{Gain: 1, SlowingRadius: 2, TimeConstant: 1},
					c.DampedArrival{Gain: 1, SlowingRadius: 2, TimeConstant: 1})
			case tank:
				body = append(body, c.TurnTowards{Rate: 1}, c.Drive{Speed: 1, TopSpeed: 2}, c.SmoothArrival{Gain: 1, Min: 1, Max: 5})
			}
			m.agents = append(m.agents, s.Put(body...))
		}
	}
	return m
}

func (m *mixed) state(i int) [6]uint64 {
	p, v, h := testkit.ComponentOf[c.Position](m.stage, m.agents[i]), testkit.ComponentOf[c.Velocity](m.stage, m.agents[i]), testkit.ComponentOf[c.Heading](m.stage, m.agents[i])
	bits := math.Float64bits
	return [6]uint64{bits(p.X), bits(p.Y), bits(v.X), bits(v.Y), bits(h.X), bits(h.Y)}
}

func TestBadValues(t *testing.T) {
	const before, after = 5, 10
	clean := newMixed(t)
	clean.Steps(before + after)
	testkit.Equal(t, clean.Frame.Stats().Skipped, 0, "without a bad value: skipped")
	// If a bad value freezes the agent, its row does not change, and is counted as skipped in each
	// step.
	set := func(name string, agent int, freezes bool, bad func(*stage, ecs.Entity)) {
		m := newMixed(t)
		m.Steps(before)
		bad(m.stage, m.agents[agent])
		was := m.state(agent)
		m.Steps(after)
		for i, e := range m.agents {
			got := m.state(i)
			if i == agent {
				if i != tank { // Facing continues
					copy(got[4:], was[4:])
				}
				if freezes && got != was {
					t.Errorf("%s of agent %d: its state: got=%x, want=%x", name, agent, got, was)
				}
				continue
			}
			testkit.Equal(t, got, clean.state(i), "%s of agent %d: agent %d", name, agent, i)
			if p := testkit.ComponentOf[c.Position](m.stage, e).Vec; !vec.Finite(p) {
				t.Errorf("%s of agent %d: position of agent %d: got=%v, want=finite", name, agent, i, p)
			}
		}
		if n := m.Frame.Stats().Skipped; freezes && n < after {
			t.Errorf("%s of agent %d: skipped: got=%d, want=%d or more", name, agent, n, after)
		}
	}
	for _, x := range []float64{nan, inf, -inf} {
		add := func(name string, agent int, freezes bool, bad func(*stage, ecs.Entity)) {
			set(fmt.Sprintf("%s %v", name, x), agent, freezes, bad)
		}
		for _, agent := range []int{seeker, arriver, glider, tank} {
			add("position", agent, true, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Position](s, e).Y = x })
		}
		for _, agent := range []int{seeker, arriver, glider} {
			add("velocity", agent, true, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Velocity](s, e).X = x })
		}
		for _, agent := range []int{seeker, glider} {
			add("target", agent, agent == seeker, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Target](s, e).X = x })
		}
		add("target", tank, false, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Target](s, e).X = x })
		add("steering", seeker, false, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Steering](s, e).X = x })
		add("heading", tank, true, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Heading](s, e).X = x })
		add("heading", seeker, false, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Heading](s, e).X = x })
	}
	for _, x := range []float64{0, -1, nan} {
		set(fmt.Sprintf("mass %v", x), seeker, true, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Mass](s, e).Kilograms = x })
	}
	for _, x := range []float64{-1, nan, -inf} {
		set(fmt.Sprintf("max speed %v", x), seeker, true, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Limits](s, e).MaxSpeed = x })
		set(fmt.Sprintf("max force %v", x), arriver, true, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Limits](s, e).MaxForce = x })
	}
	set("gain NaN", seeker, true, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Seek](s, e).Gain = nan })
	set("slowing radius NaN", arriver, false, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Arrival](s, e).SlowingRadius = nan })
	set("time constant 0", glider, false, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.OpposingArrival](s, e).TimeConstant = 0 })
	set("flee from NaN", seeker, false, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Flee](s, e).From.X = nan })
	set("radius NaN", seeker, false, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Radius](s, e).Meters = nan })
	set("radius -1", seeker, false, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Radius](s, e).Meters = -1 })
	set("look-ahead NaN", seeker, false, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.ThreatScan](s, e).LookAhead = nan })
	set("look-ahead infinite", arriver, false, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.ThreatScan](s, e).LookAhead = inf })
	set("look-ahead -1", arriver, false, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.ThreatScan](s, e).LookAhead = -1 })
	set("drive speed NaN", tank, false, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Drive](s, e).TopSpeed = nan })
	set("turn rate NaN", tank, false, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.TurnTowards](s, e).Rate = nan })
	set("path 4294967295", arriver, false, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Path](s, e).Index = math.MaxUint32 })
}

func TestBadVelocityOutsideBounds(t *testing.T) {
	for _, mode := range []BoundsMode{BoundsBounce, BoundsFaithful, BoundsWrap, BoundsClamp} {
		pos, vel := []c.Position{{Vec: xy(-5, 1)}}, []c.Velocity{{Vec: xy(nan, 1)}}
		newRig(1, []frame.System{&Bounds{Mode: mode, Box: r2.Box{Max: xy(9, 9)}}}, frame.Over(pos), frame.Over(vel)).step()
		if pos[0].Vec != xy(-5, 1) || vel[0].Y != 1 {
			t.Errorf("mode %v: got=%v, %v, want=(-5, 1), (NaN, 1)", mode, pos[0], vel[0])
		}
	}
}

type cruising struct {
	vel   frame.In[c.Velocity]
	agent frame.In[c.Agent]
	steer frame.Out[c.Steering]
}

func (s *cruising) Needs(n *frame.Needs) {
	n.Read(&s.vel, &s.agent)
	n.Add(&s.steer)
}

func (s *cruising) Run(b *frame.Batch) {
	vel, agent, steer := s.vel.Of(b), s.agent.Of(b), s.steer.Of(b)
	for i := range vel {
		wish := xy(1.3, 0)
		if agent[i].ID%2 == 1 {
			wish.X = -wish.X
		}
		steer[i].Vec = vec.Add(steer[i].Vec, vec.Sub(wish, vel[i].Vec))
	}
}

func TestRulesAcrossEdges(t *testing.T) {
	const side = 40
	for name, rule := range map[string]struct {
		systems    func() []any
		components []any
	}{
		"ORCA":       {func() []any { return []any{&ORCA{}} }, []any{c.ORCA{Gain: 1, TimeHorizon: 3, TimeHorizonObst: 1, NeighborDist: 8, MaxNeighbors: 5}, c.PreferredVelocity{}}},
		"people":     {func() []any { return []any{&ORCA{}} }, []any{c.ORCA{Gain: 1, TimeHorizon: 3, TimeHorizonObst: 1, NeighborDist: 8, MaxNeighbors: 5}, c.PreferredVelocity{}, c.FollowingDistance{TimeGap: 0.5}}},
		"bodies":     {func() []any { return []any{&ResolveOverlaps{}} }, []any{c.Solid{Push: 0.5}}},
		"separation": {func() []any { return []any{&Separation{}} }, []any{c.Separation{Gain: 2, NeighborDist: 5}}},
		"flock": {func() []any { return []any{&Separation{}, &Alignment{}, &Cohesion{}} }, []any{c.Separation{Gain: 2, NeighborDist: 5, MaxNeighbors: 3},
			c.Alignment{Gain: 1, NeighborDist: 6, FieldOfView: 4}, c.Cohesion{Gain: 1, NeighborDist: 6}}},
		"unaligned": {func() []any { return []any{&UnalignedCollisionAvoidance{}} }, []any{c.UnalignedCollisionAvoidance{Gain: 2, Horizon: 5, NeighborDist: 9}}},
	} {
		run := func(by r2.Vec) (state []r2.Vec) {
			box := r2.Box{Max: xy(side, side)}
			list := append([]any{&sense.Obstacles{}, &sense.Neighbors{Wrap: box}, &cruising{}}, rule.systems()...)
			s := newStage(t, 0.1, append(list, &Integration{}, &Bounds{Mode: BoundsWrap, Box: box})...)
			var agents []ecs.Entity
			for id, at := range []r2.Vec{xy(15, 20.1), xy(25, 20), xy(14.6, 20.6), xy(22, 24), xy(20, 19.5)} {
				p, v := vec.Add(at, by), xy(1.3, 0)
				if id%2 == 1 {
					v.X = -1.3
				}
				agents = append(agents, s.Put(append([]any{c.Agent{ID: uint64(id)}, c.Position{Vec: xy(vec.Wrap(p.X, side), vec.Wrap(p.Y, side))},
					c.Velocity{Vec: v}, c.Radius{Meters: 0.5}, c.Limits{MaxSpeed: 2, MaxForce: 10}, c.Steering{}}, rule.components...)...))
			}
			s.Steps(60)
			for _, e := range agents {
				p := vec.Sub(testkit.ComponentOf[c.Position](s, e).Vec, by)
				state = append(state, xy(vec.Wrap(p.X, side), vec.Wrap(p.Y, side)), testkit.ComponentOf[c.Velocity](s, e).Vec)
			}
			return state
		}
		want := run(r2.Vec{})
		for _, by := range []r2.Vec{{X: 20}, {Y: 20}, {X: 20, Y: 20}, {X: 17.5, Y: -19}} {
			for i, got := range run(by) {
				if d := vec.Norm(vec.Sub(got, want[i])); !(d < 1e-6 || math.Abs(d-side) < 1e-6) {
					t.Errorf("%s, moved by %v: position or velocity of agent %d: got=%v, want=%v", name, by, i/2, got, want[i])
				}
			}
		}
	}
}
