package systems

import (
	"math"
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// wholeSystems returns moves and most systems, whose forces are combined by mode.
func wholeSystems(mode Combination, moves *mover) []any {
	rank := func(s any, rows func(*frame.Needs)) PriorityEntry {
		return PriorityEntry{System: s, Rows: rows, Chance: 0.6}
	}
	forces := CombineForces(mode, 3,
		rank(&Avoidance{}, frame.With[c.Avoidance]), rank(&Containment{}, frame.With[c.Containment]),
		rank(&UnalignedCollisionAvoidance{}, frame.With[c.UnalignedCollisionAvoidance]), rank(&Separation{}, frame.With[c.Separation]),
		rank(&Evasion{}, frame.With[c.Evasion]), rank(&Pursuit{}, frame.With[c.Pursuit]), rank(&Arrival{}, frame.With[c.Arrival]), rank(&Seek{}, frame.With[c.Seek]),
		rank(&Alignment{}, frame.With[c.Alignment]), rank(&Cohesion{}, frame.With[c.Cohesion]), rank(&Wander{Seed: 4}, frame.With[c.Wander]),
	)
	list := []any{moves, &Follow{}, &Track{}, &sense.Obstacles{}, &sense.Neighbors{}, &PreviousPosition{}, &ThreatScan{}}
	return append(append(list, forces...), &ORCA{Seed: 5}, &Integration{}, &ResolveOverlaps{},
		&Bounds{Mode: BoundsBounce, Box: r2.Box{Min: xy(-30, -30), Max: xy(30, 30)}}, &Slide{})
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

// putWholeCrowd puts a crowd into the world of a stage. order is the seed of the order of rows.
func putWholeCrowd(w *stage, agents int, order uint64, moves *mover) {
	ecs.AddResource(w.World, &sense.Polygons{{xy(0, 0), xy(3, 0), xy(1, 2)}})
	moves.disc = w.Put(c.Position{Vec: xy(-20, 3)}, c.Obstacle{Radius: 2})
	w.Put(c.Position{Vec: xy(5, -20)}, c.Obstacle{Span: xy(0, 40), Radius: 0.1})
	w.Put(c.Position{Vec: xy(-8, -8)}, c.Obstacle{Polygon: 1})
	quarry := w.Put(c.Position{Vec: xy(1, 1)}, c.Velocity{Vec: xy(1, 0)})
	entities := make([]ecs.Entity, agents)
	for _, id := range rand.New(rand.NewPCG(order, 3)).Perm(agents) {
		entities[id] = w.Put(wholeAgent(id, quarry)...)
	}
	moves.doomed = []ecs.Entity{entities[7], quarry, entities[100], entities[1000]}
}

// TestWholeCrowdHash verifies that the hash of a crowd with most systems does not depend on the
// order of rows, nor on workers or batches, for each combination of forces.
func TestWholeCrowdHash(t *testing.T) {
	for _, mode := range []Combination{CombineSum, CombinePriority, CombineDithering} {
		var want uint64
		for i, v := range []variant{{workers: 1}, {workers: 2, batchRows: 7, order: 1}, {workers: 8, batchRows: 1000, order: 2}} {
			moves := &mover{}
			got := v.hashOf(0.05, 12, wholeSystems(mode, moves), func(s *stage) { putWholeCrowd(s, 1500, v.order, moves) })
			if i == 0 {
				want = got
			}
			testkit.Equal(t, got, want, "%v, %v: hash", mode, v)
		}
	}
}

// TestWholeCrowdAllocatesNothing verifies that, after a while, a step of most systems allocates nothing.
func TestWholeCrowdAllocatesNothing(t *testing.T) {
	for _, workers := range []int{1, 2} {
		moves := &mover{}
		s := newStage(t, 0.05, wholeSystems(CombineSum, moves)...)
		s.Frame.Finalize(s.World)
		s.Frame.Workers, s.Frame.ShareRows = workers, 64
		putWholeCrowd(s, 1500, 0, moves)
		s.Frame.Initialize(s.World)
		s.Steps(100)
		testkit.NoAllocs(t, 20, s.Step)
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

// largeCrowd is the size of a crowd whose index four workers build together.
const largeCrowd = 33_000

// TestLargeCrowdHash verifies that the hash does not depend on the number of workers that build the
// index of neighbors. For that, the cell width, and with it the order of neighbors, must depend on all
// agents, not only on the agents of one worker.
func TestLargeCrowdHash(t *testing.T) {
	const widest = 8 // m, maximum width of cells
	var want uint64
	for _, workers := range []int{1, 4} {
		neighbors := &sense.Neighbors{}
		systems := []any{&sense.Obstacles{}, neighbors, &PreviousPosition{}, &Separation{}, &Alignment{}, &Cohesion{}, &Arrival{},
			&ORCA{Seed: 5}, &Integration{}, &ResolveOverlaps{}, &Slide{}}
		got := variant{workers: workers}.hashOf(0.05, 2, systems, func(s *stage) {
			side := math.Sqrt(largeCrowd / 0.6)
			for i := range 40 {
				at := xy(side*frame.HashFloat(1, uint64(i), 0, 0), side*frame.HashFloat(1, uint64(i), 0, 1))
				s.Put(c.Position{Vec: at}, c.Obstacle{Span: xy(5, -3), Radius: 0.1 * float64(i%3)})
			}
			for id := range largeCrowd {
				s.Put(unequal(id, side)...)
			}
		})
		if workers == 1 {
			want = got
		}
		testkit.Equal(t, got, want, "%d workers: hash", workers)
		if !(neighbors.CellSize() < widest) {
			t.Errorf("%d workers: width of cells: got=%v m, want=less than %v m, or nothing is tested", workers, neighbors.CellSize(), widest)
		}
	}
}

// unequal returns the components of one agent, at a random position in a square with the given side, in m:
// one third of the agents flock, and the rest avoid each other.
func unequal(id int, side float64) []any {
	draw := func(use int) float64 { return frame.HashFloat(9, uint64(id), 0, uint64(use)) }
	radius := 0.1 + float64(0.25*draw(0))
	if id%1000 == 0 {
		radius = 3 // much wider than a cell
	}
	all := []any{
		c.Agent{ID: uint64(id) + 1}, c.Position{Vec: xy(side*draw(1), side*draw(2))}, c.Velocity{Vec: vec.Scale(2, xy(draw(3)-0.5, draw(4)-0.5))},
		c.Limits{MaxSpeed: 1 + draw(5), MaxForce: 6}, c.Radius{Meters: radius}, c.Solid{Push: draw(6)},
	}
	if id%3 == 0 {
		reach := 1 + float64(3*draw(7))
		return append(all, c.Separation{Gain: 3, NeighborDist: reach / 2, FieldOfView: 5 * math.Pi / 3}, c.Alignment{Gain: 1, NeighborDist: reach}, c.Cohesion{Gain: 1, NeighborDist: reach})
	}
	return append(all, c.ORCA{Gain: 2, TimeHorizon: 2, TimeHorizonObst: 1, NeighborDist: 4 + float64(4*draw(7)), MaxNeighbors: 6, Priority: draw(8)},
		c.Target{Vec: xy(side*draw(9), side*draw(10))}, c.Arrival{Gain: 2, SlowingRadius: 1})
}
