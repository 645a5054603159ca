package systems

import (
	"math"
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestFullPipeline(t *testing.T) {
	for _, tc := range []struct {
		name                         string
		p, v, force                  r2.Vec
		mass, maxSpeed, maxForce, dt float64
		wantP, wantV                 r2.Vec
	}{
		{"velocity first, then position", xy(0, 0), xy(0, 0), xy(8, 0), 2, inf, inf, 0.5, xy(1, 0), xy(2, 0)},
		{"no force", xy(1, 2), xy(3, 4), xy(0, 0), 2, inf, inf, 0.5, xy(2.5, 4), xy(3, 4)},
		{"force limit before mass", xy(0, 0), xy(0, 0), xy(30, 40), 10, inf, 5, 1, xy(0.3, 0.4), xy(0.3, 0.4)},
		{"speed limit after the force", xy(0, 0), xy(3, 0), xy(3, 8), 1, 5, inf, 1, xy(3, 4), xy(3, 4)},
		{"heavy", xy(0, 0), xy(1, 0), xy(-4, 0), 8, inf, inf, 1, xy(0.5, 0), xy(0.5, 0)},
		{"no time", xy(1, 1), xy(3, 4), xy(5, 5), 1, 9, 9, 0, xy(1, 1), xy(3, 4)},
		{"a maximum speed of 0", xy(1, 1), xy(3, 4), xy(5, 5), 1, 0, 9, 1, xy(1, 1), xy(0, 0)},
		{"a maximum force of 0", xy(1, 1), xy(3, 4), xy(5, 5), 1, inf, 0, 1, xy(4, 5), xy(3, 4)},
		{"subnormal", xy(0, 0), xy(1e-320, 0), xy(0, 0), 1, 5, 5, 1, xy(1e-320, 0), xy(1e-320, 0)},
		{"a huge force", xy(0, 0), xy(0, 0), xy(0, -1e308), 1, inf, 5, 1, xy(0, -5), xy(0, -5)},
		{"a huge speed", xy(0, 0), xy(0, -1e308), xy(0, 0), 1, 5, inf, 1, xy(0, -5), xy(0, -5)},
	} {
		p, v := integrate(tc.p, tc.v, tc.force, tc.mass, c.Limits{MaxSpeed: tc.maxSpeed, MaxForce: tc.maxForce}, tc.dt)
		testkit.Near(t, p, tc.wantP, 1e-15, "%s: position", tc.name)
		testkit.Near(t, v, tc.wantV, 1e-15, "%s: velocity", tc.name)
		w := newWalker(tc.p, tc.v, r2.Vec{}, tc.maxSpeed, tc.maxForce)
		w.steer[0].Vec = tc.force
		w.rig(tc.dt, []frame.System{&Integration{}}, frame.Over([]c.Mass{{Kilograms: tc.mass}})).step()
		w.check(t, p, v, r2.Vec{}, "%s: system", tc.name)
	}
}

func TestOptionalColumns(t *testing.T) {
	pos, vel := []c.Position{{Vec: xy(1, 1)}}, []c.Velocity{{Vec: xy(2, 4)}}
	newRig(0.5, []frame.System{&Integration{}}, frame.Over(pos), frame.Over(vel)).step()
	testkit.Equal(t, pos[0].Vec, xy(2, 3), "without Steering: position")
	testkit.Equal(t, vel[0].Vec, xy(2, 4), "without Steering: velocity")
	steer := []c.Steering{{Vec: xy(300, 0)}}
	newRig(1, []frame.System{&Integration{}}, frame.Over(pos), frame.Over(vel), frame.Over(steer)).step()
	testkit.Equal(t, pos[0].Vec, xy(304, 7), "without Limits and Mass: position")
	testkit.Equal(t, vel[0].Vec, xy(302, 4), "without Limits and Mass: velocity")
}

func TestIntegrationHolds(t *testing.T) {
	for _, tc := range []struct {
		name         string
		hold         bool
		held, resume r2.Vec // velocity during the force, and position after it
	}{
		{"overwritten", false, xy(0, 0), xy(5, 5)},
		{"hold", true, xy(2, 1), xy(7, 6)},
	} {
		// At the target, the steering of Arrival is -v, so the agent stops.
		w := newWalker(xy(5, 5), xy(2, 1), xy(5, 5), 3, inf)
		gain := []c.Arrival{{Gain: 1, SlowingRadius: 10}}
		r := w.rig(1, []frame.System{&Arrival{}, &Integration{Hold: tc.hold}}, frame.Over(gain))
		r.steps(3)
		w.check(t, xy(5, 5), tc.held, r2.Vec{}, "%s: under the force", tc.name)
		gain[0].Gain = 0
		r.step()
		testkit.Equal(t, w.pos[0].Vec, tc.resume, "%s: after it", tc.name)
	}
	w := newWalker(xy(0, 0), xy(3, 0), r2.Vec{}, 5, 4) // with Hold, it moves by a velocity within both limits
	w.steer[0].Vec = xy(0, 400)
	w.rig(1, []frame.System{&Integration{Hold: true}}).step()
	w.check(t, xy(3, 4), xy(3, 0), r2.Vec{}, "hold, with limits")
}

func TestIntegrationLeavesDriveAlone(t *testing.T) {
	s := newStage(t, 1, &Integration{}, &Drive{})
	e := s.Put(c.Position{}, c.Velocity{Vec: xy(50, 50)}, c.Heading{Vec: xy(0, 1)}, c.Drive{Speed: 2}, c.Steering{Vec: xy(9, 9)})
	s.Step()
	testkit.Equal(t, testkit.ComponentOf[c.Position](s, e).Vec, xy(0, 2), "position")
}

// TestIntegrationIsItsFormula verifies that Integration gives the same bits as integrate, and skips bad rows.
func TestIntegrationIsItsFormula(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 7))
	number := func() float64 {
		switch r.IntN(8) {
		case 0:
			return math.Float64frombits(r.Uint64())
		case 1:
			return []float64{0, math.Copysign(0, -1), inf, -inf, nan, 5e-324, 0x1p-480, 0x1p480, math.MaxFloat64}[r.IntN(9)]
		}
		return r.NormFloat64() * 10
	}
	skipped := 0
	for range 40_000 {
		w := newWalker(xy(number(), number()), xy(number(), number()), r2.Vec{}, 0, 0)
		force, lim, mass, dt := xy(number(), number()), c.Limits{MaxSpeed: math.Abs(number()), MaxForce: math.Abs(number())}, number(), math.Abs(r.NormFloat64())
		w.steer[0].Vec, w.limits[0] = force, lim
		p, v := w.pos[0].Vec, w.vel[0].Vec
		wantP, wantV := integrate(p, v, force, mass, lim, dt)
		if !vec.Finite(wantP) || !(mass > 0 && lim.MaxForce >= 0 && lim.MaxSpeed >= 0) {
			wantP, wantV = p, v
			skipped++
		}
		w.rig(dt, []frame.System{&Integration{}}, frame.Over([]c.Mass{{Kilograms: mass}})).step()
		if got, want := bits(w.pos[0].Vec, w.vel[0].Vec), bits(wantP, wantV); got != want {
			t.Fatalf("p %v, v %v, force %v, %+v, mass %v, dt %v: got=%v, %v, want=%v, %v",
				p, v, force, lim, mass, dt, w.pos[0].Vec, w.vel[0].Vec, wantP, wantV)
		}
	}
	if skipped < 1000 || skipped > 39_000 {
		t.Errorf("skipped rows: got=%d, want=1000 to 39000, or too little is tested", skipped)
	}
}

func bits(a, b r2.Vec) [4]uint64 {
	return [4]uint64{math.Float64bits(a.X), math.Float64bits(a.Y), math.Float64bits(b.X), math.Float64bits(b.Y)}
}
