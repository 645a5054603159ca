package archive

import (
	"fmt"
	"io"
	"reflect"

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
