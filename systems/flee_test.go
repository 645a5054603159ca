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

func TestFlee(t *testing.T) {
	for _, tc := range []struct {
		name       string
		p, v, from r2.Vec
		maxSpeed   float64
		want       r2.Vec
	}{
		{"at rest", xy(4, 5), xy(0, 0), xy(1, 1), 10, xy(6, 8)},
		{"in motion", xy(3, 4), xy(1, 0), xy(0, 0), 5, xy(2, 4)},
		{"at full speed", xy(3, 4), xy(3, 4), xy(0, 0), 5, xy(0, 0)},
		{"toward it", xy(1, 0), xy(-5, 0), xy(0, 0), 5, xy(10, 0)},
		{"as near as a length can tell", xy(0, -vec.MinNorm), xy(0, 0), xy(0, 0), 5, xy(0, -5)},
		{"huge distance", xy(1e308, 0), xy(0, 0), xy(0, 0), 5, xy(5, 0)},
	} {
		testkit.Near(t, flee(vec.Sub(tc.p, tc.from), tc.v, tc.maxSpeed), tc.want, 1e-15, "%s", tc.name)
		w := newWalker(tc.p, tc.v, r2.Vec{}, tc.maxSpeed, inf)
		w.steer[0].Vec = xy(100, 200)
		w.rig(1, []frame.System{&Flee{}}, frame.Over([]c.Flee{{From: tc.from, Gain: 2}})).step()
		testkit.Near(t, w.steer[0].Vec, r2.Add(xy(100, 200), r2.Scale(2, tc.want)), 1e-12, "%s: steering of the system", tc.name)
	}
}

func TestFleeZone(t *testing.T) {
	outside := math.Nextafter(5, 6)
	for _, tc := range []struct {
		name   string
		p      r2.Vec
		radius float64
		flees  bool
	}{
		{"center", xy(0, 0), 5, true},
		{"inside", xy(2, 1), 5, true},
		{"on the boundary", xy(3, 4), 5, true},
		{"on the boundary, on an axis", xy(-5, 0), 5, true},
		{"just outside", xy(outside, 0), 5, false},
		{"far outside", xy(1e9, 0), 5, false},
		{"radius 0 is everywhere", xy(1e9, 0), 0, true},
		{"an unset radius, at the point", xy(0, 0), 0, true},
		{"infinite radius", xy(1e200, 0), inf, true},
		{"radius NaN is nowhere", xy(0, 0), math.NaN(), false},
	} {
		testkit.Equal(t, inZone(tc.p, r2.Vec{}, tc.radius), tc.flees, "%s", tc.name)
		w := newWalker(tc.p, xy(0.25, 0.5), r2.Vec{}, 3, inf)
		w.steer[0].Vec = xy(7, 9)
		w.rig(1, []frame.System{&Flee{}}, frame.Over([]c.Flee{{Gain: 1, Radius: tc.radius}})).step()
		testkit.Equal(t, w.steer[0].Vec != xy(7, 9), tc.flees, "%s: system adds steering", tc.name)
	}
}

func TestFleeOnThePoint(t *testing.T) {
	big := xy(1<<60, 0)
	for _, tc := range []struct {
		name    string
		p, v    r2.Vec
		heading []c.Heading
		want    r2.Vec // desired velocity
	}{
		{"its own heading", xy(5, 5), xy(1, 0), []c.Heading{{Vec: xy(0, -1)}}, xy(0, -2)},
		{"a heading that is not on an axis", xy(0.1, 1e6), xy(1, 0), []c.Heading{{Vec: xy(0.6, -0.8)}}, xy(1.2, -1.6)},
		{"without a heading, that of its velocity", xy(5, 5), xy(0, 3), nil, xy(0, 2)},
		{"heading zero", xy(5, 5), xy(-3, 0), []c.Heading{{}}, xy(-2, 0)},
		{"at rest, +x", xy(5, 5), xy(0, 0), nil, xy(2, 0)},
		{"at rest, heading zero, +x", xy(-5, 5), xy(0, 0), []c.Heading{{}}, xy(2, 0)},
		{"where a meter is lost to rounding", big, xy(0, 0), []c.Heading{{Vec: xy(0, 1)}}, xy(0, 2)},
	} {
		w := newWalker(tc.p, tc.v, r2.Vec{}, 2, inf)
		more := []frame.Slice{frame.Over([]c.Flee{{From: tc.p, Gain: 1}})}
		if tc.heading != nil {
			more = append(more, frame.Over(tc.heading))
		}
		w.rig(1, []frame.System{&Flee{}}, more...).step()
		got := r2.Add(w.steer[0].Vec, tc.v)
		testkit.Near(t, got, tc.want, 1e-15, "%s: desired", tc.name)
	}
}
