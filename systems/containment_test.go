package systems

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

var tank20 = r2.Box{Max: xy(20, 10)}

func contained(p, v r2.Vec, body, horizon float64, box r2.Box, faithful bool, shapes ...space.Shape) r2.Vec {
	w := newWalker(p, v, r2.Vec{}, 3, inf)
	s := &Containment{Obstacles: snapshotOf(shapes...), Faithful: faithful}
	w.rig(1, []frame.System{s}, frame.Over([]c.Radius{{Meters: body}}), frame.Over([]c.Containment{{Gain: 1, Horizon: horizon, Box: box}})).step()
	return w.steer[0].Vec
}

func TestContainment(t *testing.T) {
	wall := wallFrom(xy(10, -50), xy(10, 50))
	for _, tc := range []struct {
		name          string
		p, v          r2.Vec
		body, horizon float64
		box           r2.Box
		shapes        []space.Shape
		want          r2.Vec
		faithful      bool
	}{
		{"inside and stays so", xy(10, 5), xy(2, 1), 0, 2, tank20, nil, xy(0, 0), false},
		{"just to the side", xy(16, 5), xy(2, 0), 0, 2, tank20, nil, xy(0, 0), false},
		{"beyond it", xy(18, 5), xy(2, 0), 0, 2, tank20, nil, xy(-1, 0), false},
		{"the body beyond it", xy(16, 5), xy(2, 0), 1, 2, tank20, nil, xy(-0.5, 0), false},
		{"into a corner", xy(18, 9), xy(2, 1), 0, 2, tank20, nil, xy(-1, -0.5), false},
		{"the left and the lower side", xy(1, 1), xy(-2, -2), 0, 1, tank20, nil, xy(1, 1), false},
		{"along the side", xy(20, 5), xy(0, 2), 0, 1, tank20, nil, xy(0, 0), false},
		{"outside, at rest", xy(22, 5), xy(0, 0), 0, 2, tank20, nil, xy(-1, 0), false},
		{"far outside, no faster than it can", xy(220, 5), xy(1, 0), 0, 2, tank20, nil, xy(-4, 0), false},
		{"outside, on the way in", xy(22, 5), xy(-2, 0), 0, 2, tank20, nil, xy(0, 0), false},
		{"a box too narrow for the body", xy(10, 4), xy(0, 0), 6, 1, tank20, nil, xy(0, 1), false},
		{"horizon 0", xy(25, 5), xy(2, 0), 0, 0, tank20, nil, xy(0, 0), false},
		{"horizon NaN", xy(25, 5), xy(2, 0), 0, nan, tank20, nil, xy(0, 0), false},
		{"infinite horizon", xy(5, 5), xy(2, -1), 0, inf, tank20, nil, xy(-2, 1), false},
		{"neither box nor obstacle", xy(25, 5), xy(2, 0), 0, 2, r2.Box{}, nil, xy(0, 0), false},
		{"a box that is not finite", xy(25, 5), xy(2, 0), 0, 2, r2.Box{Min: xy(nan, nan), Max: xy(inf, nan)}, nil, xy(0, 0), false},

		{"a wall, too far away", xy(0, 5), xy(2, 0), 0, 2, r2.Box{}, []space.Shape{wall}, xy(0, 0), false},
		{"a wall", xy(8, 5), xy(2, 3), 0, 2, r2.Box{}, []space.Shape{wall}, xy(-1, 0), false},
		{"a wall from the other side", xy(12, 5), xy(-2, 3), 1, 2, r2.Box{}, []space.Shape{wall}, xy(1.5, 0), false},
		{"a wall, and the box beyond it", xy(8, 5), xy(2, 0), 0, 2, tank20, []space.Shape{wall}, xy(-1, 0), false},
		{"a wall at the side of the box: once", xy(9, 5), xy(2, 0), 0, 2, r2.Box{Max: xy(10, 10)}, []space.Shape{wall}, xy(-1.5, 0), false},
		{"into the corner of two walls", xy(8, 8), xy(2, 1.9), 0, 2, r2.Box{}, []space.Shape{wall, wallFrom(xy(-50, 10), xy(50, 10))}, xy(-1, -0.9), false},
		{"a circle, head-on", xy(5, 0), xy(2, 0), 1, 2, r2.Box{}, []space.Shape{roundAt(10, 0, 3)}, xy(-1.5, 0), false},
		{"within a circle, at rest: out in the horizon", xy(9, 0), xy(0, 0), 0, 2, r2.Box{}, []space.Shape{roundAt(10, 0, 3)}, xy(-1, 0), false},
		{"touching, the wall ahead is seen", xy(8.5, 0), xy(0, 1), 1, 2, r2.Box{}, []space.Shape{wallFrom(xy(9.5, -9), xy(9.5, 9)), wallFrom(xy(0, 2), xy(9, 2))}, xy(0, -0.5), false},

		{"faithful, stays inside", xy(5, 5), xy(3, 4), 0, 1, r2.Box{Max: xy(100, 100)}, nil, xy(0, 0), true},
		{"faithful, the part of the normal across the course", xy(18, 1), xy(3, 4), 0, 1, tank20, nil, xy(5*(-1+0.36), 5*0.48), true},
		{"faithful, head-on it does nothing", xy(18, 5), xy(5, 0), 0, 1, tank20, nil, xy(0, 0), true},
		{"faithful, the first of two sides", xy(18, 9.9), xy(4, 3), 0, 1, tank20, nil, xy(5*0.48, 5*(-1+0.36)), true},
		{"faithful, at rest, outside", xy(25, 5), xy(0, 0), 0, 1, tank20, nil, xy(0, 0), true},
		{"faithful, outside, outwards", xy(25, 5), xy(4, 3), 0, 1, tank20, nil, xy(5*(-1+0.64), 5*0.48), true},
		{"faithful, a wall", xy(8, 5), xy(3, 4), 0, 1, r2.Box{}, []space.Shape{wall}, xy(5*(-1+0.36), 5*0.48), true},
		{"faithful, a wall before the box", xy(8, 5), xy(3, 0), 0, 1, tank20, []space.Shape{wall}, xy(0, 0), true},
	} {
		testkit.Near(t, contained(tc.p, tc.v, tc.body, tc.horizon, tc.box, tc.faithful, tc.shapes...), tc.want, 1e-12, "%s", tc.name)
	}
}

func TestContainmentDoesNotOvershoot(t *testing.T) {
	for _, tc := range []struct {
		horizon float64
		stays   bool
	}{{1, true}, {1.5, true}, {0.5, false}} { // gain 4, mass 1
		farthest := -inf
		for degrees := 0.; degrees < 360; degrees += 15 {
			for _, radius := range []float64{0, 0.5} {
				w := newWalker(xy(10, 5), vec.Scale(3, direction(degrees)), r2.Vec{}, 3, inf)
				r := w.rig(1./60, []frame.System{&Containment{Obstacles: snapshotOf()}, &Integration{}}, frame.Over([]c.Radius{{Meters: radius}}),
					frame.Over([]c.Containment{{Gain: 4, Horizon: tc.horizon, Box: tank20}}))
				for range 1200 {
					r.step()
					p := w.pos[0].Vec
					farthest = max(farthest, radius-p.X, radius-p.Y, p.X-20+radius, p.Y-10+radius)
				}
			}
		}
		if stays := farthest <= 1e-9; stays != tc.stays {
			t.Errorf("horizon %v: got=%v m beyond the edge, want 0 or less: %v", tc.horizon, farthest, tc.stays)
		}
	}
}

func TestContainmentInWalls(t *testing.T) {
	index := &sense.Obstacles{}
	s := newStage(t, 1./30, index, &Wander{}, &Containment{}, &Integration{})
	corners := []r2.Vec{xy(0, 0), xy(20, 0), xy(20, 10), xy(6, 14), xy(0, 10)}
	for i, from := range corners {
		s.Put(c.Position{Vec: from}, c.Obstacle{Span: vec.Sub(corners[(i+1)%len(corners)], from)})
	}
	s.Put(c.Position{Vec: xy(10, 5)}, c.Obstacle{Radius: 1.5})
	var crowd []ecs.Entity
	for i := range 100 {
		e := s.Put(c.Agent{ID: uint64(i)}, c.Position{Vec: xy(2+0.05*float64(i), 2)}, c.Velocity{}, c.Radius{Meters: 0.25}, c.Limits{MaxSpeed: 2, MaxForce: inf},
			c.Wander{Gain: 1, Distance: 1, Radius: 1, Rate: 1}, c.Containment{Gain: 16, Horizon: 0.5})
		crowd = append(crowd, e)
	}
	deepest := 0.
	for step := range 1500 {
		s.Step()
		if step%10 != 0 {
			continue
		}
		for _, e := range crowd {
			p := testkit.ComponentOf[c.Position](s, e).Vec
			if near, ok := index.Nearest(p, 5); ok {
				deepest = max(deepest, 0.25-near.Distance)
			}
			if p.X < 0 || p.X > 20 || p.Y < 0 || p.Y > 14 {
				t.Fatalf("step %d: position: got=%v, want=within the walls", step, p)
			}
		}
	}
	if want := 1.05 * 2 * 0.5 / 16; deepest > want { // about the push of Wander times the ratio of horizon to gain
		t.Errorf("deepest in a wall: got=%v m, want=%v or less", deepest, want)
	}
}
