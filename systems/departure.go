package systems

import c "github.com/8f878440/crowd/components"

// Departure notes where each agent is at the start of the step. Put it before all
// that moves agents.
//
// Reads Position. Writes Departure.
type Departure struct {
	pos  In[c.Position]
	from Out[c.Departure]
}

func (s *Departure) Needs(n *Needs) { n.Read(&s.pos); n.Write(&s.from) }

func (s *Departure) Run(b *Batch) {
	pos, from := s.pos.Of(b), s.from.Of(b)
	for i := range pos {
		from[i].Vec = pos[i].Vec
	}
}
