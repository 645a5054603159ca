package column

import (
	"reflect"

	"github.com/mlange-42/arche/ecs"
)

// Set sets the component of the value's type on an entity that has it.
func Set(w *ecs.World, e ecs.Entity, value any) {
	v := reflect.ValueOf(value)
	if v.Type().Size() > 0 {
		reflect.NewAt(v.Type(), w.Get(e, ecs.TypeID(w, v.Type()))).Elem().Set(v)
	}
}

// SetAll sets the component of the value's type on every row of a run, which
// must have it.
func (r *Run) SetAll(id ecs.ID, value any) {
	v := reflect.ValueOf(value)
	if v.Type().Size() == 0 {
		return
	}
	rows := reflect.SliceAt(v.Type(), r.at.Get(id), r.Rows)
	rows.Index(0).Set(v)
	for done := 1; done < r.Rows; done *= 2 {
		reflect.Copy(rows.Slice(done, r.Rows), rows.Slice(0, done))
	}
}

// Registered returns the components that a world knows, and their ids.
func Registered(w *ecs.World) map[reflect.Type]ecs.ID {
	ids := map[reflect.Type]ecs.ID{}
	for _, id := range ecs.ComponentIDs(w) {
		if info, ok := ecs.ComponentInfo(w, id); ok {
			ids[info.Type] = id
		}
	}
	return ids
}

// Memory returns the memory of the rows of a slice, whose type must have neither
// pointers nor strings.
func Memory(rows reflect.Value) []byte {
	n := rows.Len() * int(rows.Type().Elem().Size())
	return reflect.SliceAt(reflect.TypeFor[byte](), rows.UnsafePointer(), n).Bytes()
}

// Slice returns the rows of a run, which must have the component of that type and id, as
// a slice over the memory of the world.
func (r *Run) Slice(id ecs.ID, t reflect.Type) reflect.Value {
	if t.Size() == 0 {
		return reflect.MakeSlice(reflect.SliceOf(t), r.Rows, r.Rows)
	}
	return reflect.SliceAt(t, r.at.Get(id), r.Rows)
}

// Target returns the component by which the rows of a run are related to another entity,
// and that entity; false if there is no such component.
func (r *Run) Target() (relation ecs.ID, target ecs.Entity, ok bool) {
	if !r.Kind.hasRelation {
		return relation, target, false
	}
	return r.Kind.relation, r.at.Relation(r.Kind.relation), true
}
