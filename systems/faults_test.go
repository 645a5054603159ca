package systems

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/sense"
)

// TestFaultHeadOnDeadlock verifies that an agent that meets a circle exactly head-on passes it on
// the right. In other engines, such an agent stops.
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
			t.Fatalf("distance from the center: got=%v at %v, want=2.2 or more", d, p)
		}
		if within(p.X, 10, 0.1) && p.Y > 0 {
			t.Fatalf("side: got=%v, want=on the right, below y = 0", p)
		}
	}
	if got := testkit.ComponentOf[c.Position](s, e).X; got < 20 {
		t.Errorf("x: got=%v, want=past the circle", got)
	}
}
