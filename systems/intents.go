package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// orcaSight is the Sight of ORCA, with what each agent preferred in the last step.
type orcaSight struct {
	Sight[c.ORCA, choice]
	ways []r2.Vec // where they would go, unit vectors by place
	walk pass
	rows intentRows
}

// intentRows walks over the agents whose intent others can tell.
type intentRows struct {
	*orcaSight
	pos    In[c.Position]
	intent In[c.PreferredVelocity]
}

func (s *intentRows) Needs(n *Needs) {
	n.Read(&s.pos, &s.intent)
	With[c.ORCA](n)
	Without[c.Obstacle](n)
}

func (s *intentRows) Run(b *Batch) {
	intent := s.intent.Of(b)
	var places [meetAtOnce]uint32
	for lo := 0; lo < len(intent); lo += meetAtOnce {
		hi := min(lo+meetAtOnce, len(intent))
		s.neighbors.placesOf(b, lo, places[:hi-lo])
		for i := lo; i < hi; i++ {
			if p := places[i-lo]; int(p) < len(s.ways) {
				s.ways[p] = vec.Unit(intent[i].Vec)
			}
		}
	}
}

func (s *orcaSight) attach(n *Neighbors, looker string, f *Frame, w *ecs.World) {
	s.Sight.attach(n, looker, f, w)
	s.rows = intentRows{orcaSight: s}
	s.walk = pass{workers: 1}
	s.walk.add(&s.rows, 0)
	s.walk.attach(w, f.bound)
}

func (s *orcaSight) detach(w *ecs.World) {
	s.walk.detach(w)
	s.Sight.detach(w)
}

func (s *orcaSight) place(w *ecs.World, agents int) {
	s.Sight.place(w, agents)
	if s.some() {
		s.ways = resized(s.ways, s.neighbors.Len())
		clear(s.ways)
		s.walk.walk(w)
	}
}
