package scene

import (
	"reflect"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

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
