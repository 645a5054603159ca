package frame

import (
	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// Component reads component T, or what is bound in its place, of any entity: for a
// Sensor, or another system that has the world to itself. It is for a few entities;
// for many a Walk is faster.
type Component[T any] struct {
	world  *ecs.World
	source column.Source
}

// Attach looks the component up in the world of a frame.
func (c *Component[T]) Attach(f *Frame, w *ecs.World) {
	c.world, c.source = w, column.SourceIn[T](f.bound, w)
}

// Of returns the component of a living entity, and whether it has it.
func (c *Component[T]) Of(e ecs.Entity) (T, bool) { return column.At[T](c.world, &c.source, e) }

// Alive reports whether an entity is alive. The zero entity is not.
func (c *Component[T]) Alive(e ecs.Entity) bool { return !e.IsZero() && c.world.Alive(e) }
