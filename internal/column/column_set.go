// Package column provides slices over arche's component columns.
//
// It is the only package of the module that imports unsafe, and systems iterate over arche only through it.
// With the safe build tag, it instead copies rows through arche's queries, which is slower and gives the same
// results.
//
// A column is contiguous within one archetype or, if the archetype has a relation, within the rows of one
// relation target. A Run is such a range of rows. Slices of a run are valid until the query that found the
// run is closed.
package column

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/mlange-42/arche/ecs"
)

// SameLayout returns nil if the host's type can stand in for our type, and otherwise an error that describes
// the difference. Both types must have the same size and the same leaves at the same offsets, and a
// coordinate called X in one type must not be called Y in the other. With the safe build tag, all fields must
// be exported.
func SameLayout(ours, host reflect.Type) error {
	want, got := Leaves(ours), Leaves(host)
	if !sameNumbers(ours, host) {
		return fmt.Errorf("%v has %s, want the layout of %v: %s",
			host, describe(host, got), ours, describe(ours, want))
	}
	for i := range want {
		if want[i].axis != "" && got[i].axis != "" && want[i].axis != got[i].axis {
			return fmt.Errorf("field %s of %v is where %v has %s: the axes are swapped",
				got[i].Path, host, ours, want[i].Path)
		}
	}
	if !settable(ours) || !settable(host) {
		return fmt.Errorf("%v cannot stand in for %v with the safe build tag: unexported fields cannot be copied", host, ours)
	}
	return nil
}

// sameNumbers reports whether two types have the same layout, whatever the names of fields.
func sameNumbers(ours, host reflect.Type) bool {
	same := func(a, b Leaf) bool { return a.Offset == b.Offset && a.Name == b.Name }
	return ours.Size() == host.Size() && slices.EqualFunc(Leaves(ours), Leaves(host), same)
}

// Leaf is a part of a type: an entity, or a value that is neither a struct nor an array.
type Leaf struct {
	Offset uintptr
	Kind   reflect.Kind // Struct for an entity
	Name   string       // of its kind, or ecs.Entity
	Path   string       // such as Box.Min.X
	axis   string       // x or y, if a field that contains only this leaf has that name
}

var entityType = reflect.TypeFor[ecs.Entity]()

// Leaves returns the leaves of a type, in memory order.
func Leaves(t reflect.Type) []Leaf { return leaves(nil, t, 0) }

func leaves(all []Leaf, t reflect.Type, offset uintptr) []Leaf {
	switch {
	case t == entityType:
		all = append(all, Leaf{Offset: offset, Kind: t.Kind(), Name: t.String()})
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			f, first := t.Field(i), len(all)
			all = leaves(all, f.Type, offset+f.Offset)
			name(all[first:], f.Name)
		}
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			all = leaves(all, t.Elem(), offset+uintptr(i)*t.Elem().Size())
		}
	default:
		all = append(all, Leaf{Offset: offset, Kind: t.Kind(), Name: t.Kind().String()})
	}
	return all
}

func name(within []Leaf, field string) {
	for i := range within {
		if within[i].Path == "" {
			within[i].Path = field
		} else {
			within[i].Path = field + "." + within[i].Path
		}
	}
	if axis := strings.ToLower(field); len(within) == 1 && within[0].axis == "" && (axis == "x" || axis == "y") {
		within[0].axis = axis
	}
}

// describe returns a layout such as "float64 at 0, float64 at 8 (16 bytes)".
func describe(t reflect.Type, all []Leaf) string {
	parts := []string{}
	for _, l := range all {
		parts = append(parts, fmt.Sprintf("%s at %d", l.Name, l.Offset))
	}
	if len(parts) == 0 {
		parts = []string{"no fields"}
	}
	return fmt.Sprintf("%s (%d bytes)", strings.Join(parts, ", "), t.Size())
}

// Binding replaces one of our component types with a type of the host.
type Binding struct {
	ours, host reflect.Type
	source     func(*ecs.World) Source
}

// Bound returns the binding of type H in place of our component T. Bindings.Add compares the layouts.
func Bound[T, H any]() Binding {
	return Binding{reflect.TypeFor[T](), reflect.TypeFor[H](), BoundSource[T, H]}
}

// Bindings holds the bindings of one frame, keyed by our types. Nil means no bindings.
type Bindings map[reflect.Type]Binding

// NewBindings returns bindings as a set. The error names the types that cannot be bound.
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
			return fmt.Errorf("cannot bind: %v already stands in for %v, so it cannot stand in for %v", b.host, other.ours, b.ours)
		}
	}
	if other, ok := s[b.ours]; ok && other.host != b.host {
		return fmt.Errorf("cannot bind: %v already stands in for %v, so %v cannot", other.host, b.ours, b.host)
	}
	s[b.ours] = b
	return nil
}

// SourceIn returns the source of component T, or of the type bound in its place, and registers that type.
func SourceIn[T any](s Bindings, w *ecs.World) Source {
	if b, ok := s[reflect.TypeFor[T]()]; ok {
		return b.source(w)
	}
	return SourceOf[T](w)
}

// FindIn is like SourceIn, for a world that may be locked. In a locked world, it returns false if the
// component is not registered, because then no entity has it.
func FindIn[T any](s Bindings, w *ecs.World) (Source, bool) {
	if w.IsLocked() {
		if _, ok := Registered(w, nil)[s.HostType(reflect.TypeFor[T]())]; !ok {
			return Source{}, false
		}
	}
	return SourceIn[T](s, w), true
}

// HostType returns the type bound in place of our type t, or t itself if there is none.
func (s Bindings) HostType(t reflect.Type) reflect.Type {
	if b, ok := s[t]; ok {
		return b.host
	}
	return t
}

// OurType returns the type of ours that t replaces, or t itself if t is not bound.
func (s Bindings) OurType(t reflect.Type) reflect.Type {
	for _, b := range s {
		if b.host == t {
			return b.ours
		}
	}
	return t
}

// ToHost converts a value of one of our component types to the type bound in its place, if any.
func (s Bindings) ToHost(value any) any { return convert(value, s.HostType(reflect.TypeOf(value))) }

// ToOurs returns a copy of values, with those of bound types converted to ours.
func (s Bindings) ToOurs(values []any) []any {
	ours := slices.Clone(values)
	for i, value := range values {
		if value != nil {
			ours[i] = convert(value, s.OurType(reflect.TypeOf(value)))
		}
	}
	return ours
}

// Unbound returns an error for the first value whose type is not bound but has the name and the memory layout
// of one of our components, because systems would ignore the value. It accepts the value if the values
// include our component of that name, or one of a type bound in its place. The parameter ours contains a
// value of each of our components.
func (s Bindings) Unbound(values, ours []any) error {
	for _, value := range values {
		if like, ok := s.LooksLike(reflect.TypeOf(value), ours); ok && !slices.ContainsFunc(values, func(other any) bool {
			return other != nil && s.OurType(reflect.TypeOf(other)) == like
		}) {
			return fmt.Errorf("%T is not bound: Config.Bind or Frame.Bind with frame.Bound[%v, %T]() makes it stand in for %v; if it is something else, add %v too",
				value, like, value, like, like)
		}
	}
	return nil
}

// LooksLike returns the type of our component that has the name and the memory layout of t. ok is false if
// there is none, if t is that type itself, or if t is nil or bound.
func (s Bindings) LooksLike(t reflect.Type, ours []any) (like reflect.Type, ok bool) {
	if t == nil || s.OurType(t) != t {
		return nil, false
	}
	for _, comp := range ours {
		if like := reflect.TypeOf(comp); like.Name() == t.Name() {
			return like, like != t && sameNumbers(like, t)
		}
	}
	return nil, false
}

// Resize returns s with length n, in the same memory if its capacity suffices. Elements that it cuts off are
// zeroed. Elements that it adds are undefined.
func Resize[T any](s []T, n int) []T {
	if n <= len(s) {
		clear(s[n:])
		return s[:n]
	}
	if n > cap(s) {
		return Huge(slices.Grow(s, n-len(s))[:n])
	}
	return s[:n]
}

// Set sets the entity's component of the value's type. The entity must have that component.
func Set(w *ecs.World, e ecs.Entity, value any) {
	v := reflect.ValueOf(value)
	if v.Type().Size() > 0 {
		reflect.NewAt(v.Type(), w.Get(e, ecs.TypeID(w, v.Type()))).Elem().Set(v)
	}
}

// SetAll sets component id, which must have the value's type, in every row of a run.
func (r *Run) SetAll(id ecs.ID, value any) {
	v := reflect.ValueOf(value)
	if v.Type().Size() == 0 {
		return
	}
	rows := reflect.SliceAt(v.Type(), r.at.Get(id), r.Rows)
	rows.Index(0).Set(v)
	for done := 1; done < r.Rows; done *= 2 {
		reflect.Copy(rows.Slice(done, r.Rows), rows.Slice(0, done))
	}
}

// Registered returns the IDs of the components registered in a world, by type. It adds them to known, which
// is nil or the result of an earlier call for the same world.
func Registered(w *ecs.World, known map[reflect.Type]ecs.ID) map[reflect.Type]ecs.ID {
	if known == nil {
		known = map[reflect.Type]ecs.ID{}
	}
	for _, id := range ecs.ComponentIDs(w)[len(known):] {
		info, _ := ecs.ComponentInfo(w, id)
		known[info.Type] = id
	}
	return known
}

// Memory returns the memory of a slice whose elements contain neither pointers nor strings.
func Memory(rows reflect.Value) []byte {
	n := rows.Len() * int(rows.Type().Elem().Size())
	return reflect.SliceAt(reflect.TypeFor[byte](), rows.UnsafePointer(), n).Bytes()
}

// Slice returns component id, of type t, of the rows of a run, as a slice over the world's memory. The run
// must have the component.
func (r *Run) Slice(id ecs.ID, t reflect.Type) reflect.Value {
	if t.Size() == 0 {
		return reflect.MakeSlice(reflect.SliceOf(t), r.Rows, r.Rows)
	}
	return reflect.SliceAt(t, r.at.Get(id), r.Rows)
}

// Target returns the relation component of the rows of a run, and its target. ok is false if the rows have no
// relation.
func (r *Run) Target() (relation ecs.ID, target ecs.Entity, ok bool) {
	if !r.Kind.hasRelation {
		return relation, target, false
	}
	return r.Kind.relation, r.at.Relation(r.Kind.relation), true
}
