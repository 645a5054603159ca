package scene

import (
	"reflect"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// between is a host's component that means two others, and has a point that a third keeps.
type between struct {
	First, Second ecs.Entity
	Point         r2.Vec
}

// idle does nothing about it.
type idle struct{}

func (*idle) Sense(*ecs.World) {}

var betweenEntry = catalog.Of(catalog.Entry{
	Name: "between", Text: "be between two others", System: func(catalog.Options) any { return new(idle) }, Phase: catalog.Steer,
}, func(b *between) []catalog.Param {
	return []catalog.Param{
		catalog.Entity("first", &b.First, "one of them"),
		catalog.Entity("second", &b.Second, "the other one"),
		catalog.Point("point", &b.Point, "where else"),
	}
})

const betweenText = `
box = [[0, 0], [40, 30]]

[pointer]
way = [[1, 1], [2, 2]]
speed = 1

[[groups]]
name = "wolves"
count = 2
max-speed = 1
start-speed = 1

[[groups]]
count = 3
max-speed = 1
start-speed = 1
between = {first = "wolves", second = "pointer", point = [3, 4]}
`

// A behavior can be about several others, each with a key of its own.
func TestWhom(t *testing.T) {
	options := OpenOptions{Catalog: []catalog.Entry{betweenEntry}}
	s, err := ReadWith(strings.NewReader(betweenText), "f.toml", options)
	noError(t, err)
	if got, want := s.Groups[1].Whom, (map[string]string{"between.first": "wolves", "between.second": PointerName}); !reflect.DeepEqual(got, want) {
		t.Errorf("got=%v, want=%v", got, want)
	}
	again, err := ReadWith(strings.NewReader(written(scenes, *s)), "f.toml", options)
	noError(t, err)
	for _, s := range []*Scene{s, s.Clone(), again} {
		w, err := s.Build(Options{Workers: 1})
		noError(t, err)
		defer w.Close()
		build, _ := crowdOf(w)
		for id := uint64(3); id <= 5; id++ {
			e, _ := w.Entity(id)
			wolf, _ := w.Entity(1 + (id-3)%2)
			got := *(*between)(w.ECS.Get(e, ecs.ComponentID[between](w.ECS)))
			if want := (between{wolf, build.point, r2.Vec{X: 3, Y: 4}}); got != want {
				t.Errorf("agent %d: got=%v, want=%v", id, got, want)
			}
		}
	}
}

// Whom a group means must be there, and a behavior must ask for it.
func TestWhomIsRefused(t *testing.T) {
	for _, tc := range []struct {
		group Group
		want  string
	}{
		{Group{Behaviors: []any{c.Quarry{}}}, `groups[0].quarry is "", want "pointer" or the name of a group`},
		{Group{Behaviors: []any{c.Quarry{}}, Whom: map[string]string{"quarry": "pointer"}}, "groups[0].quarry is a pointer, but the scene has no pointer"},
		{Group{Whom: map[string]string{"flee.from": "pointer"}}, `groups[0].flee.from is "pointer", but the group has no behavior with that key`},
		{Group{Behaviors: []any{c.Wander{}, c.Wander{}}}, "groups[0].wander is there twice"},
		{Group{Behaviors: []any{c.Goal{}}}, "groups[0].behaviors have a components.Goal, want a component of systems.Catalog or Scene.Catalog that a group can have"},
		{Group{Behaviors: []any{nil}}, "groups[0].behaviors have a <nil>, want a component of"},
		{Group{Behaviors: []any{&c.Wander{}}}, "groups[0].behaviors have a *components.Wander, want a component of"},
	} {
		tc.group.Count = 1
		s := &Scene{Name: "made", Dt: 0.1, Steps: 1, Box: box(0, 0, 9, 9), Groups: []Group{tc.group}}
		if err := s.check(); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("got=%v, want=%s", err, tc.want)
		}
		s.Lint() // does not mind
	}
}

// The entries of a host are whole, and have names of their own.
func TestCatalogIsChecked(t *testing.T) {
	twice := betweenEntry
	twice.Name = "radius"
	for _, tc := range []struct {
		own  []catalog.Entry
		want string
	}{
		{[]catalog.Entry{{}}, "behavior has no name"},
		{[]catalog.Entry{twice}, "behavior radius has the name of another key of groups"},
		{[]catalog.Entry{betweenEntry, betweenEntry}, "behavior between has the name of another key of groups"},
	} {
		if _, err := ReadWith(strings.NewReader(betweenText), "f.toml", OpenOptions{Catalog: tc.own}); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("read: got=%v, want=%s", err, tc.want)
		}
		s := plaza()
		s.Catalog = tc.own
		if _, err := s.Build(Options{}); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("built: got=%v, want=%s", err, tc.want)
		}
	}
}
