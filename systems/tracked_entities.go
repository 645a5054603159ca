package systems

import (
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

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
