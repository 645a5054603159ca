package view

import (
	"math"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// newWorld returns a world without anything in it.
func newWorld(t testing.TB, config world.Config) *world.World {
	t.Helper()
	w, err := world.New(config)
	must(t, err)
	t.Cleanup(w.Close)
	return w
}

// put adds an agent, or whatever the components make it.
func put(w *world.World, components ...any) ecs.Entity {
	e := w.ECS.NewEntity()
	systems.AddBound(w.Frame, w.ECS, e, components...)
	return e
}

// record returns what a recorder sees in a world, of entities up to a number of places.
func record(w *world.World, places int, wanted layers) (*snapshot, *recorder) {
	rec := newRecorder(w, activitiesOf(w, systems.Catalog()), crowding{1, 1}, nil)
	frame := frameOver(w, rec.near, rec)
	defer frame.Finalize(w.ECS)
	rec.to = &snapshot{layers: wanted}
	rec.to.grow(places)
	frame.Update(w.ECS)
	return rec.to, rec
}

// TestRecorder verifies what is seen of agents.
func TestRecorder(t *testing.T) {
	w := newWorld(t, world.Default())
	at := func(x float64) c.Position { return c.Position{Vec: r2.Vec{X: x}} }
	wall := put(w, at(0), c.Obstacle{})
	put(w, at(1), c.Agent{ID: 7}, c.Velocity{Vec: r2.Vec{X: 3, Y: 4}}, c.Flee{Radius: 2}, c.ThreatScan{LookAhead: 4}, c.Avoidance{})
	put(w, at(2), c.Agent{ID: 8}, c.Flee{Radius: 1}, c.Threat{Obstacle: wall, Contact: r2.Vec{X: 5}, Distance: 2}, c.ThreatScan{LookAhead: 4}, c.Avoidance{MaxForce: 1})
	put(w, at(math.NaN()), c.Agent{ID: 9})
	bare := put(w, at(4), c.Velocity{})
	put(w, at(5)) // what neither moves nor is an agent
	put(w, at(6), c.Agent{ID: 10})
	to, rec := record(w, 6, layerTargets|layerThreats)
	if got := rec.sum().agents; got != 3 {
		t.Errorf("agents: got=%d, want=3: the third is nowhere, the last came too late", got)
	}
	first, second := to.look[1], to.look[2]
	if to.ids[1] != 7 || first.speed != 5 || rec.does.words[first.behavior] != "fleeing" || first.threat != 0 || finite(to.contact[1]) {
		t.Errorf("first: got=%+v, want one that flees at 5 m/s and sees nothing", first)
	}
	if to.ids[2] != 8 || rec.does.words[second.behavior] != "avoiding" || second.threat != 128 || to.contact[2] != (r2.Vec{X: 5}) || finite(to.target[2]) {
		t.Errorf("second: got=%+v, want one that avoids what is half as far as it looks", second)
	}
	if want := []uint64{0, 7, 8, 0, c.IDOf(nil, bare), 0}; !slices.Equal(to.ids, want) {
		t.Errorf("ids: got=%v, want=%v", to.ids, want)
	}
	names := rec.does.archetypes()
	if got, want := names[first.archetype], "flee, threat-scan, avoidance"; got != want {
		t.Errorf("archetype: got=%q, want=%q", got, want)
	}
	if got, want := names[to.look[4].archetype], "no behavior"; got != want {
		t.Errorf("archetype of one without behaviors: got=%q, want=%q", got, want)
	}
}

// TestActivities verifies which of the behaviors of an agent says what it is doing.
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
		if got := rec.does.words[to.look[placeOf(e)].behavior]; got != tc.want {
			t.Errorf("%T: got=%s, want=%s", tc.components, got, tc.want)
		}
		w.ECS.RemoveEntity(e)
	}
}

// TestSteering verifies that a steering is shown as the acceleration that is left of it.
func TestSteering(t *testing.T) {
	w := newWorld(t, world.Default())
	force := func(x, y float64) c.Steering { return c.Steering{Vec: r2.Vec{X: x, Y: y}} }
	put(w, force(0, 4), c.Limits{MaxForce: 6}, c.Mass{Kilograms: 2})
	put(w, force(10, 0), c.Limits{MaxForce: 6}, c.Mass{Kilograms: 2})
	put(w, force(10, 0))
	s := &Steering{}
	s.grow(2)
	frame := frameOver(w, s)
	defer frame.Finalize(w.ECS)
	for _, want := range [][]r2.Vec{{{Y: 2}, {X: 3}}, {{Y: 2}, {X: 3}, {X: 10}}} {
		s.grow(len(want))
		frame.Update(w.ECS)
		if !slices.Equal(s.to, want) {
			t.Errorf("got=%v, want=%v", s.to, want)
		}
	}
}

// TestArchetypes verifies that there is a number for every set of behaviors, and one for all
// beyond what a byte can tell.
func TestArchetypes(t *testing.T) {
	w := newWorld(t, world.Default())
	entries := slices.Clone(systems.Catalog()[:9]) // of the types in every world: arche's tiny build has 64
	a := activitiesOf(w, entries)
	for set := range 300 {
		var mask ecs.Mask
		for bit := range entries {
			mask.Set(a.all[bit].id, set>>bit&1 == 1)
		}
		if got, want := int(a.kind(mask).archetype), min(set, math.MaxUint8); got != want {
			t.Fatalf("set %d: got=%d, want=%d", set, got, want)
		}
	}
	if got := len(a.archetypes()); got != math.MaxUint8+1 {
		t.Errorf("names: got=%d, want=%d", got, math.MaxUint8+1)
	}
	if got, want := a.archetypes()[5], entries[0].Name+", "+entries[2].Name; got != want {
		t.Errorf("name: got=%q, want=%q", got, want)
	}
}

// TestSnapshotPool verifies that a snapshot that an agent holds, or that is the newest, is
// never filled again, and that there are few.
func TestSnapshotPool(t *testing.T) {
	s := newSnapshotPool()
	if shot, _ := s.take(); shot != nil {
		t.Fatal("there is a snapshot before the first")
	}
	var held []*snapshot
	for i := range mostSnapshots {
		one := s.spare()
		if one == nil {
			t.Fatalf("snapshot %d: none to fill", i)
		}
		for _, other := range held {
			if one == other {
				t.Fatalf("snapshot %d is one that is held", i)
			}
		}
		before, changed := s.take()
		s.give(before)
		s.put(one)
		select {
		case <-changed:
		default:
			t.Error("a newer snapshot is not told of")
		}
		shot, _ := s.take()
		if shot != one {
			t.Fatal("the newest is not what was put last")
		}
		held = append(held, shot)
	}
	if s.spare() != nil {
		t.Errorf("all are held, and there is one to fill")
	}
	s.give(held[0])
	if got := s.spare(); got != held[0] {
		t.Errorf("to fill: got=%p, want=%p, which was given back", got, held[0])
	}
	s.give(held[mostSnapshots-1])
	if got := s.spare(); got == held[mostSnapshots-1] {
		t.Error("the newest would be filled")
	}
	s.forget()
	if shot, _ := s.take(); shot != nil {
		t.Error("a snapshot is there after forget")
	}
	s.give(nil)
}

func TestNearest(t *testing.T) {
	s := three()
	for _, tc := range []struct {
		at    r2.Vec
		reach float64
		want  uint64
	}{
		{r2.Vec{X: 1, Y: 2.5}, 1, 1}, {r2.Vec{X: 1, Y: 2.5}, 0.5, 1}, {r2.Vec{X: 1, Y: 2.5}, 0.4, 0},
		{r2.Vec{X: 5, Y: 5}, 1, 0}, // one that is dead
		{r2.Vec{X: 5, Y: 5}, 4, 2}, {r2.Vec{X: 500, Y: 5}, 1e9, 2}, {r2.Vec{X: 900, Y: 5}, 1e9, 4},
	} {
		if got := s.choose(tc.at, tc.reach, 0, 0); got != tc.want {
			t.Errorf("nearest to %v within %v: got=%d, want=%d", tc.at, tc.reach, got, tc.want)
		}
	}
}

// TestChooseOnDot verifies that agents that look like one dot are chosen in turn, by their ids.
func TestChooseOnDot(t *testing.T) {
	s := &snapshot{ids: []uint64{7, 3, 0, 5, 9}, pos: []r2.Vec{{X: 1}, {X: 1.05}, {X: 1}, {X: 1}, {X: 1.3}}}
	for _, tc := range []struct {
		dot            float64
		selected, want uint64
	}{
		{0.1, 0, 3}, {0.1, 3, 5}, {0.1, 5, 7}, {0.1, 7, 3}, {0.1, 9, 3}, {0.1, 4, 3},
		{0.5, 7, 9}, {0.5, 9, 3}, {0, 0, 5}, {0, 5, 7}, {0, 7, 5},
	} {
		if got := s.choose(r2.Vec{X: 0.9}, 1, tc.dot, tc.selected); got != tc.want {
			t.Errorf("dot of %v after %d: got=%d, want=%d", tc.dot, tc.selected, got, tc.want)
		}
	}
}
