package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func newStreet(t testing.TB, o *ORCA) *stage {
	return newStage(t, 0.1, &sense.Obstacles{}, &sense.Neighbors{}, &Seek{}, o, &Integration{})
}

// stroller returns laws after the components of an agent that walks along x.
func stroller(id uint64, at r2.Vec, speed float64, laws ...any) []any {
	return append([]any{
		c.Agent{ID: id}, c.Position{Vec: at}, c.Velocity{Vec: xy(speed, 0)}, c.PreferredVelocity{Vec: xy(speed, 0)}, c.Radius{Meters: 0.2},
		c.Target{Vec: xy(math.Copysign(1e6, speed), at.Y)}, c.Limits{MaxSpeed: math.Abs(speed), MaxForce: inf}, c.Steering{}, c.Seek{Gain: 2},
		c.ORCA{Gain: 2, TimeHorizon: 0.5, TimeHorizonObst: 0.5, NeighborDist: 5, Priority: 1},
	}, laws...)
}

func placeOf(s *stage, e ecs.Entity) r2.Vec { return testkit.ComponentOf[c.Position](s, e).Vec }

// The gap is the time gap times the speed of the slower agent, or more for a slow follower.
func TestFollowingDistance(t *testing.T) {
	for _, tc := range []struct {
		timeGap, speed, free float64
		least, most          float64 // m
	}{
		{0, 0.5, 1.34, 0, 0.1},
		{1, 0.5, 1.34, 0.45, 0.55},
		{2, 0.5, 1.34, 0.9, 1.1},
		{1, 0.25, 1.34, 0.2, 0.3},
		{1, 0.25, 1.34 / 4, 0.45, 0.55}, // a slow agent keeps a longer time gap
	} {
		s := newStreet(t, &ORCA{})
		slow := s.Put(stroller(1, xy(2, 0), tc.speed)...)
		fast := s.Put(stroller(2, xy(0, 0), tc.free, c.FollowingDistance{TimeGap: tc.timeGap})...)
		s.Steps(600)
		gap := vec.Norm(vec.Sub(placeOf(s, slow), placeOf(s, fast))) - 0.4
		if !(gap > tc.least-1e-9 && gap < tc.most) {
			t.Errorf("time gap %v s, %v m/s behind %v m/s: gap: got=%.3f m, want=%v to %v", tc.timeGap, tc.free, tc.speed, gap, tc.least, tc.most)
		}
	}
}

func TestFollowingDistanceVaries(t *testing.T) {
	for _, variation := range []float64{0.5, 0} {
		const n, slow = 40, 0.5
		s := newStreet(t, &ORCA{Seed: 3})
		var ahead, behind [n]ecs.Entity
		for i := range n {
			y := 10 * float64(i)
			ahead[i] = s.Put(stroller(uint64(i+1), xy(2, y), slow)...)
			behind[i] = s.Put(stroller(uint64(i+1001), xy(0.7, y), 1.34, c.FollowingDistance{TimeGap: 1, Variation: variation})...)
		}
		s.Steps(400)
		least, most, sum := inf, 0., 0.
		for i := range n {
			gap := (placeOf(s, ahead[i]).X - placeOf(s, behind[i]).X - 0.4) / slow // s
			least, most, sum = min(least, gap), max(most, gap), sum+gap
		}
		if !(least > 1-variation-0.05 && least <= 1-0.8*variation+0.05 && most >= 1+0.8*variation-0.05 && most < 1+variation+0.05) || math.Abs(sum/n-1) > 0.15 {
			t.Errorf("variation %v: time gaps: got=%.3f to %.3f s, %.3f on average, want=1 s ± the variation, 1 s on average", variation, least, most, sum/n)
		}
	}
}

// The expected speeds are in Weidmann's table. The block of people ahead walks at that speed, too, or its
// density would change.
func TestFundamentalDiagram(t *testing.T) {
	const roomAhead = 1.23 // the density ahead of walkers is higher than around them
	for _, tc := range []struct{ density, want float64 }{{0.5, 1.298}, {1, 1.058}, {2, 0.606}, {3, 0.331}, {4, 0.156}} {
		for _, maxDensity := range []float64{0, 5.4} {
			s, want, tolerance := newStreet(t, &ORCA{}), tc.want, 0.05
			if maxDensity == 0 { // it walks into the block
				want, tolerance = 1.34, 0.15
			}
			pitch := math.Sqrt(roomAhead / tc.density)
			for i := range 6 * 12 {
				at := xy(pitch*(float64(i/12)+0.5), pitch*(float64(i%12)-5.5))
				person := stroller(uint64(i+2), at, tc.want)
				person[4] = c.Radius{Meters: 0.05} // small bodies, so there is room
				s.Put(person...)
			}
			me := stroller(1, r2.Vec{}, 1.34, c.FollowingDistance{TimeGap: 0.01}, c.FundamentalDiagram{MaxDensity: maxDensity})
			me[2], me[4] = c.Velocity{Vec: xy(tc.want, 0)}, c.Radius{Meters: 0.05}
			e := s.Put(me...)
			s.Steps(3)
			testkit.Near(t, placeOf(s, e).X/0.3, want, tolerance, "%v people/m² ahead, MaxDensity %v: m/s", tc.density, maxDensity)
		}
	}
}

func corridor(s *stage, width float64) {
	for _, y := range []float64{-width / 2, width / 2} {
		s.Put(c.Position{Vec: xy(-100, y)}, c.Obstacle{Span: xy(200, 0)})
	}
}

func TestPassingOvertakes(t *testing.T) {
	follow := c.FollowingDistance{TimeGap: 0.55}
	for _, tc := range []struct {
		name  string
		laws  []any
		width float64
		y     float64 // of the slow agent
		want  bool
	}{
		{"in the middle", []any{follow, c.Passing{Overtaking: 0.2}}, 2.4, 0, true},
		{"a bit to the left", []any{follow, c.Passing{Overtaking: 0.2}}, 2.4, 0.1, true},
		{"a bit to the right", []any{follow, c.Passing{Overtaking: 0.2}}, 2.4, -0.1, true},
		{"with inertia", []any{follow, c.Passing{Overtaking: 0.2}, c.Inertia{MaxAcceleration: 4}}, 2.4, 0, true},
		{"it follows", []any{follow}, 2.4, 0, false},
		{"it overtakes none", []any{follow, c.Passing{Right: 0.4}}, 2.4, 0, false},
		{"no room", []any{follow, c.Passing{Overtaking: 0.2}}, 0.9, 0, false},
	} {
		s := newStreet(t, &ORCA{})
		corridor(s, tc.width)
		slow := s.Put(stroller(1, xy(2, tc.y), 0.7)...)
		fast := s.Put(stroller(2, xy(0, 0), 1.34, tc.laws...)...)
		apart(t, s, []ecs.Entity{slow, fast}, 200, tc.name)
		if ahead := placeOf(s, fast).X - placeOf(s, slow).X; ahead > 2 != tc.want || ahead < 0 == tc.want {
			t.Errorf("%s: fast agent: got=%.3f m ahead of the slow one, want=more than 2 m ahead: %v", tc.name, ahead, tc.want)
		}
	}
}

func TestPassingKeepsToOneSide(t *testing.T) {
	for _, tc := range []struct{ right, y, side float64 }{{0.4, 0, -1}, {-0.4, 0, 1}, {0.4, 0.1, -1}, {-0.4, 0.1, 1}, {0.4, -0.1, -1}, {-0.4, -0.1, 1}} {
		s := newStreet(t, &ORCA{})
		corridor(s, 2.4)
		laws := []any{c.FollowingDistance{TimeGap: 0.55}, c.Passing{Right: tc.right}}
		a := s.Put(stroller(1, xy(-4, 0), 1.34, laws...)...)
		b := s.Put(stroller(2, xy(4, tc.y), -1.34, laws...)...)
		var met r2.Vec
		for range 80 {
			before := vec.Sub(placeOf(s, a), placeOf(s, b))
			s.Step()
			after := vec.Sub(placeOf(s, a), placeOf(s, b))
			if vec.Norm(after) < 0.4-1e-9 {
				t.Fatalf("right %v: penetration: got=%v m, want=0", tc.right, 0.4-vec.Norm(after))
			}
			if before.X < 0 && after.X >= 0 {
				met = after
			}
		}
		if !(met.Y*tc.side >= 0.4-1e-9) {
			t.Errorf("right %v, y %v: y from the second agent to the first when they meet: got=%v m, want=%v m or farther from 0", tc.right, tc.y, met.Y, 0.4*tc.side)
		}
	}
}

func TestInertiaLimitsAcceleration(t *testing.T) {
	for _, most := range []float64{0, 1, 4} {
		s := newStreet(t, &ORCA{})
		e := s.Put(stroller(1, xy(0, 0), 1.34, c.Inertia{MaxAcceleration: most})...)
		testkit.ComponentOf[c.Target](s, e).Vec = xy(-60, 80)
		greatest := 0.
		for range 50 {
			before := testkit.ComponentOf[c.Velocity](s, e).Vec
			s.Step()
			greatest = max(greatest, vec.Norm(vec.Sub(testkit.ComponentOf[c.Velocity](s, e).Vec, before)))
		}
		if limit := most * 0.1; most > 0 && math.Abs(greatest-limit) > 1e-12 || most == 0 && greatest < 2 {
			t.Errorf("at most %v m/s²: change in a step: got=%v m/s at most, want=%v, or 2 or more without a limit", most, greatest, limit)
		}
		testkit.Near(t, testkit.ComponentOf[c.Velocity](s, e).Vec, xy(-0.6*1.34, 0.8*1.34), 0.07, "at most %v m/s²: velocity after 5 s", most)
	}
}

func TestInertiaStopsAtWalls(t *testing.T) {
	s := newStreet(t, &ORCA{})
	s.Put(c.Position{Vec: xy(0.25, -50)}, c.Obstacle{Span: xy(0, 100)})
	e := s.Put(stroller(1, xy(0, 0), 1.34, c.Inertia{MaxAcceleration: 0.5})...)
	for step := range 50 {
		s.Step()
		v := testkit.ComponentOf[c.Velocity](s, e).Vec
		if gap := 0.05 - placeOf(s, e).X; gap < -1e-9 || step == 0 && v.X > 0.5 {
			t.Fatalf("step %d: got=%v m from the wall, velocity %v, want=0 m or more, and at most 0.5 m/s toward it in step 0", step, gap, v)
		}
	}
}

func FuzzWalking(f *testing.F) {
	for _, x := range []float64{0, 1, -1, 0.5, 1e-320, 1e-160, 1e150, 1e308, inf, nan} {
		f.Add(x, 0.5, 5.4, 1., 0.4, 4., 0., 0.1)
		f.Add(0.5, x, 5.4, 1., x, 4., 0.1, 0.1)
		f.Add(0.5, 0.5, x, x, 0.4, 4., 0.2, 0.1)
		f.Add(1., 0., 5.4, 1., -0.4, x, x, 0.1)
		f.Add(x, x, x, x, x, x, x, x)
	}
	f.Fuzz(func(t *testing.T, timeGap, variation, maxDensity, overtaking, right, acceleration, y, dt float64) {
		if !vec.Finite(xy(0, y)) || !(dt >= 0 && dt <= math.MaxFloat64) {
			return
		}
		laws := []any{c.FollowingDistance{TimeGap: timeGap, Variation: variation}, c.FundamentalDiagram{MaxDensity: maxDensity},
			c.Passing{Overtaking: overtaking, Right: right}, c.Inertia{MaxAcceleration: acceleration}}
		s := newStreet(t, &ORCA{})
		s.Clock.Dt = dt
		all := []ecs.Entity{s.Put(stroller(1, xy(0, 0), 1.5, laws...)...), s.Put(stroller(2, xy(1, y), 0.5, laws...)...), s.Put(stroller(3, xy(3, -y), -1.5, laws...)...)}
		for range 3 {
			s.Step()
			for _, e := range all {
				if p, v := placeOf(s, e), testkit.ComponentOf[c.Velocity](s, e).Vec; !vec.Finite(p) || !vec.Finite(v) || vec.Norm(v) > 1.5*(1+1e-14) {
					t.Fatalf("laws %+v, y %v, dt %v: position and velocity: got=%v, %v, want=finite, and at most 1.5 m/s", laws, y, dt, p, v)
				}
			}
		}
	})
}
