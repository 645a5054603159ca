package systems

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func avoidanceOf(t *testing.T, mode ScanMode, outward bool, v r2.Vec, lookAhead float64, circles ...circle) r2.Vec {
	obstacles := &sense.Obstacles{}
	s := newStage(t, 1, obstacles, &ThreatScan{Obstacles: obstacles, Mode: mode}, &Avoidance{Outward: outward})
	for _, o := range circles {
		s.Put(c.Position{Vec: xy(o.x, o.y)}, c.Obstacle{Radius: o.radius})
	}
	e := s.Put(c.Position{}, c.Velocity{Vec: v}, c.ThreatScan{LookAhead: lookAhead}, c.Threat{},
		c.Avoidance{MaxForce: 10}, c.Steering{Vec: xy(100, 200)})
	s.Step()
	return vec.Sub(testkit.ComponentOf[c.Steering](s, e).Vec, xy(100, 200))
}

func TestOutwardForce(t *testing.T) {
	for _, tc := range []struct {
		name string
		at   circle
		want r2.Vec
	}{
		{"aside of the point ahead", circle{100, 10, 20}, xy(0, -10)},
		{"aside, on the right", circle{100, -15, 20}, xy(0, 10)},
		{"aslant", circle{106, 8, 20}, xy(-6, -8)},
		{"without a threat", circle{100, 50, 20}, xy(0, 0)},
		{"the point ahead short of the center pushes back", circle{110, 0, 20}, xy(-10, 0)},
		{"past the center it pushes forward, into it", circle{90, 0, 20}, xy(10, 0)},
		{"past the center, by the near probe", circle{60, 0, 20}, xy(10, 0)},
	} {
		testkit.Near(t, avoidanceOf(t, ScanProbes, true, xy(3, 0), 100, tc.at), tc.want, 1e-13, "%s", tc.name)
	}
}

// At the center of a circle, the formula of the source divides zero by zero.
func TestAtTheCenter(t *testing.T) {
	for _, v := range []r2.Vec{xy(3, 0), {}} {
		at := circle{100, 0, 20}
		if v == (r2.Vec{}) {
			at.x = 0
		}
		got := avoidanceOf(t, ScanProbes, true, v, 100, at)
		if !vec.Finite(got) || vec.Norm(got) > 10+1e-12 {
			t.Errorf("v=%v: got=%v, want=finite and at most 10", v, got)
		}
	}
}

func TestLateral(t *testing.T) {
	for _, tc := range []struct {
		name            string
		v, normal, want r2.Vec
	}{
		{"the obstacle is on the left", xy(3, 0), xy(-0.8, -0.6), xy(0, -1)},
		{"the obstacle is on the right", xy(3, 0), xy(-0.8, 0.6), xy(0, 1)},
		{"head-on keeps the first side, the right", xy(3, 0), xy(-1, 0), xy(0, -1)},
		{"head-on, upward", xy(0, 2), xy(0, -1), xy(1, 0)},
		{"head-on, to the left: not always +x or -y", xy(-2, 0), xy(1, 0), xy(0, 1)},
		{"head-on, downward", xy(0, -2), xy(0, 1), xy(-1, 0)},
		{"at rest: straight out", xy(0, 0), xy(0.6, 0.8), xy(0.6, 0.8)},
		{"subnormal velocity", xy(0, 1e-320), xy(-1, 0), xy(-1, 0)},
		{"huge velocity", xy(1e308, 0), xy(0, 1), xy(0, 1)},
	} {
		testkit.Near(t, lateral(tc.v, tc.normal), tc.want, 1e-15, "%s", tc.name)
		steer := []c.Steering{{Vec: xy(1, 2)}}
		w := ecs.NewWorld(1)
		threat := []c.Threat{{Normal: tc.normal}} // with the zero entity, no threat
		r := newRig(1, []frame.System{&Avoidance{}}, frame.Over([]c.Velocity{{Vec: tc.v}}), frame.Over(threat),
			frame.Over([]c.Avoidance{{MaxForce: 10}}), frame.Over(steer))
		r.step()
		testkit.Equal(t, steer[0].Vec, xy(1, 2), "%s, system, without a threat", tc.name)
		threat[0].Obstacle = w.NewEntity()
		r.step()
		testkit.Near(t, steer[0].Vec, vec.AddScaled(xy(1, 2), 10, tc.want), 1e-14, "%s, system", tc.name)
	}
}

func TestThroughTheScan(t *testing.T) {
	for _, mode := range []ScanMode{ScanExact, ScanNearestFirst} {
		for _, tc := range []struct {
			name string
			v    r2.Vec
			at   circle
			want r2.Vec
		}{
			{"center on the left", xy(3, 0), circle{60, 5, 20}, xy(0, -10)},
			{"center on the right", xy(3, 0), circle{60, -5, 20}, xy(0, 10)},
			{"head-on", xy(3, 0), circle{60, 0, 20}, xy(0, -10)},
			{"downward, center on the right", xy(0, -1), circle{-5, -60, 20}, xy(10, 0)},
			{"at rest, inside: outward", xy(0, 0), circle{-6, -8, 20}, xy(6, 8)},
			{"no threat", xy(-3, 0), circle{60, 5, 20}, xy(0, 0)},
		} {
			testkit.Near(t, avoidanceOf(t, mode, false, tc.v, 60, tc.at), tc.want, 1e-12, "%s, mode %v", tc.name, mode)
		}
	}
}
