package column

import (
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/mlange-42/arche/ecs"
)

func TestSameLayout(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("skipped: sizes and offsets are for 64-bit platforms")
	}
	type meters float64
	type vec struct{ X, Y float64 }
	type embeds struct{ vec }
	type yx struct{ Y, X float64 }
	type embedsYX struct{ yx }
	type hidden struct{ x, y float64 }
	type halfHidden struct {
		X float64
		y meters
	}
	type flagged struct {
		X    float64
		On   bool
		Kind int32
	}
	type flaggedLater struct {
		X    float64
		Kind int32
		On   bool
	}
	type inner struct {
		X  float64
		On bool
	}
	type flaggedPadded struct {
		inner
		Kind int32
	}
	type leader struct{ Of ecs.Entity }
	type box struct{ Min, Max point }
	type yxBox struct {
		Min point
		Max yx
	}

	const unlessSafe = "unexported"
	for _, c := range []struct {
		ours, host any
		want       string // part of the error; empty means no error
	}{
		{point{}, vec{}, ""},
		{point{}, struct{ embeds }{}, ""},
		{point{}, struct{ A [2]float64 }{}, ""},
		{point{}, [2]struct{ A [1]float64 }{}, ""},
		{point{}, struct{ X, Y struct{ Value float64 } }{}, ""},
		{point{}, struct {
			_    struct{}
			X, Y float64
		}{}, ""},
		{point{}, struct{ C complex128 }{}, "complex128 at 0"},
		{point{}, hidden{0, 0}, unlessSafe},
		{point{}, halfHidden{0, 0}, unlessSafe},
		{hidden{0, 0}, point{}, unlessSafe},
		{point{}, struct{ X, Y, Z float64 }{}, "float64 at 0, float64 at 8, float64 at 16 (24 bytes)"},
		{point{}, struct{ X float64 }{}, "float64 at 0 (8 bytes)"},
		{point{}, struct {
			X, Y float64
			_    struct{}
		}{}, "(24 bytes)"},
		{point{}, struct{ A, B, C, D float32 }{}, "float32 at 12 (16 bytes)"},
		{point{}, struct{ X, Y *float64 }{}, "ptr at 8"},
		{point{}, tag{}, "no fields (0 bytes)"},
		{point{}, 1.5, "float64 at 0 (8 bytes)"},
		{tag{}, struct{}{}, ""},
		{tag{}, point{}, "no fields (0 bytes)"},
		{flagged{}, flaggedLater{}, "int32 at 8, bool at 12"},
		{flagged{}, flaggedPadded{}, "int32 at 16"},
		{leader{}, struct{ Leader ecs.Entity }{}, ""},
		{leader{}, struct{ A, B uint32 }{}, "ecs.Entity at 0 (8 bytes)"},

		{point{}, yx{}, "field Y of column.yx is where column.point has X"},
		{point{}, embedsYX{}, "field yx.Y of column.embedsYX is where column.point has X"},
		{point{}, struct{ Y, X struct{ Value float64 } }{}, "field Y.Value of "},
		{box{}, yxBox{}, "field Max.Y of column.yxBox is where column.box has Max.X"},
		{box{}, [4]float64{}, ""},
		{box{}, struct{ Y, X [2]float64 }{}, ""},
		{struct{ B, A float64 }{}, yx{}, ""},
	} {
		ours, host := reflect.TypeOf(c.ours), reflect.TypeOf(c.host)
		want := c.want
		if want == unlessSafe && !Copies {
			want = ""
		}
		err := SameLayout(ours, host)
		if (err == nil) != (want == "") {
			t.Errorf("%v for %v: got error %v, want one with %q (none if empty)", host, ours, err, want)
			continue
		}
		for _, part := range []string{want, ours.String(), host.String()} {
			if err != nil && !strings.Contains(err.Error(), part) {
				t.Errorf("%v for %v: got=%v, want=%q in it", host, ours, err, part)
			}
		}
	}
}

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
		{"two hosts", []Binding{Bound[point, place](), Bound[point, host]()}, "column.place already stands in for column.point, so column.host cannot"},
		{"two of ours", []Binding{Bound[point, place](), Bound[other, place]()}, "column.place already stands in for column.point, so it cannot stand in for column.other"},
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

type (
	Position struct{ X, Y float64 }
	Velocity struct{ Y, X float64 } // the axes are swapped
	Mass     struct{ Kind int32 }   // named like a component of ours, with other numbers
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
		{nil, []any{c.Target{}, Position{}}, "column.Position is not bound: Config.Bind or Frame.Bind with frame.Bound[components.Position, column.Position]()"},
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
