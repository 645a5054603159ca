package systems

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Track keeps the Quarry and the Pursuer of each agent on another entity: its
// position and velocity as of the start of the step. When that entity dies, or
// its position or velocity is not finite, it is no longer seen; the behaviors
// that go by it then rest, and what was seen last stays to be read.
//
// Reads Position and Velocity of the entity. Writes Quarry, Pursuer.
type Track struct {
	rows     pass
	quarries watcher[c.Quarry]
	pursuers watcher[c.Pursuer]
	eye      eye
}

func (s *Track) attach(f *Frame, w *ecs.World) {
	s.eye = eye{world: w, position: sourceOf[c.Position](f, w), velocity: sourceOf[c.Velocity](f, w)}
	s.quarries.eye, s.pursuers.eye = &s.eye, &s.eye
	s.rows = pass{workers: 1}
	s.rows.add(&s.quarries, 0)
	s.rows.add(&s.pursuers, 0)
	s.rows.attach(w, f.bound)
}

func (s *Track) detach(w *ecs.World) { s.rows.detach(w) }

// Sense copies positions and velocities.
func (s *Track) Sense(w *ecs.World) {
	s.eye.entity = ecs.Entity{}
	s.rows.walk(w)
}

// watcher walks over the agents with one of the two components.
type watcher[T c.Quarry | c.Pursuer] struct {
	rows Out[T]
	eye  *eye
}

func (s *watcher[T]) Needs(n *Needs) { n.Write(&s.rows) }

func (s *watcher[T]) Run(b *Batch) {
	rows := s.rows.Of(b)
	for i := range rows {
		rows[i] = T(s.eye.look(c.TrackedEntity(rows[i])))
	}
}

// eye looks at entities, and remembers the last one: many agents in a row may
// watch the same.
type eye struct {
	world              *ecs.World
	position, velocity column.Source
	entity             ecs.Entity
	at, v              r2.Vec
	seen               bool
}

// look returns the sighting as of now.
func (e *eye) look(s c.TrackedEntity) c.TrackedEntity {
	if s.Entity.IsZero() {
		return s
	}
	if s.Entity != e.entity {
		e.turn(s.Entity)
	}
	if s.Seen = e.seen; e.seen {
		s.At, s.Velocity = e.at, e.v
	}
	return s
}

// turn makes the eye look at another entity.
func (e *eye) turn(to ecs.Entity) {
	e.entity, e.seen = to, false
	if !e.world.Alive(to) {
		return
	}
	p, has := column.At[c.Position](e.world, &e.position, to)
	v, _ := column.At[c.Velocity](e.world, &e.velocity, to)
	e.at, e.v = p.Vec, v.Vec
	e.seen = has && vec.Finite(p.Vec) && vec.Finite(v.Vec)
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
