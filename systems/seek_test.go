package systems

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// seekAt is seek of an agent at p whose target is a point.
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

// The agent comes to rest on the target if its last step ends there: with dt,
// gain and mass 1 steering is -v.
func TestSeekStopsAtTarget(t *testing.T) {
	w := newWalker(xy(4, 0), xy(3, 0), xy(4, 0), 3, inf)
	w.rig(1, []frame.System{&Seek{}, &Integration{}}, frame.Over([]c.Seek{{Gain: 1}})).step()
	if w.pos[0].Vec != xy(4, 0) || w.vel[0].Vec != xy(0, 0) {
		t.Errorf("got=%v at %v, want=0 at (4, 0)", w.vel[0], w.pos[0])
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

func TestStraightLineAndTurnsAtOnce(t *testing.T) {
	w := newWalker(xy(0, 0), xy(0, -5), xy(300, 400), 5, 0)
	r := w.rig(1, []frame.System{&KinematicSeek{}, &Integration{}}, frame.Over([]c.KinematicSeek{{Gain: 1}}))
	for i := 1; i <= 20; i++ {
		r.step()
		if got, want := w.pos[0].Vec, xy(float64(3*i), float64(4*i)); got != want {
			t.Fatalf("step %d: got=%v, want=%v", i, got, want)
		}
	}
	w.target[0].Vec = xy(60, -1000)
	r.step()
	testkit.Equal(t, w.pos[0].Vec, xy(60, 75), "after the target moved")
}

func TestSeekBouncesForEver(t *testing.T) {
	w := newWalker(xy(0, 0), xy(0, 0), xy(10, 0), 3, inf)
	r := w.rig(1, []frame.System{&Seek{}, &Integration{}}, frame.Over([]c.Seek{{Gain: 1}}))
	for i, want := range []float64{3, 6, 9} {
		if r.step(); w.pos[0].Vec != xy(want, 0) {
			t.Fatalf("step %d: got=%v, want=(%v, 0)", i+1, w.pos[0], want)
		}
	}
	for i := range 1000 {
		for _, want := range []float64{12, 9} {
			if r.step(); w.pos[0].Vec != xy(want, 0) {
				t.Fatalf("round %d: got=%v, want=(%v, 0)", i+1, w.pos[0], want)
			}
		}
	}
}

func TestArrivalRemovesTheBounce(t *testing.T) {
	w := newWalker(xy(0, 0), xy(0, 0), xy(10, 0), 3, inf)
	r := w.rig(1, []frame.System{&Arrival{}, &Integration{}}, frame.Over([]c.Arrival{{Gain: 1, SlowingRadius: 6}}))
	before := 0.
	for i := range 200 {
		r.step()
		x := w.pos[0].X
		if x < before || x > 10 {
			t.Fatalf("step %d: got=%v, want=from %v up to 10", i+1, x, before)
		}
		before = x
	}
	testkit.Near(t, before, 10, 1e-9, "at last")
}
