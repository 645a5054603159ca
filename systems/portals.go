package systems

import (
	"cmp"
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Portals moves each agent that has entered the box of a portal to the corresponding point of the portal's
// exit. Velocities do not change. Put Portals after all systems that move agents. Routing, fields and
// world.Inspector.Unreachable use the same portals.
//
// Reads Velocity, and Obstacles, which holds the resource sense.Portals. Writes Position. Entities with
// Obstacle or without Velocity do not pass through portals.
type Portals struct {
	Obstacles *sense.Obstacles // with the portals; nil means those of the same frame

	seen    *sense.Obstacles
	pos     frame.Out[c.Position]
	vel     frame.In[c.Velocity]
	workers frame.Scratch[[]Taken]
	list    []Taken
}

// Taken describes an agent that passed through a portal.
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

func (s *Portals) Attach(f *frame.Frame, _ *ecs.World) {
	s.seen = sense.ObstaclesOf(f, s, s.Obstacles)
}

func (s *Portals) Detach(*ecs.World) { s.seen = nil }

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

func (s *Portals) Observe(*ecs.World) {
	s.list = s.list[:0]
	s.workers.Each(func(list *[]Taken) {
		s.list = append(s.list, *list...)
		*list = (*list)[:0]
	})
	slices.SortFunc(s.list, func(a, b Taken) int { return cmp.Compare(a.Entity.ID(), b.Entity.ID()) })
}

// List returns the agents that passed through a portal in the last step, sorted by entity ID. The list is
// valid until the next step.
func (s *Portals) List() []Taken { return s.list }

// Doors opens and closes each Door at its times. In between, a door keeps its state, even one that a host has
// set. A door whose two times are equal always keeps its state. Put Doors before sense.Obstacles.
//
// Reads and writes Door.
type Doors struct {
	rows frame.Walk
	walk doorRows
}

func (s *Doors) Attach(f *frame.Frame, w *ecs.World) { s.rows.Attach(f, w, &s.walk) }

func (s *Doors) Detach(w *ecs.World) { s.rows.Detach(w) }

func (s *Doors) Sense(w *ecs.World) { s.rows.Run(w) }

type doorRows struct{ door frame.Out[c.Door] }

func (s *doorRows) Needs(n *frame.Needs) { n.Write(&s.door) }

func (s *doorRows) Run(b *frame.Batch) {
	door := s.door.Of(b)
	for i := range door {
		d := &door[i]
		if d.Opens == d.Closes {
			continue
		}
		opens, closes := due(d.Opens, d.Period, b.Time, b.Dt), due(d.Closes, d.Period, b.Time, b.Dt)
		switch { // if both are due, the later one counts
		case opens >= 0 && opens >= closes:
			d.Open = true
		case closes >= 0:
			d.Open = false
		}
	}
}

// due returns the last time from now-dt/2 to now+dt/2 at which a door must change, or -1 if there is none. A
// change is due at the time given by first and, if period is above 0, once per period after that.
func due(first, period, now, dt float64) float64 {
	from, until := now-float64(dt/2), now+float64(dt/2)
	if !(first >= 0) || first >= until {
		return -1
	}
	last := first
	if period > 0 {
		last += float64(math.Floor((until-first)/period) * period)
		if last >= until {
			last -= period
		}
	}
	if last < from {
		return -1
	}
	return last
}
