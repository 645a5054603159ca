package column

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/mlange-42/arche/ecs"
)

// Binding makes a host's own component type stand in for one of ours.
type Binding struct {
	ours, host reflect.Type
	source     func(*ecs.World) Source
}

// Bound returns the binding of type H in place of our component T. Whether their
// layouts agree is checked where it is used.
func Bound[T, H any]() Binding {
	return Binding{reflect.TypeFor[T](), reflect.TypeFor[H](), BoundSource[T, H]}
}

// Bindings are those of one frame, by our types. Nil: none.
type Bindings map[reflect.Type]Binding

// NewBindings returns the bindings as a set. The error names the types that
// cannot be bound.
func NewBindings(all ...Binding) (Bindings, error) {
	set := Bindings{}
	for _, b := range all {
		if err := set.Add(b); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// Add adds a binding. The error names the types that cannot be bound.
func (s Bindings) Add(b Binding) error {
	if b.source == nil {
		return fmt.Errorf("cannot bind: the zero Binding names no types")
	}
	if err := SameLayout(b.ours, b.host); err != nil {
		return fmt.Errorf("cannot bind: %w", err)
	}
	for _, other := range s {
		if other.host == b.host && other.ours != b.ours {
			return fmt.Errorf("cannot bind: %v stands in for %v already, and cannot for %v too", b.host, other.ours, b.ours)
		}
	}
	if other, ok := s[b.ours]; ok && other.host != b.host {
		return fmt.Errorf("cannot bind: %v stands in for %v already, %v cannot too", other.host, b.ours, b.host)
	}
	s[b.ours] = b
	return nil
}

// SourceIn returns the source of component T, or of what is bound in its place,
// and registers that in the world.
func SourceIn[T any](s Bindings, w *ecs.World) Source {
	if b, ok := s[reflect.TypeFor[T]()]; ok {
		return b.source(w)
	}
	return SourceOf[T](w)
}

// FindIn is SourceIn where the world may be locked, as it is while a host goes over a
// query; false if no entity has the component, because it is not registered.
func FindIn[T any](s Bindings, w *ecs.World) (Source, bool) {
	if w.IsLocked() {
		if _, ok := Registered(w)[s.HostType(reflect.TypeFor[T]())]; !ok {
			return Source{}, false
		}
	}
	return SourceIn[T](s, w), true
}

// HostType returns the type that is bound in place of one of ours, and the type
// itself where none is.
func (s Bindings) HostType(t reflect.Type) reflect.Type {
	if b, ok := s[t]; ok {
		return b.host
	}
	return t
}

// OurType returns the type in whose place one is bound, and the type itself where
// it is not.
func (s Bindings) OurType(t reflect.Type) reflect.Type {
	for _, b := range s {
		if b.host == t {
			return b.ours
		}
	}
	return t
}

// ToHost returns a component value of ours as one of the type that is bound in
// its place.
func (s Bindings) ToHost(value any) any { return convert(value, s.HostType(reflect.TypeOf(value))) }

// ToOurs returns component values in which those of bound types are ours.
func (s Bindings) ToOurs(values []any) []any {
	ours := slices.Clone(values)
	for i, value := range values {
		if value != nil {
			ours[i] = convert(value, s.OurType(reflect.TypeOf(value)))
		}
	}
	return ours
}

// Unbound returns an error that names the first of some component values that has
// the name and the numbers of one of ours and is not bound: systems would pass it
// by, and agents stand still. Beside one of ours it is taken for something else. Ours
// are values of all our components.
func (s Bindings) Unbound(values, ours []any) error {
	for _, value := range values {
		if like, ok := s.LooksLike(reflect.TypeOf(value), ours); ok && !slices.ContainsFunc(values, func(other any) bool {
			return other != nil && s.OurType(reflect.TypeOf(other)) == like
		}) {
			return fmt.Errorf("%T is not bound: Config.Bind, or Frame.Bind, with frame.Bound[%v, %T]() makes it stand in for %v; or give %v too if it is something else",
				value, like, value, like, like)
		}
	}
	return nil
}

// LooksLike returns which of our components a type has the name and the numbers of
// without being bound to it.
func (s Bindings) LooksLike(t reflect.Type, ours []any) (like reflect.Type, ok bool) {
	if t == nil || s.OurType(t) != t {
		return nil, false
	}
	for _, comp := range ours {
		if like := reflect.TypeOf(comp); like.Name() == t.Name() {
			return like, like != t && SameNumbers(like, t)
		}
	}
	return nil, false
}
