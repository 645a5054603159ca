package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/orca"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// meeting is a pedestrian at the origin, and another pedestrian.
type meeting struct {
	place, velocity, target r2.Vec // of the other pedestrian, except target, which is that of the first
	radius, speed, mass     float64
	strength, constant      float64 // all strengths of the models, and all their ranges and times
	dt                      float64
}

// models returns the four models with the numbers of the meeting, and the maximum speed that each
// model allows.
func (x *meeting) models() []boundedModel {
	a, k := x.strength, x.constant
	return []boundedModel{
		{&SocialForce1995{}, c.SocialForce1995{RelaxationTime: k, Repulsion: a, Range: k, StepTime: k, WallRepulsion: a, WallRange: k,
			FieldOfView: k, WeightBehind: 0.5, SpeedLimit: 1.3, NeighborDist: 5}, 1.3 * x.speed},
		{&SocialForce2000{}, c.SocialForce2000{RelaxationTime: k, Repulsion: a, Range: k, BodyForce: a, Friction: a, NeighborDist: 5}, max(x.speed, x.radius/x.dt)},
		{&CollisionFreeSpeed{}, c.CollisionFreeSpeed{TimeGap: k, Repulsion: a, Range: k, WallRepulsion: a, WallRange: k, NeighborDist: 5}, x.speed},
		{&AnticipationVelocity{}, c.AnticipationVelocity{TimeGap: k, Repulsion: a, Range: k, WallRepulsion: a, WallRange: k, AnticipationTime: k, ReactionTime: k,
			NeighborDist: 5}, x.speed},
	}
}

type boundedModel struct {
	system, par any
	fastest     float64 // m/s
}

func (m *boundedModel) choose(a *surroundings) {
	switch par := m.par.(type) {
	case c.SocialForce1995:
		socialForce1995(a, &par)
	case c.SocialForce2000:
		socialForce2000(a, &par)
	case c.CollisionFreeSpeed:
		collisionFreeSpeed(a, &par)
	case c.AnticipationVelocity:
		m.system.(*AnticipationVelocity).choose(a, &par)
	}
}

// FuzzPedestrians verifies, for two pedestrians that meet beside a wall with any numbers, that each model
// keeps a finite state finite and headings of length 1. For numbers up to 1e50, the rules themselves give
// finite velocities, no faster than the model allows, and headings of length 1.
func FuzzPedestrians(f *testing.F) {
	for _, x := range []float64{0, 1, -0.3, 1e-320, 1e-160, 1e50, 1e150, 1e308, inf, nan} {
		f.Add(x, 0.1, -1., 0.2, 9., x, 0.2, 1.3, 80., 5., 0.1, 0.01)
		f.Add(0.3, x, x, 0., x, 1., x, 1.3, 80., 5., 0.3, 0.03)
		f.Add(0.3, 0.1, 1., 0., 5., 1., 0.3, x, x, 2000., 0.08, x)
		f.Add(0.3, 0.1, 1., 1., 5., 0., 0.3, 1.3, 1., x, x, 0.01)
	}
	f.Add(7.511729935252905e+43, 9.572515818687139e-46, 3.486160963845743e+19, -0.5144853331755628, 26539.460957570667, 1.878229753850159e+10, // digits of friction cancel
		6.14746903197327e+27, 1.7676685984766629e-09, 0.0406902477864026, 2.3655287181928027e+13, 0.030142678335729853, 0.9661375191710885)
	f.Fuzz(func(t *testing.T, px, py, vx, vy, tx, ty, radius, speed, mass, strength, constant, dt float64) {
		x := meeting{xy(px, py), xy(vx, vy), xy(tx, ty), radius, speed, mass, strength, constant, dt}
		x.systems(t)
		x.rules(t)
	})
}

// rules checks each rule separately, on valid input.
func (x meeting) rules(t *testing.T) {
	const most = 1e50
	for _, n := range []float64{vec.Norm(x.place), vec.Norm(x.velocity), vec.Norm(x.target), x.radius, x.speed, x.strength} {
		if !(n >= 0 && n <= most) {
			return
		}
	}
	for _, n := range []*float64{&x.mass, &x.constant, &x.dt} { // from a thousandth to a thousand
		if !(math.Abs(*n) <= most) {
			return
		}
		*n = max(1e-3, math.Mod(math.Abs(*n), 1e3))
	}
	for _, m := range x.models() {
		p := plan{toward: vec.Unit(x.target), heading: vec.Unit(xy(3, 4)), speed: x.speed, maxSpeed: x.speed, mass: x.mass}
		m.choose(&surroundings{
			plan: &p, clock: frame.Clock{Dt: x.dt}, radius: x.radius, moving: vec.Scale(-1, x.velocity), others: []uint32{1},
			agents:     sense.AgentsOf(sense.Neighbor{Radius: x.radius, ID: 1}, sense.Neighbor{Position: x.place, Velocity: x.velocity, Radius: x.radius, ID: 2}),
			directions: []r2.Vec{p.toward, vec.Unit(x.velocity)},
			feet:       []orca.Foot{{Away: xy(0, 1), Distance: vec.Norm(x.place)}, {Away: vec.Unit(x.target), Distance: -x.radius}},
		})
		const rounding = 1 + 1e-14
		if !vec.Finite(p.velocity) || !(vec.Norm(p.velocity) <= m.fastest*rounding+math.SmallestNonzeroFloat64) {
			t.Errorf("%T of %+v: velocity: got=%v, want=at most %v m/s", m.par, x, p.velocity, m.fastest)
		}
		if _, turns := m.par.(c.AnticipationVelocity); turns && !within(vec.Norm(p.turned), 1, 1e-14) {
			t.Errorf("%T of %+v: heading: got=%v, want=a unit vector", m.par, x, p.turned)
		}
	}
}

// systems checks that every model keeps a finite state finite.
func (x meeting) systems(t *testing.T) {
	if !vec.Finite(x.place) || !vec.Finite(x.velocity) || !(x.dt >= 0 && x.dt <= math.MaxFloat64) {
		return
	}
	for _, m := range x.models() {
		s := street(t, x.dt, m.system)
		s.Put(c.Position{Vec: xy(-5, 0.5)}, c.Obstacle{Span: xy(10, 0)})
		var both []ecs.Entity
		for i, at := range []r2.Vec{{}, x.place} {
			both = append(both, s.Put(c.Agent{ID: uint64(i)}, c.Position{Vec: at}, c.Velocity{Vec: vec.Scale(float64(i), x.velocity)}, c.Heading{Vec: xy(1, 0)},
				c.Radius{Meters: x.radius}, c.Mass{Kilograms: x.mass}, c.Target{Vec: x.target}, c.Limits{MaxSpeed: x.speed}, m.par))
		}
		for range 2 {
			s.Step()
			for _, e := range both {
				p, v, h := placeOf(s, e), testkit.ComponentOf[c.Velocity](s, e).Vec, testkit.ComponentOf[c.Heading](s, e).Vec
				if !vec.Finite(p) || !vec.Finite(v) || !vec.Finite(h) || !within(vec.Norm(h), 1, 1e-14) {
					t.Fatalf("%+v among %+v: position, velocity and heading: got=%v, %v, %v, want=finite, and a unit vector", m.par, x, p, v, h)
				}
			}
		}
	}
}
