package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
)

// PreviousPosition notes where each agent is at the start of the step. Put it before all
// that moves agents.
//
// Reads Position. Writes PreviousPosition.
type PreviousPosition struct {
	pos  frame.In[c.Position]
	from frame.Out[c.PreviousPosition]
}

func (s *PreviousPosition) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	n.Write(&s.from)
	n.Once()
}

func (s *PreviousPosition) Run(b *frame.Batch) {
	pos, from := s.pos.Of(b), s.from.Of(b)
	for i := range pos {
		from[i].Vec = pos[i].Vec
	}
}
