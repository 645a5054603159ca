package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
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
		{"reached NaN is never", c.Path{Next: 1, Reached: nan}, xy(10, 0), 1, xy(10, 0)},
		{"position NaN", c.Path{Next: 1, Reached: 2}, xy(nan, 0), 1, xy(10, 0)},
	} {
		path := tc.path
		testkit.Equal(t, followPath(&path, tc.p, way), tc.target, "%s: target", tc.name)
		testkit.Equal(t, path.Next, tc.next, "%s: next waypoint", tc.name)
		s := newStage(t, 1, &PathFollowing{})
		ecs.AddResource(s.World, &Paths{way, {}})
		e := s.Put(c.Position{Vec: tc.p}, tc.path, c.Target{Vec: xy(-1, -1)})
		s.Step()
		testkit.Equal(t, testkit.ComponentOf[c.Target](s, e).Vec, tc.target, "%s, system: target", tc.name)
		testkit.Equal(t, testkit.ComponentOf[c.Path](s, e).Next, tc.next, "%s, system: next waypoint", tc.name)
		for _, missing := range []uint32{1, 2, math.MaxUint32} { // empty paths and missing ones
			testkit.ComponentOf[c.Path](s, e).Index, testkit.ComponentOf[c.Target](s, e).Vec = missing, xy(-1, -1)
			s.Step()
			testkit.Equal(t, testkit.ComponentOf[c.Target](s, e).Vec, xy(-1, -1), "%s, path %d: target", tc.name, missing)
		}
	}
}

// TestTankSlowsAtEveryStop verifies that a tank slows down before every waypoint, and then speeds up again.
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

// TestPathStatus verifies the status with all kinds of pathfinding, and of entities dead or without a target.
func TestPathStatus(t *testing.T) {
	around := math.Hypot(4, 3) * 2 // from (0, -3) to (0, 3)
	over := c.Destination{Vec: xy(0, 3)}
	box := func(p r2.Vec) r2.Box { return r2.Box{Min: p, Max: p} }
	fields := sense.FlowFields{{Goals: []r2.Box{box(xy(0, 3))}, Cell: 0.1}, {Goals: []r2.Box{box(xy(20, 0))}, Cell: 0.1}}
	for _, test := range []struct {
		name string
		with []any
		then func(s *stage, e ecs.Entity)
		want PathStatus
	}{
		{"straight", []any{c.Target{Vec: xy(0, 3)}}, nil, PathStatus{Remaining: 6}},
		{"at its goal", []any{c.Target{Vec: xy(0, -2.75)}, c.Goal{Radius: 0.5}}, nil, PathStatus{Remaining: 0.25, Reached: true}},
		{"route", []any{c.Target{}, over, c.Route{}}, nil, PathStatus{Remaining: around}},
		{"route that is given", []any{c.Target{}, over, c.Route{}}, func(s *stage, e ecs.Entity) {
			ecs.GetResource[Routes](s.World).Set(c.IDOf(nil, e), testkit.ComponentOf[c.Route](s, e), []r2.Vec{xy(5, -3), xy(5, 3)})
		}, PathStatus{Remaining: 11}},
		{"route to another place", []any{c.Target{}, over, c.Route{}}, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Destination](s, e).Vec = xy(3, -3) }, PathStatus{Remaining: 3, Waiting: true}},
		{"direct", []any{c.Target{}, c.Destination{Vec: xy(0, 3), Direct: true}, c.Route{}}, nil, PathStatus{Remaining: 6}},
		{"no route", []any{c.Target{}, c.Destination{Vec: xy(20, 0)}, c.Route{}}, nil, PathStatus{Remaining: inf, Unreachable: true}},
		{"field", []any{c.Target{}, c.FlowField{}}, nil, PathStatus{Remaining: around}},
		{"no way in a field", []any{c.Target{}, c.FlowField{Index: 1}}, nil, PathStatus{Remaining: inf, Unreachable: true}},
		{"field that is new", []any{c.Target{}, c.FlowField{Index: 2}}, nil, PathStatus{Remaining: 3, Waiting: true}},
		{"boundary", []any{c.Target{}, over, c.BoundaryFollowing{Range: 3}}, nil, PathStatus{Remaining: 6}},
		{"no way at a boundary", []any{c.Target{}, over, c.BoundaryFollowing{}}, func(s *stage, e ecs.Entity) {
			testkit.ComponentOf[c.BoundaryFollowing](s, e).Memory.State = c.BoundaryUnreachable
		}, PathStatus{Remaining: inf, Unreachable: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newStage(t, 0.1, &sense.Obstacles{}, &Routing{}, &FlowFieldFollowing{}, &BoundaryFollowing{}, &Arrivals{})
			*frame.Resource[sense.FlowFields](s.World) = fields
			s.Put(c.Position{Vec: xy(-4, 0)}, c.Obstacle{Span: xy(8, 0)})
			s.Put(c.Position{Vec: xy(20, 0)}, c.Obstacle{Radius: 1})
			e := s.Put(append(test.with, c.Position{Vec: xy(0, -3)}, c.Velocity{})...)
			s.Step()
			if test.then != nil {
				test.then(s, e)
			}
			got, ok := PathStatusOf(s.Frame, s.World, e)
			want := test.want
			if within(got.Remaining, want.Remaining, 0.3) { // a field has cells
				want.Remaining = got.Remaining
			}
			if !ok || got != want {
				t.Errorf("got=%+v %v, want=%+v true", got, ok, want)
			}
		})
	}
	s := newStage(t, 0.1, &sense.Obstacles{})
	dead, bare := s.Put(c.Position{}, c.Target{}), s.Put(c.Position{})
	s.RemoveEntity(dead)
	for _, e := range []ecs.Entity{dead, bare} {
		if got, ok := PathStatusOf(s.Frame, s.World, e); ok || got != (PathStatus{}) {
			t.Errorf("entity %v: got=%+v %v, want=the zero status, false", e, got, ok)
		}
	}
}
