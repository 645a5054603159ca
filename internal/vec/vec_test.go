package vec

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	ulp    = 0x1p-52
	minSub = math.SmallestNonzeroFloat64
	maxF   = math.MaxFloat64
)

var (
	inf = math.Inf(1)
	nan = math.NaN()
)

// extremes returns vectors of every size, in several directions.
func extremes() []r2.Vec {
	sizes := []float64{
		minSub, 1e-320, 0x1p-1022, 1e-300, 1e-170, 0x1p-481, 0x1p-480, 1e-100, 1e-8,
		0.1, 1, 7, 1e8, 1e100, 0x1p480, 0x1p481, 1e170, 1e300, 1e308, maxF,
	}
	shapes := []r2.Vec{{X: 1}, {Y: -1}, {X: 0.6, Y: 0.8}, {X: -1, Y: 1}, {X: 0.3, Y: -1}, {X: -1, Y: -1e-9}}
	vs := []r2.Vec{{}}
	for _, s := range sizes {
		for _, v := range shapes {
			vs = append(vs, Scale(s, v))
		}
	}
	return append(vs, r2.Vec{X: 1e308, Y: 1e-320}, r2.Vec{X: minSub, Y: maxF})
}

// random returns a vector with a random direction and a length with a random exponent.
func random(r *rand.Rand) r2.Vec {
	s, c := math.Sincos(2 * math.Pi * r.Float64())
	return Scale(math.Exp(100*(r.Float64()-0.5)), r2.Vec{X: c, Y: s})
}

// hypot is the reference for Norm.
func hypot(v r2.Vec) float64 { return math.Hypot(v.X, v.Y) }

// near reports whether got is within a relative error of want, or at most minSub away.
func near(got, want, rel float64) bool {
	return got == want || math.Abs(got-want) <= max(rel*math.Abs(want), minSub)
}

func TestArithmetic(t *testing.T) {
	a, b := r2.Vec{X: 1, Y: 2}, r2.Vec{X: 3, Y: -5}
	for _, tc := range []struct {
		name      string
		got, want r2.Vec
	}{
		{"Add", Add(a, b), r2.Vec{X: 4, Y: -3}},
		{"AddScaled", AddScaled(a, 2, b), r2.Vec{X: 7, Y: -8}},
		{"Left", Left(a), r2.Vec{X: -2, Y: 1}},
		{"Right", Right(a), r2.Vec{X: 2, Y: -1}},
		{"Rotate by a quarter", Rotate(a, 0, 1), Left(a)},
		{"Rotate by nothing", Rotate(a, 1, 0), a},
		{"Dot, Cross", r2.Vec{X: Dot(a, b), Y: Cross(a, b)}, r2.Vec{X: -7, Y: -11}},
		{"Norm2, Cross to the left", r2.Vec{X: Norm2(b), Y: Cross(a, Left(a))}, r2.Vec{X: 34, Y: 5}},
	} {
		testkit.Equal(t, tc.got, tc.want, "%s", tc.name)
	}
}

func TestFinite(t *testing.T) {
	for _, v := range extremes() {
		testkit.Equal(t, Finite(v), true, "Finite(%v)", v)
	}
	for _, v := range []r2.Vec{{X: inf}, {Y: -inf}, {X: nan}, {X: 1, Y: nan}} {
		testkit.Equal(t, Finite(v), false, "Finite(%v)", v)
	}
}

func TestNorm(t *testing.T) {
	for _, tc := range []struct {
		v    r2.Vec
		want float64
	}{
		{r2.Vec{X: 3 * 0x1p-1074, Y: 4 * 0x1p-1074}, 5 * 0x1p-1074},
		{r2.Vec{X: maxF, Y: maxF}, inf},
		{r2.Vec{X: -inf, Y: 1}, inf},
	} {
		if got := Norm(tc.v); !near(got, tc.want, ulp) {
			t.Errorf("Norm(%v): got=%v, want=%v", tc.v, got, tc.want)
		}
	}
	testkit.Equal(t, math.IsNaN(Norm(r2.Vec{X: nan, Y: 1})), true, "Norm of NaN is NaN")
	testkit.Equal(t, Unit(r2.Vec{}), r2.Vec{}, "Unit of zero")
}

func TestWithNorm(t *testing.T) {
	for _, tc := range []struct {
		name string
		v    r2.Vec
		n    float64
		want r2.Vec
	}{
		{"stretched", r2.Vec{X: 3, Y: -4}, 10, r2.Vec{X: 6, Y: -8}},
		{"reversed", r2.Vec{X: 3, Y: -4}, -5, r2.Vec{X: -3, Y: 4}},
		{"zero stays zero", r2.Vec{}, 5, r2.Vec{}},
		{"zero stays zero for any length", r2.Vec{}, inf, r2.Vec{}},
		{"smallest to one", r2.Vec{X: minSub}, 1, r2.Vec{X: 1}},
		{"smallest to largest", r2.Vec{Y: minSub}, maxF, r2.Vec{Y: maxF}},
		{"small to largest", r2.Vec{X: 0x1p-479}, maxF, r2.Vec{X: maxF}},
		{"largest to one", r2.Vec{X: -maxF}, 1, r2.Vec{X: -1}},
		{"largest to smallest", r2.Vec{X: maxF}, minSub, r2.Vec{X: minSub}},
	} {
		testkit.Equal(t, WithNorm(tc.v, tc.n), tc.want, "%s", tc.name)
	}
}

// nearLength reports whether v has length n, up to rounding.
func nearLength(v r2.Vec, n float64) bool {
	if n > maxF/4 { // the length may overflow
		v, n = Scale(0.25, v), n/4
	}
	return math.Abs(hypot(v)-n) <= 4*ulp*n+2*minSub
}

func TestTruncate(t *testing.T) {
	long := r2.Vec{X: 6, Y: 8}
	for _, tc := range []struct {
		name  string
		v     r2.Vec
		limit float64
		want  r2.Vec
	}{
		{"longer", long, 5, r2.Vec{X: 3, Y: 4}},
		{"as long", long, 10, long},
		{"limit zero", long, 0, r2.Vec{}},
		{"limit negative", long, -1, r2.Vec{}},
		{"limit -Inf", long, -inf, r2.Vec{}},
		{"limit NaN", long, nan, r2.Vec{}},
		{"limit NaN, zero", r2.Vec{}, nan, r2.Vec{}},
		{"limit Inf", long, inf, long},
		{"limit Inf, largest", r2.Vec{X: maxF, Y: maxF}, inf, r2.Vec{X: maxF, Y: maxF}},
		{"the square of the limit underflows", r2.Vec{X: 4e-200}, 2e-200, r2.Vec{X: 2e-200}},
		{"the square of the limit overflows", r2.Vec{X: 4e200}, 2e200, r2.Vec{X: 2e200}},
		{"huge", r2.Vec{X: -1e308}, 2, r2.Vec{X: -2}},
	} {
		testkit.Equal(t, Truncate(tc.v, tc.limit), tc.want, "%s", tc.name)
	}
}

func TestFactor(t *testing.T) {
	for _, tc := range []struct{ n, d, want float64 }{
		{3, 2, 1.5}, {-3, 2, -1.5}, {0, 2, 0}, {1, 0, 0}, {1, MinNorm / 2, 0}, {1, MinNorm, 0x1p480},
		{0x1p-1022, 1, 0x1p-1022}, {0x1p-1073, 2, 0x1p-1074}, {math.Inf(1), 2, math.Inf(1)},
	} {
		testkit.Equal(t, Factor(tc.n, tc.d), tc.want, "Factor(%v, %v)", tc.n, tc.d)
	}
}

func TestShrink(t *testing.T) {
	for _, tc := range []struct{ n2, limit, want float64 }{
		{4, 2, 1}, {4, 3, 1}, {16, 2, 0.5}, {0, 1, 1}, {9, math.Inf(1), 1},
	} {
		testkit.Equal(t, Shrink(tc.n2, tc.limit), tc.want, "Shrink(%v, %v)", tc.n2, tc.limit)
	}
}

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
