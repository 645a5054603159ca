package scene

import (
	"reflect"
	"testing"
)

// A clone is equal, and what is written to either is not seen in the other.
func TestClone(t *testing.T) {
	var s, want Scene
	seed := 0
	fill(reflect.ValueOf(&s).Elem(), &seed)
	seed = 0
	fill(reflect.ValueOf(&want).Elem(), &seed)
	got := s.Clone()
	if !reflect.DeepEqual(got, &want) {
		t.Errorf("got=%+v, want=%+v", got, &want)
	}
	overwrite(reflect.ValueOf(got).Elem())
	if !reflect.DeepEqual(&s, &want) {
		t.Errorf("after its clone was changed: got=%+v, want=%+v", &s, &want)
	}
	if empty := (&Scene{}).Clone(); !reflect.DeepEqual(empty, &Scene{}) {
		t.Errorf("of nothing: got=%+v, want=nothing", empty)
	}
	for _, name := range Names() {
		s, err := Named(name)
		noError(t, err)
		if got := s.Clone(); !reflect.DeepEqual(got, s) {
			t.Errorf("%s: got=%+v, want=%+v", name, got, s)
		}
	}
}

// overwrite sets all that x holds to nothing, where it is.
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
