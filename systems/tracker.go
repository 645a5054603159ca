package systems

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// tracker looks up where entities are, and remembers the last one: many agents in a
// row may go by the same.
type tracker struct {
	position frame.Component[c.Position]
	velocity frame.Component[c.Velocity]
	entity   ecs.Entity
	at, v    r2.Vec
	placed   bool // it is alive and has a finite position
	seen     bool // and a finite velocity, or none
}

func (t *tracker) attach(f *frame.Frame, w *ecs.World) {
	t.position.Attach(f, w)
	t.velocity.Attach(f, w)
}

// reset forgets the last entity.
func (t *tracker) reset() { t.entity, t.placed, t.seen = ecs.Entity{}, false, false }

// track returns what is known of a tracked entity as of now.
func (t *tracker) track(s c.TrackedEntity) c.TrackedEntity {
	if s.Entity.IsZero() {
		return s
	}
	t.turn(s.Entity)
	if s.Seen = t.seen; t.seen {
		s.At, s.Velocity = t.at, t.v
	}
	return s
}

// where returns the position of an entity, false if it is dead, has none, or has one
// that is not finite.
func (t *tracker) where(e ecs.Entity) (r2.Vec, bool) {
	t.turn(e)
	return t.at, t.placed
}

// turn looks up an entity, unless it was the last one.
func (t *tracker) turn(to ecs.Entity) {
	if to == t.entity {
		return
	}
	t.entity, t.placed, t.seen = to, false, false
	if !t.position.Alive(to) {
		return
	}
	p, has := t.position.Of(to)
	v, _ := t.velocity.Of(to)
	t.at, t.v = p.Vec, v.Vec
	t.placed = has && vec.Finite(t.at)
	t.seen = t.placed && vec.Finite(t.v)
}

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
