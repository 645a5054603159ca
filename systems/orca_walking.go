package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/walking"
	"github.com/8f878440/crowd/systems/frame"
)

// walk is what rules of walking an agent has.
type walk struct {
	walking.Rules
	variation float64 // of the time gap
}

// walkers are the rules of walking of all agents, by index in the snapshot; none if nobody
// has any. It walks over rows as ways does.
type walkers struct {
	agents interface{ Len() int } // the query of ORCA
	of     []walk

	follow  frame.In[c.FollowingDistance]
	inertia frame.In[c.Inertia]
}

func (s *walkers) Needs(n *frame.Needs) {
	n.Optional(&s.follow, &s.inertia)
	frame.With[c.ORCA](n)
	frame.Without[c.Obstacle](n)
}

// clear forgets those of the step before.
func (s *walkers) clear() { s.of = s.of[:0] }

// Run makes room for those of all agents if any has some.
func (s *walkers) Run(b *frame.Batch) {
	if len(s.of) == 0 && (s.follow.Of(b) != nil || s.inertia.Of(b) != nil) {
		s.of = column.Resize(s.of, s.agents.Len())
		clear(s.of)
	}
}
