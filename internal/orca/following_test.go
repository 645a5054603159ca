package orca

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestGap(t *testing.T) {
	inf := math.Inf(1)
	for _, tc := range []struct {
		name                 string
		along, beside, reach float64
		want                 float64
	}{
		{"straight ahead", 2, 0, 0.5, 1.5},
		{"touching", 0.5, 0, 0.5, 0},
		{"overlapping", 0.3, 0, 0.5, -0.2},
		{"half beside", 2, 0.25, 0.5, (2 - 0.5*math.Sqrt(0.75)) / math.Pow(0.75, 1.5)},
		{"it passes by", 2, 0.5, 0.5, inf},
		{"far beside", 2, 3, 0.5, inf},
		{"points", 2, 0, 0, inf},
	} {
		if got := gap(tc.along, tc.beside, tc.reach); got != tc.want && !(math.Abs(got-tc.want) < 1e-15) {
			t.Errorf("%s: got=%v, want=%v", tc.name, got, tc.want)
		}
	}
}

func TestFollow(t *testing.T) {
	east, north, west := xy(1, 0), xy(0, 1), xy(-1, 0)
	goal := xy(usualSpeed, 0)
	for _, tc := range []struct {
		name    string
		timeGap float64
		goal    r2.Vec
		others  []Other
		want    r2.Vec
		follows bool
	}{
		{"nobody", 0.5, goal, nil, goal, true},
		{"no time gap", 0, goal, []Other{{Position: xy(1, 0), Radius: 0.25, Way: east}}, goal, false},
		{"one ahead, in half a meter", 0.5, goal, []Other{{Position: xy(1, 0), Radius: 0.25, Way: east}}, xy(1, 0), true},
		{"one ahead who touches", 0.5, goal, []Other{{Position: xy(0.5, 0), Radius: 0.25, Way: east}}, xy(0, 0), true},
		{"one far ahead", 0.5, goal, []Other{{Position: xy(9, 0), Radius: 0.25, Way: east}}, goal, true},
		{"the nearest counts", 0.5, goal, []Other{{Position: xy(1.1, 0), Radius: 0.25, Way: east}, {Position: xy(1, 0), Radius: 0.25, Way: east}}, xy(1, 0), true},
		{"one behind", 0.5, goal, []Other{{Position: xy(-0.6, 0), Radius: 0.25, Way: east}}, goal, true},
		{"one beside", 0.5, goal, []Other{{Position: xy(0.6, 0.6), Radius: 0.25, Way: east}}, goal, true},
		{"one who comes", 0.5, goal, []Other{{Position: xy(1, 0), Radius: 0.25, Way: east}, {Position: xy(2, 1), Radius: 0.25, Way: west}}, goal, false},
		{"one who crosses", 0.5, goal, []Other{{Position: xy(1, 0), Radius: 0.25, Way: north}}, goal, false},
		{"one who came, and is past", 0.5, goal, []Other{{Position: xy(-1, 0), Radius: 0.25, Way: west}}, goal, true},
		{"nobody can tell where it goes", 0.5, goal, []Other{{Position: xy(1, 0), Radius: 0.25}}, goal, true},
		{"it does not walk", 0.5, r2.Vec{}, []Other{{Position: xy(1, 0), Radius: 0.25, Way: east}}, r2.Vec{}, false},
		{"a slow one keeps a longer gap", 0.5, xy(usualSpeed/4, 0), []Other{{Position: xy(0.6, 0), Radius: 0.25, Way: east}}, xy(0.1, 0), true},
	} {
		a := &Agent{ID: 1, Radius: 0.25, Way: east, TimeGap: tc.timeGap}
		got, follows := follow(a, tc.others, tc.goal)
		if vec.Norm(vec.Sub(got, tc.want)) > 1e-12 || follows != tc.follows {
			t.Errorf("%s: got=%v, %v, want=%v, %v", tc.name, got, follows, tc.want, tc.follows)
		}
	}
}

// It never prefers more speed than without, nor another direction.
func TestFollowOnlySlows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	number := func() float64 {
		if r.IntN(10) == 0 {
			return []float64{0, 1e-300, 1e300, -1e150, 1e-160}[r.IntN(5)]
		}
		return r.NormFloat64()
	}
	for range 100_000 {
		a := &Agent{ID: r.Uint64N(3), Radius: math.Abs(number()), Way: vec.Unit(xy(number(), number())), TimeGap: math.Abs(number())}
		goal := vec.Truncate(xy(number(), number()), 1e100)
		others := make([]Other, r.IntN(4))
		for i := range others {
			others[i] = Other{ID: r.Uint64N(3), Position: xy(number(), number()), Radius: math.Abs(number()), Way: vec.Unit(xy(number(), number()))}
		}
		got, _ := follow(a, others, goal)
		if !vec.Finite(got) || vec.Norm(got) > vec.Norm(goal)*(1+1e-12) || vec.Dot(vec.Unit(got), vec.Unit(goal)) < -1e-12 {
			t.Fatalf("%+v, %+v: got=%v, want=no more than %v", a, others, got, goal)
		}
	}
}
