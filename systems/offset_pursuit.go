package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// OffsetPursuit steers each agent at full speed past where its Quarry will be, so
// that it comes near and does not hit it. The point that it steers at is to the
// side of the predicted one, across the agent's own course, by the distance, and
// on the agent's side of it. With f the course, T as for Pursuit and l the part of
// q + w·T - p across f:
//
//	desired = (q + w·T - l^·Distance - p)^ · MaxSpeed; steering = desired - v
//
// The source divides by zero when the quarry is dead ahead: it is passed on the
// right then. An agent at rest faces the predicted point; one that is where it
// should be, abeam of the quarry, goes straight on.
//
// It rests while the quarry is not seen, and so for good if neither Track, in the
// frame, nor the host keeps Quarry.
//
// Reads Position, Velocity, Quarry, Limits, OffsetPursuit. Adds to Steering.
// Source: Reynolds 1999, "offset pursuit".
type OffsetPursuit struct {
	Prediction Prediction // for which time

	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	quarry frame.In[c.Quarry]
	limits frame.In[c.Limits]
	pursue frame.In[c.OffsetPursuit]
	steer  frame.Out[c.Steering]
}

func (s *OffsetPursuit) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.quarry, &s.limits, &s.pursue)
	n.Add(&s.steer)
	n.Once()
}

func (s *OffsetPursuit) Run(b *frame.Batch) {
	pos, vel, quarry := s.pos.Of(b), s.vel.Of(b), s.quarry.Of(b)
	limits, par, steer := s.limits.Of(b), s.pursue.Of(b), s.steer.Of(b)
	for i := range pos {
		if !quarry[i].Seen {
			continue
		}
		to, v, maxSpeed := vec.Sub(quarry[i].At, pos[i].Vec), vel[i].Vec, limits[i].MaxSpeed
		lead := s.Prediction.lead(to, v, quarry[i].Velocity, maxSpeed, par[i].Horizon)
		e := vec.Sub(vec.WithNorm(past(lead, v, par[i].Distance), maxSpeed), v)
		steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
	}
}

// past returns the way to the point at a distance beside another one, which is at
// lead from an agent with velocity v. It is zero only if lead and v are.
func past(lead, v r2.Vec, distance float64) r2.Vec {
	course, left := vec.Unit(v), 0.
	if course == (r2.Vec{}) {
		course = vec.Unit(lead)
	} else {
		left = vec.Cross(course, lead)
	}
	if left < 0 {
		distance = -distance
	}
	if way := vec.AddScaled(lead, distance, vec.Right(course)); way != (r2.Vec{}) {
		return way
	}
	return course
}

var offsetPursuitEntry = catalog.Of(catalog.Entry{
	Name: "offset-pursuit", Text: "steer past where the quarry will be",
	Source: `Reynolds 1999, "offset pursuit"`,
	Needs:  []any{c.Quarry{}, c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(o catalog.Options) any { return &OffsetPursuit{Prediction: settings(o).Prediction} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 90, Laws: catalog.AllLaws,
	Doing: "pursuing", While: frame.While2(func(q *c.Quarry, _ *c.OffsetPursuit) bool { return q.Seen }),
}, func(b *c.OffsetPursuit) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		predicted(&b.Horizon),
		catalog.Number("distance", &b.Distance, "m", "at which it passes"),
	}
})
