package archive

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/8f878440/crowd/internal/column"
)

// width returns how many bytes a plain value has in a stream.
func width(kind reflect.Kind) int {
	switch kind {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return 1
	case reflect.Int16, reflect.Uint16:
		return 2
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		return 4
	case reflect.Complex128:
		return 16
	}
	return 8
}

// rows writes or reads rows of plain values: the first leaf of all, then the second, and so on.
func (a *Archive) rows(rows reflect.Value, l *layout) {
	n, size := rows.Len(), int(rows.Type().Elem().Size())
	memory := column.Memory(rows)
	if a.Reading() {
		if left := len(a.block.data) - a.block.at; l.bytes > 0 && n > left/l.bytes {
			a.Fail("want %d rows of %d bytes, but %d bytes are left", n, l.bytes, left)
			return
		}
	} else {
		a.block.data = slices.Grow(a.block.data, n*l.bytes)
	}
	for _, leaf := range l.parts {
		w := width(leaf.Kind)
		if a.Reading() {
			a.get(memory[leaf.Offset:], size, &leaf, a.block.data[a.block.at:a.block.at+n*w])
		} else {
			at := len(a.block.data)
			a.block.data = a.block.data[:at+n*w]
			a.set(a.block.data[at:], memory[leaf.Offset:], size, &leaf)
		}
		if a.err != nil {
			return
		}
		if a.Reading() {
			a.block.at += n * w
		}
	}
}

var (
	here   = binary.NativeEndian
	little = binary.LittleEndian
)

// set writes a leaf of rows, which stand a size apart in memory, to a stream.
func (a *Archive) set(to, memory []byte, size int, leaf *column.Leaf) {
	w := width(leaf.Kind)
	switch kind := leaf.Kind; {
	case kind == reflect.Struct:
		one := NewEntities(1)
		for i := 0; 8*i < len(to); i++ {
			id, generation := here.Uint32(memory[i*size:]), here.Uint32(memory[i*size+4:])
			if a.Entity != nil && id > 0 {
				e, err := a.Entity(one.Set(0, id, generation))
				if err != nil {
					a.Fail("%s: %w", called(leaf), err)
					return
				}
				id, generation = e.ID(), e.Generation()
			}
			little.PutUint32(to[8*i:], id)
			little.PutUint32(to[8*i+4:], generation)
		}
	case kind == reflect.Int && math.MaxInt == math.MaxInt32:
		for i := 0; 8*i < len(to); i++ {
			little.PutUint64(to[8*i:], uint64(int32(here.Uint32(memory[i*size:]))))
		}
	case kind == reflect.Uint && math.MaxInt == math.MaxInt32:
		for i := 0; 8*i < len(to); i++ {
			little.PutUint64(to[8*i:], uint64(here.Uint32(memory[i*size:])))
		}
	case kind == reflect.Complex64:
		for i := 0; 8*i < len(to); i++ {
			little.PutUint32(to[8*i:], here.Uint32(memory[i*size:]))
			little.PutUint32(to[8*i+4:], here.Uint32(memory[i*size+4:]))
		}
	case w == 1:
		for i := range to {
			to[i] = memory[i*size]
		}
	case w == 2:
		for i := 0; 2*i < len(to); i++ {
			little.PutUint16(to[2*i:], here.Uint16(memory[i*size:]))
		}
	case w == 4:
		for i := 0; 4*i < len(to); i++ {
			little.PutUint32(to[4*i:], here.Uint32(memory[i*size:]))
		}
	case w == 8:
		for i := 0; 8*i < len(to); i++ {
			little.PutUint64(to[8*i:], here.Uint64(memory[i*size:]))
		}
	default:
		for i := 0; 16*i < len(to); i++ {
			little.PutUint64(to[16*i:], here.Uint64(memory[i*size:]))
			little.PutUint64(to[16*i+8:], here.Uint64(memory[i*size+8:]))
		}
	}
}

// get reads a leaf of rows, which stand a size apart in memory, from a stream.
func (a *Archive) get(memory []byte, size int, leaf *column.Leaf, from []byte) {
	w := width(leaf.Kind)
	fail := func(i int, err error) {
		a.block.at += i * w
		a.Fail("%w", err)
	}
	switch kind := leaf.Kind; {
	case kind == reflect.Struct:
		one := NewEntities(1)
		for i := 0; 8*i < len(from); i++ {
			id, generation := little.Uint32(from[8*i:]), little.Uint32(from[8*i+4:])
			if a.Entity != nil && id > 0 {
				e, err := a.Entity(one.Set(0, id, generation))
				if err != nil {
					fail(i, fmt.Errorf("%s: %w", called(leaf), err))
					return
				}
				id, generation = e.ID(), e.Generation()
			}
			here.PutUint32(memory[i*size:], id)
			here.PutUint32(memory[i*size+4:], generation)
		}
	case kind == reflect.Bool:
		for i, b := range from {
			if b > 1 {
				fail(i, fmt.Errorf("%s is %d, want 0 or 1", called(leaf), b))
				return
			}
			memory[i*size] = b
		}
	case (kind == reflect.Int || kind == reflect.Uint) && math.MaxInt == math.MaxInt32:
		for i := 0; 8*i < len(from); i++ {
			x := little.Uint64(from[8*i:])
			if kind == reflect.Int && uint64(int32(x)) != x || kind == reflect.Uint && uint64(uint32(x)) != x {
				fail(i, fmt.Errorf("%s needs more than the 32 bits that an %v has on this machine", called(leaf), kind))
				return
			}
			here.PutUint32(memory[i*size:], uint32(x))
		}
	case kind == reflect.Complex64:
		for i := 0; 8*i < len(from); i++ {
			here.PutUint32(memory[i*size:], little.Uint32(from[8*i:]))
			here.PutUint32(memory[i*size+4:], little.Uint32(from[8*i+4:]))
		}
	case w == 1:
		for i, b := range from {
			memory[i*size] = b
		}
	case w == 2:
		for i := 0; 2*i < len(from); i++ {
			here.PutUint16(memory[i*size:], little.Uint16(from[2*i:]))
		}
	case w == 4:
		for i := 0; 4*i < len(from); i++ {
			here.PutUint32(memory[i*size:], little.Uint32(from[4*i:]))
		}
	case w == 8:
		for i := 0; 8*i < len(from); i++ {
			here.PutUint64(memory[i*size:], little.Uint64(from[8*i:]))
		}
	default:
		for i := 0; 16*i < len(from); i++ {
			here.PutUint64(memory[i*size:], little.Uint64(from[16*i:]))
			here.PutUint64(memory[i*size+8:], little.Uint64(from[16*i+8:]))
		}
	}
}

// called returns the name of a leaf for an error.
func called(leaf *column.Leaf) string {
	if leaf.Path == "" {
		return "value"
	}
	return leaf.Path
}
