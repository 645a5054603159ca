package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Pursuit steers each agent at full speed at where its Quarry will be, not where
// it is. With q the quarry's position, w its velocity and T the time that is
// predicted, at most the horizon:
//
//	desired = (q + w·T - p)^ · MaxSpeed; steering = desired - v
//
// While the quarry is not seen the agent does nothing about it, as when it is
// dead: see Track. Put that into the frame, unless the host itself keeps Quarry:
// without either nobody is ever seen, and nothing is said.
//
// Reads Position, Velocity, Quarry, Limits, Pursuit. Adds to Steering.
// Source: Reynolds 1999, "pursuit"; the time of PredictMeeting is ours.
type Pursuit struct {
	Prediction Prediction // for which time

	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	quarry frame.In[c.Quarry]
	limits frame.In[c.Limits]
	pursue frame.In[c.Pursuit]
	steer  frame.Out[c.Steering]
}

func (s *Pursuit) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.quarry, &s.limits, &s.pursue)
	n.Add(&s.steer)
	n.Once()
}

func (s *Pursuit) Run(b *frame.Batch) {
	pos, vel, quarry := s.pos.Of(b), s.vel.Of(b), s.quarry.Of(b)
	limits, par, steer := s.limits.Of(b), s.pursue.Of(b), s.steer.Of(b)
	for i := range pos {
		if !quarry[i].Seen {
			continue
		}
		to := vec.Sub(quarry[i].At, pos[i].Vec)
		e := s.Prediction.pursue(to, vel[i].Vec, quarry[i].Velocity, limits[i].MaxSpeed, par[i].Horizon)
		steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
	}
}

// pursue returns desired velocity minus velocity, in m/s, for a quarry that is at
// to from the agent and has velocity w; -v when the quarry is at the same place.
func (m Prediction) pursue(to, v, w r2.Vec, maxSpeed, horizon float64) r2.Vec {
	return vec.Sub(vec.WithNorm(m.lead(to, v, w, maxSpeed, horizon), maxSpeed), v)
}

var pursuitEntry = catalog.Of(catalog.Entry{
	Name: "pursuit", Text: "steer at where the quarry will be",
	Source: `Reynolds 1999, "pursuit"; the time of PredictMeeting is ours`,
	Needs:  []any{c.Quarry{}, c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(o catalog.Options) any { return &Pursuit{Prediction: settings(o).Prediction} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 80, Laws: catalog.AllLaws,
	Doing: "pursuing", While: frame.While2(func(q *c.Quarry, _ *c.Pursuit) bool { return q.Seen }),
}, func(b *c.Pursuit) []catalog.Param {
	return []catalog.Param{catalog.GainOf(&b.Gain), predicted(&b.Horizon)}
})
