package vec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

const bigBits = 300

var bigTwoPi = func() *big.Float {
	pi, _, _ := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798", 10, bigBits, big.ToNearestEven)
	return pi.Mul(pi, big.NewFloat(2))
}()

// bigSinCos returns the sine and the cosine of a to about 90 digits.
func bigSinCos(a float64) (sin, cos *big.Float) {
	fresh := func() *big.Float { return new(big.Float).SetPrec(bigBits) }
	x := fresh().SetFloat64(a)
	turns, _ := fresh().Quo(x, bigTwoPi).Int(nil)
	x.Sub(x, fresh().Mul(fresh().SetInt(turns), bigTwoPi))

	sin, cos = fresh(), fresh()
	term := fresh().SetInt64(1)
	for n := int64(0); n < 120; n++ {
		sum := cos
		if n%2 == 1 {
			sum = sin
		}
		if n%4 < 2 {
			sum.Add(sum, term)
		} else {
			sum.Sub(sum, term)
		}
		term.Mul(term, x)
		term.Quo(term, fresh().SetInt64(n+1))
	}
	return sin, cos
}

func off(got float64, want *big.Float) float64 {
	d, _ := new(big.Float).SetPrec(bigBits).Sub(big.NewFloat(got), want).Float64()
	return math.Abs(d)
}

func TestSinCosSpecial(t *testing.T) {
	for _, tc := range []struct{ a, sin, cos float64 }{
		{0, 0, 1},
		{minSub, minSub, 1},
		{1e-20, 1e-20, 1},
		{math.Pi / 2, 1, 6.123233995736766e-17},
		{math.Pi, 1.2246467991473532e-16, -1},
		{-math.Pi, -1.2246467991473532e-16, -1},
		{nan, 0, 1},
		{inf, 0, 1},
		{-inf, 0, 1},
	} {
		sin, cos := SinCos(tc.a)
		if !near(sin, tc.sin, ulp) || !near(cos, tc.cos, ulp) {
			t.Errorf("SinCos(%v): got=%v, %v, want=%v, %v", tc.a, sin, cos, tc.sin, tc.cos)
		}
	}
}

func TestSinCosAccuracy(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, span := range []float64{1, 10, 1e4, maxReduced, 1e9} {
		worst, limit := 0.0, 2e-16
		if span > maxReduced {
			limit = span * 1e-16
		}
		for range 1500 {
			a := span * (2*r.Float64() - 1)
			sin, cos := SinCos(a)
			wantSin, wantCos := bigSinCos(a)
			worst = max(worst, off(sin, wantSin), off(cos, wantCos))
		}
		t.Logf("error up to |a| = %v: %.3g", span, worst)
		if worst > limit {
			t.Errorf("error up to |a| = %v: got=%v, want=at most %v", span, worst, limit)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, tc := range []struct{ x, size, want float64 }{
		{-0.5, 2 * math.Pi, 2*math.Pi - 0.5}, {0, 10, 0}, {3, 10, 3}, {10, 10, 0}, {-10, 10, 0},
		{13, 10, 3}, {-13, 10, 7}, {1234, 10, 4}, {-1e-20, 10, 0}, {-minSub, 1, 0},
		{math.Nextafter(10, 0), 10, math.Nextafter(10, 0)}, {-maxF, maxF, 0},
		{-1, maxF, 0}, // the rounded sum is the size itself
		{-5, 0, -5}, {-5, -1, -5}, {-5, inf, -5}, {-5, nan, -5}, {inf, 10, inf}, {-inf, 10, -inf},
	} {
		testkit.Equal(t, Wrap(tc.x, tc.size), tc.want, "Wrap(%v, %v)", tc.x, tc.size)
	}
	testkit.Equal(t, math.IsNaN(Wrap(nan, 10)), true, "Wrap of NaN is NaN")
}

func TestDecay(t *testing.T) {
	for _, tc := range []struct{ x, want float64 }{
		{0, 0}, {-1, 0}, {-inf, 0}, {nan, 0}, {minSub, minSub}, {1e-300, 1e-300}, {1e-20, 1e-20},
		{math.Ln2, 0.5}, {1, 0.6321205588285577}, {40, 1}, {1e9, 1}, {inf, 1},
	} {
		if got := Decay(tc.x); !near(got, tc.want, 2*ulp) {
			t.Errorf("Decay(%v): got=%v, want=%v", tc.x, got, tc.want)
		}
	}
	worst := 0.0
	for x := 1e-18; x < 60; x *= 1.0007 {
		got, want := Decay(x), -math.Expm1(-x)
		worst = max(worst, math.Abs(got-want)/want)
		if got > 1 {
			t.Errorf("Decay(%v): got=%v, want=at most 1", x, got)
		}
	}
	t.Logf("relative error: %.3g", worst)
	if worst > 1e-15 {
		t.Errorf("relative error: got=%v, want=at most 1e-15", worst)
	}
}

func TestExpAndLog(t *testing.T) {
	check := func(name string, x, got, want, least float64) {
		t.Helper()
		if got != want && !(math.Abs(got-want) <= max(1e-15*math.Abs(want), least)) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("%s(%v): got=%v, want=%v", name, x, got, want)
		}
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, 0.3, -0.3, 1e-9, 1e-300, minSub, 20, -20, 700, -700, -744, 709.7, 710, -746, 1e300, inf, -inf, nan} {
		want := math.Log(x)
		if x == minSub { // math.Log is wrong for this number on amd64
			want = -1074 * math.Ln2
		}
		check("Exp", x, Exp(x), math.Exp(x), minSub)
		check("Log", x, Log(x), want, 0)
	}
	for i := range 200_000 {
		x := 1400*math.Mod(float64(i)*math.Phi, 1) - 700
		y, z := math.Exp(x), 1+x/3000
		check("Exp", x, Exp(x), y, 0)
		check("Log", y, Log(y), math.Log(y), 0)
		if got, want := Log(z), math.Log(z); math.Abs(got-want) > 2e-16*math.Max(math.Abs(want), 1e-3) {
			t.Fatalf("Log(%v): got=%v, want=%v", z, got, want)
		}
	}
}
