package vec

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// properties verifies what holds for any finite vectors a and b, and any finite number x.
func properties(t *testing.T, a, b r2.Vec, x float64) {
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

	cut, n := Truncate(a, x), hypot(a)
	within("Truncate, X", math.Abs(cut.X), 0, math.Abs(a.X))
	within("Truncate, Y", math.Abs(cut.Y), 0, math.Abs(a.Y))
	if n > max(x, 0) {
		length("Truncate", cut, max(x, 0))
	} else if n <= x*(1-4*ulp) && cut != a {
		t.Errorf("Truncate(%v, %v): got=%v, want no change", a, x, cut)
	}
	if norm := Norm(a); !near(norm, n, 2*ulp) {
		t.Errorf("Norm(%v): got=%v, want=%v", a, norm, n)
	}
	within("Norm", Norm(a), max(math.Abs(a.X), math.Abs(a.Y)), inf)
	within("Angle", Angle(a, b), math.Nextafter(-math.Pi, 0), math.Pi)
	if h := Unit(a); a != (r2.Vec{}) {
		length("WithNorm", WithNorm(a, x), math.Abs(x))
		if unit("Unit", h); math.Signbit(h.X) != math.Signbit(a.X) || math.Signbit(h.Y) != math.Signbit(a.Y) {
			t.Errorf("Unit(%v): got=%v, want the same quadrant", a, h)
		}
		if b != (r2.Vec{}) && x > 0 {
			unit("TurnTowards", TurnTowards(a, b, x))
			unit("TurnShare", TurnShare(a, b, x))
		}
		unit("TurnTowards from a unit vector", TurnTowards(h, b, x))
		unit("TurnShare from a unit vector", TurnShare(h, b, x))
	}
	sin, cos := SinCos(x)
	within("sine", sin, -1, 1)
	within("cosine", cos, -1, 1)
	within("sin²+cos²", sin*sin+cos*cos, 1-4*ulp, 1+4*ulp)
	if minusSin, sameCos := SinCos(-x); minusSin != -sin || sameCos != cos {
		t.Errorf("SinCos(-%v): got=%v, %v, want=%v, %v", x, minusSin, sameCos, -sin, cos)
	}
	within("Decay", Decay(x), 0, 1)
	if size := math.Abs(a.X); size > 0 {
		within("Wrap", Wrap(x, size), 0, math.Nextafter(size, 0))
	}
}

func TestProperties(t *testing.T) {
	all := extremes()
	for i, a := range all {
		n := Norm(a)
		for k, x := range []float64{0, minSub, 1e-320, 1e-300, 1e-200, 1e-160, 1e-9, 1, 3.5, 10, 1e9, 1e160, 1e200, 1e308, maxF,
			n, math.Nextafter(n, 0), math.Nextafter(n, inf), n / 2} {
			if !(x <= maxF) {
				continue
			}
			for b := k % 3; b < len(all); b += 3 {
				properties(t, a, all[(i+b)%len(all)], x)
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		a := random(r)
		properties(t, a, random(r), Norm(a)*2*r.Float64())
		properties(t, Unit(random(r)), random(r), math.Pi*math.Pow(r.Float64(), 8))
	}
	for x := minSub; x < maxF/3; x *= 3 {
		properties(t, random(r), random(r), x)
	}
	// At multiples of an eighth of a turn, quadrants end and values peak.
	for k := range 4000 {
		x := float64(k) * math.Pi / 4
		for _, x := range []float64{x, math.Nextafter(x, inf), math.Nextafter(x, 0)} {
			properties(t, random(r), random(r), x)
		}
	}
}

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
		properties(t, a, b, x)
	})
}
