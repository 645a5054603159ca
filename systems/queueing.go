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

// Queueing brakes each agent behind slower neighbors in a box straight ahead, except oncoming ones. So crowds
// line up at doors. The neighbor that allows the lowest speed determines the force. With v the agent's
// velocity, g the gap between the two bodies, and w the neighbor's speed along the agent's course:
//
//	desired = v^ · min(|v|, w + g/Horizon); steering = desired - v
//
// Queueing never accelerates an agent. If forces are summed, Queueing stops an agent only with a gain several
// times that of the driving behavior; if forces are combined by priority, put Queueing first.
//
// Queueing needs Neighbors in its frame.
//
// Reads Velocity, Queueing, and what Neighbors reads. Adds to Steering.
//
// Source: Reynolds 1999, "queuing"; the amount of braking is ours.
type Queueing struct {
	near  sense.Query[c.Queueing, float64]
	vel   frame.In[c.Velocity]
	par   frame.In[c.Queueing]
	steer frame.Out[c.Steering]
}

func (s *Queueing) Needs(n *frame.Needs) {
	n.Read(&s.vel, &s.par)
	n.Add(&s.steer)
	s.near.Ask(n, func(p c.Queueing) sense.Look {
		if !(p.Horizon > 0) || !(p.Width > 0) {
			return sense.Look{}
		}
		return sense.Look{NeighborDist: p.NeighborDist}
	}, func(h *sense.Neighborhood, p c.Queueing) float64 {
		return tooFast(h.Agents(), h.Index, h.Indexes(), p.Horizon, p.Width)
	})
	n.Once()
}

func (s *Queueing) Run(b *frame.Batch) {
	vel, par, steer := s.vel.Of(b), s.par.Of(b), s.steer.Of(b)
	for i, less := range s.near.Of(b) {
		if less > 0 {
			steer[i].Vec = vec.AddScaled(steer[i].Vec, -float64(par[i].Gain*less), vec.Unit(vel[i].Vec))
		}
	}
}

// tooFast returns by how much, in m/s, the agent exceeds the speed that the agents ahead allow, or 0.
func tooFast(agents *sense.Agents, place uint32, others []uint32, horizon, width float64) (less float64) {
	position, v := agents.Position(place), agents.Velocity(place)
	speed, course := vec.Norm(v), vec.Unit(v)
	for _, i := range others {
		to := vec.Sub(agents.Position(i), position)
		ahead, along := vec.Dot(to, course), vec.Dot(agents.Velocity(i), course)
		if !(ahead > 0) || math.Abs(vec.Cross(course, to)) > float64(width/2) || along < 0 || along >= speed {
			continue
		}
		gap := max(vec.Norm(to)-agents.Radius[place]-agents.Radius[i], 0)
		less = max(less, speed-along-float64(gap/horizon))
	}
	return less
}

var queueingEntry = catalog.Of(catalog.Entry{
	Name: "queueing", Text: "brake behind slower neighbors that are not oncoming",
	Source: `Reynolds 1999, "queuing"; the amount of braking is ours`,
	Adds:   []any{c.Steering{}},
	System: func(catalog.Options) any { return &Queueing{} }, Phase: catalog.Steer,
	Does: catalog.Steers | catalog.SeesAgents, Priority: 45, Laws: catalog.AllLaws,
}, func(b *c.Queueing) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		catalog.Number("horizon", &b.Horizon, "s", "minimum time to close the gap to agents ahead").InFile(catalog.AboveZero),
		neighborDist(&b.NeighborDist),
		catalog.Number("width", &b.Width, "m", "width of the box ahead").InFile(catalog.AboveZero),
	}
})

// LeaderFollowing steers each agent to a point behind its leader, where the agent slows down. An agent in a
// box ahead of the leader gets out of the way at full speed instead. With L and f the leader's position and
// course, l the direction to the left of f, and v the agent's velocity:
//
//	desired = ±l · MaxSpeed in the box, on the agent's side (left if the agent is straight ahead), and
//	desired = arrival at L - f·Distance elsewhere; steering = desired - v
//
// Around a leader at rest, agents stand at Distance from it, each on its own side. Add Separation to keep
// them apart.
//
// LeaderFollowing needs no Track. It adds no force while the leader is unseen.
//
// Reads Position, Velocity, Limits, and the leader's Position and Velocity. Writes LeaderFollowing. Adds to
// Steering.
//
// Source: Reynolds 1999, "leader following".
type LeaderFollowing struct {
	leader tracking[c.LeaderFollowing]
	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	limits frame.In[c.Limits]
	par    frame.In[c.LeaderFollowing]
	steer  frame.Out[c.Steering]
}

func (s *LeaderFollowing) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.limits, &s.par)
	n.Add(&s.steer)
	n.Once()
}

func (s *LeaderFollowing) Attach(f *frame.Frame, w *ecs.World) {
	s.leader.attach(f, w, func(b *c.LeaderFollowing, t *tracker) { b.Leader = t.track(b.Leader) })
}

func (s *LeaderFollowing) Detach(w *ecs.World) { s.leader.detach(w) }

func (s *LeaderFollowing) Sense(w *ecs.World) { s.leader.sense(w) }

func (s *LeaderFollowing) Run(b *frame.Batch) {
	pos, vel, limits, par, steer := s.pos.Of(b), s.vel.Of(b), s.limits.Of(b), s.par.Of(b), s.steer.Of(b)
	for i := range pos {
		p := &par[i]
		if !p.Leader.Seen {
			continue
		}
		to, course := vec.Sub(p.Leader.At, pos[i].Vec), vec.Unit(p.Leader.Velocity)
		e, inTheWay := clearTheWay(to, course, vel[i].Vec, limits[i].MaxSpeed, p.Length, p.Width)
		if !inTheWay {
			to = behind(to, course, p.Distance)
			e = arrive(to, vec.Norm(to), vel[i].Vec, limits[i].MaxSpeed, p.SlowingRadius)
		}
		steer[i].Vec = vec.AddScaled(steer[i].Vec, p.Gain, e)
	}
}

// clearTheWay reports whether an agent is in the box ahead of its leader. If so, e is the desired velocity
// minus v.
func clearTheWay(to, course, v r2.Vec, maxSpeed, length, width float64) (e r2.Vec, inTheWay bool) {
	ahead, left := -vec.Dot(to, course), -vec.Cross(course, to)
	if !(ahead > 0 && ahead <= length && math.Abs(left) <= float64(width/2)) {
		return r2.Vec{}, false
	}
	side := vec.Left(course)
	if left < 0 {
		side = vec.Right(course)
	}
	return vec.Sub(vec.Scale(maxSpeed, side), v), true
}

// behind returns the offset from an agent to the point behind its leader. A leader at rest counts as going
// away from the agent.
func behind(to, course r2.Vec, distance float64) r2.Vec {
	if course == (r2.Vec{}) {
		course = vec.Unit(to)
	}
	return vec.AddScaled(to, -distance, course)
}

var leaderFollowingEntry = catalog.Of(catalog.Entry{
	Name: "leader-following", Text: "go to a point behind a leader, and keep out of its way",
	Source: `Reynolds 1999, "leader following"`,
	Needs:  []any{c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(catalog.Options) any { return &LeaderFollowing{} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 92, Laws: catalog.AllLaws,
	Doing: "following a leader", While: frame.While1(func(b *c.LeaderFollowing) bool { return b.Leader.Seen }),
	Check: func(b any) (string, string) { return checkTracked("leader ", &b.(*c.LeaderFollowing).Leader) },
}, func(b *c.LeaderFollowing) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		catalog.Entity("leader", &b.Leader.Entity, "entity to follow: \"pointer\", or the name of a group"),
		catalog.Number("distance", &b.Distance, "m", "from the leader to the point behind it"),
		catalog.Number("length", &b.Length, "m", "length of the box ahead of the leader that is kept clear; 0 means no box").Or(0.),
		catalog.Number("width", &b.Width, "m", "width of that box").Or(0.),
		slowingRadius(&b.SlowingRadius),
	}
})
