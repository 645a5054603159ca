package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
)

// crowdOfFields is who makes the ways of fields slow. It is walked over.
type crowdOfFields struct {
	fields *sense.Fields
	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	radius frame.In[c.Radius]
	limits frame.In[c.Limits]
	target frame.In[c.Target]
}

func (s *crowdOfFields) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.radius, &s.limits)
	n.Optional(&s.target)
}

func (s *crowdOfFields) Run(b *frame.Batch) {
	pos, vel, radius, limits, target := s.pos.Of(b), s.vel.Of(b), s.radius.Of(b), s.limits.Of(b), s.target.Of(b)
	for i := range pos {
		p, v, most := pos[i].Vec, vel[i].Vec, limits[i].MaxSpeed
		if !(most <= math.MaxFloat64) {
			continue // nobody knows how fast it wants to be
		}
		share := 0.
		if most > 0 {
			speed := 0.
			if target == nil {
				speed = vec.Norm(v)
			} else {
				speed = vec.Dot(v, vec.Unit(vec.Sub(target[i].Vec, p)))
			}
			share = speed / most
		}
		s.fields.Visit(p, radius[i].Meters, share)
	}
}
