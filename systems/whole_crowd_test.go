package systems

import (
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

// wholeFrame returns a frame with moves and most systems, whose forces are combined by mode.
func wholeFrame(mode Combination, moves *mover) *frame.Frame {
	obstacles := &sense.Obstacles{}
	rank := func(s any, rows func(*frame.Needs)) PriorityEntry {
		return PriorityEntry{System: s, Rows: rows, Chance: 0.6}
	}
	list := []any{moves, &Follow{}, &Track{}, obstacles, &sense.Neighbors{}, &PreviousPosition{}}
	scan := &ThreatScan{}
	list = append(list, scan)
	list = append(list, CombineForces(mode, 3,
		rank(&Avoidance{}, frame.With[c.Avoidance]), rank(&Containment{}, frame.With[c.Containment]),
		rank(&UnalignedCollisionAvoidance{}, frame.With[c.UnalignedCollisionAvoidance]), rank(&Separation{}, frame.With[c.Separation]),
		rank(&Evasion{}, frame.With[c.Evasion]), rank(&Pursuit{}, frame.With[c.Pursuit]), rank(&Arrival{}, frame.With[c.Arrival]), rank(&Seek{}, frame.With[c.Seek]),
		rank(&Alignment{}, frame.With[c.Alignment]), rank(&Cohesion{}, frame.With[c.Cohesion]), rank(&Wander{Seed: 4}, frame.With[c.Wander]),
	)...)
	return frame.New(append(list, &ORCA{Seed: 5}, &Integration{}, &ResolveOverlaps{},
		&Bounds{Mode: BoundsBounce, Box: r2.Box{Min: xy(-30, -30), Max: xy(30, 30)}}, &Slide{})...)
}

// mover is a host's system that moves an obstacle and removes agents during a run.
type mover struct {
	disc   ecs.Entity
	doomed []ecs.Entity
	step   int
}

func (m *mover) Sense(w *ecs.World) {
	(*c.Position)(w.Get(m.disc, ecs.ComponentID[c.Position](w))).X += 0.05
	m.step++
	if m.step%3 == 0 && len(m.doomed) > 0 {
		w.RemoveEntity(m.doomed[0])
		m.doomed = m.doomed[1:]
	}
}

// TestWholeCrowdHash verifies that the hash of a crowd with most systems does not depend on the
// order of rows, nor on workers or batches, for each combination of forces.
func TestWholeCrowdHash(t *testing.T) {
	const agents, steps = 1500, 12
	for _, mode := range []Combination{CombineSum, CombinePriority, CombineDithering} {
		var want uint64
		for i, v := range []variant{
			{workers: 1, batchRows: 128}, {workers: 2, batchRows: 7, order: 1}, {workers: 8, batchRows: 1000, order: 2},
		} {
			world, moves := ecs.NewWorld(16), &mover{}
			w := &stage{World: &world, Give: Add, Frame: wholeFrame(mode, moves), Clock: &frame.Clock{Dt: 0.05}}
			w.Frame.Workers, w.Frame.BatchRows, w.Frame.ShareRows = v.workers, v.batchRows, 64
			ecs.AddResource(w.World, w.Clock)
			ecs.AddResource(w.World, &sense.Polygons{{xy(0, 0), xy(3, 0), xy(1, 2)}})
			moves.disc = w.Put(c.Position{Vec: xy(-20, 3)}, c.Obstacle{Radius: 2})
			w.Put(c.Position{Vec: xy(5, -20)}, c.Obstacle{Span: xy(0, 40), Radius: 0.1})
			w.Put(c.Position{Vec: xy(-8, -8)}, c.Obstacle{Polygon: 1})
			quarry := w.Put(c.Position{Vec: xy(1, 1)}, c.Velocity{Vec: xy(1, 0)})

			ids := make([]int, agents)
			for i := range ids {
				ids[i] = i
			}
			if v.order > 0 {
				rand.New(rand.NewPCG(v.order, 3)).Shuffle(agents, func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
			}
			entities := make([]ecs.Entity, agents)
			for _, id := range ids {
				entities[id] = w.Put(wholeAgent(id, quarry)...)
			}
			moves.doomed = []ecs.Entity{entities[7], quarry, entities[100], entities[1000]}
			w.Frame.Initialize(w.World)
			w.Steps(steps)
			w.Frame.Finalize(w.World)
			got := (&avoiders{stage: w}).hashed(&measure.Hash{})
			if i == 0 {
				want = got
			}
			testkit.Equal(t, got, want, "%v, %v: hash", mode, v)
		}
	}
}

// wholeAgent returns the components of the agent with the given ID, with several behaviors.
func wholeAgent(id int, quarry ecs.Entity) []any {
	draw := func(use int) float64 { return frame.HashFloat(9, uint64(id), 0, uint64(use)) }
	at := xy(60*draw(0)-30, 60*draw(1)-30)
	all := []any{
		c.Agent{ID: uint64(id) + 1}, c.Position{Vec: at}, c.Velocity{Vec: vec.Scale(2, xy(draw(2)-0.5, draw(3)-0.5))}, c.ForceCombination{},
		c.Limits{MaxSpeed: 1 + draw(4), MaxForce: 6}, c.Target{Vec: xy(50*draw(5)-25, 50*draw(6)-25)}, c.Radius{Meters: 0.1 + float64(0.2*draw(7))},
	}
	if id%2 == 0 {
		all = append(all, c.Solid{Push: draw(8)})
	}
	if id%3 != 0 {
		all = append(all, c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 3, MaxNeighbors: 8, Priority: draw(9)}, c.Arrival{Gain: 2, SlowingRadius: 1})
	} else {
		all = append(all, c.Separation{Gain: 3, NeighborDist: 1.5, FieldOfView: 5 * math.Pi / 3}, c.Alignment{Gain: 1, NeighborDist: 3, FieldOfView: 4 * math.Pi / 3, MaxNeighbors: 7}, c.Cohesion{Gain: 1, NeighborDist: 3},
			c.UnalignedCollisionAvoidance{Gain: 3, Horizon: 1, NeighborDist: 5}, c.Wander{Gain: 1, Distance: 2, Radius: 1, Rate: 1},
			c.ThreatScan{LookAhead: 3}, c.Avoidance{MaxForce: 4})
	}
	if id%5 == 0 {
		all = append(all, c.Layers{On: 1 << (id % 3), Sees: 5})
	}
	if id%7 == 0 {
		all = append(all, c.Quarry{Entity: quarry}, c.Pursuit{Gain: 2, Horizon: 2})
	}
	if id%11 == 0 {
		all = append(all, c.Containment{Gain: 8, Horizon: 0.5, Box: r2.Box{Min: xy(-25, -25), Max: xy(25, 25)}})
	}
	return all
}
