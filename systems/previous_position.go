package systems

import c "github.com/8f878440/crowd/components"

// PreviousPosition notes where each agent is at the start of the step. Put it before all
// that moves agents.
//
// Reads Position. Writes PreviousPosition.
type PreviousPosition struct {
	pos  In[c.Position]
	from Out[c.PreviousPosition]
}

func (s *PreviousPosition) Needs(n *Needs) { n.Read(&s.pos); n.Write(&s.from) }

func (s *PreviousPosition) Run(b *Batch) {
	pos, from := s.pos.Of(b), s.from.Of(b)
	for i := range pos {
		from[i].Vec = pos[i].Vec
	}
}
