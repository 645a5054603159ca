package vec

import (
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

func BenchmarkVec(b *testing.B) {
	vs := make([]r2.Vec, 1024)
	for i := range vs {
		vs[i] = Scale(1+float64(i%7), at(float64(i)))
	}
	for _, bm := range []struct {
		name string
		run  func(v r2.Vec) float64
	}{
		{"none", func(v r2.Vec) float64 { return v.X }},
		{"Norm", func(v r2.Vec) float64 { return Norm(v) }},
		{"Unit", func(v r2.Vec) float64 { return Unit(v).X }},
		{"Truncate/shorter", func(v r2.Vec) float64 { return Truncate(v, 100).X }},
		{"Truncate/longer", func(v r2.Vec) float64 { return Truncate(v, 0.5).X }},
		{"SinCos", func(v r2.Vec) float64 { s, _ := SinCos(v.X); return s }},
		{"Angle", func(v r2.Vec) float64 { return Angle(r2.Vec{X: 1}, v) }},
		{"TurnTowards", func(v r2.Vec) float64 { return TurnTowards(r2.Vec{X: 1}, v, 0.1).X }},
		{"TurnShare", func(v r2.Vec) float64 { return TurnShare(r2.Vec{X: 1}, v, 0.1).X }},
		{"Decay", func(v r2.Vec) float64 { return Decay(v.X) }},
		{"Wrap", func(v r2.Vec) float64 { return Wrap(v.X, 2) }},
	} {
		b.Run(bm.name, func(b *testing.B) {
			sum := 0.0
			for i := range b.N {
				sum += bm.run(vs[i%len(vs)])
			}
			sink = sum
		})
	}
}

var sink float64
