package measure

import (
	"fmt"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// newContacts counts collisions after the systems more.
func newContacts(t testing.TB, dt float64, trips *TripMetrics, more ...any) (*stage, *ObstacleCollisions) {
	contacts := &ObstacleCollisions{Obstacles: &sense.Obstacles{}, TripMetrics: trips}
	return newStage(t, dt, append(more, contacts.Obstacles, contacts, trips)...), contacts
}

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
		s, contacts := newContacts(t, 0.1, &TripMetrics{}, &testkit.Mover{})
		s.Put(c.Position{Vec: r2.Vec{X: 0, Y: test.y}}, c.Velocity{Vec: r2.Vec{X: 100}}, c.Radius{Meters: 0.25})
		s.Put(c.Position{Vec: r2.Vec{X: 15, Y: 0.6}}, test.put)
		contacts.TripMetrics.Begin(s.World)
		s.Steps(4)
		if got := contacts.Count(); got.Collisions != test.want || got.CentersInside != test.inside {
			t.Errorf("%s: got=%+v, want %d collisions, center inside %d times", test.name, got, test.want, test.inside)
		}
	}
}

func TestContactsCountMeetings(t *testing.T) {
	s, contacts := newContacts(t, 1, &TripMetrics{})
	e := s.Put(c.Position{}, c.Velocity{}, c.Radius{Meters: 1})
	pillar := s.Put(c.Position{Vec: r2.Vec{X: 5}}, c.Obstacle{Radius: 1})
	contacts.TripMetrics.Begin(s.World)
	for i, at := range []struct {
		x    float64
		want int
	}{{0, 0}, {3.5, 1}, {3.6, 1}, {3.4, 1}, {2, 1}, {3.2, 2}, {2.9995, 2}, {3.2, 3}} {
		testkit.ComponentOf[c.Position](s, e).X = at.x
		s.Step()
		testkit.Equal(t, contacts.Count().Collisions, at.want, "step %d, at x=%v: collisions", i, at.x)
	}
	if got, n := contacts.Touching(e); n != 1 || got[0] != pillar {
		t.Errorf("touches: got=%v, %d of them, want=%v, 1", got, n, pillar)
	}
	if _, n := contacts.Touching(pillar); n != 0 {
		t.Errorf("obstacles that a pillar touches: got=%d, want=0", n)
	}
	s.Frame.Finalize(s.World)
	if got := contacts.TripMetrics.touches; got != nil {
		t.Errorf("after Finalize: got=%p in TripMetrics, want=none", got)
	}
}

// The path across an edge that BoundsWrap joins must not cross the box.
func TestContactsTolerance(t *testing.T) {
	wrap := r2.Box{Min: xy(-5, -5), Max: xy(5, 5)}
	for _, test := range []struct {
		name     string
		wrap     r2.Box
		from, to r2.Vec // m; the obstacle is a circle of radius 1 m at the origin, and the body has radius 0.5 m
		want     int
	}{
		{"comes to half a millimeter", r2.Box{}, xy(3, 0), xy(1.4995, 0), 0},
		{"comes to a millimeter and a half", r2.Box{}, xy(3, 0), xy(1.4985, 0), 1},
		{"passes by half a millimeter", r2.Box{}, xy(1.4995, -3), xy(1.4995, 3), 0},
		{"passes by a millimeter and a half", r2.Box{}, xy(1.4985, -3), xy(1.4985, 3), 1},
		{"passes through", r2.Box{}, xy(4.5, 0), xy(-4.5, 0), 1},
		{"passes an edge", wrap, xy(4.5, 0), xy(-4.5, 0), 0},
	} {
		s, contacts := newContacts(t, 1, &TripMetrics{Wrap: test.wrap})
		s.Put(c.Position{}, c.Obstacle{Radius: 1})
		e := s.Put(c.Position{Vec: test.from}, c.Velocity{}, c.Radius{Meters: 0.5})
		s.Step()
		testkit.ComponentOf[c.Position](s, e).Vec = test.to
		s.Step()
		testkit.Equal(t, contacts.Count().Collisions, test.want, "%s", test.name)
	}
}

func TestContactsJump(t *testing.T) {
	s, contacts := newContacts(t, 1, &TripMetrics{})
	s.Put(c.Position{}, c.Obstacle{Radius: 2})
	e := s.Put(c.Position{Vec: xy(-9, 0)}, c.Velocity{})
	s.Step()
	for i, to := range []r2.Vec{xy(9, 0), xy(1, 0), xy(-1, 0)} {
		testkit.ComponentOf[c.Position](s, e).Vec = to
		contacts.TripMetrics.Jump(e, to)
		s.Step()
		testkit.Equal(t, contacts.Count().Collisions, i, "jump to %v: collisions", to)
	}
	testkit.Equal(t, contacts.TripMetrics.Count().Length, 0, "length of the paths")
}

func TestContactsWithoutTrips(t *testing.T) {
	w := ecs.NewWorld()
	f := frame.New(&sense.Obstacles{}, &ObstacleCollisions{})
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "TripMetrics") {
			t.Errorf("panic: got=%s, want=one about TripMetrics, also if Finalize is deferred", got)
		}
	}()
	defer f.Finalize(&w)
	f.Initialize(&w)
}
