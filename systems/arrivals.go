package systems

import (
	"cmp"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// Arrived describes the arrival of an agent at its goal.
type Arrived struct {
	Entity ecs.Entity
	ID     uint64  // see components.IDOf
	Time   float64 // s, at the end of the step
	Took   float64 // s, since Goal.Since
	Visit  uint32  // number of earlier arrivals
	Remove bool    // Goal.Remove
}

// Arrivals lists the agents that came within Goal.Radius of their Target in the last step, or within 1 mm of
// it if that is more. An agent is listed again only after it has been outside. An agent on a Path may arrive
// at waypoints; an agent with an Itinerary arrives only when the itinerary is done. Put Arrivals after the
// systems that move agents.
//
// Reads Position, Target and, if present, Agent and Itinerary. Writes Goal.
type Arrivals struct {
	pos     frame.In[c.Position]
	target  frame.In[c.Target]
	agent   frame.In[c.Agent]
	it      frame.In[c.Itinerary]
	goal    frame.Out[c.Goal]
	workers frame.Scratch[[]Arrived]
	list    []Arrived
}

func (s *Arrivals) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.target)
	n.Optional(&s.agent, &s.it)
	n.Write(&s.goal)
	n.Scratch(&s.workers)
	frame.After[*Integration](n, "list arrivals a step late")
	frame.After[*Drive](n, "list arrivals a step late")
	n.Once()
}

func (s *Arrivals) Run(b *frame.Batch) {
	pos, target, agent := s.pos.Of(b), s.target.Of(b), s.agent.Of(b)
	it, goal := s.it.Of(b), s.goal.Of(b)
	target, goal = target[:len(pos)], goal[:len(pos)]
	for i := 0; i < len(pos); {
		if it == nil {
			i += kernel.Stay(pos[i:], target[i:], goal[i:])
		}
		for end := kernel.Until(i, len(pos)); i < end; i++ {
			g := &goal[i]
			inside := isAt(target[i].Vec, pos[i].Vec, g.Radius)
			if it != nil {
				inside = it[i].Done
			}
			if inside && !g.Inside {
				s.arrive(b, i, agent, g)
			}
			if inside != g.Inside { // write only changes
				g.Inside = inside
			}
		}
	}
}

func (s *Arrivals) arrive(b *frame.Batch, i int, agent []c.Agent, g *c.Goal) {
	e, now := b.Entity(i), b.Time+b.Dt
	a := Arrived{Entity: e, ID: b.ID(agent, i), Time: now, Took: now - g.Since, Visit: g.Visits, Remove: g.Remove}
	g.Visits++
	list := s.workers.Of(b)
	*list = append(*list, a)
}

const usual = 64 // minimum capacity of the lists

func (s *Arrivals) Observe(*ecs.World) {
	s.list = slices.Grow(s.list[:0], usual)
	s.workers.Each(func(list *[]Arrived) {
		s.list = append(s.list, *list...)
		*list = slices.Grow((*list)[:0], usual)
	})
	slices.SortFunc(s.list, func(a, b Arrived) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Entity.ID(), b.Entity.ID()))
	})
}

// List returns the agents that arrived in the last step, sorted by ID. The list is valid until the next step.
func (s *Arrivals) List() []Arrived { return s.list }

var goalEntry = catalog.Of(catalog.Entry{
	Name: "goal", Text: "define when the agent has arrived at its target",
	Needs:  []any{c.Target{}},
	System: func(catalog.Options) any { return &Arrivals{} }, Phase: catalog.Observe,
	Laws: catalog.AllLaws, Special: true,
	Doing: "arrived", While: frame.While1(func(g *c.Goal) bool { return g.Inside }),
}, func(b *c.Goal) []catalog.Param {
	return []catalog.Param{catalog.Number("radius", &b.Radius, "m", "distance at which the agent arrives")}
})

const atOnce = 64 // maximum number of rows per lookup of neighbors
