package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// directions are where agents with a model want to go, or which way they face, as of the start
// of the step: unit vectors, by index in the snapshot, zero for others. It walks over rows as
// walkers does.
type directions[P comparable, A any] struct {
	of       []r2.Vec
	headings bool               // they are the headings
	agents   *sense.Query[P, A] // the query of the model

	par     frame.In[P]
	pos     frame.In[c.Position]
	target  frame.In[c.Target]
	heading frame.In[c.Heading]
}

func (s *directions[P, A]) Needs(n *frame.Needs) {
	n.Read(&s.par, &s.pos, &s.target)
	n.Optional(&s.heading)
	frame.Without[c.Obstacle](n)
}

// clear forgets those of the step before.
func (s *directions[P, A]) clear() {
	s.of = column.Resize(s.of, s.agents.Len())
	clear(s.of)
}

func (s *directions[P, A]) Run(b *frame.Batch) {
	pos, target, heading := s.pos.Of(b), s.target.Of(b), s.heading.Of(b)
	var indexes [64]uint32
	for lo := 0; lo < len(pos); lo += len(indexes) {
		hi := min(lo+len(indexes), len(pos))
		s.agents.Indexes(b, lo, indexes[:hi-lo])
		for i := lo; i < hi; i++ {
			index := indexes[i-lo]
			switch {
			case int(index) >= len(s.of):
			case !s.headings:
				s.of[index] = vec.Unit(vec.Sub(target[i].Vec, pos[i].Vec))
			case len(heading) > 0:
				s.of[index] = heading[i].Vec
			}
		}
	}
}
