package vec

import (
	"math"
	"testing"
)

func TestExpAndLog(t *testing.T) {
	near := func(got, want float64) bool {
		return got == want || math.Abs(got-want) <= 1e-15*math.Abs(want) || math.IsNaN(got) && math.IsNaN(want)
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, 0.3, -0.3, 1e-9, 1e-300, 5e-324, 20, -20, 700, -700, -744, 709.7, 710, -746, 1e300, math.Inf(1), math.Inf(-1), math.NaN()} {
		got, want := Exp(x), math.Exp(x)
		if !near(got, want) && !(math.Abs(got-want) <= 5e-324) {
			t.Errorf("Exp(%v): got=%v, want=%v", x, got, want)
		}
		want = math.Log(x)
		if x == 5e-324 { // for which math.Log is wrong on amd64
			want = -1074 * math.Ln2
		}
		if got := Log(x); !near(got, want) {
			t.Errorf("Log(%v): got=%v, want=%v", x, got, want)
		}
	}
	for i := range 200_000 {
		x := 1400*math.Mod(float64(i)*math.Phi, 1) - 700
		if got, want := Exp(x), math.Exp(x); !near(got, want) {
			t.Fatalf("Exp(%v): got=%v, want=%v", x, got, want)
		}
		y := math.Exp(x)
		if got, want := Log(y), math.Log(y); !near(got, want) {
			t.Fatalf("Log(%v): got=%v, want=%v", y, got, want)
		}
		z := 1 + x/3000
		if got, want := Log(z), math.Log(z); math.Abs(got-want) > 2e-16*math.Max(math.Abs(want), 1e-3) {
			t.Fatalf("Log(%v): got=%v, want=%v", z, got, want)
		}
	}
}
