package measure

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/frame/frametest"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestContactsSweep holds that an agent which passes a thin wall, or a small
// circle, within one step has collided with it, and one that passes beside it
// has not.
func TestContactsSweep(t *testing.T) {
	for _, test := range []struct {
		name   string
		y      float64
		want   int
		put    c.Obstacle
		inside int
	}{
		{"through a wall", 0, 1, c.Obstacle{Span: r2.Vec{Y: -2}}, 0},
		{"through a circle", 1, 1, c.Obstacle{Radius: 0.5}, 0},
		{"beside a circle", 2, 0, c.Obstacle{Radius: 0.5}, 0},
		{"two steps inside a circle", 0, 1, c.Obstacle{Radius: 6}, 2},
	} {
		obstacles := &sense.Obstacles{}
		contacts := &ObstacleCollisions{Obstacles: obstacles}
		s := newStage(t, 0.1, obstacles, &mover{})
		counting := frame.New(contacts)
		counting.Initialize(s.World)
		s.Put(c.Position{Vec: r2.Vec{X: 0, Y: test.y}}, c.Velocity{Vec: r2.Vec{X: 100}}, c.Radius{Meters: 0.25}, c.Contact{})
		s.Put(c.Position{Vec: r2.Vec{X: 15, Y: 0.6}}, test.put)
		for range 4 {
			counting.Update(s.World)
			s.Step()
		}
		counting.Update(s.World)
		if got := contacts.Count(); got.Collisions != test.want || got.CentersInside != test.inside {
			t.Errorf("%s: got=%+v, want %d collisions", test.name, got, test.want)
		}
		counting.Finalize(s.World)
	}
}

// TestContactsCountMeetings holds that an agent which stays in touch has
// collided once, and again after it was clear.
func TestContactsCountMeetings(t *testing.T) {
	obstacles := &sense.Obstacles{}
	contacts := &ObstacleCollisions{Obstacles: obstacles}
	s := newStage(t, 1, obstacles)
	counting := frame.New(contacts)
	e := s.Put(c.Position{}, c.Radius{Meters: 1}, c.Contact{})
	s.Put(c.Position{Vec: r2.Vec{X: 5}}, c.Obstacle{Radius: 1})
	counting.Initialize(s.World)
	defer counting.Finalize(s.World)
	for i, at := range []struct {
		x    float64
		want int
	}{{0, 0}, {3.5, 1}, {3.6, 1}, {3.4, 1}, {2, 1}, {3.2, 2}, {2.9995, 2}, {3.2, 3}} {
		frametest.Of[c.Position](s, e).X = at.x
		s.Step()
		counting.Update(s.World)
		if got := contacts.Count().Collisions; got != at.want {
			t.Errorf("%d, at x=%v: got=%d, want=%d", i, at.x, got, at.want)
		}
	}
	var none ecs.Entity
	if got := frametest.Of[c.Contact](s, e).Touching[0]; got == none {
		t.Error("it touches, but is not remembered to")
	}
}

// TestContactsTolerance holds that half a millimeter of overlap is no collision, and
// a millimeter and a half is one, whether after a step or in the middle of it.
func TestContactsTolerance(t *testing.T) {
	for _, test := range []struct {
		name     string
		from, to r2.Vec // m; the obstacle is a circle of 1 m at the origin, the body has 0.5 m
		want     int
	}{
		{"comes to half a millimeter", r2.Vec{X: 3}, r2.Vec{X: 1.4995}, 0},
		{"comes to a millimeter and a half", r2.Vec{X: 3}, r2.Vec{X: 1.4985}, 1},
		{"passes by half a millimeter", r2.Vec{X: 1.4995, Y: -3}, r2.Vec{X: 1.4995, Y: 3}, 0},
		{"passes by a millimeter and a half", r2.Vec{X: 1.4985, Y: -3}, r2.Vec{X: 1.4985, Y: 3}, 1},
	} {
		contacts := &ObstacleCollisions{Obstacles: &sense.Obstacles{}}
		s := newStage(t, 1, contacts.Obstacles, contacts)
		s.Put(c.Position{}, c.Obstacle{Radius: 1})
		e := s.Put(c.Position{Vec: test.from}, c.Radius{Meters: 0.5}, c.Contact{})
		s.Step()
		frametest.Of[c.Position](s, e).Vec = test.to
		s.Step()
		if got := contacts.Count().Collisions; got != test.want {
			t.Errorf("%s: got=%d, want=%d", test.name, got, test.want)
		}
	}
}

// TestContactsWrap holds that who goes out at one edge of a box and in at the
// opposite one has not met what stands between.
func TestContactsWrap(t *testing.T) {
	for _, test := range []struct {
		wrap r2.Box
		want int
	}{{r2.Box{Max: r2.Vec{X: 10, Y: 10}}, 0}, {r2.Box{}, 1}} {
		contacts := &ObstacleCollisions{Obstacles: &sense.Obstacles{}, Wrap: test.wrap}
		s := newStage(t, 1, contacts.Obstacles, contacts)
		s.Put(c.Position{Vec: r2.Vec{X: 5, Y: 5}}, c.Obstacle{Radius: 1})
		e := s.Put(c.Position{Vec: r2.Vec{X: 9.5, Y: 5}}, c.Contact{})
		s.Step()
		frametest.Of[c.Position](s, e).X = 0.5
		s.Step()
		if got := contacts.Count().Collisions; got != test.want {
			t.Errorf("wrap %v: collisions: got=%d, want=%d", test.wrap, got, test.want)
		}
	}
}
