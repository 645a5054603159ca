package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/resize"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
)

// ways are where agents with ORCA would go, as far as others can tell: unit vectors, by
// index in the snapshot. It walks over what they preferred in the last step.
type ways struct {
	agents interface { // the query of ORCA
		Len() int
		Indexes(b *frame.Batch, lo int, to []uint32)
	}
	indexes   [64]uint32 // of rows: one goroutine walks
	x, y      []float64
	pos       frame.In[c.Position]
	preferred frame.In[c.PreferredVelocity]
}

func (s *ways) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.preferred)
	frame.With[c.ORCA](n)
	frame.Without[c.Obstacle](n)
}

// clear forgets the ways of the step before.
func (s *ways) clear() {
	n := s.agents.Len() + kernel.Lanes // so many may be read behind the last
	s.x, s.y = resize.To(s.x, n), resize.To(s.y, n)
	clear(s.x)
	clear(s.y)
}

func (s *ways) Run(b *frame.Batch) {
	preferred := s.preferred.Of(b)
	indexes := s.indexes[:]
	for lo := 0; lo < len(preferred); lo += len(indexes) {
		hi := min(lo+len(indexes), len(preferred))
		s.agents.Indexes(b, lo, indexes[:hi-lo])
		for i := lo; i < hi; i++ {
			if p := indexes[i-lo]; int(p) < s.agents.Len() {
				way := vec.Unit(preferred[i].Vec)
				s.x[p], s.y[p] = way.X, way.Y
			}
		}
	}
}
