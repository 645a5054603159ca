package archive

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/8f878440/crowd/internal/column"
)

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

// rows writes or reads the first leaf of all rows, then the second leaf, and so on.
func (a *Archive) rows(rows reflect.Value, l *layout) {
	n, size := rows.Len(), int(rows.Type().Elem().Size())
	memory := column.Memory(rows)
	if a.Reading() {
		if left := len(a.block.data) - a.block.at; l.bytes > 0 && n > left/l.bytes {
			a.Fail("want %d rows of %d bytes, but only %d bytes are left", n, l.bytes, left)
			return
		}
	} else {
		a.block.data = slices.Grow(a.block.data, n*l.bytes)
	}
	for _, leaf := range l.parts {
		w := width(leaf.Kind)
		inMemory := strided{memory[leaf.Offset:], size}
		if a.Reading() {
			if i, err := a.move(inMemory, strided{a.block.data[a.block.at:], w}, n, &leaf); err != nil {
				a.block.at += i * w
				a.Fail("%w", err)
				return
			}
			a.block.at += n * w
			continue
		}
		at := len(a.block.data)
		a.block.data = a.block.data[:at+n*w]
		if _, err := a.move(strided{a.block.data[at:], w}, inMemory, n, &leaf); err != nil {
			a.Fail("%w", err)
			return
		}
	}
}

// strided holds values that lie step bytes apart.
type strided struct {
	bytes []byte
	step  int
}

var (
	here   = binary.NativeEndian
	little = binary.LittleEndian
)

// move copies n values of a leaf. If err is not nil, bad is the index of the first bad value.
func (a *Archive) move(to, from strided, n int, leaf *column.Leaf) (bad int, err error) {
	all := width(leaf.Kind)
	word := all
	switch leaf.Kind {
	case reflect.Struct:
		return a.moveEntities(to, from, n, leaf)
	case reflect.Int, reflect.Uint:
		if math.MaxInt == math.MaxInt32 {
			return a.moveInts(to, from, n, leaf)
		}
	case reflect.Bool:
		for i := range n {
			if b := from.bytes[i*from.step]; b > 1 {
				return i, fmt.Errorf("%s is %d, want 0 or 1", called(leaf), b)
			}
		}
	case reflect.Complex64, reflect.Complex128:
		word /= 2
	}
	for at := 0; at < all; at += word {
		moveWords(strided{to.bytes[at:], to.step}, strided{from.bytes[at:], from.step}, n, word)
	}
	return 0, nil
}

// moveWords copies n words between the byte orders of the machine and of the stream, in either direction.
func moveWords(to, from strided, n, word int) {
	t, f := to.bytes, from.bytes
	switch word {
	case 1:
		for i := range n {
			t[i*to.step] = f[i*from.step]
		}
	case 2:
		for i := range n {
			little.PutUint16(t[i*to.step:], here.Uint16(f[i*from.step:]))
		}
	case 4:
		for i := range n {
			little.PutUint32(t[i*to.step:], here.Uint32(f[i*from.step:]))
		}
	default:
		for i := range n {
			little.PutUint64(t[i*to.step:], here.Uint64(f[i*from.step:]))
		}
	}
}

func (a *Archive) moveEntities(to, from strided, n int, leaf *column.Leaf) (bad int, err error) {
	one := NewEntities(1)
	var in, out binary.ByteOrder = here, little
	if a.Reading() {
		in, out = little, here
	}
	for i := range n {
		f, t := from.bytes[i*from.step:], to.bytes[i*to.step:]
		id, generation := in.Uint32(f), in.Uint32(f[4:])
		if a.Entity != nil && id > 0 {
			e, err := a.Entity(one.Set(0, id, generation))
			if err != nil {
				return i, fmt.Errorf("%s: %w", called(leaf), err)
			}
			id, generation = e.ID(), e.Generation()
		}
		out.PutUint32(t, id)
		out.PutUint32(t[4:], generation)
	}
	return 0, nil
}

// moveInts is like move for ints and uints, on machines where they have 32 bits.
func (a *Archive) moveInts(to, from strided, n int, leaf *column.Leaf) (bad int, err error) {
	wide := func(x uint32) uint64 {
		if leaf.Kind == reflect.Int {
			return uint64(int32(x))
		}
		return uint64(x)
	}
	for i := range n {
		f, t := from.bytes[i*from.step:], to.bytes[i*to.step:]
		if !a.Reading() {
			little.PutUint64(t, wide(here.Uint32(f)))
			continue
		}
		x := little.Uint64(f)
		if wide(uint32(x)) != x {
			return i, fmt.Errorf("%s is out of range on this machine, want a 32-bit %v", called(leaf), leaf.Kind)
		}
		here.PutUint32(t, uint32(x))
	}
	return 0, nil
}

func called(leaf *column.Leaf) string {
	if leaf.Path == "" {
		return "value"
	}
	return leaf.Path
}
