package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/angle"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// SocialForce1995 is the social force model of 1995, the elliptical specification: each agent
// takes on the velocity that it desires, and others and walls repel it.
//
//	dv/dt = (v0·e - v)/RelaxationTime + Σ w·f + Σ fw, |v| ≤ SpeedLimit·v0
//	f  = -∇ Repulsion·exp(-b/Range)
//	b  = ½ √((|r| + |r - y|)² - |y|²)
//	fw = WallRepulsion/WallRange · exp(-d/WallRange), away from the wall
//
// v0 is MaxSpeed, e the direction to the target, r the way to the agent from another one, and y
// the step that the other one does in StepTime: at its speed, in the direction that it
// desires if it has this model, else in that in which it walks. b is the small half-axis
// of an ellipse around that step. The weight w is 1, or WeightBehind if the one who repels, as
// seen against the force, is out of the field of view about e. d is the distance
// between the agent's center and the nearest point of an obstacle.
//
// Who stands exactly on the step of another one is pushed to the right of who faces that one.
// Nobody in the same place repels. Attractions and fluctuations are left out.
//
// It sets Velocity, for neither the limit of force nor that of speed in Limits is in the
// source; forces of other behaviors come on top. It wants Obstacles and Neighbors before
// it in the frame.
//
// Reads Position, Target, Limits, SocialForce1995, the snapshot of agents, Obstacles. Writes
// Velocity.
// Source: Helbing, Molnár, "Social force model for pedestrian dynamics", Physical Review E 51,
// 1995.
type SocialForce1995 struct {
	Obstacles *sense.Obstacles // the snapshot to look into, of a frame that runs before; nil: that of the same frame

	pedestrians[c.SocialForce1995]
}

func (s *SocialForce1995) Needs(n *frame.Needs) {
	s.seeDirections(false)
	s.declare(n, func(p c.SocialForce1995) float64 { return p.NeighborDist }, socialForce1995)
	frame.Before[*Integration](n, "move agents before they have chosen their velocity")
}

// Attach finds the obstacles.
func (s *SocialForce1995) Attach(f *frame.Frame, _ *ecs.World) { s.attach(f, s, s.Obstacles) }

// socialForce1995 sets the velocity of an agent.
func socialForce1995(a *surroundings, par *c.SocialForce1995) {
	force, view := r2.Vec{}, -2. // least cosine
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

// ellipticForce returns by how much an agent is repelled, in m/s², who is away from
// another one that does a step, both in m. With r2 the way to the agent from the end
// of the step, b is √(|r||r2|) times the cosine of half the angle between r and r2, and its gradient
// points along the line in the middle between them.
func ellipticForce(away, step r2.Vec, strength, over float64) r2.Vec {
	end := vec.Sub(away, step)
	r, r2nd := vec.Norm(away), vec.Norm(end)
	middle := vec.Add(vec.Unit(away), vec.Unit(end))
	mean := float64(math.Sqrt(r) * math.Sqrt(r2nd))
	if !(mean > 0) {
		return r2.Vec{}
	}
	twice := vec.Norm(middle) // the cosine of half the angle
	if twice < onStep {
		middle, twice = vec.Left(step), 0
	}
	steep := (r + r2nd) / (2 * mean)
	return vec.WithNorm(middle, float64(strength/over*vec.Exp(-float64(mean*twice/2)/over))*min(steep, mostSteep))
}

const (
	onStep    = 0x1p-40 // so near to the step, as an angle, there is no side
	mostSteep = 0x1p40  // the gradient near to the ends of the step
)

var socialForce1995Entry = catalog.Of(catalog.Entry{
	Name: "social-force-1995", Text: "walk to the target as in the social force model with elliptical repulsion",
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
		catalog.Number("repulsion", &b.Repulsion, "m²/s²", "of the potential of others").Or(2.1),
		rangeOf("range", &b.Range, "that").Or(0.3),
		catalog.Number("step-time", &b.StepTime, "s", "of the step of others, along which the potential is stretched").Or(2.),
		catalog.Number("wall-repulsion", &b.WallRepulsion, "m²/s²", "of the potential of walls").Or(10.),
		rangeOf("wall-range", &b.WallRange, "that").Or(0.2),
		fieldOfView(&b.FieldOfView).Or(angle.Radians(200)),
		catalog.Number("weight-behind", &b.WeightBehind, "", "share that those out of view count").Or(0.5),
		catalog.Number("speed-limit", &b.SpeedLimit, "", "greatest speed, as a multiple of max-speed, which it desires").Or(1.3),
		lookDist(&b.NeighborDist).Or(5.),
	}
})
