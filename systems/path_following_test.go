package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestPathFollowing(t *testing.T) {
	way := []r2.Vec{xy(0, 0), xy(10, 0), xy(10, 10)}
	for _, tc := range []struct {
		name   string
		path   c.Path
		p      r2.Vec
		next   uint32
		target r2.Vec
	}{
		{"on the way", c.Path{Next: 1, Reached: 2}, xy(5, 0), 1, xy(10, 0)},
		{"reached", c.Path{Next: 1, Reached: 2}, xy(9, 0), 2, xy(10, 10)},
		{"just reached", c.Path{Next: 1, Reached: 2}, xy(8, 0), 2, xy(10, 10)},
		{"not quite reached", c.Path{Next: 1, Reached: 2}, xy(math.Nextafter(8, 7), 0), 1, xy(10, 0)},
		{"one waypoint a step", c.Path{Next: 0, Reached: 100}, xy(5, 5), 1, xy(10, 0)},
		{"stays at the last", c.Path{Next: 2, Reached: 2}, xy(10, 9), 2, xy(10, 10)},
		{"begins again", c.Path{Next: 2, Reached: 2, Loop: true}, xy(10, 9), 0, xy(0, 0)},
		{"past the end", c.Path{Next: 99, Reached: 2}, xy(5, 5), 2, xy(10, 10)},
		{"reached 0 is never", c.Path{Next: 1}, xy(10, 0), 1, xy(10, 0)},
		{"reached NaN is never", c.Path{Next: 1, Reached: math.NaN()}, xy(10, 0), 1, xy(10, 0)},
		{"position NaN", c.Path{Next: 1, Reached: 2}, xy(math.NaN(), 0), 1, xy(10, 0)},
	} {
		path := tc.path
		if got := followPath(&path, tc.p, way); got != tc.target || path.Next != tc.next {
			t.Errorf("%s: target and next waypoint: got=%v, %d, want=%v, %d", tc.name, got, path.Next, tc.target, tc.next)
		}
		s := newStage(t, 1, &PathFollowing{})
		ecs.AddResource(s.World, &Paths{way, {}})
		e := s.Put(c.Position{Vec: tc.p}, tc.path, c.Target{Vec: xy(-1, -1)})
		s.Step()
		if got := testkit.ComponentOf[c.Target](s, e).Vec; got != tc.target || testkit.ComponentOf[c.Path](s, e).Next != tc.next {
			t.Errorf("%s, system: target and path: got=%v, %v, want=%v, next %d", tc.name, got, *testkit.ComponentOf[c.Path](s, e), tc.target, tc.next)
		}
		for _, missing := range []uint32{1, 2, math.MaxUint32} { // empty paths and missing ones
			testkit.ComponentOf[c.Path](s, e).Index, testkit.ComponentOf[c.Target](s, e).Vec = missing, xy(-1, -1)
			if s.Step(); testkit.ComponentOf[c.Target](s, e).Vec != xy(-1, -1) {
				t.Errorf("%s, path %d: target: got=%v, want=(-1, -1)", tc.name, missing, *testkit.ComponentOf[c.Target](s, e))
			}
		}
	}
}

// TestTankSlowsAtEveryStop verifies that a tank with SmoothArrival and TurnTowards slows down before
// every waypoint of its path, and then speeds up again.
func TestTankSlowsAtEveryStop(t *testing.T) {
	way := []r2.Vec{xy(0, 0), xy(400, 0), xy(400, 300), xy(0, 300)}
	s := newStage(t, 1./60, &PathFollowing{}, &SmoothArrival{}, &TurnTowards{}, &Drive{})
	ecs.AddResource(s.World, &Paths{way})
	e := s.Put(c.Position{Vec: xy(200, 1)}, c.Heading{Vec: xy(1, 0)}, c.Target{}, c.Velocity{},
		c.Drive{Speed: 120, TopSpeed: 120}, c.TurnTowards{Rate: 2},
		c.SmoothArrival{Gain: 1, Min: 17, Max: 80}, c.Path{Next: 1, Reached: 22, Loop: true})
	slowest, fastest, stops := 120., 0., 0
	next := uint32(1)
	for range 60 * 120 {
		s.Step()
		speed := vec.Norm(testkit.ComponentOf[c.Velocity](s, e).Vec)
		if now := testkit.ComponentOf[c.Path](s, e).Next; now != next {
			if fastest < 119 || slowest > 5 {
				t.Fatalf("before waypoint %d: speed: got=%v to %v, want=5 or less to 119 or more", next, slowest, fastest)
			}
			if now != (next+1)%4 {
				t.Fatalf("after waypoint %d: got=%d, want=%d", next, now, (next+1)%4)
			}
			slowest, fastest, next = 120, 0, now
			stops++
		}
		slowest, fastest = min(slowest, speed), max(fastest, speed)
		if speed > 120+1e-9 {
			t.Fatalf("speed: got=%v, want=at most 120", speed)
		}
	}
	if stops < 8 {
		t.Errorf("stops: got=%d, want=8 or more", stops)
	}
}
