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

// direction returns the unit vector at an angle in degrees.
func direction(degrees float64) r2.Vec {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return xy(cos, sin)
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
		want := direction(tc.want)
		p, at := xy(3, -2), vec.AddScaled(xy(3, -2), 5, exactDirection(tc.to))
		turn := tc.turn * math.Pi / 180
		h := []c.Heading{{Vec: exactDirection(tc.h)}}
		newRig(0.5, []frame.System{&TurnTowards{}}, frame.Over([]c.Position{{Vec: p}}), frame.Over([]c.Target{{Vec: at}}),
			frame.Over([]c.TurnTowards{{Rate: 2 * turn}}), frame.Over(h)).step()
		testkit.Near(t, h[0].Vec, want, 1e-14, "%s, towards", tc.name)
		// Turning away from a point is turning toward the opposite point.
		from := vec.AddScaled(p, -5, exactDirection(tc.to))
		h = []c.Heading{{Vec: exactDirection(tc.h)}}
		newRig(0.5, []frame.System{&TurnAway{}}, frame.Over([]c.Position{{Vec: p}}), frame.Over([]c.Flee{{From: from}}),
			frame.Over([]c.TurnAway{{Rate: 2 * turn}}), frame.Over(h)).step()
		testkit.Near(t, h[0].Vec, want, 1e-14, "%s, away", tc.name)
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

// TestTurnAwayOnThePoint verifies that the heading does not change at the target, or at the point to
// turn away from.
func TestTurnAwayOnThePoint(t *testing.T) {
	p := xy(4, 5)
	h := []c.Heading{{Vec: xy(0.6, 0.8)}}
	newRig(1, []frame.System{&TurnTowards{}, &TurnAway{}}, frame.Over([]c.Position{{Vec: p}}), frame.Over([]c.Target{{Vec: p}}), frame.Over([]c.Flee{{From: p}}),
		frame.Over([]c.TurnTowards{{Rate: 1}}), frame.Over([]c.TurnAway{{Rate: 1}}), frame.Over(h)).step()
	testkit.Equal(t, h[0].Vec, xy(0.6, 0.8), "heading")
}

// TestTurnAwayZone verifies that turning away respects the zone of effect, including its rim.
func TestTurnAwayZone(t *testing.T) {
	for _, tc := range []struct {
		x     float64
		turns bool
	}{{4.9, true}, {5, true}, {5.001, false}} {
		h := []c.Heading{{Vec: xy(0, 1)}}
		newRig(1, []frame.System{&TurnAway{}}, frame.Over([]c.Position{{Vec: xy(tc.x, 0)}}), frame.Over([]c.Flee{{Radius: 5}}),
			frame.Over([]c.TurnAway{{Rate: 1}}), frame.Over(h)).step()
		testkit.Equal(t, h[0].Vec != xy(0, 1), tc.turns, "x=%v: turns", tc.x)
	}
}
