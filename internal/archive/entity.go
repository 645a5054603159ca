package archive

import (
	"reflect"

	"github.com/mlange-42/arche/ecs"
)

// EntityOf returns the entity with an id and a generation, whether or not it is alive
// in any world.
func EntityOf(id, generation uint32) (e ecs.Entity) {
	memory := entityMemory(&e)
	here.PutUint32(memory, id)
	here.PutUint32(memory[4:], generation)
	return e
}

// entityMemory returns the memory of an entity: its id, and its generation.
func entityMemory(e *ecs.Entity) []byte {
	return reflect.SliceAt(reflect.TypeFor[byte](), reflect.ValueOf(e).UnsafePointer(), 8).Bytes()
}
