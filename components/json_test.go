package components_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
)

// fill sets each number in a value to a different one, but floats to x if x is not 0, bools to true, and
// entities to e.
func fill(v reflect.Value, next *int, x float64, e ecs.Entity) {
	*next++
	switch {
	case v.Type() == reflect.TypeFor[ecs.Entity]():
		v.Set(reflect.ValueOf(e))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), next, x, e)
		}
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), next, x, e)
		}
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanFloat() && x != 0:
		v.SetFloat(x)
	case v.CanFloat():
		v.SetFloat(float64(*next) + 0.1)
	case v.CanUint():
		v.SetUint(uint64(*next))
	default:
		v.SetInt(int64(*next))
	}
}

func TestJSON(t *testing.T) {
	w := ecs.NewWorld()
	w.NewEntity()
	e := w.NewEntity()
	infinite := []any{c.Limits{}, c.Pursuit{}, c.Evasion{}, c.OffsetPursuit{}, c.ORCA{}, c.ForceCombination{}}
	for _, x := range []float64{0, math.Inf(1), math.Inf(-1)} {
		all := systems.Components()
		if x != 0 {
			all = infinite
		}
		for _, comp := range all {
			want, n := reflect.New(reflect.TypeOf(comp)).Elem(), 0
			fill(want, &n, x, e)
			for _, value := range []any{want.Interface(), want.Addr().Interface()} {
				data, err := json.Marshal(value)
				if err != nil {
					t.Errorf("%T: Marshal: got error %v, want none", value, err)
					continue
				}
				got := reflect.New(want.Type())
				if err := json.Unmarshal(data, got.Interface()); err != nil {
					t.Errorf("%T from %s: got error %v, want none", value, data, err)
				}
				if got.Elem().Interface() != want.Interface() {
					t.Errorf("%s: got=%v, want=%v", data, got.Elem(), want)
				}
			}
		}
	}
}

func TestJSONText(t *testing.T) {
	data, err := json.Marshal(struct{ Limits c.Limits }{c.Limits{MaxSpeed: 1.5, MaxForce: math.Inf(1)}})
	if want := `{"Limits":{"MaxSpeed":1.5,"MaxForce":"Infinity"}}`; string(data) != want || err != nil {
		t.Errorf("infinite MaxForce: got=%s %v, want=%s <nil>", data, err, want)
	}
	limits := c.Limits{MaxSpeed: 2, MaxForce: 3}
	if err := json.Unmarshal([]byte(`{"maxspeed": 4, "MaxForce": null}`), &limits); err != nil || limits != (c.Limits{MaxSpeed: 4, MaxForce: 3}) {
		t.Errorf("MaxForce null: got=%v %v, want={4 3} <nil>", limits, err)
	}
	for _, text := range []string{`{"MaxForce": "much"}`, `{"MaxForce": true}`} {
		err := json.Unmarshal([]byte(text), &limits)
		if want := `components.Limits.MaxForce is`; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got=%v, want=an error that contains %q", text, err, want)
		}
	}
}
