package world_test

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// An agent of every behavior that World spawns has no problem, and one that a host
// puts together by hand hears what it lacks.
func TestDiagnose(t *testing.T) {
	w, err := world.New(world.Default())
	must(t, err)
	defer w.Close()
	leader := w.ECS.NewEntity()
	systems.Add(w.ECS, leader, c.Position{}, c.Velocity{})
	if _, err := w.AddPath([]r2.Vec{{X: 3}, {Y: 3}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddItinerary([]systems.Stop{{At: r2.Vec{X: 3}}}); err != nil {
		t.Fatal(err)
	}
	common := []any{c.Target{Vec: r2.Vec{X: 9}}, c.Limits{MaxSpeed: 1, MaxForce: 1}, c.Radius{Meters: 0.2}}
	flock := c.Separation{Gain: 1, NeighborDist: 2}
	for _, behaviors := range [][]any{
		{c.Seek{Gain: 1}}, {c.KinematicSeek{Gain: 1}}, {c.Flee{Gain: 1}}, {c.Arrival{Gain: 1}}, {c.OpposingArrival{Gain: 1, SlowingRadius: 1, TimeConstant: 1}},
		{c.DampedArrival{Gain: 1, SlowingRadius: 1, TimeConstant: 1}}, {c.SmoothArrival{Gain: 1, Max: 3}},
		{c.Pursuit{Gain: 1}, c.Quarry{Entity: leader}}, {c.Evasion{Gain: 1}, c.Pursuer{Entity: leader}}, {c.OffsetPursuit{Gain: 1}, c.Quarry{Entity: leader}},
		{c.Wander{Gain: 1, Distance: 1, Radius: 1, Rate: 1}}, {c.Containment{Gain: 1, Horizon: 1}}, {c.WallFollowing{Gain: 1, Horizon: 1, Range: 2}},
		{flock}, {c.Alignment(flock)}, {c.Cohesion(flock)}, {c.UnalignedCollisionAvoidance{Gain: 1, Horizon: 1, NeighborDist: 2}},
		{c.ThreatScan{LookAhead: 2}, c.Avoidance{MaxForce: 1}, c.Seek{Gain: 1}},
		{c.ORCA{Gain: 1, TimeHorizon: 1, TimeHorizonObst: 1, NeighborDist: 2, MaxNeighbors: 4, Priority: 1}, c.Solid{Push: 1}, c.Seek{Gain: 1}},
		{c.Path{Reached: 1}, c.Seek{Gain: 1}}, {c.Itinerary{Reached: 1}, c.Arrival{Gain: 1}}, {c.Follow{Entity: leader}, c.Seek{Gain: 1}},
		{c.FleeFrom{Entity: leader}, c.Flee{Gain: 1}}, {c.Facing{Rate: 1}, c.Seek{Gain: 1}},
		{c.TurnTowards{Rate: 1}, c.SmoothArrival{Gain: 1, Max: 3}, c.Drive{Speed: 1, TopSpeed: 1}}, {c.TurnAway{Rate: 1}, c.Flee{Gain: 1}, c.Drive{Speed: 1, TopSpeed: 1}},
		{c.Goal{Radius: 1}, c.Layers{On: 1, Sees: 1}, c.Mass{Kilograms: 2}, c.Seek{Gain: 1}},
	} {
		var agent ecs.Entity
		err := w.Spawn(1, append(behaviors[:len(behaviors):len(behaviors)], common...), func(r *world.Rows) { agent = r.Entity(0) })
		must(t, err)
		if got := w.Inspect().Diagnose(agent); len(got) > 0 {
			t.Errorf("%T: got=%v, want=no problem", behaviors[0], got)
		}
	}
	byHand := w.ECS.NewEntity(ecs.ComponentID[c.Position](w.ECS), ecs.ComponentID[c.Seek](w.ECS))
	if got := w.Inspect().Diagnose(byHand); len(got) != 3 { // what Seek lacks, what Integration lacks, and that the gain is 0
		t.Errorf("by hand: got=%v, want=what it lacks", got)
	}
}
