package catalog

import (
	"math"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestLimits(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, tc := range []struct {
		limits  Limits
		text    string
		yes, no []float64
	}{
		{ZeroOrMore, "a finite number, 0 or more", []float64{0, 1e-300, 1e300}, []float64{-1e-300, inf, nan}},
		{AboveZero, "a finite number above 0", []float64{1e-300, 3}, []float64{0, -1, inf, nan}},
		{OrInfinite, "a number, 0 or more", []float64{0, 3, inf}, []float64{-1, -inf, nan}},
		{Share, "0 to 1", []float64{0, 0.5, 1}, []float64{-0.1, 1.1, inf, nan}},
		{anyInt, "a whole number, 0 to 2147483647", []float64{0, 7}, []float64{-1, 1.5, 1 << 31, nan}},
		{anyUint32, "a whole number, 0 to 4294967295", []float64{0, math.MaxUint32}, []float64{-1, 1.5, 1 << 32, nan}},
		{Limits{Max: 1000, Whole: true}, "a whole number, 0 to 1000", []float64{0, 1000}, []float64{1001, 0.5}},
		{Limits{Max: 1, Above: true}, "a finite number above 0, at most 1", []float64{0.5, 1}, []float64{0, 2}},
		{Limits{Min: math.Inf(-1), Max: inf}, "a finite number", []float64{-1e300, 0}, []float64{-inf, inf, nan}},
	} {
		testkit.Equal(t, tc.limits.String(), tc.text, "%#v", tc.limits)
		for i, x := range append(tc.yes, tc.no...) {
			testkit.Equal(t, tc.limits.Allow(x), i < len(tc.yes), "Allow(%v) with limits %v", x, tc.limits)
		}
	}
}

type pet struct {
	Gain float64
	Legs uint32
	Box  r2.Box
	At   r2.Vec
	Tame bool
}

func entry() Entry {
	return Of(Entry{Name: "pet"}, func(p *pet) []Param {
		return []Param{
			GainOf(&p.Gain), Count("legs", &p.Legs, "").Or(uint32(4)), Area("box", &p.Box, ""), Point("at", &p.At, ""), Switch("tame", &p.Tame, ""),
		}
	})
}

func TestNew(t *testing.T) {
	e := entry()
	p := e.New().(*pet)
	testkit.Equal(t, *p, pet{Gain: 2, Legs: 4}, "New")
	params := e.Params(p)
	p.Gain = 3
	if gain, ok := Gain(params); !ok || *gain.At.(*float64) != 3 {
		t.Errorf("gain: got=%+v, want a parameter with the value 3", gain)
	}
	defer func() {
		if recover() == nil {
			t.Error("Params of a component of another type: got=no panic, want=a panic")
		}
	}()
	e.Params(&struct{}{})
}

func TestProblems(t *testing.T) {
	e, nan := entry(), math.NaN()
	for _, tc := range []struct {
		pet  pet
		want string // of the first parameter that has a problem
	}{
		{pet{}, ""},
		{pet{Gain: -1}, "is -1 kg/s, want a finite number, 0 or more"},
		{pet{Box: r2.NewBox(0, 0, 1, 1)}, ""},
		{pet{Box: r2.Box{Max: r2.Vec{X: 1}}}, "is {{0 0} {1 0}}, want finite sides above 0, or the zero box"},
		{pet{At: r2.Vec{Y: nan}}, "is (0, NaN), want finite numbers"},
	} {
		got := ""
		for _, p := range e.Params(&tc.pet) {
			if got == "" {
				got = p.Problem()
			}
		}
		testkit.Equal(t, got, tc.want, "%+v", tc.pet)
	}
}

func TestUnless(t *testing.T) {
	all, none := func(any) bool { return true }, func(any) bool { return false }
	e := Entry{Does: Steers | SeesAgents, Adds: []any{1}, Unless: pet{}}
	testkit.Equal(t, [2]int{len(e.Shares(none)), len(e.Shares(all))}, [2]int{1, 0}, "Shares without and with Unless")
	testkit.Equal(t, e.SteersWith(all), true, "SteersWith")
	e.Does |= SetsSpeed
	testkit.Equal(t, [2]bool{e.SteersWith(all), e.SteersWith(none)}, [2]bool{false, true}, "SteersWith, of a behavior that sets the speed")
}

func TestGet(t *testing.T) {
	o := Options{3, "text", &pet{Legs: 5}}
	if Get[int](o) != 3 || Get[string](o) != "text" || Get[*pet](o).Legs != 5 || Get[float64](o) != 0 {
		t.Errorf("Get: got=%v, %q, %v, %v, want=3, \"text\", a pet with 5 legs, 0", Get[int](o), Get[string](o), Get[*pet](o), Get[float64](o))
	}
}
