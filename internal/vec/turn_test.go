package vec

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

// angleError returns the error of the angle a between two vectors: the sine of its difference from
// the true angle, computed to many digits.
func angleError(from, to r2.Vec, a float64) float64 {
	product := func(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(bigBits).Mul(x, y) }
	of := func(x, y float64) *big.Float { return product(big.NewFloat(x), big.NewFloat(y)) }
	sin, cos := bigSinCos(a)
	dot := of(from.X, to.X)
	dot.Add(dot, of(from.Y, to.Y))
	cross := of(from.X, to.Y)
	cross.Sub(cross, of(from.Y, to.X))
	d := product(cross, cos)
	d.Sub(d, product(dot, sin))
	e, _ := d.Quo(d, of(Norm(from), Norm(to))).Float64()
	return math.Abs(e)
}

func TestAngle(t *testing.T) {
	for _, tc := range []struct {
		name     string
		from, to r2.Vec
		want     float64
	}{
		{"opposite", r2.Vec{X: 1}, r2.Vec{X: -1}, math.Pi},
		{"opposite, negative zero", r2.Vec{X: 1}, r2.Vec{X: -1, Y: math.Copysign(0, -1)}, math.Pi},
		{"opposite up to rounding", r2.Vec{X: 0.6, Y: 0.8}, r2.Vec{X: -3, Y: -4}, math.Pi},
		{"opposite up to rounding, swapped", r2.Vec{X: -3, Y: -4}, r2.Vec{X: 0.6, Y: 0.8}, math.Pi},
		{"nearly opposite", r2.Vec{X: 1}, r2.Vec{X: -1, Y: -1e-9}, 1e-9 - math.Pi},
		{"tiny", r2.Vec{X: 1}, r2.Vec{X: 1, Y: -1e-200}, -1e-200},
		{"from zero", r2.Vec{}, r2.Vec{X: 1}, 0},
		{"to zero", r2.Vec{X: -1}, r2.Vec{}, 0},
		{"largest", r2.Vec{X: maxF, Y: maxF}, r2.Vec{X: -maxF, Y: maxF}, math.Pi / 2},
		{"smallest", r2.Vec{X: minSub, Y: minSub}, r2.Vec{X: -minSub, Y: minSub}, math.Pi / 2},
		{"smallest to largest", r2.Vec{X: minSub}, r2.Vec{X: -maxF}, math.Pi},
		{"Inf", r2.Vec{X: inf}, r2.Vec{X: -1}, 0},
		{"NaN", r2.Vec{X: 1}, r2.Vec{X: -1, Y: nan}, 0},
	} {
		if got := Angle(tc.from, tc.to); !near(got, tc.want, 2*ulp) {
			t.Errorf("%s: got=%v, want=%v", tc.name, got, tc.want)
		}
	}
}

func TestAngleProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	worst := 0.0
	for range 3000 {
		from, to := random(r), random(r)
		a := Angle(from, to)
		worst = max(worst, angleError(from, to, a))
		testkit.Near(t, a, math.Atan2(Cross(from, to), Dot(from, to)), 1e-15, "Angle(%v, %v)", from, to)
		testkit.Equal(t, Angle(to, from), -a, "Angle(%v, %v)", to, from)
		testkit.Equal(t, Angle(Scale(0x1p700, from), Scale(0x1p-700, to)), a, "Angle of scaled %v, %v", from, to)
		if got := Angle(from, Scale(-r.Float64(), from)); got != math.Pi {
			t.Errorf("Angle(%v, opposite): got=%v, want=π", from, got)
		}
	}
	t.Logf("error: %.3g", worst)
	if worst > 6e-16 {
		t.Errorf("error: got=%v, want=at most 6e-16", worst)
	}
}

func at(a float64) r2.Vec {
	sin, cos := SinCos(a)
	return r2.Vec{X: cos, Y: sin}
}

func TestTurnTowards(t *testing.T) {
	east, north := r2.Vec{X: 1}, r2.Vec{Y: 1}
	for _, tc := range []struct {
		name  string
		h, d  r2.Vec
		limit float64
		want  r2.Vec
	}{
		{"at the limit", east, r2.Vec{X: 3, Y: 3}, math.Pi / 4, at(math.Pi / 4)},
		{"already there", north, r2.Vec{Y: 1e-9}, 1e-9, north},
		{"opposite goes left", east, r2.Vec{X: -1}, 0.5, at(0.5)},
		{"opposite goes left from anywhere", r2.Vec{X: 0.6, Y: 0.8}, r2.Vec{X: -3, Y: -4}, math.Pi / 2, r2.Vec{X: -0.8, Y: 0.6}},
		{"opposite, a tiny limit", east, r2.Vec{X: -1}, 1e-18, r2.Vec{X: 1, Y: 1e-18}},
		{"opposite, half a turn", east, r2.Vec{X: -1}, math.Pi, r2.Vec{X: -1}},
		{"opposite, almost half a turn", east, r2.Vec{X: -1}, math.Pi - 1e-9, at(math.Pi - 1e-9)},
		{"more than half a turn", east, r2.Vec{X: 1, Y: -1}, 100, Unit(r2.Vec{X: 1, Y: -1})},
		{"a tiny angle, a tinier limit", east, r2.Vec{X: 1, Y: 1e-12}, 1e-13, r2.Vec{X: 1, Y: 1e-13}},
		{"limit zero", east, north, 0, east},
		{"limit negative", east, north, -1, east},
		{"limit NaN", east, north, nan, east},
		{"limit Inf", east, north, inf, north},
		{"no direction", east, r2.Vec{}, 1, east},
		{"no heading", r2.Vec{}, r2.Vec{Y: 7}, 1, north},
		{"direction of smallest size", east, r2.Vec{Y: minSub}, 0.5, at(0.5)},
		{"direction of largest size", east, r2.Vec{X: -maxF, Y: maxF}, 0.5, at(0.5)},
	} {
		got := TurnTowards(tc.h, tc.d, tc.limit)
		if d := Sub(got, tc.want); !near(got.Y, tc.want.Y, 4*ulp) && hypot(d) > 4*ulp {
			t.Errorf("%s: got=%v, want=%v", tc.name, got, tc.want)
		}
	}
}

func TestTurnTowardsNeverTurnsMore(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 20000 {
		h, d := Unit(random(r)), random(r)
		limit := math.Pi * math.Pow(r.Float64(), 8)
		got, angle := TurnTowards(h, d, limit), Angle(h, d)
		want := max(-limit, min(angle, limit))
		testkit.Near(t, Angle(h, got), want, 2e-15, "angle turned from %v to %v by %v", h, d, limit)
	}
}

func TestTurnTowardsDoesNotDrift(t *testing.T) {
	const (
		steps = 1_000_000
		limit = 0.01
	)
	h := r2.Vec{X: 1}
	for range steps {
		h = TurnTowards(h, Left(h), limit)
		if n := Norm(h); !near(n, 1, 2*ulp) {
			t.Fatalf("length during the turn: got=%v, want=1", n)
		}
	}
	testkit.Near(t, Angle(r2.Vec{X: 1}, h), math.Remainder(steps*limit, 2*math.Pi), 1e-9, "angle after %v steps", steps)
}

func TestTurnShare(t *testing.T) {
	east, north := r2.Vec{X: 1}, r2.Vec{Y: 1}
	for _, tc := range []struct {
		name  string
		h, d  r2.Vec
		share float64
		want  r2.Vec
	}{
		{"half to the left", east, r2.Vec{Y: 3}, 0.5, at(math.Pi / 4)},
		{"a quarter to the right", east, r2.Vec{Y: -3}, 0.25, at(-math.Pi / 8)},
		{"across ±π", at(3), at(-3), 0.5, at(math.Pi)},
		{"opposite goes left", east, r2.Vec{X: -2}, 0.5, north},
		{"opposite goes left from anywhere", r2.Vec{X: 0.6, Y: 0.8}, r2.Vec{X: -3, Y: -4}, 0.5, r2.Vec{X: -0.8, Y: 0.6}},
		{"more than all", east, r2.Vec{Y: 3}, 7, north},
		{"less than nothing", east, north, -1, east},
		{"NaN", east, north, nan, east},
		{"no direction", east, r2.Vec{}, 0.5, east},
		{"no heading", r2.Vec{}, r2.Vec{Y: 7}, 0.5, north},
		{"sizes at both ends", r2.Vec{X: maxF}, r2.Vec{Y: minSub}, 0.5, at(math.Pi / 4)},
	} {
		if got := TurnShare(tc.h, tc.d, tc.share); hypot(Sub(got, tc.want)) > 4*ulp {
			t.Errorf("%s: got=%v, want=%v", tc.name, got, tc.want)
		}
	}
}

// TestBits verifies that results are the same on every platform, bit for bit.
func TestBits(t *testing.T) {
	hash := fnv.New64a()
	add := func(xs ...float64) { binary.Write(hash, binary.LittleEndian, xs) }
	h := r2.Vec{X: 1}
	for i := range 5000 {
		x := float64(float64(i)*0.37) - 700
		v := r2.Vec{X: float64(x*1.1) + 0.3, Y: float64(x*x*0.01) - 9}
		sin, cos := SinCos(x)
		h = TurnTowards(h, v, 0.05)
		share := TurnShare(h, v, 0.3)
		cut, unit := Truncate(v, 11), Unit(v)
		add(sin, cos, h.X, h.Y, share.X, share.Y, cut.X, cut.Y, unit.X, unit.Y)
		add(Angle(h, v), Wrap(x, 3.3), Decay(float64(i)*0.007), Norm(v))
		add(Dot(h, v), Cross(h, v), AddScaled(h, sin, v).X, Rotate(v, cos, sin).Y)
	}
	const want = 0xabb78d438f600241
	if got := hash.Sum64(); got != want {
		t.Errorf("hash of the results: got=%#x, want=%#x", got, uint64(want))
	}
}
