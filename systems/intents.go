package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/resize"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// orcaSight is the Sight of ORCA, with what each agent preferred in the last step.
type orcaSight struct {
	sense.Sight[c.ORCA, choice]
	ways []r2.Vec // where they would go, unit vectors by place
	walk frame.Walk
	rows intentRows
}

// intentRows walks over the agents whose intent others can tell.
type intentRows struct {
	*orcaSight
	pos    frame.In[c.Position]
	intent frame.In[c.PreferredVelocity]
}

func (s *intentRows) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.intent)
	frame.With[c.ORCA](n)
	frame.Without[c.Obstacle](n)
}

func (s *intentRows) Run(b *frame.Batch) {
	intent := s.intent.Of(b)
	var places [sense.AtOnce]uint32
	for lo := 0; lo < len(intent); lo += sense.AtOnce {
		hi := min(lo+sense.AtOnce, len(intent))
		s.Neighbors().PlacesOf(b, lo, places[:hi-lo])
		for i := lo; i < hi; i++ {
			if p := places[i-lo]; int(p) < len(s.ways) {
				s.ways[p] = vec.Unit(intent[i].Vec)
			}
		}
	}
}

func (s *orcaSight) Join(n *sense.Neighbors, looker string, f *frame.Frame, w *ecs.World) {
	s.Sight.Join(n, looker, f, w)
	s.rows = intentRows{orcaSight: s}
	s.walk.Attach(f, w, &s.rows)
}

func (s *orcaSight) Leave(w *ecs.World) {
	s.walk.Detach(w)
	s.Sight.Leave(w)
}

func (s *orcaSight) Settle(w *ecs.World, agents int) {
	s.Sight.Settle(w, agents)
	if s.Some() {
		s.ways = resize.To(s.ways, s.Neighbors().Len())
		clear(s.ways)
		s.walk.Run(w)
	}
}
