package orca

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestDetour holds where an agent at (0, 0) aims that wants to go to the right.
func TestDetour(t *testing.T) {
	box := func(x0, y0, x1, y1 float64) []Edge {
		return Ring(nil, []r2.Vec{xy(x0, y0), xy(x1, y0), xy(x1, y1), xy(x0, y1)}, 0)
	}
	up := func(x, y float64) float64 { return math.Atan2(y, x) + math.Asin(0.5/math.Hypot(x, y)) }
	down := func(x, y float64) float64 { return math.Atan2(y, x) - math.Asin(0.5/math.Hypot(x, y)) }
	nowhere := math.NaN() // as without a detour
	for _, tt := range []struct {
		name  string
		walls []Edge
		ahead float64
		want  float64 // rad
	}{
		{"nothing", nil, 9, nowhere},
		{"a box far away", box(20, -3, 30, 5), 0, nowhere},
		{"a box, the lower end is nearer", box(1.5, -3, 3, 5), 0, down(1.5, -3)},
		{"a box, the upper end is nearer", box(1.5, -5, 3, 3), 9, up(1.5, 3)},
		{"a box, both ends alike: on the right", box(1.5, -3, 3, 3), 0, down(1.5, -3)},
		{"a wall with free ends", []Edge{Wall(xy(1, -4), xy(1, 1), 0)}, 5, up(1, 1)},
		{"a disc to the left of the way", []Edge{Wall(xy(2, 0.2), xy(2, 0.2), 0)}, 5, down(2, 0.2)},
		{"a disc to the right of the way", []Edge{Wall(xy(2, -0.2), xy(2, -0.2), 0)}, 5, up(2, -0.2)},
		{"a room is closed", Room(nil, []r2.Vec{xy(-5, -5), xy(1, -5), xy(1, 5), xy(-5, 5)}, 0), 9, nowhere},
		{"round a corner", box(1.5, -9, 9, 0.1), 5, up(1.5, 0.1)},
		{"beyond the end, the goal beside the box", box(-9, 0.6, -0.1, 9), 0, nowhere},
		{"it touches", box(0.5, -3, 3, 5), 0, -math.Pi / 2},
		{"it is in the wall", box(0.2, -3, 3, 5), 0, math.Atan2(-3, 0.2) - math.Asin(0.5/math.Hypot(3, 0.2))},
	} {
		var s Solver
		a := Agent{Preferred: xy(1, 0), Radius: 0.5, MaxSpeed: 1, ObstacleHorizon: 2, Ahead: tt.ahead, Detour: true}
		s.Velocity(&a, nil, tt.walls, 0.1)
		want := a.Preferred
		if !math.IsNaN(tt.want) {
			want = xy(math.Cos(tt.want), math.Sin(tt.want))
		}
		if got := s.aim; vec.Norm(vec.Sub(got, want)) > 1e-12 {
			t.Errorf("%s: got=%v, want=%v", tt.name, got, want)
		}
	}
}

// TestDetourArrives holds that an agent gets round boxes of any size from any side,
// at all places from which a straight way would lead into them.
func TestDetourArrives(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for n := range 200 {
		w, h := 1+9*r.Float64(), 1+9*r.Float64()
		c := &crowd{speed: 1.3, near: 1, most: 1, dt: 0.1}
		corners := []r2.Vec{xy(-w, -h), xy(w, -h), xy(w, h), xy(-w, h)}
		turn := 0.
		if n%2 == 1 {
			turn = 2 * math.Pi * r.Float64()
		}
		sin, cos := vec.SinCos(turn)
		for i, p := range corners {
			corners[i] = xy(cos*p.X-sin*p.Y, sin*p.X+cos*p.Y)
		}
		c.walls = Ring(nil, corners, 0)
		from := vec.Scale(15+5*r.Float64(), direction(r))
		to := vec.Scale(-(15 + 5*r.Float64()), vec.Unit(from))
		c.add(Agent{Radius: 0.3, MaxSpeed: 1.3, Horizon: 2, ObstacleHorizon: 1, Detour: true}, from, to)
		if !c.run(0.5, 600) {
			t.Errorf("%v: from %v to %v: got=at %v after %d steps", corners, from, to, c.agents[0].Position, c.steps)
		}
	}
}

// TestDetourAtCorner holds that an agent below a corner of a large box, just to this
// side of it or to that one, goes round it to a goal beside the box.
func TestDetourAtCorner(t *testing.T) {
	box := Ring(nil, []r2.Vec{xy(0, 0), xy(50, 0), xy(50, 50), xy(0, 50)}, 0)
	for _, x := range []float64{-0.3, -1e-3, 0, 1e-3, 0.3} {
		var s Solver
		a := Agent{Position: xy(x, -0.6), Preferred: xy(-0.05, 1.3), Radius: 0.5, MaxSpeed: 1.3, ObstacleHorizon: 1, Ahead: 19, Detour: true}
		if v, _ := s.Velocity(&a, nil, box, 0.05); !(v.X < -0.5) {
			t.Errorf("x = %v: got=%v, want=to the left", x, v)
		}
	}
}

// Who stands on the end of a wall goes along it or away, as without Detour.
func TestDetourOnAnEnd(t *testing.T) {
	for _, preferred := range []r2.Vec{xy(1, 1), xy(-1, 1), xy(1, 0), xy(0, -1)} {
		for _, radius := range []float64{0, 0.25} {
			a := Agent{Preferred: preferred, Radius: radius, MaxSpeed: 2, ObstacleHorizon: 1, Ahead: 3}
			var s Solver
			want, _ := s.Velocity(&a, nil, []Edge{Wall(r2.Vec{}, xy(2, 0), 0)}, 0.1)
			a.Detour = true
			if got, _ := s.Velocity(&a, nil, []Edge{Wall(r2.Vec{}, xy(2, 0), 0)}, 0.1); got != want || got == (r2.Vec{}) {
				t.Errorf("radius %v, preferred %v: got=%v, want=%v", radius, preferred, got, want)
			}
		}
	}
}

// TestDetourOfAPost holds that an agent in a door goes round the post beside it on the side
// of its goal, and does not swing to and fro.
func TestDetourOfAPost(t *testing.T) {
	for _, y := range []float64{-0.12, -0.05, 0.01, 0.05, 0.12} {
		for _, acceleration := range []float64{0, 5} {
			wall := Wall(xy(0, 0), xy(4, 0), 0.1)
			wall.Narrow(1, 0) // its other end is at a wall
			c := &crowd{speed: 1.4, near: 1, most: 1, dt: 1. / 30, walls: []Edge{wall}}
			c.add(Agent{Radius: 0.2, MaxSpeed: 1.4, Horizon: 1, ObstacleHorizon: 0.5, Detour: true, Walking: Walking{Acceleration: acceleration}}, xy(-0.29, y), xy(3.8, -0.8))
			if !c.run(0.5, 200) {
				t.Errorf("from y = %v, %v m/s²: got=at %v after %d steps, want=at its goal", y, acceleration, c.agents[0].Position, c.steps)
			}
		}
	}
}

// Past the end of a wall goes only who fits between that and the next one.
func TestDetourNarrow(t *testing.T) {
	for _, tt := range []struct {
		gap  float64 // m, at the upper end, which is nearer
		down bool
	}{{0.75, true}, {0.999, true}, {1.001, false}, {5, false}} {
		wall := Wall(xy(1, -4), xy(1, 1), 0)
		wall.Narrow(9, tt.gap)
		var s Solver
		a := Agent{Preferred: xy(1, 0), Radius: 0.5, MaxSpeed: 1, ObstacleHorizon: 2, Ahead: 5, Detour: true}
		s.Velocity(&a, nil, []Edge{wall}, 0.1)
		if got := s.aim.Y < 0; got != tt.down {
			t.Errorf("a body of 1 m, a gap of %v m: it aims at %v: down: got=%v, want=%v", tt.gap, s.aim, got, tt.down)
		}
	}
}
