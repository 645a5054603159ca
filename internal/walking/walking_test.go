package walking

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

var east, north, west = xy(1, 0), xy(0, 1), xy(-1, 0)

func xy(x, y float64) r2.Vec { return r2.Vec{X: x, Y: y} }

func walker(rules Rules, a *orca.Agent, others []orca.Other, walls ...orca.Edge) *Walker {
	return walkerOf(new(orca.Alone), rules, a, others, walls...)
}

// walkerOf is walker with a solver that may have been used before.
func walkerOf(s *orca.Alone, rules Rules, a *orca.Agent, others []orca.Other, walls ...orca.Edge) *Walker {
	s.Set(a, others, walls, 0.1)
	return &Walker{Rules: rules, Solver: &s.Solver, Velocity: a.Velocity}
}

// at returns another agent that walks at the usual speed in a direction.
func at(x, y float64, way r2.Vec) orca.Other {
	return orca.Other{Position: xy(x, y), Radius: 0.25, Way: way, Velocity: vec.Scale(usualSpeed, way)}
}

func TestAmong(t *testing.T) {
	usual := xy(usualSpeed, 0)
	for _, tc := range []struct {
		name   string
		rules  Rules
		free   float64
		others []orca.Other
		want   r2.Vec
		keep   float64
	}{
		{"none", Rules{TimeGap: 0.5}, usualSpeed, nil, usual, following},
		{"no time gap", Rules{}, usualSpeed, []orca.Other{at(1, 0, east)}, usual, Distance},
		{"one ahead, in half a meter", Rules{TimeGap: 0.5}, usualSpeed, []orca.Other{at(1, 0, east)}, xy(1, 0), following},
		{"one ahead that touches", Rules{TimeGap: 0.5}, usualSpeed, []orca.Other{at(0.5, 0, east)}, xy(0, 0), following},
		{"one far ahead", Rules{TimeGap: 0.5}, usualSpeed, []orca.Other{at(9, 0, east)}, usual, following},
		{"the nearest counts", Rules{TimeGap: 0.5}, usualSpeed, []orca.Other{at(1.1, 0, east), at(1, 0, east)}, xy(1, 0), following},
		{"one behind", Rules{TimeGap: 0.5}, usualSpeed, []orca.Other{at(-0.6, 0, east)}, usual, following},
		{"one beside", Rules{TimeGap: 0.5}, usualSpeed, []orca.Other{at(0.6, 0.6, east)}, usual, following},
		{"one that comes", Rules{TimeGap: 0.5}, usualSpeed, []orca.Other{at(1, 0, east), at(2, 1, west)}, usual, facing},
		{"one at 114 degrees: no turn", Rules{TimeGap: 0.5, Right: 1}, usualSpeed, []orca.Other{at(2, 1, vec.Unit(xy(-0.4, 0.9)))}, usual, facing},
		{"one that comes, of several: to the right", Rules{TimeGap: 0.5, Right: 1}, usualSpeed, []orca.Other{at(1, 0, north), at(2, 1, west)}, vec.Scale(usualSpeed/math.Sqrt2, xy(1, -1)), facing},
		{"one that comes: to the right", Rules{TimeGap: 0.5, Right: 1}, usualSpeed, []orca.Other{at(2, 1, west)}, vec.Scale(usualSpeed/math.Sqrt2, xy(1, -1)), facing},
		{"one that crosses", Rules{TimeGap: 0.5}, usualSpeed, []orca.Other{at(1, 0, north)}, usual, facing},
		{"one that came and has passed", Rules{TimeGap: 0.5}, usualSpeed, []orca.Other{at(-1, 0, west)}, usual, following},
		{"one whose direction is unknown", Rules{TimeGap: 0.5}, usualSpeed, []orca.Other{at(1, 0, r2.Vec{})}, usual, following},
		{"no preferred speed", Rules{TimeGap: 0.5}, 0, []orca.Other{at(1, 0, east)}, r2.Vec{}, Distance},
		{"a slow one keeps a longer gap", Rules{TimeGap: 0.5}, usualSpeed / 4, []orca.Other{at(0.6, 0, east)}, xy(0.1, 0), following},
		{"the density ahead", Rules{TimeGap: 0.01, MaxDensity: 1e-3}, usualSpeed, []orca.Other{at(1, 0, east)}, xy(creeping*usualSpeed, 0), following},
	} {
		a := &orca.Agent{ID: 1, Radius: 0.25, Way: east, Velocity: xy(usualSpeed, 0)}
		got, keep := walker(tc.rules, a, tc.others).prefer(xy(tc.free, 0), 2, 0.1)
		if vec.Norm(vec.Sub(got, tc.want)) > 1e-12 || keep != tc.keep {
			t.Errorf("%s: got=%v, %v, want=%v, %v", tc.name, got, keep, tc.want, tc.keep)
		}
	}
}

func TestPass(t *testing.T) {
	slow := at(1.2, 0, east)
	slow.Velocity = xy(0.5, 0)
	left := at(1.2, 0.1, east)
	wall := orca.Wall(xy(-5, -0.3), xy(9, -0.3), 0)
	for _, tc := range []struct {
		name    string
		tangent float64
		others  []orca.Other
		walls   []orca.Edge
		want    float64 // sign of the way aside: 1 to the left, -1 to the right
	}{
		{"none", 1, nil, nil, 0},
		{"does not overtake", 0, []orca.Other{left}, nil, 0},
		{"one a bit to the left: on the right", 1, []orca.Other{left}, nil, -1},
		{"one a bit to the right: on the left", 1, []orca.Other{at(1.2, -0.1, east)}, nil, 1},
		{"another on the right", 1, []orca.Other{left, at(0.5, -0.45, east)}, nil, 0},
		{"a wall on the right", 1, []orca.Other{left}, []orca.Edge{wall}, 1},
		{"a lane on the right, and a wall beyond", 1, []orca.Other{left}, []orca.Edge{orca.Wall(xy(-5, -0.8), xy(9, -0.8), 0)}, -1},
		{"no room on either side", 1, []orca.Other{slow, at(0.5, -0.45, east), at(0.5, 0.45, east)}, nil, 0},
		{"one at the left that does not slow the agent", 1, []orca.Other{at(1, 1, east)}, nil, 0},
		{"one straight ahead: on the right", 1, []orca.Other{slow}, nil, -1},
		{"one straight ahead, and a wall on the right", 1, []orca.Other{slow}, []orca.Edge{wall}, 1},
		{"one far ahead", 1, []orca.Other{at(3, 0.1, east)}, nil, 0},
	} {
		a := &orca.Agent{ID: 1, Radius: 0.25, MaxSpeed: 2, Way: east, Preferred: xy(usualSpeed, 0), Velocity: xy(usualSpeed, 0), Rule: orca.Rule{ObstacleHorizon: 0.5}}
		v, _ := walker(Rules{TimeGap: 1, Overtaking: tc.tangent}, a, tc.others, tc.walls...).prefer(a.Preferred, 2, 0.1)
		if got := v.Y; got != 0 && tc.want == 0 || got*tc.want < 0 || got == 0 && tc.want != 0 {
			t.Errorf("%s: got=%v, want=y of sign %v", tc.name, v, tc.want)
		}
	}
}

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
		a := &orca.Agent{Velocity: xy(1, 0)}
		if got, _ := walker(Rules{Acceleration: tc.acceleration}, a, nil).prefer(tc.goal, 2, 0.1); vec.Norm(vec.Sub(got, tc.want)) > 1e-15 {
			t.Errorf("%v m/s², to %v: got=%v, want=%v", tc.acceleration, tc.goal, got, tc.want)
		}
	}
}

// TestWalkIsBounded verifies that an agent never prefers to walk faster than alone, or backward.
func TestWalkIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	number := func() float64 {
		if r.IntN(10) == 0 {
			return []float64{0, 1e-300, 1e300, -1e150, 1e-160, 1e-310}[r.IntN(6)]
		}
		return r.NormFloat64()
	}
	var s orca.Alone
	for range 100_000 {
		a := &orca.Agent{ID: r.Uint64N(3), Radius: math.Abs(number()), Way: vec.Unit(xy(number(), number())), Velocity: vec.Truncate(xy(number(), number()), 1e100)}
		rules := Rules{math.Abs(number()), math.Abs(number()), 1.5 * r.Float64(), 2*r.Float64() - 1, 0}
		goal := vec.Truncate(xy(number(), number()), 1e100)
		others := make([]orca.Other, r.IntN(4))
		for i := range others {
			others[i] = orca.Other{ID: r.Uint64N(3), Position: xy(number(), number()), Radius: math.Abs(number()), Way: vec.Unit(xy(number(), number())), Velocity: xy(number(), number())}
		}
		got, _ := walkerOf(&s, rules, a, others).prefer(goal, 1e100, 0.1)
		if !vec.Finite(got) || vec.Norm(got) > vec.Norm(goal)*(1+1e-12) || vec.Dot(vec.Unit(got), vec.Unit(goal)) < -1e-12 {
			t.Fatalf("%+v, %+v: got=%v, want at most the speed of %v, and not backward", a, others, got, goal)
		}
	}
}

func TestGap(t *testing.T) {
	inf := math.Inf(1)
	for _, tc := range []struct {
		name                 string
		along, beside, reach float64
		want                 float64
	}{
		{"straight ahead", 2, 0, 0.5, 1.5},
		{"touching", 0.5, 0, 0.5, 0},
		{"half beside", 2, 0.25, 0.5, (2 - 0.5*math.Sqrt(0.75)) / math.Pow(0.75, 1.5)},
		{"just beside", 2, 0.5, 0.5, inf},
		{"points", 2, 0, 0, inf},
	} {
		if got := gap(tc.along, tc.beside, tc.reach); got != tc.want && !(math.Abs(got-tc.want) < 1e-15) {
			t.Errorf("%s: got=%v, want=%v", tc.name, got, tc.want)
		}
	}
}

// presenceOf returns the presence, in the density ahead in the east, of another agent at an offset.
// faster is its speed to the east relative to the agent, in m/s.
func presenceOf(to r2.Vec, faster float64) float64 {
	w := &Walker{others: orca.Neighbors{UX: []float64{-faster}, UY: []float64{0}}}
	return float64(w.presence(0, to, east)) / exact
}

// TestDensity verifies that the density computed for a lattice of agents, without roomAhead, is within
// 4% of the true one.
func TestDensity(t *testing.T) {
	for _, want := range []float64{0.5, 2, 8} {
		pitch, presences := 1/math.Sqrt(want), 0.
		for i := range 100 {
			for j := range 201 {
				presences += presenceOf(xy(pitch*(float64(i)+0.5), pitch*float64(j-100)), 0)
			}
		}
		testkit.Near(t, density(int64(presences*exact))/roomAhead, want, 0.04*want, "people/m²")
	}
}

func TestPresence(t *testing.T) {
	for _, tc := range []struct {
		name   string
		to     r2.Vec
		faster float64
		want   float64
	}{
		{"here", xy(0, 0), 0, 1},
		{"ahead", xy(1, 0), 0, math.Sqrt(0.75)},
		{"at the lookout", xy(2, 0), 0, 0},
		{"will be farther", xy(1, 0), 0.5, math.Sqrt(1 - 2.25/4)},
		{"will be nearer", xy(1, 0), -0.5, math.Sqrt(1 - 0.25/4)},
	} {
		testkit.Near(t, presenceOf(tc.to, tc.faster), tc.want, 1e-12, "%s", tc.name)
	}
}

// TestWalking verifies that speeds are those of Weidmann's table of the fundamental diagram, or the creeping speed.
func TestWalking(t *testing.T) {
	for _, tc := range []struct{ density, want float64 }{
		{0, 1.34}, {0.5, 1.298}, {1, 1.058}, {2, 0.606}, {3, 0.331}, {4, 0.156}, {5, 0.037}, {5.4, creeping * 1.34}, {9, creeping * 1.34},
	} {
		presences := int64(tc.density / density(exact) * exact)
		testkit.Near(t, (&Walker{Rules: Rules{MaxDensity: 5.4}}).slowed(1.34, presences), tc.want, 1e-3, "speed at %v people/m²", tc.density)
	}
}

func TestAccount(t *testing.T) {
	slow := at(1.2, 0.1, east)
	slow.ID, slow.Velocity = 7, xy(0.5, 0)
	comes := at(2, 1, west)
	comes.ID = 8
	const u = usualSpeed
	seen := walker(Rules{}, &orca.Agent{Radius: 0.25, Velocity: xy(u, 0)}, []orca.Other{slow})
	seen.others = seen.Solver.Neighbors(0)
	presences := seen.presence(0, slow.Position, east)
	dense := density(presences)
	gapOf := gap(1.2, 0.1, 0.5)
	for _, tc := range []struct {
		name   string
		rules  Rules
		others []orca.Other
		want   Account
	}{
		{"no law", Rules{}, []orca.Other{slow}, Account{u, u, Free, 0, math.Inf(1), 0, false}},
		{"none", Rules{TimeGap: 0.5, MaxDensity: 5, Overtaking: 1}, nil, Account{u, u, Free, 0, math.Inf(1), 0, false}},
		{"far", Rules{TimeGap: 0.1}, []orca.Other{slow}, Account{u, u, Free, 7, gapOf, dense, false}},
		{"gap", Rules{TimeGap: 1}, []orca.Other{slow}, Account{u, gapOf, ByGap, 7, gapOf, dense, false}},
		{"density", Rules{TimeGap: 0.1, MaxDensity: 0.8}, []orca.Other{slow}, Account{u, (&Walker{Rules: Rules{MaxDensity: 0.8}}).slowed(u, presences), ByDensity, 7, gapOf, dense, false}},
		{"gap, though it is dense", Rules{TimeGap: 1, MaxDensity: 5}, []orca.Other{slow}, Account{u, gapOf, ByGap, 7, gapOf, dense, false}},
		{"oncoming", Rules{TimeGap: 1, Right: 0.5}, []orca.Other{slow, comes}, Account{u, u, Oncoming, 8, math.Inf(1), 0, false}},
		{"overtaking", Rules{TimeGap: 1, Overtaking: 0.8}, []orca.Other{slow}, Account{u, math.Hypot(gapOf, 0.8*(u-gapOf)), OvertakingRight, 7, gapOf, dense, false}},
		{"inertia", Rules{TimeGap: 1, Acceleration: 1}, []orca.Other{slow}, Account{u, gapOf, ByGap, 7, gapOf, dense, true}},
		{"inertia is enough", Rules{Acceleration: 20}, nil, Account{u, u, Free, 0, math.Inf(1), 0, false}},
	} {
		a := &orca.Agent{ID: 1, Radius: 0.25, Way: east, Velocity: xy(u, 0)}
		got := Account{Why: -1}
		w := walker(tc.rules, a, tc.others)
		w.Account = &got
		v, keep := w.prefer(xy(u, 0), 2, 0.1)
		if got != tc.want {
			t.Errorf("%s: got=%+v, want=%+v", tc.name, got, tc.want)
		}
		if w, same := walker(tc.rules, a, tc.others).prefer(xy(u, 0), 2, 0.1); w != v || same != keep {
			t.Errorf("%s: with an account: got=%v, %v, want=%v, %v", tc.name, v, keep, w, same)
		}
	}
	left := at(1.2, -0.1, east)
	got := Account{}
	w := walker(Rules{TimeGap: 1, Overtaking: 1}, &orca.Agent{Radius: 0.25, Way: east, Velocity: xy(u, 0)}, []orca.Other{left})
	w.Account = &got
	w.prefer(xy(u, 0), 2, 0.1)
	testkit.Equal(t, got.Why, OvertakingLeft, "one a bit to the right")
	w.prefer(r2.Vec{}, 2, 0.1)
	if want := (Account{Gap: math.Inf(1)}); got != want {
		t.Errorf("an agent that does not walk: got=%+v, want=%+v", got, want)
	}
}
