package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// Tracking keeps a TrackedEntity in a host's component T up to date, as Track does for Quarry and
// Pursuer. It is a system of its own in a frame or in world.Config.Sense, or is embedded in the system that
// goes by it. At the start of each step it sets At, Velocity and Seen; an entity that is dead, or whose
// position or velocity is not finite, is not Seen, and At and Velocity stay.
//
// Reads Position and Velocity of the entity. Writes T.
type Tracking[T any] struct {
	Of func(*T) *c.TrackedEntity // where the component has it

	tracking tracking[T]
}

// Attach registers the walk over the agents that track.
func (s *Tracking[T]) Attach(f *frame.Frame, w *ecs.World) {
	if s.Of == nil {
		panic("crowd: Tracking without Of: say where the component has its TrackedEntity")
	}
	s.tracking.attach(f, w, func(component *T, t *tracker) {
		x := s.Of(component)
		*x = t.track(*x)
	})
}

// Detach gives back what Attach took.
func (s *Tracking[T]) Detach(w *ecs.World) { s.tracking.detach(w) }

// Sense copies positions and velocities.
func (s *Tracking[T]) Sense(w *ecs.World) { s.tracking.sense(w) }

// tracking keeps what component T of agents says of other entities up to date. It is a
// part of a system that attaches and senses.
type tracking[T any] struct {
	walk    frame.Walk
	rows    trackingRows[T]
	tracker tracker
}

// attach registers the walk over the agents; update brings one of them up to date.
func (s *tracking[T]) attach(f *frame.Frame, w *ecs.World, update func(*T, *tracker)) {
	s.tracker.attach(f, w)
	s.rows.tracker, s.rows.update = &s.tracker, update
	s.walk.Attach(f, w, &s.rows)
}

func (s *tracking[T]) detach(w *ecs.World) { s.walk.Detach(w) }

func (s *tracking[T]) sense(w *ecs.World) {
	s.tracker.reset()
	s.walk.Run(w)
}

// trackingRows walks over the agents.
type trackingRows[T any] struct {
	column  frame.Out[T]
	tracker *tracker
	update  func(*T, *tracker)
}

func (s *trackingRows[T]) Needs(n *frame.Needs) { n.Write(&s.column) }

func (s *trackingRows[T]) Run(b *frame.Batch) {
	rows := s.column.Of(b)
	for i := range rows {
		s.update(&rows[i], s.tracker)
	}
}
