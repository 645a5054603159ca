package vadere

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// FuzzRead verifies that whatever a file holds, Read returns an error with its place, or a scenario
// of finite numbers; and that a lenient reading takes all that a strict one does.
func FuzzRead(f *testing.F) {
	for _, text := range []string{file(oneTarget), file(oneTarget + ",\n" + someone), "{}", "[", `{"scenario" : null}`, file(oneTarget)[:200]} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		strict, err := Read("a", data, Options{})
		if err != nil && !strings.HasPrefix(err.Error(), "a:") {
			t.Errorf("got=%q, want=an error that names its file", err)
		}
		lenient, lenientErr := Read("a", data, Options{Lenient: true})
		if err == nil && (lenientErr != nil || !reflect.DeepEqual(strict, lenient)) {
			t.Errorf("got=%+v, %v when lenient, want=%+v, as when strict", lenient, lenientErr, strict)
		}
		if lenientErr == nil {
			finite(t, reflect.ValueOf(*lenient))
		}
	})
}

// finite verifies that all numbers in a value are finite.
func finite(t *testing.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Float64:
		if x := v.Float(); math.IsNaN(x) || math.IsInf(x, 0) {
			t.Errorf("got=%v, want=finite numbers", x)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			finite(t, v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			finite(t, v.Index(i))
		}
	}
}
