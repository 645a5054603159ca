package archive

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/8f878440/crowd/internal/column"
)

type layout struct {
	plain bool          // no strings and no slices
	fault string        // see Fault; "" also if only elements of slices have one
	parts []column.Leaf // of a plain type
	bytes int           // of a plain type in a stream
}

var layouts sync.Map // by reflect.Type

func layoutOf(t reflect.Type) *layout {
	if known, ok := layouts.Load(t); ok {
		return known.(*layout)
	}
	l := &layout{plain: true}
	for _, leaf := range column.Leaves(t) {
		switch leaf.Kind {
		case reflect.Slice, reflect.String:
			l.plain = false
		case reflect.Map, reflect.Pointer, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
			l.fault = fmt.Sprintf("the field %s of kind %s, want plain values", leaf.Path, leaf.Name)
			if leaf.Path == "" {
				l.fault = fmt.Sprintf("a value of kind %s, want plain values", leaf.Name)
			}
		}
	}
	if l.plain && l.fault == "" {
		l.parts = column.Leaves(t)
		for _, leaf := range l.parts {
			l.bytes += width(leaf.Kind)
		}
	}
	known, _ := layouts.LoadOrStore(t, l)
	return known.(*layout)
}

// Fault returns the reason why a type cannot be kept, or "" if it can be kept.
func Fault(t reflect.Type) string { return fault(t, nil) }

// Plain reports whether a type can be kept and has a fixed size.
func Plain(t reflect.Type) bool {
	l := layoutOf(t)
	return l.plain && l.fault == ""
}

// Fields returns descriptions of the leaves of a plain type, such as "Vec.X float64", in memory order.
func Fields(t reflect.Type) (fields []string) {
	for _, leaf := range column.Leaves(t) {
		fields = append(fields, strings.TrimSpace(leaf.Path+" "+leaf.Name))
	}
	return fields
}

func fault(t reflect.Type, within []reflect.Type) string {
	l := layoutOf(t)
	if l.fault != "" || l.plain {
		return l.fault
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		if slices.Contains(within, t) {
			return fmt.Sprintf("the type %v, which contains itself, want plain values", t)
		}
		return fault(t.Elem(), append(within, t))
	case reflect.Struct:
		for i := range t.NumField() {
			if text := fault(t.Field(i).Type, within); text != "" {
				return text
			}
		}
	}
	return ""
}

// value writes or reads v, which must be addressable.
func (a *Archive) value(v reflect.Value) {
	t := v.Type()
	if l := layoutOf(t); l.plain {
		a.rows(reflect.SliceAt(t, v.Addr().UnsafePointer(), 1), l)
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := v.Field(i)
			a.value(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()) // unexported fields too
		}
	case reflect.Array:
		for i := range t.Len() {
			a.value(v.Index(i))
		}
	case reflect.String:
		n := a.length(v.Len(), 1)
		if a.Reading() {
			v.SetString(string(a.next(n)))
		} else {
			a.block.data = append(a.block.data, v.String()...)
		}
	case reflect.Slice:
		a.slice(v)
	}
}

func (a *Archive) slice(v reflect.Value) {
	l := layoutOf(v.Type().Elem())
	least := l.bytes
	if !l.plain {
		least = 8 // each element contains at least a length
	}
	n := a.length(v.Len(), least)
	if a.Reading() {
		v.SetZero()
		if n > 0 && a.err == nil {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
	}
	if l.plain {
		if v.Len() > 0 {
			a.rows(v, l)
		}
		return
	}
	for i := 0; i < v.Len() && a.err == nil; i++ {
		a.value(v.Index(i))
	}
}

// length writes and returns n, or reads and returns a length. The parameter least is the minimum size of an
// element, in bytes.
func (a *Archive) length(n, least int) int {
	if !a.Reading() {
		a.block.data = little.AppendUint64(a.block.data, uint64(n))
		return n
	}
	at := a.block.at
	from := a.next(8)
	if a.err != nil {
		return 0
	}
	got, left := little.Uint64(from), len(a.block.data)-a.block.at
	if got > math.MaxInt32 || least > 0 && got > uint64(left/least) {
		a.block.at = at
		a.Fail("length is %d, but only %d bytes are left", got, left)
		return 0
	}
	return int(got)
}

func (a *Archive) next(n int) []byte {
	if left := len(a.block.data) - a.block.at; n > left {
		a.Fail("want %d more bytes, but only %d are left", n, left)
	}
	if a.err != nil {
		return nil
	}
	a.block.at += n
	return a.block.data[a.block.at-n : a.block.at]
}
