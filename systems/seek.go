package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Seek steers each agent straight at its Target at full speed. It passes the
// target and comes back, for ever; Arrival stops there.
//
// Reads Position, Velocity, Target, Limits, Seek. Adds to Steering.
// Source: Reynolds 1999, "seek".
type Seek struct {
	pos    In[c.Position]
	vel    In[c.Velocity]
	target In[c.Target]
	limits In[c.Limits]
	seek   In[c.Seek]
	steer  Out[c.Steering]
}

func (s *Seek) Needs(n *Needs) {
	n.Read(&s.pos, &s.vel, &s.target, &s.limits, &s.seek)
	n.Write(&s.steer)
}

func (s *Seek) Run(b *Batch) {
	pos, vel, target := s.pos.Of(b), s.vel.Of(b), s.target.Of(b)
	limits, par, steer := s.limits.Of(b), s.seek.Of(b), s.steer.Of(b)
	for i := range pos {
		e := seek(pos[i].Vec, vel[i].Vec, target[i].Vec, limits[i].MaxSpeed)
		steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
	}
}

// seek returns desired velocity minus velocity, in m/s; -v when p is at the
// target (A1).
func seek(p, v, target r2.Vec, maxSpeed float64) r2.Vec {
	return vec.Sub(vec.WithNorm(vec.Sub(target, p), maxSpeed), v)
}
