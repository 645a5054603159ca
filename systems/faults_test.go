package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// Faults that were seen in other engines.

// A speed limit that divides by the squared speed halves too much.
func TestFaultSquaredSpeed(t *testing.T) {
	for _, tc := range []struct{ speed, limit, want float64 }{
		{7, 3.5, 3.5}, {0.5, 3.5, 0.5}, {0.5, 0.25, 0.25}, {100, 99, 99},
	} {
		testkit.Near(t, vec.Norm(vec.Truncate(xy(0.6*tc.speed, 0.8*tc.speed), tc.limit)), tc.want, 1e-14, "truncate %v to %v", tc.speed, tc.limit)
		w := newWalker(r2.Vec{}, xy(0, tc.speed), r2.Vec{}, tc.limit, inf)
		w.rig(1, []frame.System{&Integration{}}).step()
		testkit.Near(t, w.vel[0].Y, tc.want, 1e-14, "speed %v, limit %v", tc.speed, tc.limit)
	}
}

// A sideways force that always points to +x steers into obstacles on that side.
func TestFaultAlwaysToOneSide(t *testing.T) {
	for degrees := 0.; degrees < 360; degrees += 15 {
		v := direction(degrees)
		for _, side := range []float64{-1, 1} { // the obstacle is on the right, on the left
			at := vec.AddScaled(vec.Scale(50, v), side*8, vec.Left(v))
			got := avoidanceOf(t, ScanExact, false, v, 60, circle{at.X, at.Y, 10})
			testkit.Near(t, got, vec.Scale(-10*side, vec.Left(v)), 1e-9, "heading %v°, side %v", degrees, side)
		}
	}
}

func TestFaultWrap(t *testing.T) {
	for _, tc := range []struct{ x, want float64 }{
		{-0.5, 2*math.Pi - 0.5}, {2*math.Pi + 0.5, 0.5}, {-1e-30, 0}, {3, 3}, {-4 * math.Pi, 0},
	} {
		got := vec.Wrap(tc.x, 2*math.Pi)
		if !within(got, tc.want, 1e-14) || got < 0 || got >= 2*math.Pi {
			t.Errorf("%v in [0, 2π): got=%v, want=%v", tc.x, got, tc.want)
		}
		pos := []c.Position{{Vec: xy(tc.x, tc.x)}}
		newRig(1, []frame.System{&Bounds{Mode: BoundsWrap, Box: r2.Box{Max: xy(2*math.Pi, 2*math.Pi)}}},
			frame.Over(pos), frame.Over([]c.Velocity{{}})).step()
		testkit.Near(t, pos[0].Vec, xy(tc.want, tc.want), 1e-14, "position %v in [0, 2π)", tc.x)
	}
	testkit.Near(t, vec.Wrap(-0.5, 2*math.Pi), 5.783, 0.0005, "-0.5 in [0, 2π)")
}

// Symmetric and head-on, an agent gets past a circle, on the right, and does not
// deadlock.
func TestFaultHeadOnDeadlock(t *testing.T) {
	obstacles := &sense.Obstacles{}
	s := newStage(t, 1./60, obstacles, &Seek{}, &ThreatScan{Obstacles: obstacles}, &Avoidance{}, &Integration{})
	s.Put(c.Position{Vec: xy(10, 0)}, c.Obstacle{Radius: 2})
	e := s.Put(c.Position{}, c.Velocity{}, c.Target{Vec: xy(30, 0)}, c.Limits{MaxSpeed: 1.4, MaxForce: 10}, c.Seek{Gain: 2},
		c.ThreatScan{LookAhead: 4}, c.Threat{}, c.Avoidance{MaxForce: 6}, c.Radius{Meters: 0.25}, c.Steering{})
	for range 60 * 20 {
		s.Step()
		p := testkit.ComponentOf[c.Position](s, e).Vec
		if d := vec.Norm(vec.Sub(p, xy(10, 0))); d < 2.2 {
			t.Fatalf("distance from the center: got=%v at %v, want=2.25", d, p)
		}
		if within(p.X, 10, 0.1) && p.Y > 0 {
			t.Fatalf("side: got=%v, want=on the right, below y = 0", p)
		}
	}
	if got := testkit.ComponentOf[c.Position](s, e).X; got < 20 {
		t.Errorf("x: got=%v, want=past the circle", got)
	}
}
