package frame

import (
	"fmt"

	"github.com/8f878440/crowd/internal/column"
)

// Binding makes a host's own component type stand in for one of ours, without a
// copy, in a frame or in a whole world. Bound makes one; the zero Binding is an
// error where it is used.
type Binding = column.Binding

// Bindings are those of a frame.
type Bindings = column.Bindings

// Bound returns the binding of a host's type H in place of our component T, for
// Frame.Bind and for a list of them, as world.Config.Bind is. Both types must have
// the same memory layout, such as two float64; and where both have fields called
// X and Y, these stand on the same axis. Whether they do is checked where the
// binding is used.
func Bound[T, H any]() Binding { return column.Bound[T, H]() }

// Bind makes host types stand in for ours in all systems of the frame. Call it
// before Initialize. The error names types whose layouts differ or whose axes are
// swapped, a type of ours that two would stand in for, and a type that would stand
// in for two; then those before it are bound.
func (f *Frame) Bind(bindings ...Binding) error {
	if f.workers != nil {
		panic("crowd: Bind after Initialize of the frame")
	}
	for _, b := range bindings {
		if err := f.bound.Add(b); err != nil {
			return fmt.Errorf("crowd: %w", err)
		}
	}
	return nil
}

// Bind is Frame.Bind for one type H in place of our component T.
func Bind[T, H any](f *Frame) error { return f.Bind(Bound[T, H]()) }
