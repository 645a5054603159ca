package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// SocialForce1995 implements the social force model of 1995, in the elliptical specification: each agent
// relaxes to its desired velocity, and other agents and walls repel it.
//
//	dv/dt = (v0·e - v)/RelaxationTime + Σ w·f + Σ fw, |v| ≤ SpeedLimit·v0
//	f  = -∇ Repulsion·exp(-b/Range)
//	b  = ½ √((|r| + |r - y|)² - |y|²)
//	fw = WallRepulsion/WallRange · exp(-d/WallRange), away from the wall
//
// v0 is MaxSpeed (less in the first term if a step would pass the target), e the direction to the target, r
// the offset from another agent, and y the other's step in StepTime at its speed. The step is in the other's
// desired direction or, if the other lacks this model, in the direction of its velocity. b is the semi-minor
// axis of an ellipse around the step. w is 1, or WeightBehind if the direction opposite to f is outside the
// field of view around e. d is the distance between the agent's center and the nearest point of an obstacle.
//
// An agent exactly on the step of another is pushed to its own right as it faces that agent; at either end
// of the step, there is no force. Attractions and fluctuations are omitted.
//
// SocialForce1995 sets Velocity; forces of other behaviors are added. It needs Neighbors in its frame.
//
// Reads Position, Target, Limits, SocialForce1995, Obstacles, and what Neighbors reads. Writes Velocity.
//
// Source: Helbing, Molnár, "Social force model for pedestrian dynamics", Physical Review E 51, 1995.
type SocialForce1995 struct {
	Obstacles *sense.Obstacles // of an earlier frame; nil means those of the same frame

	pedestrians[c.SocialForce1995]
}

func (s *SocialForce1995) Needs(n *frame.Needs) {
	s.seeDirections(false)
	s.declare(n, func(p c.SocialForce1995) float64 { return p.NeighborDist }, socialForce1995)
	frame.Before[*Integration](n, "move agents before they have chosen their velocity")
}

func (s *SocialForce1995) Attach(f *frame.Frame, _ *ecs.World) { s.attach(f, s, s.Obstacles) }

func socialForce1995(a *surroundings, par *c.SocialForce1995) {
	force, view := r2.Vec{}, -2. // minimum cosine
	if par.FieldOfView > 0 && par.FieldOfView < 2*math.Pi && a.toward != (r2.Vec{}) {
		_, view = vec.SinCos(par.FieldOfView / 2)
	}
	for _, i := range a.others {
		step := vec.Scale(float64(par.StepTime*vec.Norm(a.agents.Velocity(i))), a.course(i))
		f := ellipticForce(vec.Sub(a.place, a.agents.Position(i)), step, par.Repulsion, par.Range)
		weight := 1.
		if -vec.Dot(a.toward, f) < float64(view*vec.Norm(f)) {
			weight = par.WeightBehind
		}
		force = vec.AddScaled(force, weight, f)
	}
	for _, f := range a.feet {
		force = vec.AddScaled(force, repulsion(par.WallRepulsion/par.WallRange, f.Distance, par.WallRange), f.Away)
	}
	v := relaxed(a.moving, vec.Scale(a.speed, a.toward), force, par.RelaxationTime, a.clock.Dt)
	a.velocity = vec.Truncate(v, float64(par.SpeedLimit*a.maxSpeed))
}

// ellipticForce returns the repulsion, in m/s², on an agent by another agent that makes a step. The parameter
// away is the offset from the other agent. With r and s the offsets from the start and the end of the step, b
// is √(|r||s|) times the cosine of half the angle between r and s, and its gradient bisects that angle. The
// result is zero at both ends of the step.
func ellipticForce(away, step r2.Vec, strength, over float64) r2.Vec {
	end := vec.Sub(away, step)
	r, r2nd := vec.Norm(away), vec.Norm(end)
	middle := vec.Add(vec.Unit(away), vec.Unit(end))
	mean := float64(math.Sqrt(r) * math.Sqrt(r2nd))
	if !(mean > 0) {
		return r2.Vec{}
	}
	twice := vec.Norm(middle) // twice the cosine of half the angle
	if twice < onStep {
		middle, twice = vec.Left(step), 0
	}
	steep := (r + r2nd) / (2 * mean)
	return vec.WithNorm(middle, float64(strength/over*vec.Exp(-float64(mean*twice/2)/over))*min(steep, mostSteep))
}

const (
	onStep    = 0x1p-40 // twice the cosine of half the angle, below which the agent is on the step
	mostSteep = 0x1p40  // maximum gradient of b, near the ends of the step
)

var socialForce1995Entry = catalog.Of(catalog.Entry{
	Name: "social-force-1995", Text: "walk to the target according to the social force model with elliptical repulsion",
	Source: `Helbing, Molnár, "Social force model for pedestrian dynamics", 1995`,
	Needs:  []any{c.Target{}, c.Limits{}},
	System: func(o catalog.Options) any {
		return &SocialForce1995{Obstacles: catalog.Get[*sense.Obstacles](o)}
	},
	Phase: catalog.Choose, Does: catalog.SetsVelocity | catalog.SeesAgents | catalog.SeesObstacles, Laws: catalog.AllLaws,
	Doing: "walking",
}, func(b *c.SocialForce1995) []catalog.Param {
	return []catalog.Param{
		relaxationTime(&b.RelaxationTime),
		catalog.Number("repulsion", &b.Repulsion, "m²/s²", "strength of the potential of other agents").Or(2.1),
		rangeOf("range", &b.Range).Or(0.3),
		catalog.Number("step-time", &b.StepTime, "s", "time of the other agents' step, along which the potential is stretched").Or(2.),
		catalog.Number("wall-repulsion", &b.WallRepulsion, "m²/s²", "strength of the potential of walls").Or(10.),
		rangeOf("wall-range", &b.WallRange).Or(0.2),
		fieldOfView(&b.FieldOfView).Or(vec.Radians(200)),
		catalog.Number("weight-behind", &b.WeightBehind, "", "weight of agents out of view").Or(0.5),
		catalog.Number("speed-limit", &b.SpeedLimit, "", "maximum speed, as a multiple of max-speed").Or(1.3),
		lookDist(&b.NeighborDist).Or(5.),
	}
})

// SocialForce2000 implements the social force model of 2000, in the circular specification: each agent
// relaxes to its desired velocity, and other agents and walls repel it. Those that it touches also push it
// and rub against it.
//
//	m dv/dt = m (v0·e - v)/RelaxationTime + Σ f + Σ fw
//	f = (Repulsion·exp((R - d)/Range) + BodyForce·g) n + Friction·g (Δv·t) t
//
// m is the mass, v0 MaxSpeed (less if a step would pass the target), e the direction to the target, R the
// sum of both radii, d the distance between centers, g = max(0, R - d), n the direction away from the other
// agent, t perpendicular to n, and Δv the other agent's velocity minus the agent's. fw is the same force
// for the nearest point of an obstacle, which has no radius and no velocity.
//
// Friction and relaxation use the velocity after the step. No agent moves by more than its radius in a step,
// unless MaxSpeed allows more. The stiff body force needs steps of 0.01 s or less; in steps above 0.001 s,
// bodies under high pressure rub less than in the source. Agents at the same position do not repel each
// other.
//
// SocialForce2000 sets Velocity; forces of other behaviors are added. It needs Neighbors in its frame.
//
// Reads Position, Target, Limits, SocialForce2000, Obstacles, what Neighbors reads, and Mass if present.
// Writes Velocity.
//
// Source: Helbing, Farkas, Vicsek, "Simulating dynamical features of escape panic", Nature 407, 2000.
type SocialForce2000 struct {
	Obstacles *sense.Obstacles // of an earlier frame; nil means those of the same frame

	pedestrians[c.SocialForce2000]
}

func (s *SocialForce2000) Needs(n *frame.Needs) {
	s.declare(n, func(p c.SocialForce2000) float64 { return p.NeighborDist }, socialForce2000)
	frame.Before[*Integration](n, "move agents before they have chosen their velocity")
}

func (s *SocialForce2000) Attach(f *frame.Frame, _ *ecs.World) { s.attach(f, s, s.Obstacles) }

func socialForce2000(a *surroundings, par *c.SocialForce2000) {
	var all contact
	for _, i := range a.others {
		to, d := a.to(i)
		all.add(vec.Scale(-1, to), a.radius+a.agents.Radius[i]-d, a.agents.Velocity(i), par)
	}
	for _, f := range a.feet {
		all.add(f.Away, a.radius-f.Distance, r2.Vec{}, par)
	}
	v := all.velocity(a.moving, vec.Scale(a.speed, a.toward), a.mass, par.RelaxationTime, a.clock.Dt)
	a.velocity = vec.Truncate(v, max(a.maxSpeed, a.radius/a.clock.Dt))
}

// contact is the force that other bodies exert on an agent with velocity v: push + carried - rub·v.
type contact struct {
	push       r2.Vec  // N, along the line between centers
	carried    r2.Vec  // N, friction by moving agents if v is 0
	xx, xy, yy float64 // kg/s, the matrix rub
}

// add adds the force of a body that overlaps the agent by depth, in m; a negative depth means a gap.
func (f *contact) add(away r2.Vec, depth float64, velocity r2.Vec, par *c.SocialForce2000) {
	force := repulsion(par.Repulsion, -depth, par.Range)
	if depth > 0 {
		force += float64(par.BodyForce * depth)
		rub, t := float64(par.Friction*depth), vec.Left(away)
		f.carried = vec.AddScaled(f.carried, float64(rub*vec.Dot(velocity, t)), t)
		f.xx += float64(rub * float64(t.X*t.X))
		f.xy += float64(rub * float64(t.X*t.Y))
		f.yy += float64(rub * float64(t.Y*t.Y))
	}
	f.push = vec.AddScaled(f.push, force, away)
}

// velocity returns the solution v' of m (v' - v)/dt = m (desired - v')/τ + push + carried - rub·v', where τ
// is relaxation, in s.
func (f *contact) velocity(v, desired r2.Vec, mass, relaxation, dt float64) r2.Vec {
	share, impulse := dt/relaxation, dt/mass
	v = vec.AddScaled(vec.AddScaled(v, share, desired), impulse, vec.Add(f.push, f.carried))
	xx, xy, yy := 1+share+float64(impulse*f.xx), float64(impulse*f.xy), 1+share+float64(impulse*f.yy)
	det := max(float64(xx*yy)-float64(xy*xy), float64((1+share)*max(xx, yy))) // never below the lower bound, despite rounding
	return r2.Vec{
		X: (float64(yy*v.X) - float64(xy*v.Y)) / det,
		Y: (float64(xx*v.Y) - float64(xy*v.X)) / det,
	}
}

var socialForce2000Entry = catalog.Of(catalog.Entry{
	Name: "social-force-2000", Text: "walk to the target according to the social force model with bodies that push and rub",
	Source: `Helbing, Farkas, Vicsek, "Simulating dynamical features of escape panic", 2000`,
	Needs:  []any{c.Target{}, c.Limits{}}, Adds: []any{c.Mass{Kilograms: 80}},
	System: func(o catalog.Options) any {
		return &SocialForce2000{Obstacles: catalog.Get[*sense.Obstacles](o)}
	},
	Phase: catalog.Choose, Does: catalog.SetsVelocity | catalog.SeesAgents | catalog.SeesObstacles, Laws: catalog.AllLaws,
	MaxDt: 0.01,
	Doing: "walking",
}, func(b *c.SocialForce2000) []catalog.Param {
	return []catalog.Param{
		relaxationTime(&b.RelaxationTime),
		catalog.Number("repulsion", &b.Repulsion, "N", "repulsion at contact").Or(2e3),
		rangeOf("range", &b.Range).Or(0.08),
		catalog.Number("body-force", &b.BodyForce, "kg/s²", "resistance to compression").Or(1.2e5),
		catalog.Number("friction", &b.Friction, "kg/(m·s)", "friction between sliding bodies").Or(2.4e5),
		lookDist(&b.NeighborDist).Or(2.),
	}
})
