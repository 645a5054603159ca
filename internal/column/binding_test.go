package column

import (
	"reflect"
	"strings"
	"testing"

	"github.com/mlange-42/arche/ecs"
)

// TestBindings holds that types that cannot be bound are refused, by name.
func TestBindings(t *testing.T) {
	type other struct{ A, B float64 }
	type place struct{ A, B float64 }
	for _, test := range []struct {
		name string
		all  []Binding
		want string // in the error; empty: none
	}{
		{"none", nil, ""},
		{"two", []Binding{Bound[point, place](), Bound[other, host]()}, ""},
		{"again", []Binding{Bound[point, place](), Bound[point, place]()}, ""},
		{"layout", []Binding{Bound[point, small]()}, "column.small is"},
		{"zero", []Binding{{}}, "the zero Binding"},
		{"two hosts", []Binding{Bound[point, place](), Bound[point, host]()}, "column.place stands in for column.point already, column.host cannot too"},
		{"two of ours", []Binding{Bound[point, place](), Bound[other, place]()}, "column.place stands in for column.point already, and cannot for column.other too"},
	} {
		_, err := NewBindings(test.all...)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got=%v, want=%q", test.name, err, test.want)
		}
	}
}

// TestBoundValues holds that values of ours become values of a host and back.
func TestBoundValues(t *testing.T) {
	type place struct{ A, B float64 }
	set, err := NewBindings(Bound[point, place]())
	if err != nil {
		t.Fatal(err)
	}
	if got := set.ToHost(point{1, 2}); got != (place{1, 2}) {
		t.Errorf("to the host: got=%#v", got)
	}
	if got := set.ToOurs(place{1, 2}); got != (point{1, 2}) {
		t.Errorf("to ours: got=%#v", got)
	}
	if got := set.ToHost(small{3}); got != (small{3}) {
		t.Errorf("not bound: got=%#v", got)
	}
	if got := set.OurType(reflect.TypeFor[small]()); got != reflect.TypeFor[small]() {
		t.Errorf("not bound: got=%v", got)
	}
	w := ecs.NewWorld()
	source := SourceIn[point](set, &w)
	e, without := w.NewEntity(ecs.ComponentID[place](&w)), w.NewEntity()
	move := func(p *point) { p.X, p.Y = p.X+1, p.Y+2 }
	if !Edit(&w, &source, e, move) || !Edit(&w, &source, e, move) || Edit(&w, &source, without, move) {
		t.Error("edit: want it of the entity that has the component, and of no other")
	}
	if got := *(*place)(w.Get(e, ecs.ComponentID[place](&w))); got != (place{2, 4}) {
		t.Errorf("edited: got=%v, want={2 4}", got)
	}
}
