package systems

import (
	"cmp"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Portals takes every agent that has come into the box of a portal to where that leads, at once,
// with the velocity that it has. Put it behind all that moves agents. Routing, fields and
// World.Unreachable find ways through portals by the same table.
//
// Reads Velocity, for only what moves is taken, and Obstacles, which have the resource sense.Portals.
// Writes Position.
type Portals struct {
	Obstacles *sense.Obstacles // whose portals these are; nil: those of the same frame

	seen    *sense.Obstacles
	pos     frame.Out[c.Position]
	vel     frame.In[c.Velocity]
	workers frame.Scratch[[]Taken]
	list    []Taken
}

// Taken is an agent that came through a portal.
type Taken struct {
	Entity   ecs.Entity
	From, To r2.Vec // m
}

func (s *Portals) Needs(n *frame.Needs) {
	n.Read(&s.vel)
	n.Write(&s.pos)
	frame.Without[c.Obstacle](n)
	n.Scratch(&s.workers)
	n.InFrame("sense.Obstacles")
	frame.After[*Integration](n, "take agents a step late")
	frame.After[*Drive](n, "take agents a step late")
}

// Attach finds the obstacles.
func (s *Portals) Attach(f *frame.Frame, _ *ecs.World) {
	s.seen = sense.ObstaclesOf(f, s, s.Obstacles)
}

// Detach has nothing to give back.
func (s *Portals) Detach(*ecs.World) {}

func (s *Portals) Run(b *frame.Batch) {
	all := s.seen.Portals()
	if len(all) == 0 {
		return
	}
	pos := s.pos.Of(b)
	for i := range pos {
		if to, taken := all.Through(pos[i].Vec); taken {
			list := s.workers.Of(b)
			*list = append(*list, Taken{b.Entity(i), pos[i].Vec, to})
			pos[i].Vec = to
		}
	}
}

// Observe gathers the list.
func (s *Portals) Observe(*ecs.World) {
	s.list = s.list[:0]
	s.workers.Each(func(list *[]Taken) {
		s.list = append(s.list, *list...)
		*list = (*list)[:0]
	})
	slices.SortFunc(s.list, func(a, b Taken) int { return cmp.Compare(a.Entity.ID(), b.Entity.ID()) })
}

// List returns the agents that were taken in the last step, by the id of the entity. It is valid
// until the next step.
func (s *Portals) List() []Taken { return s.list }
