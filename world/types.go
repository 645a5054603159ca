package world

import (
	"reflect"

	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// look returns a component of a living entity, and whether it has it. A host's type
// may stand in its place.
func look[T any](w *World, e ecs.Entity) (T, bool) { return lookIn[T](w.ECS, w.types, e) }

func lookIn[T any](w *ecs.World, types column.Bindings, e ecs.Entity) (T, bool) {
	source, ok := column.FindIn[T](types, w)
	if !ok {
		var zero T
		return zero, false
	}
	return column.At[T](w, &source, e)
}

// edit changes a component of a living entity, and returns whether it has it. A
// host's type may stand in its place.
func edit[T any](w *World, e ecs.Entity, change func(*T)) bool {
	source, ok := column.FindIn[T](w.types, w.ECS)
	return ok && column.Edit(w.ECS, &source, e, change)
}

// idOf returns the id of the type of one of our components, or of what is bound in
// its place.
func (w *World) idOf(component any) ecs.ID {
	return ecs.TypeID(w.ECS, w.types.HostType(reflect.TypeOf(component)))
}
