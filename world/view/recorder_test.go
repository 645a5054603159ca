package view

import (
	"fmt"
	"math"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func newWorld(t testing.TB, config world.Config) *world.World {
	t.Helper()
	w, err := world.New(config)
	must(t, err)
	t.Cleanup(w.Close)
	return w
}

func put(w *world.World, components ...any) ecs.Entity {
	e := w.ECS.NewEntity()
	systems.AddBound(w.Frame, w.ECS, e, components...)
	return e
}

func record(w *world.World, places int, wanted layers) (*snapshot, *recorder) {
	rec := newRecorder(w, activitiesOf(w, systems.Catalog()), crowding{1, 1}, nil)
	frame := frameOver(w, 0, rec.near, rec)
	defer frame.Finalize(w.ECS)
	rec.to = &snapshot{layers: wanted}
	rec.to.grow(places)
	frame.Update(w.ECS)
	return rec.to, rec
}

func TestRecorder(t *testing.T) {
	w := newWorld(t, world.Default())
	at := func(x float64) c.Position { return c.Position{Vec: r2.Vec{X: x}} }
	wall := put(w, at(0), c.Obstacle{})
	put(w, at(1), c.Agent{ID: 7}, c.Velocity{Vec: r2.Vec{X: 3, Y: 4}}, c.Flee{Radius: 2}, c.ThreatScan{LookAhead: 4}, c.Avoidance{})
	put(w, at(2), c.Agent{ID: 8}, c.Flee{Radius: 1}, c.Threat{Obstacle: wall, Contact: r2.Vec{X: 5}, Distance: 2}, c.ThreatScan{LookAhead: 4}, c.Avoidance{MaxForce: 1})
	put(w, at(math.NaN()), c.Agent{ID: 9})
	bare := put(w, at(4), c.Velocity{})
	put(w, at(5)) // neither moves nor is an agent
	put(w, at(6), c.Agent{ID: 10})
	to, rec := record(w, 6, layerTargets|layerThreats)
	testkit.Equal(t, rec.sum().agents, 3, "agents, without one at NaN and one that has no index")
	testkit.Equal(t, fmt.Sprint(to.ids), fmt.Sprint([]uint64{0, 7, 8, 0, c.IDOf(nil, bare), 0}), "IDs")
	first, second := to.look[1], to.look[2]
	if first.speed != 5 || rec.does.words[first.behavior] != "fleeing" || first.threat != 0 || finite(to.contact[1]) {
		t.Errorf("first agent: got=%+v, want=an agent that flees at 5 m/s without a threat", first)
	}
	if rec.does.words[second.behavior] != "avoiding" || second.threat != 128 || to.contact[2] != (r2.Vec{X: 5}) || finite(to.target[2]) {
		t.Errorf("second agent: got=%+v, want=an agent that avoids a threat at half its look-ahead", second)
	}
	names := rec.does.archetypes()
	testkit.Equal(t, names[first.archetype], "flee, threat-scan, avoidance", "archetype")
	testkit.Equal(t, names[to.look[4].archetype], "no behavior", "archetype without behaviors")
}

func TestActivities(t *testing.T) {
	w := newWorld(t, world.Default())
	wall := put(w, c.Position{}, c.Obstacle{})
	threatened := c.Threat{Obstacle: wall}
	for _, tc := range []struct {
		want       string
		components []any
	}{
		{"moving", []any{c.Velocity{}}},
		{"moving", []any{c.Separation{}}},
		{"seeking", []any{c.Wander{}, c.Alignment{}, c.Seek{}}},
		{"flocking", []any{c.Wander{}, c.Cohesion{}}},
		{"wandering", []any{c.Wander{}}},
		{"arriving", []any{c.Seek{}, c.Arrival{}}},
		{"arriving", []any{c.TurnTowards{}, c.SmoothArrival{}}},
		{"arriving", []any{c.OpposingArrival{}}},
		{"following a path", []any{c.Arrival{}, c.Path{}}},
		{"following a path", []any{c.Itinerary{}, c.KinematicSeek{}}},
		{"pursuing", []any{c.Pursuit{}, c.Quarry{Seen: true}, c.Arrival{}}},
		{"arriving", []any{c.Pursuit{}, c.Quarry{}, c.Arrival{}}},
		{"fleeing", []any{c.OffsetPursuit{}, c.Quarry{Seen: true}, c.Flee{}}},
		{"fleeing", []any{c.Evasion{}, c.Pursuer{Seen: true}, c.Wander{}}},
		{"arrived", []any{c.Arrival{}, c.Goal{Inside: true}}},
		{"avoiding", []any{c.Arrival{}, c.Goal{Inside: true}, threatened, c.Avoidance{MaxForce: 1}}},
		{"arriving", []any{c.Arrival{}, c.Goal{}, threatened, c.Avoidance{}}},
	} {
		e := put(w, append(tc.components, c.Agent{ID: 1}, c.Position{})...)
		to, rec := record(w, placesOf(w), 0)
		testkit.Equal(t, rec.does.words[to.look[placeOf(e)].behavior], tc.want, "%T", tc.components)
		w.ECS.RemoveEntity(e)
	}
}

func TestSteering(t *testing.T) {
	w := newWorld(t, world.Default())
	force := func(x, y float64) c.Steering { return c.Steering{Vec: r2.Vec{X: x, Y: y}} }
	put(w, force(0, 4), c.Limits{MaxForce: 6}, c.Mass{Kilograms: 2})
	put(w, force(10, 0), c.Limits{MaxForce: 6}, c.Mass{Kilograms: 2})
	put(w, force(10, 0))
	s := &Steering{}
	s.grow(2)
	frame := frameOver(w, 0, s)
	defer frame.Finalize(w.ECS)
	for _, want := range [][]r2.Vec{{{Y: 2}, {X: 3}}, {{Y: 2}, {X: 3}, {X: 10}}} {
		s.grow(len(want))
		frame.Update(w.ECS)
		testkit.Equal(t, fmt.Sprint(s.to), fmt.Sprint(want), "accelerations")
	}
}

func TestArchetypes(t *testing.T) {
	w := newWorld(t, world.Default())
	entries := slices.Clone(systems.Catalog()[:9]) // only types that every world has: arche's tiny build allows 64
	a := activitiesOf(w, entries)
	for set := range 300 {
		var mask ecs.Mask
		for bit := range entries {
			mask.Set(a.all[bit].id, set>>bit&1 == 1)
		}
		testkit.Equal(t, int(a.kind(mask).archetype), min(set, math.MaxUint8), "set %d", set)
	}
	testkit.Equal(t, len(a.archetypes()), math.MaxUint8+1, "names")
	testkit.Equal(t, a.archetypes()[5], entries[0].Name+", "+entries[2].Name, "name")
}

func TestSnapshotPool(t *testing.T) {
	s := newSnapshotPool()
	newest := func() *snapshot { shot, _ := s.take(); return shot }
	testkit.Equal(t, newest(), nil, "newest of an empty pool")
	var held []*snapshot
	for i := range mostSnapshots {
		one := s.spare()
		if one == nil || slices.Contains(held, one) {
			t.Fatalf("snapshot %d: got=%p, want=a snapshot that is not held", i, one)
		}
		before, changed := s.take()
		s.give(before)
		s.put(one)
		select {
		case <-changed:
		default:
			t.Error("channel with a newer snapshot: got=open, want=closed")
		}
		testkit.Equal(t, newest(), one, "newest")
		held = append(held, one)
	}
	testkit.Equal(t, s.spare(), nil, "spare while all are held")
	s.give(held[0])
	testkit.Equal(t, s.spare(), held[0], "spare after one is given back")
	s.give(held[mostSnapshots-1])
	testkit.Equal(t, s.spare(), held[0], "spare after the newest is given back")
	s.forget()
	testkit.Equal(t, newest(), nil, "newest after forget")
	s.give(nil)
}

func TestChoose(t *testing.T) {
	dots := &snapshot{ids: []uint64{7, 3, 0, 5, 9}, pos: []r2.Vec{{X: 1}, {X: 1.05}, {X: 1}, {X: 1}, {X: 1.3}}}
	for _, tc := range []struct {
		s              *snapshot
		at             r2.Vec
		reach, dot     float64
		selected, want uint64
	}{
		{three(), r2.Vec{X: 1, Y: 2.5}, 1, 0, 0, 1}, {three(), r2.Vec{X: 1, Y: 2.5}, 0.5, 0, 0, 1}, {three(), r2.Vec{X: 1, Y: 2.5}, 0.4, 0, 0, 0},
		{three(), r2.Vec{X: 5, Y: 5}, 1, 0, 0, 0}, // a dead agent
		{three(), r2.Vec{X: 5, Y: 5}, 4, 0, 0, 2}, {three(), r2.Vec{X: 500, Y: 5}, 1e9, 0, 0, 2}, {three(), r2.Vec{X: 900, Y: 5}, 1e9, 0, 0, 4},
		{dots, r2.Vec{X: 0.9}, 1, 0.1, 0, 3}, {dots, r2.Vec{X: 0.9}, 1, 0.1, 3, 5}, {dots, r2.Vec{X: 0.9}, 1, 0.1, 5, 7},
		{dots, r2.Vec{X: 0.9}, 1, 0.1, 7, 3}, {dots, r2.Vec{X: 0.9}, 1, 0.1, 9, 3}, {dots, r2.Vec{X: 0.9}, 1, 0.1, 4, 3},
		{dots, r2.Vec{X: 0.9}, 1, 0.5, 7, 9}, {dots, r2.Vec{X: 0.9}, 1, 0.5, 9, 3},
		{dots, r2.Vec{X: 0.9}, 1, 0, 0, 5}, {dots, r2.Vec{X: 0.9}, 1, 0, 5, 7}, {dots, r2.Vec{X: 0.9}, 1, 0, 7, 5},
	} {
		got := tc.s.choose(tc.at, tc.reach, tc.dot, tc.selected)
		testkit.Equal(t, got, tc.want, "nearest to %v within %v, dot of %v, after %d", tc.at, tc.reach, tc.dot, tc.selected)
	}
}
