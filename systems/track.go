package systems

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// Track keeps the Quarry and the Pursuer of each agent on another entity: its
// position and velocity as of the start of the step. When that entity dies, or
// its position or velocity is not finite, it is no longer seen; the behaviors
// that go by it then rest, and what was seen last stays to be read.
//
// Reads Position and Velocity of the entity. Writes Quarry, Pursuer.
type Track struct {
	rows     frame.Walk
	quarries watcher[c.Quarry]
	pursuers watcher[c.Pursuer]
	tracker  tracker
}

// Attach registers the walk over those who track.
func (s *Track) Attach(f *frame.Frame, w *ecs.World) {
	s.tracker.attach(f, w)
	s.quarries.tracker, s.pursuers.tracker = &s.tracker, &s.tracker
	s.rows.Attach(f, w, &s.quarries, &s.pursuers)
}

// Detach gives back what Attach took.
func (s *Track) Detach(w *ecs.World) { s.rows.Detach(w) }

// Sense copies positions and velocities.
func (s *Track) Sense(w *ecs.World) {
	s.tracker.reset()
	s.rows.Run(w)
}

// watcher walks over the agents with one of the two components.
type watcher[T c.Quarry | c.Pursuer] struct {
	rows    frame.Out[T]
	tracker *tracker
}

func (s *watcher[T]) Needs(n *frame.Needs) { n.Write(&s.rows) }

func (s *watcher[T]) Run(b *frame.Batch) {
	rows := s.rows.Of(b)
	for i := range rows {
		rows[i] = T(s.tracker.track(c.TrackedEntity(rows[i])))
	}
}

var quarryEntry = catalog.Of(catalog.Entry{
	Name: "quarry", Text: "what pursuit and offset-pursuit pursue: \"pointer\", or the name of a group",
	System: func(catalog.Options) any { return &Track{} }, Phase: catalog.Prepare,
	Check: func(b any) (string, string) { return checkTracked((*c.TrackedEntity)(b.(*c.Quarry))) },
	Laws:  catalog.AllLaws,
}, func(b *c.Quarry) []catalog.Param {
	return []catalog.Param{catalog.Whom("", &b.Entity, "which entity")}
})

var pursuerEntry = catalog.Of(catalog.Entry{
	Name: "pursuer", Text: "what evasion evades: \"pointer\", or the name of a group",
	By:    []any{(*Track)(nil)},
	Check: func(b any) (string, string) { return checkTracked((*c.TrackedEntity)(b.(*c.Pursuer))) },
	Laws:  catalog.AllLaws,
}, func(b *c.Pursuer) []catalog.Param {
	return []catalog.Param{catalog.Whom("", &b.Entity, "which entity")}
})

// checkTracked refuses what nobody can have seen.
func checkTracked(t *c.TrackedEntity) (key, problem string) {
	if !vec.Finite(t.At) {
		return "place", fmt.Sprintf("is (%v, %v), want finite numbers", t.At.X, t.At.Y)
	}
	if !vec.Finite(t.Velocity) {
		return "velocity", fmt.Sprintf("is (%v, %v), want finite numbers", t.Velocity.X, t.Velocity.Y)
	}
	return "", ""
}
