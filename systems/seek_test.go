package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

func seekAt(p, v, target r2.Vec, maxSpeed float64) r2.Vec {
	to := vec.Sub(target, p)
	return seek(to, vec.Norm(to), v, maxSpeed)
}

func TestSeek(t *testing.T) {
	for _, tc := range []struct {
		name         string
		p, v, target r2.Vec
		maxSpeed     float64
		want         r2.Vec
	}{
		{"at rest", xy(1, 1), xy(0, 0), xy(4, 5), 10, xy(6, 8)},
		{"in motion", xy(0, 0), xy(1, 0), xy(3, 4), 5, xy(2, 4)},
		{"at full speed", xy(0, 0), xy(3, 4), xy(6, 8), 5, xy(0, 0)},
		{"away", xy(0, 0), xy(-5, 0), xy(1, 0), 5, xy(10, 0)},
		{"near as far", xy(0, 0), xy(0, 0), xy(0, -0.001), 2, xy(0, -2)},
		{"at the target", xy(7, 7), xy(2, -1), xy(7, 7), 5, xy(-2, 1)},
		{"at the target, at rest", xy(7, 7), xy(0, 0), xy(7, 7), 5, xy(0, 0)},
		{"no top speed", xy(0, 0), xy(2, 1), xy(9, 9), 0, xy(-2, -1)},
		{"nearer than any length", xy(0, 0), xy(0, 1), xy(-1e-150, 0), 5, xy(0, -1)},
		{"huge distance", xy(0, 0), xy(0, 1), xy(0, 1e308), 5, xy(0, 4)},
	} {
		testkit.Near(t, seekAt(tc.p, tc.v, tc.target, tc.maxSpeed), tc.want, 1e-15, "%s", tc.name)
		if tc.maxSpeed == 0 {
			continue
		}
		w := newWalker(tc.p, tc.v, tc.target, tc.maxSpeed, inf)
		w.steer[0].Vec = xy(100, 200)
		w.rig(1, []frame.System{&Seek{}}, frame.Over([]c.Seek{{Gain: 2}})).step()
		testkit.Near(t, w.steer[0].Vec, r2.Add(xy(100, 200), r2.Scale(2, tc.want)), 1e-12, "%s: steering of the system", tc.name)
	}
}

func TestKinematicSeek(t *testing.T) {
	for _, tc := range []struct {
		name      string
		p, target r2.Vec
		speed     float64
		want      r2.Vec
	}{
		{"straight", xy(0, 0), xy(30, 40), 5, xy(3, 4)},
		{"left", xy(2, 1), xy(-9, 1), 5, xy(-5, 0)},
		{"at the target", xy(2, 1), xy(2, 1), 5, xy(0, 0)},
		{"half the speed", xy(0, 0), xy(30, 40), 2.5, xy(1.5, 2)},
	} {
		testkit.Equal(t, kinematicSeek(tc.p, tc.target, tc.speed), tc.want, "%s", tc.name)
		w := newWalker(tc.p, xy(-1, 7), tc.target, 5, 0)
		w.rig(1, []frame.System{&KinematicSeek{}}, frame.Over([]c.KinematicSeek{{Gain: tc.speed / 5}})).step()
		testkit.Equal(t, w.vel[0].Vec, tc.want, "%s: velocity by the system", tc.name)
	}
}

// direction returns the unit vector at an angle in degrees.
func direction(degrees float64) r2.Vec {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return xy(cos, sin)
}

// turnBy returns the heading after a step of a system that turns it.
func turnBy(system frame.System, p, heading r2.Vec, dt float64, par ...frame.Slice) r2.Vec {
	h := []c.Heading{{Vec: heading}}
	newRig(dt, []frame.System{system}, append(par, frame.Over([]c.Position{{Vec: p}}), frame.Over(h))...).step()
	return h[0].Vec
}

func TestTurning(t *testing.T) {
	for _, tc := range []struct {
		name              string
		h, to, turn, want float64 // degrees
	}{
		{"left", 0, 90, 30, 30},
		{"right", 0, -90, 30, -30},
		{"within the limit", 0, 20, 30, 20},
		{"exactly the limit", 10, 40, 30, 40},
		{"there already", 55, 55, 30, 55},
		{"across π, to the left", 170, -170, 15, -175},
		{"across π, to the left, within the limit", 170, -170, 30, -170},
		{"across -π, to the right", -170, 170, 15, 175},
		{"across -π, to the right, within the limit", -170, 170, 30, 170},
		{"at exactly 180°, left", 0, 180, 30, 30},
		{"at exactly 180°, left, heading up", 90, -90, 30, 120},
		{"just short of 180°, on the right", 0, -179, 30, -30},
		{"just short of 180°, on the left", 0, 179, 30, 30},
		{"no turn", 0, 90, 0, 0},
		{"a half turn at once", 0, 180, 180, 180},
		{"more than a whole turn", 0, 123, 400, 123},
	} {
		p, way, rate := xy(3, -2), vec.Scale(5, exactDirection(tc.to)), 2*tc.turn*math.Pi/180
		got := turnBy(&TurnTowards{}, p, exactDirection(tc.h), 0.5, frame.Over([]c.Target{{Vec: vec.Add(p, way)}}), frame.Over([]c.TurnTowards{{Rate: rate}}))
		testkit.Near(t, got, direction(tc.want), 1e-14, "%s, towards", tc.name)
		// Turning away from a point is turning toward the opposite point.
		got = turnBy(&TurnAway{}, p, exactDirection(tc.h), 0.5, frame.Over([]c.Flee{{From: vec.Sub(p, way)}}), frame.Over([]c.TurnAway{{Rate: rate}}))
		testkit.Near(t, got, direction(tc.want), 1e-14, "%s, away", tc.name)
	}
}

// exactDirection is direction without rounding on the axes.
func exactDirection(degrees float64) r2.Vec {
	switch degrees {
	case 0:
		return xy(1, 0)
	case 90:
		return xy(0, 1)
	case -90:
		return xy(0, -1)
	case 180:
		return xy(-1, 0)
	}
	return direction(degrees)
}

// TestTurnsNear verifies that the heading does not change at the target, or at the point to turn away from, and
// that turning away respects the zone of effect, including its rim.
func TestTurnsNear(t *testing.T) {
	got := turnBy(&TurnTowards{}, xy(4, 5), xy(0.6, 0.8), 1, frame.Over([]c.Target{{Vec: xy(4, 5)}}), frame.Over([]c.TurnTowards{{Rate: 1}}))
	testkit.Equal(t, got, xy(0.6, 0.8), "heading at the target")
	for x, turns := range map[float64]bool{0: false, 4.9: true, 5: true, 5.001: false} {
		got := turnBy(&TurnAway{}, xy(x, 0), xy(0, 1), 1, frame.Over([]c.Flee{{Radius: 5}}), frame.Over([]c.TurnAway{{Rate: 1}}))
		testkit.Equal(t, got != xy(0, 1), turns, "x=%v: turns", x)
	}
}
