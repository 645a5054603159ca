package systems

import (
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

// cruising steers agents with an even ID to the right, and others to the left, at 1.3 m/s.
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

// TestRulesAcrossEdges verifies that interactions do not depend on the position of the edges of a
// wrapping world.
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
