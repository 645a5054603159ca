package column

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/mlange-42/arche/ecs"
)

func TestBindings(t *testing.T) {
	type other struct{ A, B float64 }
	type place struct{ A, B float64 }
	for _, test := range []struct {
		name string
		all  []Binding
		want string // part of the error; empty means no error
	}{
		{"none", nil, ""},
		{"two", []Binding{Bound[point, place](), Bound[other, host]()}, ""},
		{"again", []Binding{Bound[point, place](), Bound[point, place]()}, ""},
		{"layout", []Binding{Bound[point, small]()}, "column.small has"},
		{"zero", []Binding{{}}, "the zero Binding"},
		{"two hosts", []Binding{Bound[point, place](), Bound[point, host]()}, "column.place stands in for column.point already, so column.host cannot"},
		{"two of ours", []Binding{Bound[point, place](), Bound[other, place]()}, "column.place stands in for column.point already, so it cannot stand in for column.other"},
	} {
		_, err := NewBindings(test.all...)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one with %q (none if empty)", test.name, err, test.want)
		}
	}
}

func TestBoundValues(t *testing.T) {
	type place struct{ A, B float64 }
	set, err := NewBindings(Bound[point, place]())
	if err != nil {
		t.Fatal(err)
	}
	if got := set.ToHost(point{1, 2}); got != (place{1, 2}) {
		t.Errorf("to the host: got=%#v, want=%#v", got, place{1, 2})
	}
	if got, want := set.ToOurs([]any{nil, place{1, 2}, small{3}}), []any{nil, point{1, 2}, small{3}}; !slices.Equal(got, want) {
		t.Errorf("to ours: got=%#v, want=%#v", got, want)
	}
	if got := set.ToHost(small{3}); got != (small{3}) {
		t.Errorf("value of a type that is not bound: got=%#v, want=%#v", got, small{3})
	}
	if got := set.OurType(reflect.TypeFor[small]()); got != reflect.TypeFor[small]() {
		t.Errorf("type that is not bound: got=%v, want=column.small", got)
	}
	w := ecs.NewWorld()
	source := SourceIn[point](set, &w)
	e, without := w.NewEntity(ecs.ComponentID[place](&w)), w.NewEntity()
	move := func(p *point) { p.X, p.Y = p.X+1, p.Y+2 }
	for range 2 {
		if !Edit(&w, &source, e, move) {
			t.Error("edit: got=false, want=true for the entity that has the component")
		}
	}
	if got, ok := At[point](&w, &source, without); ok || got != (point{}) || Edit(&w, &source, without, move) {
		t.Errorf("without the component: got=%v, %v, want={0 0}, false, and no edit", got, ok)
	}
	if got := *(*place)(w.Get(e, ecs.ComponentID[place](&w))); got != (place{2, 4}) {
		t.Errorf("after the edit: got=%v, want={2 4}", got)
	}
}

// Position, Velocity and Mass are types of a host.
type (
	Position struct{ X, Y float64 }
	Velocity struct{ Y, X float64 } // binding it would be refused: the axes are swapped
	Mass     struct{ Kind int32 }   // has the name of a component of ours, but other numbers
)

func TestUnbound(t *testing.T) {
	bound, err := NewBindings(Bound[c.Position, Position]())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		bindings Bindings
		given    []any
		want     string // part of the error; empty means no error
	}{
		{nil, []any{c.Target{}, Position{}}, "column.Position is not bound: Config.Bind, or Frame.Bind, with frame.Bound[components.Position, column.Position]()"},
		{bound, []any{Position{}}, ""},
		{nil, []any{Position{}, c.Position{}}, ""},
		{bound, []any{Position{}, Velocity{}}, "column.Velocity is not bound"},
		{nil, []any{Mass{}, point{}, nil, 3, c.Position{}}, ""},
	} {
		err := test.bindings.Unbound(test.given, []any{c.Position{}, c.Velocity{}, c.Mass{}, c.Target{}})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%T: got error %v, want one with %q (none if empty)", test.given, err, test.want)
		}
	}
}
