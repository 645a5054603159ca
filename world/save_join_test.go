package world_test

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// referring fills a world with agents that refer to one another and to all tables. Their positions are
// shifted by x meters, and the first agent has the ID first.
func referring(t *testing.T, w *world.World, x float64, first uint64) {
	must(t, w.SetNextID(first))
	path := world.Value(w.AddPath([]r2.Vec{point(x, 1), point(x+9, 1)}))
	other := w.AddTracked(ecs.Entity{})
	stops := world.Value(w.AddItinerary([]systems.Stop{{At: point(x+5, 5)}, {Kind: systems.StopFollow, Other: other, Duration: 1}}))
	field := world.Value(w.AddFlowField(sense.FlowField{Goals: []r2.Box{{Min: point(x, 9), Max: point(x+1, 9)}}, Radius: 0.3}))
	world.Value(w.AddPolygon([]r2.Vec{point(x, 20), point(x+2, 20), point(x+1, 22)}))
	must(t, w.SetZones(append(w.Inspect().Zones(), systems.Zone{Box: r2.Box{Min: point(x, 30), Max: point(x+1, 31)}, Speed: 0.5})...))
	at := func(r *world.Rows) {
		spread(r)
		for i, p := 0, world.Column[c.Position](r); i < len(p); i++ {
			p[i].X += x
		}
	}
	must(t, w.Spawn(2, with(c.Path{Index: path, Reached: 1}), at))
	leader, _ := w.Entity(first)
	must(t, w.Spawn(2, with(c.Itinerary{Index: stops, Reached: 1}, c.Goal{Radius: 1}), at))
	must(t, w.Spawn(2, with(c.FlowField{Index: field}), at))
	must(t, w.Spawn(2, with(c.Follow{Entity: leader}), at))
	must(t, w.Spawn(3, with(c.Destination{Vec: point(x+8, 25)}, c.Route{}), at))
	w.SetTracked(other, leader)
	ride := ecs.ComponentID[rides](w.ECS)
	follower, _ := w.Entity(first + 6)
	ecs.NewBuilder(w.ECS, ride).WithRelation(ride).Add(follower, leader)
}

// TestRestoreIntoWorld verifies that Restore adds agents to a world with entities, where they move as in
// their own world, and that a second Restore fails and changes nothing.
func TestRestoreIntoWorld(t *testing.T) {
	config := world.Default()
	config.Dt, config.Saved = 0.1, []any{rides{}, &score{}}
	from, into := made(t, config), made(t, config)
	referring(t, from, 0, 1)
	run(t, from, 5)
	gone, _ := from.Entity(2)
	from.Remove(gone)
	leader, _ := from.Entity(1)
	ecs.AddResource(from.ECS, &score{Best: map[string]ecs.Entity{"a": leader, "b": gone}, List: []ecs.Entity{leader}})
	referring(t, into, 1000, 100)
	run(t, into, 30)
	removed, _ := into.Entity(101)
	into.Remove(removed)

	file := saveOf(t, from)
	restored := restore(t, into, file)
	now, ok := restored.Entity(leader)
	if e, is := into.Entity(1); !ok || !is || e != now {
		t.Fatalf("leader: got=%v, %v, want=%v", now, ok, e)
	}
	if _, ok := restored.Entity(gone); ok {
		t.Error("entity for a dead entity: got=an entity, want=none")
	}
	got := restored.Resources[0].(*score)
	if got.Best["a"] != now || !got.Best["b"].IsZero() || !slices.Equal(got.List, []ecs.Entity{now}) {
		t.Errorf("resource: got=%+v, want=entity %v", got, now)
	}
	follower, _ := into.Entity(7)
	if ride := ecs.ComponentID[rides](into.ECS); into.ECS.Relations().Get(follower, ride) != now {
		t.Error("target of the relation: got=another entity, want=the restored leader")
	}
	run(t, from, 40)
	run(t, into, 40)
	for id := uint64(1); id < 12; id++ {
		a, was := from.Entity(id)
		b, is := into.Entity(id)
		if was != is {
			t.Fatalf("agent %d exists: got=%v, want=%v", id, is, was)
		}
		if !was {
			continue
		}
		const close = 0.05 // m; not 0, because the clock determines when each agent looks
		if p, q := at[c.Position](from, a).Vec, at[c.Position](into, b).Vec; r2.Norm(r2.Sub(p, q)) > close {
			t.Errorf("agent %d: position: got=%v, want=%v", id, q, p)
		}
	}
	if into.NextID() < 111 {
		t.Errorf("next ID: got=%d, want=111 or more", into.NextID())
	}

	before := saveOf(t, into)
	world.WantError(t, world.Failure(into.Restore(bytes.NewReader(file))), "agent 1 already exists, as entity ")
	if !bytes.Equal(saveOf(t, into), before) {
		t.Error("after the error: got=a changed world, want=an unchanged one")
	}
}

// TestRestoreIntoYoungerWorld verifies that a restored door keeps its schedule in a world whose clock
// is behind.
func TestRestoreIntoYoungerWorld(t *testing.T) {
	config := world.Default()
	config.Dt = 0.1
	from, into := made(t, config), made(t, config)
	door := world.Value(from.AddDoor(point(8, -5), point(8, 15), 0.1, c.Door{Opens: 1.2, Closes: 2.5, Period: 3}))
	run(t, from, 97)
	must(t, into.Spawn(1, with(), spread))
	run(t, into, 5)
	now, _ := restore(t, into, saveOf(t, from)).Entity(door)
	open := func(w *world.World, e ecs.Entity) bool {
		return at[c.Door](w, e).Open
	}
	changes := 0
	for step, before := 0, open(from, door); step < 90; step++ {
		run(t, from, 1)
		run(t, into, 1)
		is := open(from, door)
		if got := open(into, now); got != is {
			t.Fatalf("door open after %d steps: got=%v, want=%v", step+1, got, is)
		}
		if is != before {
			changes++
		}
		before = is
	}
	if changes != 6 {
		t.Errorf("changes of the door: got=%d, want=6", changes)
	}
}

// TestReferencesAreKnown verifies that every integer field of a component is either one that Restore
// rewrites as the index of a row, or listed here as something else.
func TestReferencesAreKnown(t *testing.T) {
	numbers := []string{
		"Agent.ID", "Alignment.MaxNeighbors", "Cohesion.MaxNeighbors", "Separation.MaxNeighbors", "ORCA.MaxNeighbors",
		"Layers.On", "Layers.Sees", "Path.Next", "Itinerary.Next", "Goal.Visits", "Formation.Files", "Formation.Number", "Formation.Of",
		"Route.Next", "Route.State", "BoundaryFollowing.Memory.State", "BoundaryFollowing.Memory.Lost",
	}
	references := world.References()
	for _, component := range systems.Components() {
		typ := reflect.TypeOf(component)
		for _, leaf := range column.Leaves(typ) {
			if leaf.Kind < reflect.Int || leaf.Kind > reflect.Uintptr {
				continue
			}
			name := typ.Name() + "." + leaf.Path
			if slices.Contains(numbers, name) == slices.Contains(references, name) {
				t.Errorf("%s: got=in both lists or neither, want=in the references of Restore or in the list of this test", name)
			}
		}
	}
}
