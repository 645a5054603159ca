package world_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// referring fills a world with agents that refer to one another and to all tables, shifted by x meters.
// The first agent has the ID first.
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
		const close = 0.05 // m; the clock determines when each agent looks
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

// The clock of the younger world is behind, so the times of the door could become negative.
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
		testkit.Equal(t, open(into, now), is, "door open after %d steps", step+1)
		if is != before {
			changes++
		}
		before = is
	}
	testkit.Equal(t, changes, 6, "changes of the door")
}

// numbers lists the integer fields that Restore does not rewrite as an index of a row.
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

// small returns a case, and a file saved from it.
func small(t testing.TB) (savedCase, []byte) {
	x := savedCase{
		config: func(config *world.Config) { config.Saved = []any{health{}, &score{}} },
		fill: func(t testing.TB, w *world.World) {
			world.Value(w.AddPolygon([]r2.Vec{point(9, 2), point(11, 2), point(10, 4)}))
			path := world.Value(w.AddPath([]r2.Vec{point(4, 4), point(8, 8)}))
			must(t, w.Spawn(4, with(c.Path{Index: path, Reached: 1}, c.Goal{Radius: 1}), spread))
			must(t, w.Spawn(3, with(c.Destination{Vec: point(15, 3)}, c.Route{}, health{Points: 3}), spread))
			ecs.AddResource(w.ECS, &score{Text: "of the game", List: []ecs.Entity{w.ECS.NewEntity()}})
		},
	}
	w := x.make(t, 1)
	x.fill(t, w)
	run(t, w, 3)
	e, _ := w.Entity(2)
	w.Remove(e)
	return x, saveOf(t, w)
}

func TestBlocksAreNamedAsResources(t *testing.T) {
	x, file := small(t)
	var names []string
	for _, b := range blocksOf(file) {
		names = append(names, b.name)
	}
	w := x.make(t, 1)
	for _, id := range ecs.ResourceIDs(w.ECS) {
		if typ, _ := ecs.ResourceType(w.ECS, id); !slices.Contains(names, typ.String()) {
			t.Errorf("%v: got=no such block in %v, want=one", typ, names)
		}
	}
}

func TestRestoreChanged(t *testing.T) {
	x, file := small(t)
	for _, filled := range []bool{false, true} {
		w := x.make(t, 1)
		if filled {
			must(t, w.Spawn(3, with(c.Agent{}), spread))
			run(t, w, 2)
		}
		before := saveOf(t, w)
		refuse := func(what string, i int, changed []byte) {
			t.Helper()
			if _, err := w.Restore(bytes.NewReader(changed)); err == nil || !strings.HasPrefix(err.Error(), "crowd state: ") || !strings.Contains(err.Error(), "byte") {
				t.Fatalf("%s at byte %d of %d: got=%v, want=an error of the crowd state that names a byte", what, i, len(file), err)
			}
		}
		changed := bytes.Clone(file)
		for i := range file {
			refuse("cut off", i, file[:i])
			changed[i] ^= 0x41
			refuse("changed", i, changed)
			changed[i] ^= 0x41
		}
		if !bytes.Equal(saveOf(t, w), before) {
			t.Error("after errors: got=a changed world, want=an unchanged one")
		}
	}
}

// forged corrects the checksums of all blocks in a file.
func forged(file []byte) []byte {
	for _, b := range blocksOf(file) {
		end := b.body + len(b.data)
		binary.LittleEndian.PutUint32(file[end:], crc32.Checksum(file[b.from:end], crc32.MakeTable(crc32.Castagnoli)))
	}
	return file
}

func TestRestoreForged(t *testing.T) {
	t.Parallel()
	x, file := small(t)
	w := x.make(t, 1)
	before := saveOf(t, w)
	for _, b := range blocksOf(file) {
		stride := max(1, len(b.data)/10)
		if b.name == "TripMetrics" { // contains row numbers
			stride = 8
		}
		for i := 0; i < len(b.data); i += stride {
			changed := bytes.Clone(file)
			changed[b.body+i] ^= 1 << (i % 8)
			if _, err := w.Restore(bytes.NewReader(forged(changed))); err == nil {
				_ = w.Run(t.Context(), 2)
				w.Close()
				w = x.make(t, 1)
			} else if !strings.HasPrefix(err.Error(), "crowd state: ") {
				t.Fatalf("block %s, byte %d: got=%v, want=an error of the crowd state", b.name, i, err)
			}
		}
		if got := saveOf(t, w); !bytes.Equal(got, before) {
			t.Fatalf("block %s: after an error: got=a changed world, want=an unchanged one: %s", b.name, firstDifference(got, before))
		}
	}
}

func FuzzRestore(f *testing.F) {
	x, file := small(f)
	f.Add(uint32(40), uint64(1), false)
	f.Add(uint32(900), uint64(1)<<62, true)
	f.Fuzz(func(t *testing.T, at uint32, bits uint64, filled bool) {
		changed := bytes.Clone(file)
		blocks := blocksOf(changed)
		b := blocks[int(at)%len(blocks)].data
		for i := range min(8, len(b)) {
			b[(int(at)/len(blocks)+i)%len(b)] ^= byte(bits >> (8 * i))
		}
		w := x.make(t, 1)
		defer w.Close()
		if filled {
			must(t, w.Spawn(1, walker, nil))
		}
		before := saveOf(t, w)
		if _, err := w.Restore(bytes.NewReader(forged(changed))); err != nil {
			if !bytes.Equal(saveOf(t, w), before) {
				t.Errorf("after the error %v: got=a changed world, want=an unchanged one", err)
			}
			return
		}
		_ = w.Run(t.Context(), 2)
	})
}

type (
	unknown struct{ X int }
	tally   struct {
		Points map[string]struct{ best, Last int }
		Mutex  sync.Mutex `json:"-"`
		Leader ecs.Entity
	}
)

func TestSaveRefused(t *testing.T) {
	config := world.Default()
	w := made(t, config)
	for range 3 {
		w.ECS.NewEntity(ecs.ComponentID[unknown](w.ECS))
	}
	w.ECS.NewEntity(ecs.ComponentID[health](w.ECS), ecs.ComponentID[unknown](w.ECS))
	testkit.Equal(t, fmt.Sprint(w.Save(&bytes.Buffer{})), "cannot save: 1 entity has world_test.health, 4 entities have world_test.unknown; list these components in Config.Saved, or in Config.Unsaved to leave them out", "error")
	config.Saved = []any{&unknown{}}
	pointers := made(t, config)
	pointers.ECS.NewEntity(ecs.ComponentID[unknown](pointers.ECS))
	testkit.Equal(t, fmt.Sprint(pointers.Save(&bytes.Buffer{})), "cannot save: saved[0] is *world_test.unknown, but world_test.unknown is a component; list it by value", "error")
	config.Saved = []any{health{}}
	values := made(t, config)
	ecs.AddResource(values.ECS, &health{})
	testkit.Equal(t, fmt.Sprint(values.Save(&bytes.Buffer{})), "cannot save: saved[0] is world_test.health, which is a resource; list it by pointer", "error")
	config.Saved = []any{&tally{}}
	const lost = `cannot save: saved[0] is *world_test.tally, but JSON would lose struct { best int; Last int }.best; export it, give it the tag json:"-" to leave it out, or write the methods MarshalJSON and UnmarshalJSON`
	testkit.Equal(t, fmt.Sprint(made(t, config).Save(&bytes.Buffer{})), lost, "error")
	twins := made(t, world.Default())
	twins.ECS.NewEntity(ecs.ComponentID[c.Agent](twins.ECS))
	twins.ECS.NewEntity(ecs.ComponentID[c.Agent](twins.ECS), ecs.ComponentID[c.Position](twins.ECS))
	testkit.Equal(t, fmt.Sprint(twins.Save(&bytes.Buffer{})), "cannot save: two agents have the ID 0", "equal IDs")
	config.Saved, config.Unsaved = []any{health{}}, []any{unknown{}}
	w.Close()
	again := world.Value(world.Attach(w.ECS, config))
	defer again.Close()
	other := made(t, config)
	restore(t, other, saveOf(t, again))
	q := other.ECS.Query(ecs.All())
	if n := q.Count(); n != 4 {
		t.Errorf("got=%d entities, want=4", n)
	}
	q.Close()
}

func TestRestoreRefused(t *testing.T) {
	x, file := small(t)
	for _, test := range []struct {
		name   string
		change func(*world.Config)
		want   string
	}{
		{"seed", func(config *world.Config) { config.Seed = 7 }, "block config at byte 572: configuration differs: Config.Seed was 0 when the world was saved, but is 7 now"},
		{"box", func(config *world.Config) { config.Bounds, config.Box = systems.BoundsWrap, r2.Box{Max: point(9, 9)} }, "Config.Bounds was 0 when the world was saved, but is 3 now"},
		{"mode", func(config *world.Config) { config.Hold = true }, "Config.Hold was false when the world was saved, but is true now"},
		{"measured", func(config *world.Config) { config.Safety = false }, "Config.Measure was true when the world was saved, but is false now"},
		{"component", func(config *world.Config) { config.Saved = []any{&score{}} }, "block components at byte "},
		{"resource", func(config *world.Config) { config.Saved = []any{health{}} }, "resource world_test.score was saved but is not in Config.Saved"},
		{"system", func(config *world.Config) { config.Sense = []any{&ticker{}} }, "block Obstacles at byte "},
	} {
		config := world.Default()
		config.Dt, config.Safety = 0.1, true
		x.config(&config)
		test.change(&config)
		w := made(t, config)
		world.WantError(t, world.Failure(w.Restore(bytes.NewReader(file))), test.want)
		run(t, w, 1)
	}
}

func TestSavedTypes(t *testing.T) {
	type pointing struct{ To struct{ X *int } }
	type listing struct{ List []int }
	type spot struct{ X, Y float64 }
	for _, test := range []struct {
		saved, unsaved []any
		want           string // in the error; empty means none
	}{
		{[]any{health{}, marked{}, (*score)(nil)}, []any{unknown{}}, ""},
		{[]any{health{}, marked{}, health{}}, nil, "saved[2] is world_test.health again, after saved[0]; list each type once"},
		{[]any{&score{}, (*score)(nil)}, nil, "saved[1] is *world_test.score again, after saved[0]; list each type once"},
		{[]any{health{}, c.Position{}}, nil, "saved[1] is components.Position, which is always saved; list only components of your own"},
		{[]any{&systems.Zones{}}, nil, "saved[0] is *systems.Zones, which is always saved; list only resources of your own"},
		{[]any{&systems.Routes{}}, nil, "saved[0] is *systems.Routes, which is always saved"},
		{[]any{&world.Attachment{}}, nil, "saved[0] is *world.Attachment, which is always saved"},
		{[]any{spot{}}, nil, "saved[0] is world_test.spot, which stands in for components.Position and is always saved; list only other components"},
		{[]any{health{}, nil}, nil, "saved[1] is nil, want a component, or a pointer to a resource"},
		{[]any{pointing{}}, nil, "saved[0] is the component world_test.pointing with the field To.X of kind ptr, want plain values; keep variable data in a resource"},
		{[]any{listing{}}, nil, "saved[0] is the component world_test.listing with strings or slices, want plain values of a fixed size"},
		{nil, []any{unknown{}, nil}, "unsaved[1] is nil, want a component"},
		{nil, []any{&score{}}, "unsaved[0] is a *world_test.score, want a component"},
	} {
		config := world.Default()
		config.Bind = []frame.Binding{frame.Bound[c.Position, spot]()}
		config.Saved, config.Unsaved = test.saved, test.unsaved
		if err := config.Validate(); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("saved %v, unsaved %v: got=%v, want=an error that contains %q (none if empty)", test.saved, test.unsaved, err, test.want)
		}
	}
}

func TestSaveWaiting(t *testing.T) {
	w := made(t, world.Default())
	must(t, w.Spawn(3, walker, spread))
	q := w.ECS.Query(ecs.All())
	e, _ := w.Entity(2)
	w.Remove(e)
	q.Close()
	again := made(t, world.Default())
	restore(t, again, saveOf(t, w))
	run(t, again, 1)
	if again.ECS.Alive(e) {
		t.Error("agent with a pending removal, after a step: got=alive, want=removed")
	}
	q = w.ECS.Query(ecs.All())
	must(t, w.Spawn(1, walker, nil))
	q.Close()
	world.WantError(t, w.Save(&bytes.Buffer{}), "pending spawns: 1")
}
