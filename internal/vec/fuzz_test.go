package vec

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

func FuzzVec(f *testing.F) {
	for _, s := range []float64{0, minSub, 1e-320, 1e-170, 0.5, 7, 1e170, 1e308, maxF} {
		f.Add(s, -s, 1.0, 0.0, 0.5)
		f.Add(s, 1.0, -s, s, s)
		f.Add(-1.0, s, 3.0, 4.0, -s)
	}
	f.Add(0.6, 0.8, -3.0, -4.0, math.Pi)
	f.Fuzz(func(t *testing.T, ax, ay, bx, by, x float64) {
		a, b := r2.Vec{X: ax, Y: ay}, r2.Vec{X: bx, Y: by}
		if !Finite(a) || !Finite(b) || x-x != 0 {
			t.Skip("skipped: an argument is not finite")
		}
		length := func(name string, v r2.Vec, want float64) {
			if !Finite(v) || !nearLength(v, want) {
				t.Errorf("%s of %v, %v, %v: got=%v of length %v, want length %v", name, a, b, x, v, hypot(v), want)
			}
		}
		unit := func(name string, v r2.Vec) {
			if n := hypot(v); !near(n, 1, 2*ulp) {
				t.Errorf("%s of %v, %v, %v: got=%v of length %v, want length 1", name, a, b, x, v, n)
			}
		}
		within := func(name string, got, lo, hi float64) {
			if !(got >= lo && got <= hi) {
				t.Errorf("%s of %v, %v, %v: got=%v, want=%v to %v", name, a, b, x, got, lo, hi)
			}
		}

		cut := Truncate(a, x)
		within("Truncate, X", math.Abs(cut.X), 0, math.Abs(a.X))
		within("Truncate, Y", math.Abs(cut.Y), 0, math.Abs(a.Y))
		if hypot(a) > max(x, 0) {
			length("Truncate", cut, max(x, 0))
		}
		within("Norm", Norm(a), max(math.Abs(ax), math.Abs(ay)), inf)
		within("Angle", Angle(a, b), math.Nextafter(-math.Pi, 0), math.Pi)
		if a != (r2.Vec{}) {
			length("WithNorm", WithNorm(a, x), math.Abs(x))
			unit("Unit", Unit(a))
			if b != (r2.Vec{}) && x > 0 {
				unit("TurnTowards", TurnTowards(a, b, x))
				unit("TurnShare", TurnShare(a, b, x))
			}
			h := Unit(a)
			unit("TurnTowards from a unit vector", TurnTowards(h, b, x))
			unit("TurnShare from a unit vector", TurnShare(h, b, x))
		}
		sin, cos := SinCos(x)
		within("sine", sin, -1, 1)
		within("cosine", cos, -1, 1)
		within("sin²+cos²", sin*sin+cos*cos, 1-4*ulp, 1+4*ulp)
		within("Decay", Decay(x), 0, 1)
		if size := math.Abs(ax); size > 0 {
			within("Wrap", Wrap(x, size), 0, math.Nextafter(size, 0))
		}
	})
}
