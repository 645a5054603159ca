// Package archive writes plain values and reads them again: bools, numbers, strings,
// entities, and arrays, slices and structs of these. One list of values serves both
// directions. What it writes is the same on every machine: little-endian, int and uint as 64 bits, field by
// field, so that neither the gaps within a struct nor its address matter.
//
// The values stand in named blocks, each with its length and a checksum. [Write] begins
// a stream and [Read] reads one; it takes no more memory than the stream has bytes, and what has been
// changed or cut off is an error that names the block and where it is.
package archive

import (
	"fmt"
	"io"
	"reflect"

	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// Archive writes values or reads them. See [Write] and [Read].
type Archive struct {
	// Entity returns what an entity becomes that is written or read, other than the zero one. Nil: it stays.
	Entity func(ecs.Entity) (ecs.Entity, error)

	out    io.Writer // nil: it reads
	blocks []block   // that are read, those left
	block  block     // that is worked on
	err    error
}

// Reading reports whether values are read, and not written.
func (a *Archive) Reading() bool { return a.out == nil }

// Keep writes the values that the pointers lead to, or reads them. Values are bools,
// numbers, strings, entities, and arrays, slices and structs of these, unexported fields
// too; anything else panics. A slice without elements is read as nil. After an error it does nothing.
func (a *Archive) Keep(values ...any) {
	for _, value := range values {
		v := reflect.ValueOf(value)
		if v.Kind() != reflect.Pointer || v.IsNil() {
			panic(fmt.Sprintf("crowd: Keep of a %T, want a pointer to a value", value))
		}
		if fault := Fault(v.Type().Elem()); fault != "" {
			panic(fmt.Sprintf("crowd: Keep of a %v, which has %s", v.Type().Elem(), fault))
		}
		if a.err == nil {
			a.value(v.Elem())
		}
	}
}

// Fail notes an error, with the block and the place where it came up. The first one counts.
func (a *Archive) Fail(format string, args ...any) {
	if a.err == nil {
		a.err = a.block.fault(a.block.at, fmt.Errorf(format, args...))
	}
}

// Err returns the first error.
func (a *Archive) Err() error { return a.err }

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
