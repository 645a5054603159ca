package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Evasion steers each agent at full speed away from where its Pursuer will be,
// while that is within the radius. With q the pursuer's position, w its velocity
// and T the time that is predicted, at most the horizon:
//
//	desired = (p - q - w·T)^ · MaxSpeed; steering = desired - v
//
// While the pursuer is not seen, or too far away, the agent does nothing about
// it; it does not brake. So it does for good if neither Track, in the frame, nor
// the host keeps Pursuer.
//
// Reads Position, Velocity, Pursuer, Limits, Evasion, and Heading if there is
// one. Adds to Steering.
// Source: Reynolds 1999, "evasion"; the time of PredictMeeting is ours.
type Evasion struct {
	Prediction Prediction // for which time

	pos     frame.In[c.Position]
	vel     frame.In[c.Velocity]
	pursuer frame.In[c.Pursuer]
	limits  frame.In[c.Limits]
	evade   frame.In[c.Evasion]
	heading frame.In[c.Heading]
	steer   frame.Out[c.Steering]
}

func (s *Evasion) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.pursuer, &s.limits, &s.evade)
	n.Optional(&s.heading)
	n.Add(&s.steer)
	n.Once()
}

func (s *Evasion) Run(b *frame.Batch) {
	pos, vel, pursuer, limits := s.pos.Of(b), s.vel.Of(b), s.pursuer.Of(b), s.limits.Of(b)
	par, heading, steer := s.evade.Of(b), s.heading.Of(b), s.steer.Of(b)
	for i := range pos {
		if !pursuer[i].Seen || !inZone(pos[i].Vec, pursuer[i].At, par[i].Radius) {
			continue
		}
		to := vec.Sub(pursuer[i].At, pos[i].Vec)
		away := s.Prediction.away(to, vel[i].Vec, pursuer[i].Velocity, limits[i].MaxSpeed, par[i].Horizon)
		if away == (r2.Vec{}) {
			away = facing(vel, heading, i)
		}
		e := flee(away, vel[i].Vec, limits[i].MaxSpeed)
		steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
	}
}

// away returns the way from where a pursuer will be, which is at to from the
// agent now and has velocity w; zero when the pursuer is at the same place.
func (m Prediction) away(to, v, w r2.Vec, maxSpeed, horizon float64) r2.Vec {
	return vec.Scale(-1, m.lead(to, v, w, maxSpeed, horizon))
}

var evasionEntry = catalog.Of(catalog.Entry{
	Name: "evasion", Text: "steer away from where the pursuer will be",
	Source: `Reynolds 1999, "evasion"; the time of PredictMeeting is ours`,
	Needs:  []any{c.Pursuer{}, c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(o catalog.Options) any { return &Evasion{Prediction: settings(o).Prediction} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 60, Laws: catalog.AllLaws,
	Doing: "fleeing", While: frame.While3(func(p *c.Position, from *c.Pursuer, b *c.Evasion) bool {
		return from.Seen && inZone(p.Vec, from.At, b.Radius)
	}),
}, func(b *c.Evasion) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		predicted(&b.Horizon),
		catalog.Number("radius", &b.Radius, "m", "it evades while the pursuer is within this distance; 0: everywhere").Or(0.),
	}
})
