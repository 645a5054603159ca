// Package archive writes and reads plain values: bools, numbers, strings, entities, and arrays, slices and
// structs of these. The same calls write or read them. The stream is the same on every machine:
// little-endian, without padding, and with int and uint as 64 bits.
//
// The values are in named blocks, each with its length and a checksum. [Read] uses memory in proportion to
// the stream. An error in reading names the block and the byte, if known.
package archive

import (
	"fmt"
	"io"
	"reflect"

	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// Archive writes or reads values.
type Archive struct {
	// Entity maps each entity that is written or read, except the zero entity. Its error becomes the
	// error of the Archive. Nil leaves entities unchanged.
	Entity func(ecs.Entity) (ecs.Entity, error)

	out    io.Writer // nil means that the archive reads
	blocks []block   // left to read
	block  block
	err    error
}

func (a *Archive) Reading() bool { return a.out == nil }

// Keep writes or reads the values that its arguments point to, including unexported fields. Call it only in
// the function passed to Block. It panics unless each argument is a non-nil pointer to a plain value. An
// empty slice is read as nil. After an error, Keep neither writes nor reads.
func (a *Archive) Keep(values ...any) {
	for _, value := range values {
		v := reflect.ValueOf(value)
		if v.Kind() != reflect.Pointer || v.IsNil() {
			panic(fmt.Sprintf("crowd: Keep of a %T, want a non-nil pointer", value))
		}
		if fault := Fault(v.Type().Elem()); fault != "" {
			panic(fmt.Sprintf("crowd: Keep of a %v, which has %s", v.Type().Elem(), fault))
		}
		if a.err == nil {
			a.value(v.Elem())
		}
	}
}

// Fail sets the error, with the place in the stream, unless an error is already set.
func (a *Archive) Fail(format string, args ...any) {
	if a.err == nil {
		a.err = a.block.fault(a.block.at, fmt.Errorf(format, args...))
	}
}

func (a *Archive) Err() error { return a.err }

// EntityOf returns the entity with the given ID and generation, alive or not.
func EntityOf(id, generation uint32) ecs.Entity { return NewEntities(1).Set(0, id, generation) }

// Entities makes entities from IDs and generations.
type Entities struct {
	List   []ecs.Entity // do not assign another slice: Set writes to this one
	memory []byte
}

func NewEntities(n int) *Entities { return EntitiesOf(make([]ecs.Entity, n)) }

// EntitiesOf returns Entities whose List is list itself.
func EntitiesOf(list []ecs.Entity) *Entities {
	return &Entities{list, column.Memory(reflect.ValueOf(list))}
}

func (x *Entities) Set(i int, id, generation uint32) ecs.Entity {
	here.PutUint32(x.memory[8*i:], id)
	here.PutUint32(x.memory[8*i+4:], generation)
	return x.List[i]
}
