package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Seek steers each agent straight at its Target at full speed. It passes the
// target and comes back, for ever; Arrival stops there.
//
// Reads Position, Velocity, Target, Limits, Seek. Adds to Steering.
// Source: Reynolds 1999, "seek".
type Seek struct {
	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	target frame.In[c.Target]
	limits frame.In[c.Limits]
	seek   frame.In[c.Seek]
	steer  frame.Out[c.Steering]
}

func (s *Seek) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.target, &s.limits, &s.seek)
	n.Add(&s.steer)
	n.Once()
}

func (s *Seek) Run(b *frame.Batch) {
	pos, vel, target := s.pos.Of(b), s.vel.Of(b), s.target.Of(b)
	limits, par, steer := s.limits.Of(b), s.seek.Of(b), s.steer.Of(b)
	n := len(pos)
	vel, target, limits, par, steer = vel[:n], target[:n], limits[:n], par[:n], steer[:n]
	for i := 0; i < n; {
		i += kernel.Seek(pos[i:], vel[i:], target[i:], limits[i:], par[i:], steer[i:])
		for end := kernel.Until(i, n); i < end; i++ {
			to := vec.Sub(target[i].Vec, pos[i].Vec)
			e := seek(to, vec.Norm(to), vel[i].Vec, limits[i].MaxSpeed)
			steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
		}
	}
}

// seek returns desired velocity minus velocity, in m/s, where the target is the
// offset to away, at the distance d; -v at the target.
func seek(to r2.Vec, d float64, v r2.Vec, maxSpeed float64) r2.Vec {
	return vec.Sub(vec.Scale(vec.Factor(maxSpeed, d), to), v)
}

var seekEntry = catalog.Of(catalog.Entry{
	Name: "seek", Text: "steer straight at the target at full speed",
	Source: `Reynolds 1999, "seek"`,
	Needs:  []any{c.Target{}, c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(catalog.Options) any { return &Seek{} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 120, Laws: catalog.AllLaws,
	Doing: "seeking",
}, func(b *c.Seek) []catalog.Param {
	return []catalog.Param{catalog.GainOf(&b.Gain)}
})
