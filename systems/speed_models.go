package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// CollisionFreeSpeed implements the collision-free speed model: each agent chooses a direction, and then the
// speed that the gap ahead allows.
//
//	e = (e0 - Σ Repulsion·exp((l - s)/Range)·n - Σ WallRepulsion·exp((r - d)/WallRange)·nw)^
//	v = max(0, min(v0, (s - l)/TimeGap)) e, with the minimum s - l of the agents ahead
//
// v0 is MaxSpeed (less if a step would pass the target), e0 the direction to the target, s the distance
// between centers, l the sum of both radii, n the direction to the other agent, r the agent's radius, d the
// distance between the agent's center and the nearest point of an obstacle, and nw the direction to that
// point. Another agent is ahead if the angle between n and e is at most a right angle and its center is at
// most l from the line through the agent along e. The nearest point of an obstacle counts as an agent without
// a body.
//
// The model keeps bodies apart if steps exceed neither TimeGap/2 nor l·(√2 - 1)/(√2·v0), and needs steps of
// 0.01 s or less. An agent with e = 0 stands still. Agents at the same position do not count.
//
// CollisionFreeSpeed needs Neighbors in its frame.
//
// Reads Position, Target, Limits, CollisionFreeSpeed, Obstacles, and what Neighbors reads. Writes Velocity.
//
// Source: Tordeux, Chraibi, Seyfried, "Collision-free speed model for pedestrian dynamics", 2016; walls:
// Xu, Chraibi, Tordeux, Zhang, "Generalized collision-free velocity model for pedestrian dynamics", 2019.
type CollisionFreeSpeed struct {
	Obstacles *sense.Obstacles // of an earlier frame; nil means those of the same frame

	pedestrians[c.CollisionFreeSpeed]
}

func (s *CollisionFreeSpeed) Needs(n *frame.Needs) {
	s.declare(n, func(p c.CollisionFreeSpeed) float64 { return p.NeighborDist }, collisionFreeSpeed)
	frame.Before[*Integration](n, "move agents before they have chosen their velocity")
}

func (s *CollisionFreeSpeed) Attach(f *frame.Frame, _ *ecs.World) { s.attach(f, s, s.Obstacles) }

func collisionFreeSpeed(a *surroundings, par *c.CollisionFreeSpeed) {
	course := a.toward
	for _, i := range a.others {
		to, d := a.to(i)
		course = vec.AddScaled(course, -repulsion(par.Repulsion, d-a.radius-a.agents.Radius[i], par.Range), to)
	}
	course = vec.Unit(a.awayFromWalls(course, par.WallRepulsion, par.WallRange))
	a.velocity = vec.Scale(speedOf(a.spacing(course), par.TimeGap, a.speed), course)
}

var collisionFreeSpeedEntry = catalog.Of(catalog.Entry{
	Name: "collision-free-speed", Text: "walk to the target according to the collision-free speed model",
	Source: `Tordeux, Chraibi, Seyfried, "Collision-free speed model for pedestrian dynamics", 2016; walls: Xu, Chraibi, Tordeux, Zhang 2019`,
	Needs:  []any{c.Target{}, c.Limits{}},
	System: func(o catalog.Options) any {
		return &CollisionFreeSpeed{Obstacles: catalog.Get[*sense.Obstacles](o)}
	},
	Phase: catalog.Choose, Does: catalog.SetsVelocity | catalog.SeesAgents | catalog.SeesObstacles, Laws: catalog.AllLaws,
	MaxDt: 0.01,
	Doing: "walking",
}, func(b *c.CollisionFreeSpeed) []catalog.Param {
	return []catalog.Param{
		timeGap(&b.TimeGap).Or(1.),
		onDirection("repulsion", &b.Repulsion, "other agents").Or(5.),
		rangeOf("range", &b.Range).Or(0.1),
		onDirection("wall-repulsion", &b.WallRepulsion, "walls").Or(6.),
		rangeOf("wall-range", &b.WallRange).Or(0.05),
		lookDist(&b.NeighborDist).Or(3.),
	}
})

// AnticipationVelocity implements the anticipation velocity model: each agent turns away from the predicted
// positions of other agents, and walks as fast as the gap ahead allows.
//
//	desired = (e0 + Σ R·n + Σ WallRepulsion·exp((r - d)/WallRange)·nw)^
//	R  = Repulsion·(1 + (1 - e0·ej)/2)·exp(-max(0, s - l + (vj - v)·u·AnticipationTime)/Range)
//	de/dt = (desired - e)/ReactionTime
//
// e0 is the direction to the target, e the Heading, v the Velocity, s the distance between centers, l the sum
// of both radii, u the direction to the other agent, and ej and vj its heading and velocity. Only agents with
// e·u > 0 or e0·u > 0 count. n is at right angles to e0, away from the side on which the other agent will be
// after AnticipationTime, as seen from the agent's present position. If the other agent will be straight
// ahead or behind, a hash of the seed, agent and tick chooses the side. r and d are as for
// CollisionFreeSpeed, and nw is the direction from the nearest point of an obstacle. If e and desired are on
// different sides of the line at right angles to e0, the agent turns at once. The speed is that of
// CollisionFreeSpeed in the new direction.
//
// Agents without this model count as facing the direction of their velocity. Agents at the same position do
// not count. AnticipationVelocity needs steps of 0.01 s or less, and Neighbors in its frame.
//
// Reads Position, Target, Limits, AnticipationVelocity, Obstacles, and what Neighbors reads. Writes
// Velocity and Heading.
//
// Source: Xu, Chraibi, Seyfried, "Anticipation in a velocity-based model for pedestrian dynamics",
// Transportation Research Part C 133, 2021; walls as in CollisionFreeSpeed; the immediate turn as in the
// authors' program, JuPedSim.
type AnticipationVelocity struct {
	Obstacles *sense.Obstacles // of an earlier frame; nil means those of the same frame
	Seed      uint64           // of the random choices of sides

	pedestrians[c.AnticipationVelocity]
	heading frame.Out[c.Heading]
}

const useEvasion = 3 << 32 // use of frame.HashFloat

func (s *AnticipationVelocity) Needs(n *frame.Needs) {
	n.Write(&s.heading)
	s.seeDirections(true)
	s.declare(n, func(p c.AnticipationVelocity) float64 { return p.NeighborDist }, s.choose)
	frame.Before[*Integration](n, "move agents before they have chosen their velocity")
}

func (s *AnticipationVelocity) Attach(f *frame.Frame, _ *ecs.World) { s.attach(f, s, s.Obstacles) }

func (s *AnticipationVelocity) Run(b *frame.Batch) { s.take(b, s.heading.Of(b)) }

func (s *AnticipationVelocity) choose(a *surroundings, par *c.AnticipationVelocity) {
	desired := a.toward
	for _, i := range a.others {
		to, d := a.to(i)
		if !(vec.Dot(a.heading, to) > 0 || vec.Dot(a.toward, to) > 0) {
			continue
		}
		other := a.agents.Velocity(i)
		gap := anticipatedGap(to, d-a.radius-a.agents.Radius[i], vec.Sub(other, a.moving), par.AnticipationTime)
		strength := repulsion(par.Repulsion*(1+float64((1-vec.Dot(a.toward, a.course(i)))/2)), gap, par.Range)
		side := vec.Cross(a.toward, vec.AddScaled(vec.Scale(d, to), par.AnticipationTime, other))
		if side == 0 {
			side = frame.HashFloat(s.Seed, a.agents.ID[a.self], a.clock.Tick, useEvasion) - 0.5
		}
		if side > 0 {
			strength = -strength
		}
		desired = vec.AddScaled(desired, strength, vec.Left(a.toward))
	}
	desired = vec.Unit(a.awayFromWalls(desired, par.WallRepulsion, par.WallRange))
	a.turned = turned(a.heading, desired, a.toward, vec.Decay(a.clock.Dt/par.ReactionTime))
	a.velocity = vec.Scale(speedOf(a.spacing(a.turned), par.TimeGap, a.speed), a.turned)
}

func anticipatedGap(to r2.Vec, gap float64, relative r2.Vec, time float64) float64 {
	return max(0, gap+float64(vec.Dot(relative, to)*time))
}

// turned returns the heading, turned by a share toward the desired direction. It returns the desired
// direction if one of the two leads toward the target and the other away, and the heading if the desired
// direction is zero.
func turned(heading, desired, toward r2.Vec, share float64) r2.Vec {
	if desired == (r2.Vec{}) {
		return heading
	}
	if vec.Dot(toward, desired)*vec.Dot(toward, heading) < 0 {
		return desired
	}
	if e := vec.Unit(vec.AddScaled(heading, share, vec.Sub(desired, heading))); e != (r2.Vec{}) {
		return e
	}
	return desired
}

var anticipationVelocityEntry = catalog.Of(catalog.Entry{
	Name: "anticipation-velocity", Text: "walk to the target according to the anticipation velocity model",
	Source: `Xu, Chraibi, Seyfried, "Anticipation in a velocity-based model for pedestrian dynamics", 2021`,
	Needs:  []any{c.Target{}, c.Limits{}}, Adds: []any{eastward},
	System: func(o catalog.Options) any {
		return &AnticipationVelocity{Obstacles: catalog.Get[*sense.Obstacles](o), Seed: settings(o).Seed}
	},
	Phase: catalog.Choose, Does: catalog.SetsVelocity | catalog.Turns | catalog.SeesAgents | catalog.SeesObstacles, Laws: catalog.AllLaws,
	MaxDt: 0.01,
	Doing: "walking",
}, func(b *c.AnticipationVelocity) []catalog.Param {
	return []catalog.Param{
		timeGap(&b.TimeGap).Or(1.06),
		onDirection("repulsion", &b.Repulsion, "other agents").Or(3.),
		rangeOf("range", &b.Range).Or(0.1),
		onDirection("wall-repulsion", &b.WallRepulsion, "walls").Or(6.),
		rangeOf("wall-range", &b.WallRange).Or(0.05),
		catalog.Number("anticipation-time", &b.AnticipationTime, "s", "how far ahead others are predicted").Or(1.),
		catalog.Number("reaction-time", &b.ReactionTime, "s", "time constant of the turn to the desired direction").Within(catalog.AboveZero).Or(0.3),
		lookDist(&b.NeighborDist).Or(5.),
	}
})
