package world_test

import (
	"math"
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestExplainAnything(t *testing.T) {
	t.Parallel()
	for seed := range 5 {
		rnd := rand.New(rand.NewPCG(uint64(seed), 1))
		w, all := zoo(t, rnd)
		follow(t, w, 25, func(int) []ecs.Entity { return all })
	}
}

func zoo(t *testing.T, rnd *rand.Rand) (*world.World, []ecs.Entity) {
	config := world.Default()
	config.Dt, config.Workers = 0.1, 1
	config.Bounds, config.Box = systems.BoundsMode(rnd.IntN(5)), r2.Box{Min: r2.Vec{X: -9, Y: -9}, Max: r2.Vec{X: 9, Y: 9}}
	config.AvoidOutward, config.Hold = rnd.IntN(2) == 0, rnd.IntN(4) == 0
	config.FaithfulArrivals, config.FaithfulFacing = rnd.IntN(2) == 0, rnd.IntN(2) == 0
	config.Scan = systems.ScanMode(rnd.IntN(3))
	config.Prediction, config.FaithfulWalls, config.Seed = systems.Prediction(rnd.IntN(3)), rnd.IntN(2) == 0, rnd.Uint64()
	config.FaithfulORCA = rnd.IntN(2) == 0
	config.Combination = systems.Combination(rnd.IntN(3))
	if config.Priority = world.Behaviors(); rnd.IntN(2) == 0 {
		rnd.Shuffle(len(config.Priority), func(i, k int) { p := config.Priority; p[i], p[k] = p[k], p[i] })
	}
	config.Priority, config.Chances = config.Priority[:rnd.IntN(4)], [][]float64{nil, {0.8}}[rnd.IntN(2)]
	w := made(t, config)
	point := func() r2.Vec { return r2.Vec{X: 20*rnd.Float64() - 10, Y: 20*rnd.Float64() - 10} }
	few := func() float64 { return []float64{0, 0.5, 1, 3, rnd.Float64() * 6}[rnd.IntN(5)] }
	for range 6 {
		world.Value(w.AddObstacle(point(), c.Obstacle{Radius: 0.5 + rnd.Float64()}))
	}
	if config.Scan == systems.ScanExact {
		world.Value(w.AddObstacle(point(), c.Obstacle{Span: point(), Radius: 0.2}))
		world.Value(w.AddPolygon([]r2.Vec{point(), point(), point()}))
		world.Value(w.AddDoor(r2.Vec{X: -9}, r2.Vec{X: 9}, 0.2, c.Door{Closes: 0.1, Opens: 0.2, Period: 0.2}))
	}
	world.Value(w.AddPath([]r2.Vec{point(), point(), point()}))
	other := w.AddTracked(ecs.Entity{})
	world.Value(w.AddItinerary([]systems.Stop{
		{Kind: systems.StopFollow, Other: other, Duration: 0.3}, {Kind: systems.StopFlowWith, Other: other, Duration: 0.2},
		{At: point(), Speed: 2}, {Kind: systems.StopFleeFrom, Other: other, Duration: 0.5}, {Kind: systems.StopFlee, At: point(), Duration: 1}, {Kind: systems.StopIdle, Duration: 0.5}, {At: point()},
	}))
	var all []ecs.Entity
	for i := range 30 {
		e := w.ECS.NewEntity()
		list := []any{c.Agent{ID: uint64(i + 1)}, c.Position{Vec: point()}}
		add := func(comp any) {
			if rnd.IntN(2) == 0 {
				list = append(list, comp)
			}
		}
		if rnd.IntN(4) > 0 {
			list = append(list, c.ForceCombination{Vec: point(), Left: few()})
		}
		add(c.Velocity{Vec: point()})
		add(c.Limits{MaxSpeed: few(), MaxForce: []float64{few(), math.Inf(1)}[rnd.IntN(2)]})
		add(c.Target{Vec: point()})
		add(c.Mass{Kilograms: 0.5 + few()})
		add(c.Flee{From: point(), Gain: few(), Radius: few()})
		if config.Scan == systems.ScanExact {
			add(c.Radius{Meters: few() / 4})
		}
		for _, comp := range []any{
			c.Seek{Gain: few()}, c.KinematicSeek{Gain: few()}, c.Arrival{Gain: few(), SlowingRadius: few()},
			c.OpposingArrival{Gain: few(), SlowingRadius: few(), TimeConstant: 1}, c.DampedArrival{Gain: few(), SlowingRadius: few(), TimeConstant: 1},
			c.SmoothArrival{Gain: few(), Min: 0.1, Max: few()}, c.Facing{Rate: few()}, c.TurnTowards{Rate: few()}, c.TurnAway{Rate: few()},
			c.Drive{Speed: few(), TopSpeed: few()}, c.Path{Reached: few(), Loop: true, Index: uint32(rnd.IntN(2))}, c.Itinerary{Reached: few()},
			c.Goal{Radius: few(), Remove: rnd.IntN(2) == 0}, c.ThreatScan{LookAhead: few()}, c.Avoidance{MaxForce: few()},
		} {
			if rnd.IntN(3) == 0 {
				list = append(list, comp)
			}
		}
		for _, comp := range []any{
			c.Pursuit{Gain: few(), Horizon: few()}, c.OffsetPursuit{Gain: few(), Horizon: few(), Distance: few()},
			c.Evasion{Gain: few(), Horizon: few(), Radius: 2 * few()}, c.Wander{Gain: few(), Distance: few(), Radius: few(), Rate: few()},
			c.Containment{Gain: few(), Horizon: few(), Box: r2.Box{Min: r2.Vec{X: -8, Y: -8}, Max: r2.Vec{X: 8, Y: 8}}},
			c.WallFollowing{Gain: few(), Horizon: few(), Offset: few() / 4, Range: few()},
			c.ORCA{Gain: few(), TimeHorizon: few(), TimeHorizonObst: few(), NeighborDist: 2 * few(), MaxNeighbors: rnd.IntN(9), Priority: few()},
			c.Separation{Gain: few(), NeighborDist: 2 * few(), FieldOfView: 1.7 * few(), MaxNeighbors: uint32(rnd.IntN(3))}, c.Alignment{Gain: few(), NeighborDist: 2 * few()},
			c.Cohesion{Gain: few(), NeighborDist: 4 * few(), MaxNeighbors: uint32(rnd.IntN(3))},
			c.UnalignedCollisionAvoidance{Gain: few(), Horizon: few(), NeighborDist: 9 * few(), FieldOfView: 1.7 * few(), Clearance: few()},
			c.Layers{On: rnd.Uint32() & 3, Sees: rnd.Uint32() & 3},
			c.Solid{Push: rnd.Float64()},
			c.FollowingDistance{TimeGap: few(), Variation: rnd.Float64()}, c.FundamentalDiagram{MaxDensity: few()},
			c.Passing{Overtaking: rnd.Float64(), Right: 2*rnd.Float64() - 1}, c.Inertia{MaxAcceleration: few()},
		} {
			if rnd.IntN(3) == 0 {
				list = append(list, comp)
			}
		}
		if i > 0 {
			other := all[rnd.IntN(i)]
			if rnd.IntN(6) == 0 {
				other = w.ECS.NewEntity()
				w.ECS.RemoveEntity(other)
			}
			add(c.Quarry{Entity: other, At: point(), Seen: true})
			add(c.Pursuer{Entity: all[rnd.IntN(i)]})
			add(c.Follow{Entity: all[rnd.IntN(i)]})
			add(c.FleeFrom{Entity: all[rnd.IntN(i)]})
		}
		systems.Add(w.ECS, e, list...)
		if steer := at[c.Steering](w, e); steer != nil && rnd.IntN(3) == 0 {
			steer.Vec = point()
		}
		if rnd.IntN(10) == 0 {
			at[c.Position](w, e).X = []float64{math.NaN(), math.Inf(1), 1e300}[rnd.IntN(3)]
		}
		all = append(all, e)
	}
	w.SetTracked(other, all[rnd.IntN(len(all))])
	return w, all
}

// A slanted wall meets the edge of the box.
func TestSolidAtTheEdge(t *testing.T) {
	for _, mode := range []systems.BoundsMode{systems.BoundsBounce, systems.BoundsClamp} {
		config := world.Default()
		config.Dt, config.Bounds, config.Box = 0.1, mode, r2.Box{Max: r2.Vec{X: 10, Y: 10}}
		w := made(t, config)
		world.Value(w.AddObstacle(r2.Vec{X: 8, Y: 1}, c.Obstacle{Span: r2.Vec{X: 5, Y: 5}}))
		must(t, w.Spawn(3, []any{c.Position{Vec: r2.Vec{X: 9, Y: 1}}, c.Radius{Meters: 0.05}, c.Limits{MaxSpeed: 9, MaxForce: 900},
			c.Target{Vec: r2.Vec{X: 20, Y: 15}}, c.Seek{Gain: 9}, c.Solid{Push: 0.7}}, nil))
		all, moved := agentsOf(w), map[string]bool{}
		follow(t, w, 50, func(step int) []ecs.Entity {
			for _, e := range all {
				if p := at[c.Position](w, e); !(p.Y < p.X-7) || p.X > 10 {
					t.Fatalf("mode %v, step %d: got=%v, want=below the wall, in the box", mode, step, p.Vec)
				}
				for _, s := range world.Value(w.Inspect().Explain(e)).Shares {
					moved[s.Behavior] = moved[s.Behavior] || s.Position != nil && *s.Position != (r2.Vec{})
				}
			}
			return all
		})
		if !moved["ResolveOverlaps"] || !moved["Slide"] || !moved["Bounds"] {
			t.Errorf("mode %v: systems that moved an agent: got=%v, want=ResolveOverlaps, Slide and Bounds", mode, moved)
		}
	}
}
