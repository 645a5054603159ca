package scene

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// Draws are distributed as gonum has it: the Kolmogorov–Smirnov distance of n draws is less
// than one in a thousand samples would have.
func TestDraws(t *testing.T) {
	const n = 20_000
	inf := math.Inf(1)
	for _, test := range []struct {
		d    Spread
		want interface{ CDF(x float64) float64 }
		mean float64
	}{
		{Spread{Distribution: Uniform, Min: 10, Max: 100}, distuv.Uniform{Min: 10, Max: 100}, 55},
		{Spread{Distribution: LogNormal, Mean: 1, SD: 0.5}, distuv.LogNormal{Mu: 1, Sigma: 0.5}, math.Exp(1.125)},
		{Spread{Distribution: Exponential, Scale: 3}, distuv.Exponential{Rate: 1. / 3}, 3},
		{Spread{Distribution: Gamma, Shape: 4, Scale: 2}, distuv.Gamma{Alpha: 4, Beta: 0.5}, 8},
		{Spread{Distribution: Gamma, Shape: 0.5, Scale: 2}, distuv.Gamma{Alpha: 0.5, Beta: 0.5}, 1},
		{Spread{Distribution: Weibull, Shape: 1.5, Scale: 10}, distuv.Weibull{K: 1.5, Lambda: 10}, 9.0274529295},
		{Spread{Distribution: Weibull, Shape: 0.7, Scale: 1}, distuv.Weibull{K: 0.7, Lambda: 1}, 1.2658235061},
	} {
		if test.d.Distribution != Uniform {
			test.d.Min, test.d.Max = -inf, inf
		}
		low, high := test.d.bounds()
		all := make([]float64, n)
		for i := range all {
			if all[i] = test.d.draw(7, uint64(i), useMass); !(all[i] >= low && all[i] <= high) {
				t.Fatalf("%+v: got=%v, want=%v to %v", test.d, all[i], low, high)
			}
		}
		slices.Sort(all)
		distance := 0.
		for i, x := range all {
			c := test.want.CDF(x)
			distance = max(distance, math.Abs(c-float64(i)/n), math.Abs(c-float64(i+1)/n))
		}
		if limit := 1.95 / math.Sqrt(n); distance > limit {
			t.Errorf("%+v: got a distance of %v, want=%v at most", test.d, distance, limit)
		}
		if got := test.d.mean(); math.Abs(got-test.mean) > 1e-9*test.mean {
			t.Errorf("%+v: mean: got=%v, want=%v", test.d, got, test.mean)
		}
		cut := test.d
		if cut.Distribution != Uniform {
			cut.Min, cut.Max = test.mean, 1.5*test.mean
			for i := range uint64(1000) {
				if x := cut.draw(7, i, useMass); x < cut.Min || x > cut.Max {
					t.Fatalf("%+v: got=%v", cut, x)
				}
			}
		}
	}
}

func TestNormalQuantile(t *testing.T) {
	for i := range 1000 {
		u := (float64(i) + 0.5) / 1000
		if got, want := normalQuantile(u), distuv.UnitNormal.Quantile(u); math.Abs(got-want) > 4e-9 {
			t.Errorf("%v: got=%v, want=%v", u, got, want)
		}
	}
	for _, u := range []float64{0, 1 - 0x1p-53} {
		if x := math.Abs(normalQuantile(u)); !(x > 8 && x < farTails+0.2) {
			t.Errorf("%v: got=%v, want less than %v", u, x, farTails)
		}
	}
}

func TestDistributionsInFiles(t *testing.T) {
	read := func(value string) (*Scene, error) {
		return Read(strings.NewReader("box = [[0, 0], [9, 9]]\n[[groups]]\nmass = "+value+"\nmax-speed = 1\n"), "s.toml")
	}
	for _, value := range []string{
		"{log-normal = [4.2, 0.2], min = 40, max = 120}", "{exponential = 3, min = 1, max = 9}", "{gamma = [4, 0.5], min = 1}", "{weibull = [1.5, 10], min = 2}",
	} {
		s, err := read(value)
		if err != nil {
			t.Errorf("%s: %v", value, err)
			continue
		}
		var text strings.Builder
		if err := s.WriteTOML(&text); err != nil || !strings.Contains(text.String(), "mass = "+value) {
			t.Errorf("%s: written as\n%s", value, text.String())
		}
	}
	for _, test := range []struct{ value, want string }{
		{"{}", "mass has no distribution, want one of uniform, normal, log-normal, exponential, gamma, weibull"},
		{"{uniform = [1, 2], gamma = [1, 2]}", "mass has uniform and gamma, want one of"},
		{"{gamma = [0, 1]}", "mass.gamma is [0, 1], want shape and scale above 0"},
		{"{weibull = [1, 0]}", "mass.weibull is [1, 0], want shape and scale above 0"},
		{"{log-normal = [1, 0]}", "mass.log-normal is [1, 0], want a deviation above 0"},
		{"{exponential = 0}", "mass.exponential is 0, want"},
		{"{gamma = [1, 1], min = 3, max = 2}", "has min 3 and max 2, want min ≤ max"},
	} {
		if _, err := read(test.value); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got=%v, want=%s", test.value, err, test.want)
		}
	}
}
