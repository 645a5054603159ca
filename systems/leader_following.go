package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// LeaderFollowing steers each agent to a point behind its leader, where it arrives, or, if it
// is in a box ahead of the leader, out of the leader's way at full speed. With L the position
// of the leader, f its course and l the direction to the left of that:
//
//	desired = ±l · MaxSpeed in the box, on the side where the agent is, and
//	desired = arrival at L - f·Distance elsewhere; steering = desired - v
//
// Around a leader that is at rest the agents stand at the distance, each on its side. That they
// do not crowd is for Separation.
//
// It keeps the leader up to date itself. While it is not seen, as when it is dead, the agent
// does nothing about it.
//
// Reads Position, Velocity, Limits, and Position and Velocity of the leader. Writes
// LeaderFollowing. Adds to Steering.
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

// Attach registers the walk over the agents.
func (s *LeaderFollowing) Attach(f *frame.Frame, w *ecs.World) {
	s.leader.attach(f, w, func(b *c.LeaderFollowing, t *tracker) { b.Leader = t.track(b.Leader) })
}

// Detach gives back what Attach took.
func (s *LeaderFollowing) Detach(w *ecs.World) { s.leader.detach(w) }

// Sense copies positions and velocities.
func (s *LeaderFollowing) Sense(w *ecs.World) { s.leader.sense(w) }

func (s *LeaderFollowing) Run(b *frame.Batch) {
	pos, vel, limits, par, steer := s.pos.Of(b), s.vel.Of(b), s.limits.Of(b), s.par.Of(b), s.steer.Of(b)
	for i := range pos {
		p := &par[i]
		if !p.Leader.Seen {
			continue
		}
		to, course := vec.Sub(p.Leader.At, pos[i].Vec), vec.Unit(p.Leader.Velocity)
		e := clearTheWay(to, course, vel[i].Vec, limits[i].MaxSpeed, p.Length, p.Width)
		if e == (r2.Vec{}) {
			to = behind(to, course, p.Distance)
			e = arrive(to, vec.Norm(to), vel[i].Vec, limits[i].MaxSpeed, p.SlowingRadius)
		}
		steer[i].Vec = vec.AddScaled(steer[i].Vec, p.Gain, e)
	}
}

// clearTheWay returns desired velocity minus velocity of an agent that is in the box ahead of
// its leader, which is at to from there; zero if it is not in it.
func clearTheWay(to, course, v r2.Vec, maxSpeed, length, width float64) r2.Vec {
	ahead, left := -vec.Dot(to, course), -vec.Cross(course, to)
	if !(ahead > 0 && ahead <= length && math.Abs(left) <= float64(width/2)) {
		return r2.Vec{}
	}
	side := vec.Left(course)
	if left < 0 {
		side = vec.Right(course)
	}
	return vec.Sub(vec.Scale(maxSpeed, side), v)
}

// behind returns the way to the point at a distance behind a leader that is at to from there.
func behind(to, course r2.Vec, distance float64) r2.Vec {
	if course == (r2.Vec{}) {
		course = vec.Unit(to)
	}
	return vec.AddScaled(to, -distance, course)
}

var leaderFollowingEntry = catalog.Of(catalog.Entry{
	Name: "leader-following", Text: "go to a point behind a leader, and make way for it",
	Source: `Reynolds 1999, "leader following"`,
	Needs:  []any{c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(catalog.Options) any { return &LeaderFollowing{} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 92, Laws: catalog.AllLaws,
	Doing: "following a leader", While: frame.While1(func(b *c.LeaderFollowing) bool { return b.Leader.Seen }),
	Check: func(b any) (string, string) {
		key, problem := checkTracked(&b.(*c.LeaderFollowing).Leader)
		return "leader " + key, problem
	},
}, func(b *c.LeaderFollowing) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		catalog.Whom("leader", &b.Leader.Entity, "whom it follows: \"pointer\", or the name of a group"),
		catalog.Number("distance", &b.Distance, "m", "from the leader to the point behind it"),
		catalog.Number("length", &b.Length, "m", "of the box ahead of the leader that is kept clear; 0: none").Or(0.),
		catalog.Number("width", &b.Width, "m", "of that box").Or(0.),
		slowingRadius(&b.SlowingRadius),
	}
})
