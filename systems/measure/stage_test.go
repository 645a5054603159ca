package measure

import (
	"math"
	"reflect"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func within(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

type stage = testkit.Stage

var newStage = testkit.NewStage

// nearly returns got, with the numbers of want where only rounding differs.
func nearly[T any](got, want T) T {
	to, from := reflect.ValueOf(&got).Elem(), reflect.ValueOf(want)
	for i := range to.NumField() {
		if f, x := to.Field(i), from.Field(i); f.Kind() == reflect.Float64 && within(f.Float(), x.Float(), 1e-8*(1+math.Abs(x.Float()))) {
			f.Set(x)
		}
	}
	return got
}
