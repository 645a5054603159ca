package systems

import (
	"fmt"
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

type variant struct {
	workers, batchRows int
	order              uint64 // seed of the order of rows; 0 means by ID
	apart              bool   // a host's system, which has the world to itself, runs after each system
}

func (v variant) String() string {
	return fmt.Sprintf("workers=%d/rows=%d/order=%d/apart=%v", v.workers, v.batchRows, v.order, v.apart)
}

// These tags spread a crowd over archetypes.
type (
	tagA    struct{}
	tagB    struct{}
	tagC    struct{}
	ballast struct{ _ [3]float64 }
)

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
	s := newStage(t, 0.05, &sense.Obstacles{}, &PathFollowing{}, &Seek{}, &Flee{}, &Arrival{}, &OpposingArrival{}, &DampedArrival{}, &SmoothArrival{},
		&ThreatScan{}, &Avoidance{}, &TurnTowards{}, &Integration{}, &Drive{}, &Facing{}, &Bounds{Mode: BoundsBounce, Box: r2.NewBox(-50, -50, 50, 50)}, &Arrivals{})
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
