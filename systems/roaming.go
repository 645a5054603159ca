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

// Wander steers each agent at full speed toward a point that moves along a circle ahead of the agent. With
// v the velocity, f the course, α the angle of the point on the circle, and g the course turned by α:
//
//	desired = (f·Distance + g·Radius)^ · MaxSpeed; steering = desired - v
//
// The source moves the point by a random step per frame, so the way in which agents wander depends on the
// frame rate. Here, time is divided into slots of 1/Rate, with a different phase for each agent. Seed, agent
// and slot determine an angle, and α changes smoothly from one angle to the next, the shorter way around,
// whatever the step length.
//
// An agent at rest uses its Heading as its course or, without a Heading, goes in the direction α. An agent at
// the point stops.
//
// Reads Velocity, Limits, Wander and, if present, Agent and Heading. Adds to Steering.
//
// Source: Reynolds 1999, "wander"; the time slots are ours.
type Wander struct {
	Seed uint64 // of the random angles

	vel     frame.In[c.Velocity]
	limits  frame.In[c.Limits]
	wander  frame.In[c.Wander]
	agent   frame.In[c.Agent]
	heading frame.In[c.Heading]
	steer   frame.Out[c.Steering]
}

// Uses of frame.HashFloat.
const (
	useWander = 1<<32 + iota
	useWanderPhase
)

func (s *Wander) Needs(n *frame.Needs) {
	n.Read(&s.vel, &s.limits, &s.wander)
	n.Optional(&s.agent, &s.heading)
	n.Add(&s.steer)
	n.Once()
}

func (s *Wander) Run(b *frame.Batch) {
	vel, limits, par, steer := s.vel.Of(b), s.limits.Of(b), s.wander.Of(b), s.steer.Of(b)
	agent, heading := s.agent.Of(b), s.heading.Of(b)
	for i := range vel {
		course := vec.Unit(vel[i].Vec)
		if course == (r2.Vec{}) && heading != nil {
			course = heading[i].Vec
		}
		to := wander(course, wanderAngle(s.Seed, b.ID(agent, i), b.Time, par[i].Rate), par[i].Distance, par[i].Radius)
		e := vec.Sub(vec.WithNorm(to, limits[i].MaxSpeed), vel[i].Vec)
		steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
	}
}

// wander returns the offset from the agent to the point. Without a course, the circle is around the agent.
func wander(course r2.Vec, angle, distance, radius float64) r2.Vec {
	sin, cos := vec.SinCos(angle)
	if course == (r2.Vec{}) {
		return r2.Vec{X: float64(radius * cos), Y: float64(radius * sin)}
	}
	return vec.AddScaled(vec.Scale(distance, course), radius, vec.Rotate(course, cos, sin))
}

func wanderAngle(seed, id uint64, time, rate float64) float64 {
	at := float64(time*rate) + frame.HashFloat(seed, id, 0, useWanderPhase)
	slot := math.Floor(at)
	if !(slot >= 0 && slot < 1<<53) {
		at, slot = 0, 0
	}
	from, to := frame.HashFloat(seed, id, uint64(slot), useWander), frame.HashFloat(seed, id, uint64(slot)+1, useWander)
	turn := to - from // in turns
	if turn > 0.5 {
		turn--
	} else if turn < -0.5 {
		turn++
	}
	f := at - slot
	return 2 * math.Pi * (from + float64(turn*(f*f*(3-float64(2*f)))))
}

var wanderEntry = catalog.Of(catalog.Entry{
	Name: "wander", Text: "steer toward a point that moves on a circle ahead",
	Source: `Reynolds 1999, "wander"; the time slots are ours`,
	Needs:  []any{c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(o catalog.Options) any { return &Wander{Seed: settings(o).Seed} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 150, Doing: "wandering",
	Laws: catalog.AllLaws &^ catalog.Mirror, // draws have no mirror image
}, func(b *c.Wander) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		catalog.Number("distance", &b.Distance, "m", "distance from the agent to the center of the circle"),
		catalog.Number("radius", &b.Radius, "m", "radius of the circle"),
		catalog.Number("rate", &b.Rate, "1/s", "new points on the circle per second"),
	}
})

// WallFollowing steers each agent at full speed along the nearest obstacle, at an offset from it. It predicts
// the agent's position at the end of the horizon or, if earlier, at the first contact with an obstacle. The
// agent aims beside the surface point nearest to that position. With o that point, n the normal there, a the
// direction along the surface that is closer to the agent's course (in a tie, to the right), and p and v the
// agent's position and velocity:
//
//	desired = (o + n·(Offset + body) + a·MaxSpeed·Horizon - p)^ · MaxSpeed; steering = desired - v
//
// WallFollowing adds no force if there is neither a contact nor an obstacle within Range of the predicted
// body.
//
// Faithful selects the source's rule, without the term a·MaxSpeed·Horizon or the test for contact. That rule
// stops an agent that heads straight for a wall, and leads an agent through a thin wall if the predicted
// position is beyond the wall.
//
// Reads Position, Velocity, Limits, WallFollowing, Obstacles and, if present, Radius. Adds to Steering.
//
// Source: Reynolds 1999, "wall following".
type WallFollowing struct {
	Obstacles *sense.Obstacles // of an earlier frame; nil means those of the same frame
	Faithful  bool             // the source's rule

	obstacleReach
	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	limits frame.In[c.Limits]
	follow frame.In[c.WallFollowing]
	radius frame.In[c.Radius]
	steer  frame.Out[c.Steering]
}

func (s *WallFollowing) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.limits, &s.follow)
	n.Optional(&s.radius)
	n.Add(&s.steer)
	n.Scratch(&s.seen)
	n.Once()
}

func (s *WallFollowing) Attach(f *frame.Frame, _ *ecs.World) {
	s.find(f, s, s.Obstacles)
}

func (s *WallFollowing) Run(b *frame.Batch) {
	pos, vel, limits, par := s.pos.Of(b), s.vel.Of(b), s.limits.Of(b), s.follow.Of(b)
	radius, steer, seen := s.radius.Of(b), s.steer.Of(b), s.seen.Of(b)
	for i := range pos {
		p, v, maxSpeed, body := pos[i].Vec, vel[i].Vec, limits[i].MaxSpeed, bodyOf(radius, i)
		horizon := max(par[i].Horizon, 0)
		var wall c.Threat
		ok := false
		if !s.Faithful {
			wall, ok = ahead(s.index(s.Obstacles), p, v, horizon, body, seen)
		}
		if !ok {
			seen.look(par[i].Range)
			if wall, ok = s.index(s.Obstacles).Nearest(vec.AddScaled(p, horizon, v), par[i].Range+body); !ok {
				continue
			}
		}
		along := 0.
		if !s.Faithful {
			along = float64(maxSpeed * horizon)
		}
		to := beside(vec.Sub(wall.Contact, p), wall.Normal, v, par[i].Offset+body, along)
		e := vec.Sub(vec.WithNorm(to, maxSpeed), v)
		steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
	}
}

// beside returns the vector to the point at which the agent aims, given the vector to the surface point.
func beside(to, normal, v r2.Vec, offset, along float64) r2.Vec {
	to = vec.AddScaled(to, offset, normal)
	side := vec.Left(normal) // to the right of an agent that faces the surface
	if vec.Dot(v, side) < 0 {
		along = -along
	}
	return vec.AddScaled(to, along, side)
}

var wallFollowingEntry = catalog.Of(catalog.Entry{
	Name: "wall-following", Text: "move along the nearest obstacle at an offset",
	Source: `Reynolds 1999, "wall following"`,
	Needs:  []any{c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(o catalog.Options) any {
		return &WallFollowing{Obstacles: catalog.Get[*sense.Obstacles](o), Faithful: settings(o).FaithfulWalls}
	}, Phase: catalog.Steer,
	Does: catalog.Steers | catalog.SeesObstacles, Priority: 20, Laws: catalog.AllLaws,
}, func(b *c.WallFollowing) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		catalog.Number("horizon", &b.Horizon, "s", "look-ahead time"),
		catalog.Number("offset", &b.Offset, "m", "distance between the surfaces of the obstacle and the body"),
		catalog.Number("range", &b.Range, "m", "obstacles farther than this from the predicted body are ignored"),
	}
})
