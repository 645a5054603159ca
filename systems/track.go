package systems

import (
	c "github.com/8f878440/crowd/components"
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
	quarries tracking[c.Quarry]
	pursuers tracking[c.Pursuer]
}

// Attach registers the walks over those who track.
func (s *Track) Attach(f *frame.Frame, w *ecs.World) {
	s.quarries.attach(f, w, func(q *c.Quarry, t *tracker) { *q = c.Quarry(t.track(c.TrackedEntity(*q))) })
	s.pursuers.attach(f, w, func(p *c.Pursuer, t *tracker) { *p = c.Pursuer(t.track(c.TrackedEntity(*p))) })
}

// Detach gives back what Attach took.
func (s *Track) Detach(w *ecs.World) {
	s.quarries.detach(w)
	s.pursuers.detach(w)
}

// Sense copies positions and velocities.
func (s *Track) Sense(w *ecs.World) {
	s.quarries.sense(w)
	s.pursuers.sense(w)
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
