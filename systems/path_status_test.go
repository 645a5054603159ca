package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestPathStatus verifies the status with all kinds of pathfinding, and that dead entities and those without
// a target have no status.
func TestPathStatus(t *testing.T) {
	inf := math.Inf(1)
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
