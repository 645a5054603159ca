package archive

import (
	"reflect"

	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// EntityOf returns the entity with an id and a generation, whether or not it is alive
// in any world.
func EntityOf(id, generation uint32) ecs.Entity {
	return NewEntities(1).Set(0, id, generation)
}

// Entities are entities that are made from their ids and generations.
type Entities struct {
	List   []ecs.Entity
	memory []byte
}

// NewEntities returns n zero entities.
func NewEntities(n int) *Entities { return EntitiesOf(make([]ecs.Entity, n)) }

// EntitiesOf returns entities that Set changes in a list.
func EntitiesOf(list []ecs.Entity) *Entities {
	return &Entities{list, column.Memory(reflect.ValueOf(list))}
}

// Set makes the i-th entity the one with an id and a generation, and returns it.
func (x *Entities) Set(i int, id, generation uint32) ecs.Entity {
	here.PutUint32(x.memory[8*i:], id)
	here.PutUint32(x.memory[8*i+4:], generation)
	return x.List[i]
}
