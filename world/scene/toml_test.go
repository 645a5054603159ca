package scene

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// reread writes a scene and reads it back without warnings. It checks that the result is written as the
// same file.
func reread(t *testing.T, s *Scene) *Scene {
	t.Helper()
	text := asFile(s)
	again, err := Read(strings.NewReader(text), "again.toml", OpenOptions{})
	if err != nil {
		t.Fatalf("reading back: got=%v, want=no error, for\n%s", err, text)
	}
	if got := asFile(again); got != text {
		t.Fatalf("written and read back:\ngot=%s\nwant=%s", got, text)
	}
	again.Warnings = nil
	return again
}

func failure[T any](_ T, err error) error { return err }

// refused checks that err contains want or, if want is empty, is nil.
func refused(t testing.TB, err error, want, format string, args ...any) {
	t.Helper()
	if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("%s: got=%v, want=an error that contains %q (none if empty)", fmt.Sprintf(format, args...), err, want)
	}
}

func hashAfter(t *testing.T, s *Scene, n int) uint64 {
	t.Helper()
	return steps(t, built(t, s), n)
}

// sameAgain checks that s, written and read back, has the same hash after n steps. It returns s.
func sameAgain(t *testing.T, s *Scene, n int) *Scene {
	t.Helper()
	testkit.Equal(t, hashAfter(t, reread(t, s), n), hashAfter(t, s, n), "%s: written and read back: hash after %d steps", s.Name, n)
	return s
}

func TestBuiltinRoundTrip(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			s := loaded(t, name)
			if again := reread(t, s); !reflect.DeepEqual(again, s) {
				t.Errorf("got=%+v, want=%+v", again, s)
			}
		})
	}
}

func TestLongListsAreBroken(t *testing.T) {
	s := loaded(t, "tank-path")
	s.Paths = append(s.Paths, nil)
	for i := range 100 {
		s.Paths[1] = append(s.Paths[1], r2.Vec{X: float64(i), Y: 1})
	}
	for line := range strings.Lines(asFile(s)) {
		if len(line) > lineLength+20 {
			t.Errorf("got=a line of %d bytes, want=%d or less: %s", len(line), lineLength+20, line)
		}
	}
}

func TestLocate(t *testing.T) {
	root, err := parse(context.Background(), []byte("seed = 1\n[[groups]]\nradius = 2\n[[groups]]\nmass = 3\n"))
	noError(t, err)
	at := func(path string) int { return root.locate(path) }
	if a, b := at("groups[1].mass"), at("groups[0].radius"); a <= b || b <= at("seed") {
		t.Errorf("offsets: got=%d, %d, %d, want=increasing numbers", at("seed"), b, a)
	}
	testkit.Equal(t, at("groups[7].mass"), at("groups"), "missing group")
	testkit.Equal(t, at("seed[3]"), at("seed"), "item of a number")
}

func TestFiles(t *testing.T) {
	t.Chdir(testkit.Files(t, map[string]string{
		"main.xml":   `<Simulation delta_time="0.1"><World><Obstacles file="walls.xml"/></World><Agents file="agents.xml"/></Simulation>`,
		"chain.xml":  `<configPath path="main.xml"/>`,
		"agents.xml": `<Agents><Agent rad="0.3" pref_speed="1" max_speed="1"><pos x="1" y="2"/><goal x="3" y="4"/></Agent></Agents>`,
		"walls.xml":  `<Obstacles><Obstacle><Point x="0" y="0"/><Point x="1" y="0"/><Point x="1" y="1"/></Obstacle></Obstacles>`,
		"room.xml":   `<Obstacles/>`,
		"hall.toml":  "name = \"hall\"\n[[groups]]\ncount = 1\nat = {points = [[1, 1]]}\nmax-speed = 1\n",
		"case.xml":   strings.Replace(dynamicCase, "NAME", "0", 1),
	}))
	for _, test := range []struct{ open, obstacles, want string }{
		{"chain.xml", "", "chain.xml main.xml walls.xml agents.xml"},
		{"agents.xml", "room.xml", "agents.xml room.xml"},
		{"./hall.toml", "", "./hall.toml"},
		{"case.xml", "", "case.xml"},
		{"seek", "", ""},
	} {
		s, err := Open(test.open, OpenOptions{Obstacles: test.obstacles})
		noError(t, err)
		testkit.Equal(t, strings.Join(s.Files, " "), test.want, "%s", test.open)
	}
}

// fill sets all fields of x, except entities and catalogs, to values that are neither zero nor the
// default.
func fill(x reflect.Value, seed *int) {
	*seed++
	switch x.Interface().(type) {
	case c.Quarry, c.Pursuer, c.TrackedEntity, []catalog.Entry: // a file has names of groups instead of entities, and no catalogs
		return
	}
	switch x.Kind() {
	case reflect.Map:
		names := map[string]string{}
		for _, e := range systems.Catalog() {
			for _, p := range e.Params(e.New()) {
				if _, is := p.At.(*ecs.Entity); is && !e.Special {
					names[referencePath(&e, &p)] = []string{"text", pointerName}[len(names)%2]
				}
			}
		}
		x.Set(reflect.ValueOf(names))
	case reflect.Pointer:
		x.Set(reflect.New(x.Type().Elem()))
		fill(x.Elem(), seed)
	case reflect.Slice:
		if behaviors, ok := x.Addr().Interface().(*[]any); ok {
			*behaviors = everyBehavior()
			for i, b := range *behaviors {
				row := reflect.New(reflect.TypeOf(b)).Elem()
				fill(row, seed)
				(*behaviors)[i] = row.Interface()
			}
			break
		}
		x.Set(reflect.MakeSlice(x.Type(), 3, 3))
		for i := range x.Len() {
			fill(x.Index(i), seed)
		}
	case reflect.Struct:
		for i := range x.NumField() {
			fill(x.Field(i), seed)
		}
	case reflect.String:
		x.SetString("text \"\\\n\t\x01 ×" + string(rune('a'+*seed%26)))
	case reflect.Bool:
		x.SetBool(true)
	case reflect.Float64:
		x.SetFloat(float64(*seed) + 0.1)
	case reflect.Int:
		x.SetInt(2)
	case reflect.Uint32, reflect.Uint64:
		x.SetUint(uint64(*seed))
	default:
		panic("crowd: the test cannot fill a " + x.Kind().String())
	}
}

func everyBehavior() (all []any) {
	for _, e := range ours {
		all = append(all, e.Component)
	}
	return all
}

func TestEveryFieldIsWritten(t *testing.T) {
	var want Scene
	seed := 0
	fill(reflect.ValueOf(&want).Elem(), &seed)
	want.Files, want.Warnings, want.Model, want.Recorded = nil, nil, "", false
	want.Priority, want.Chances = []string{"seek", "wander"}, []float64{0.25, 0.75}
	for i := range want.Groups {
		// A file has one of these forms per key; the others are tested below.
		g := &want.Groups[i]
		g.TargetPointer, g.TargetGroup = false, ""
		g.Set(c.Solid{Push: 0.25}, c.FollowingDistance{TimeGap: 1.5, Variation: 0.25}) // Push is a share
		formation, _ := Behavior[c.Formation](g)
		g.Set(c.Formation{ // its other fields are state of the run
			Spacing: formation.Spacing, Files: formation.Files, Slant: -0.5, Distance: formation.Distance,
			TurnRate: formation.TurnRate, Lead: formation.Lead, TopSpeed: formation.TopSpeed,
		})
		g.Set(c.CrowdedGoal{Share: 0.5, Patience: 1.5}) // its other fields are state of the run
		for _, b := range slices.Clone(g.Behaviors) {
			v := reflect.New(reflect.TypeOf(b)).Elem()
			v.Set(reflect.ValueOf(b))
			if view := v.FieldByName("FieldOfView"); view.IsValid() {
				view.SetFloat(2.5 + 0.25*float64(i)) // rad
				g.Set(v.Interface())
			}
		}
		passing, _ := Behavior[c.Passing](g)
		passing.Overtaking, passing.Right = 0.5, -0.25
		g.Set(passing)
		for _, v := range []*Value{&g.Radius, &g.Mass, &g.MaxSpeed, &g.MaxForce, &g.Goal.Radius, &g.Delay, &g.Source.Every} {
			*v = []Value{{Spread: &Spread{Distribution: Normal, Mean: 3, SD: 0.1, Min: 1.5, Max: 9.5}}, {Each: v.Each}, {All: v.All}}[i]
		}
		for _, p := range []*Place{&g.At, g.Target} {
			clear, jitter := p.Clear, p.Jitter
			*p = []Place{{Points: p.Points}, {Ring: p.Ring}, {Grid: p.Grid}}[i]
			p.Clear, p.Jitter = clear, jitter
		}
	}
	for i := range want.Zones {
		want.Zones[i].Speed, want.Zones[i].SpeedUp = 0.5, 0.25 // factors
	}
	for i := range want.Obstacles.Random {
		want.Obstacles.Random[i].Radius = Value{Spread: &Spread{Min: 1, Max: 2}}
	}
	check := func(what string) {
		t.Helper()
		text := []byte(asFile(&want))
		r := &reader{ctx: t.Context(), name: "fields.toml", data: text}
		root, err := parse(t.Context(), text)
		if err != nil {
			t.Fatalf("%s: %v\n%s", what, err, text)
		}
		got := r.scene(root, nil)
		if err := r.err(); err != nil {
			t.Fatalf("%s: %v\n%s", what, err, text)
		}
		if !reflect.DeepEqual(got, &want) {
			t.Errorf("%s: got=%+v, want=%+v\n%s", what, got, &want, text)
		}
	}
	check("all fields")
	g := &want.Groups[0]
	g.Target, g.TargetPointer, g.References["flee.from"] = nil, true, pointerName
	flee, _ := Behavior[c.Flee](g)
	flee.From = r2.Vec{}
	g.Set(flee)
	check("pointer")
	g.TargetPointer, g.TargetGroup, g.References["flee.from"] = false, "a", "b"
	g.At = Place{Disc: &Disc{Radius: 2}, Clear: 1}
	check("groups")
	g.At = Place{Box: box(1, 2, 3, 4)}
	check("rectangle")
	g.At = Place{Rows: box(1, 2, 3, 4), Jitter: 0.5}
	check("rows")
}

func TestDefaults(t *testing.T) {
	for _, e := range systems.Catalog() {
		want := reflect.ValueOf(e.New()).Elem().Interface()
		g := &Group{}
		k := g.behaviorKey(&e)
		if k.keys == nil { // its only parameter has no default
			continue
		}
		k.read(&reader{ctx: t.Context(), name: "empty.toml"}, &node{kind: isTable, table: &table{}})
		if got := g.Behaviors[0]; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got=%+v, want=%+v", e.Name, got, want)
		}
	}
}

func TestClone(t *testing.T) {
	var s, want Scene
	seed := 0
	fill(reflect.ValueOf(&s).Elem(), &seed)
	seed = 0
	fill(reflect.ValueOf(&want).Elem(), &seed)
	got := s.Clone()
	if !reflect.DeepEqual(got, &want) {
		t.Errorf("clone: got=%+v, want=%+v", got, &want)
	}
	overwrite(reflect.ValueOf(got).Elem())
	if !reflect.DeepEqual(&s, &want) {
		t.Errorf("after changing the clone: got=%+v, want=%+v", &s, &want)
	}
	if empty := (&Scene{}).Clone(); !reflect.DeepEqual(empty, &Scene{}) {
		t.Errorf("clone of an empty scene: got=%+v, want=an empty scene", empty)
	}
}

// overwrite zeroes, in place, everything that x refers to.
func overwrite(x reflect.Value) {
	switch x.Kind() {
	case reflect.Pointer:
		overwrite(x.Elem())
	case reflect.Slice:
		for i := range x.Len() {
			overwrite(x.Index(i))
		}
	case reflect.Map:
		for _, name := range x.MapKeys() {
			x.SetMapIndex(name, reflect.Zero(x.Type().Elem()))
		}
	case reflect.Struct:
		for i := range x.NumField() {
			overwrite(x.Field(i))
		}
	default:
		x.SetZero()
	}
}
