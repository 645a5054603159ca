package systems

import (
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
