package orca

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

var east, north, west = xy(1, 0), xy(0, 1), xy(-1, 0)

// strolls are rules of walking of all kinds.
var strolls = []Walking{
	{TimeGap: 0.5},
	{TimeGap: 1, MaxDensity: 5.4},
	{TimeGap: 0.5, Overtaking: 1, Right: 0.4},
	{Acceleration: 3},
	{TimeGap: 0.7, MaxDensity: 4, Overtaking: 1.5, Right: -0.3, Acceleration: 5},
}

// at returns another one who walks at usual speed in a direction.
func at(x, y float64, way r2.Vec) Other {
	return Other{Position: xy(x, y), Radius: 0.25, Way: way, Velocity: vec.Scale(usualSpeed, way)}
}

// TestAmong holds what an agent prefers that would walk to the east.
func TestAmong(t *testing.T) {
	usual := xy(usualSpeed, 0)
	for _, tc := range []struct {
		name    string
		walking Walking
		free    float64
		others  []Other
		want    r2.Vec
		keep    float64
	}{
		{"nobody", Walking{TimeGap: 0.5}, usualSpeed, nil, usual, following},
		{"no time gap", Walking{}, usualSpeed, []Other{at(1, 0, east)}, usual, distance},
		{"one ahead, in half a meter", Walking{TimeGap: 0.5}, usualSpeed, []Other{at(1, 0, east)}, xy(1, 0), following},
		{"one ahead who touches", Walking{TimeGap: 0.5}, usualSpeed, []Other{at(0.5, 0, east)}, xy(0, 0), following},
		{"one far ahead", Walking{TimeGap: 0.5}, usualSpeed, []Other{at(9, 0, east)}, usual, following},
		{"the nearest counts", Walking{TimeGap: 0.5}, usualSpeed, []Other{at(1.1, 0, east), at(1, 0, east)}, xy(1, 0), following},
		{"one behind", Walking{TimeGap: 0.5}, usualSpeed, []Other{at(-0.6, 0, east)}, usual, following},
		{"one beside", Walking{TimeGap: 0.5}, usualSpeed, []Other{at(0.6, 0.6, east)}, usual, following},
		{"one who comes", Walking{TimeGap: 0.5}, usualSpeed, []Other{at(1, 0, east), at(2, 1, west)}, usual, facing},
		{"one who comes: to the right", Walking{TimeGap: 0.5, Right: 1}, usualSpeed, []Other{at(2, 1, west)}, vec.Scale(usualSpeed/math.Sqrt2, xy(1, -1)), facing},
		{"one who crosses", Walking{TimeGap: 0.5}, usualSpeed, []Other{at(1, 0, north)}, usual, facing},
		{"one who came, and is past", Walking{TimeGap: 0.5}, usualSpeed, []Other{at(-1, 0, west)}, usual, following},
		{"nobody can tell where it goes", Walking{TimeGap: 0.5}, usualSpeed, []Other{at(1, 0, r2.Vec{})}, usual, following},
		{"it does not walk", Walking{TimeGap: 0.5}, 0, []Other{at(1, 0, east)}, r2.Vec{}, distance},
		{"a slow one keeps a longer gap", Walking{TimeGap: 0.5}, usualSpeed / 4, []Other{at(0.6, 0, east)}, xy(0.1, 0), following},
		{"the density ahead", Walking{TimeGap: 0.01, MaxDensity: 1e-3}, usualSpeed, []Other{at(1, 0, east)}, xy(creeping*usualSpeed, 0), following},
	} {
		a := &Agent{ID: 1, Radius: 0.25, Way: east, Velocity: xy(usualSpeed, 0), Walking: tc.walking}
		got, keep := new(Solver).walk(a, tc.others, xy(tc.free, 0), 2, 0.1)
		if vec.Norm(vec.Sub(got, tc.want)) > 1e-12 || keep != tc.keep {
			t.Errorf("%s: got=%v, %v, want=%v, %v", tc.name, got, keep, tc.want, tc.keep)
		}
	}
}

// TestOvertake holds on which side an agent overtakes a slow one, if at all.
func TestOvertake(t *testing.T) {
	slow := at(1.2, 0, east)
	slow.Velocity = xy(0.5, 0)
	left := at(1.2, 0.1, east)
	wall := Wall(xy(-5, -0.3), xy(9, -0.3), 0)
	for _, tc := range []struct {
		name    string
		tangent float64
		others  []Other
		walls   []Edge
		want    float64 // sign of the way aside: 1 to the left, -1 to the right
	}{
		{"nobody", 1, nil, nil, 0},
		{"it never overtakes", 0, []Other{left}, nil, 0},
		{"one a bit to the left: on the right", 1, []Other{left}, nil, -1},
		{"one a bit to the right: on the left", 1, []Other{at(1.2, -0.1, east)}, nil, 1},
		{"no room on the right", 1, []Other{left, at(0.5, -0.45, east)}, nil, 1},
		{"a wall on the right", 1, []Other{left}, []Edge{wall}, 1},
		{"no room on either side", 1, []Other{slow, at(0.5, -0.45, east), at(0.5, 0.45, east)}, nil, 0},
		{"one at the left, who does not slow it: a bit to the right", 1, []Other{at(1, 1, east)}, nil, -1},
		{"at the right", 1, []Other{at(1, -1, east)}, nil, 1},
		{"at both", 1, []Other{at(1, 1, east), at(1, -1, east)}, nil, 0},
		{"at the left, and a wall at the right", 1, []Other{at(1, 1, east)}, []Edge{wall}, 0},
		{"at the left, and it never overtakes", 0, []Other{at(1, 1, east)}, nil, 0},
		{"one far ahead", 1, []Other{at(3, 0.1, east)}, nil, 0},
	} {
		a := &Agent{ID: 1, Radius: 0.25, MaxSpeed: 2, Way: east, Preferred: xy(usualSpeed, 0), Velocity: xy(usualSpeed, 0), ObstacleHorizon: 0.5,
			Walking: Walking{TimeGap: 1, Overtaking: tc.tangent}}
		var s Solver
		s.Velocity(a, tc.others, tc.walls, 0.1)
		v, _ := s.walk(a, tc.others, a.Preferred, 2, 0.1)
		if got := v.Y; got != 0 && tc.want == 0 || got*tc.want < 0 || got == 0 && tc.want != 0 {
			t.Errorf("%s: got=%v, want=y of sign %v", tc.name, v, tc.want)
		}
	}
}

// TestInertia holds what an agent aims at that walks at 1 m/s to the east.
func TestInertia(t *testing.T) {
	for _, tc := range []struct {
		acceleration float64
		goal, want   r2.Vec
	}{
		{0, xy(-1, 0), xy(-1, 0)},
		{5, xy(-1, 0), xy(0.5, 0)},
		{5, xy(1, 2), xy(1, 0.5)},
		{5, xy(1.2, 0), xy(1.2, 0)},
		{100, xy(0, 1), xy(0, 1)},
	} {
		a := &Agent{Velocity: xy(1, 0), Walking: Walking{Acceleration: tc.acceleration}}
		if got, _ := new(Solver).walk(a, nil, tc.goal, 2, 0.1); vec.Norm(vec.Sub(got, tc.want)) > 1e-15 {
			t.Errorf("%v m/s², to %v: got=%v, want=%v", tc.acceleration, tc.goal, got, tc.want)
		}
	}
}

// It never prefers more speed than without, nor a way back, whatever the numbers.
func TestWalkIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	number := func() float64 {
		if r.IntN(10) == 0 {
			return []float64{0, 1e-300, 1e300, -1e150, 1e-160, 1e-310}[r.IntN(6)]
		}
		return r.NormFloat64()
	}
	var s Solver
	for range 100_000 {
		a := &Agent{ID: r.Uint64N(3), Radius: math.Abs(number()), Way: vec.Unit(xy(number(), number())), Velocity: vec.Truncate(xy(number(), number()), 1e100),
			Walking: Walking{math.Abs(number()), math.Abs(number()), 1.5 * r.Float64(), 2*r.Float64() - 1, 0}}
		goal := vec.Truncate(xy(number(), number()), 1e100)
		others := make([]Other, r.IntN(4))
		for i := range others {
			others[i] = Other{ID: r.Uint64N(3), Position: xy(number(), number()), Radius: math.Abs(number()), Way: vec.Unit(xy(number(), number())), Velocity: xy(number(), number())}
		}
		got, _ := s.walk(a, others, goal, 1e100, 0.1)
		if !vec.Finite(got) || vec.Norm(got) > vec.Norm(goal)*(1+1e-12) || vec.Dot(vec.Unit(got), vec.Unit(goal)) < -1e-12 {
			t.Fatalf("%+v, %+v: got=%v, want=no more than %v", a, others, got, goal)
		}
	}
}

// People who keep to the left turn aside to the left.
func TestSidesteps(t *testing.T) {
	turn, more := Sidesteps(0.5, 0.4)
	left, moreLeft := Sidesteps(0.5, -0.4)
	if plain, plainMore := Sides(0.5); turn != plain || more != 2*plainMore || left != -turn || moreLeft != -more {
		t.Errorf("got=%v, %v to the right and %v, %v to the left, want=twice %v aside", turn, more, left, moreLeft, plainMore)
	}
}
