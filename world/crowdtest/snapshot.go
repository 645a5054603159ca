package crowdtest

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/mlange-42/arche/ecs"
)

// row is an entity with copies of all its components.
type row struct {
	entity ecs.Entity
	name   string
	values []reflect.Value // ordered by type
}

// snapshot holds all rows of a world: agents by number, then the other entities in query order.
type snapshot struct {
	rows  []row
	names map[[2]uint64]string // by entity ID and generation
}

func (cr *crowd) snapshot() *snapshot {
	s := &snapshot{rows: make([]row, crowdSize), names: map[[2]uint64]string{}}
	for query := cr.ECS.Query(ecs.All()); query.Next(); {
		r := row{entity: query.Entity()}
		for _, id := range query.Ids() {
			info, _ := ecs.ComponentInfo(cr.ECS, id)
			value := reflect.New(info.Type).Elem()
			if info.Type.Size() > 0 {
				value.Set(reflect.NewAt(info.Type, query.Get(id)).Elem())
			}
			r.values = append(r.values, value)
		}
		slices.SortFunc(r.values, func(a, b reflect.Value) int { return compareTypes(a.Type(), b.Type()) })
		if i := slices.Index(cr.agents, r.entity); i >= 0 {
			r.name = fmt.Sprintf("agent %d", i+1)
			s.rows[i] = r
		} else {
			r.name = fmt.Sprintf("entity %d", len(s.rows)-crowdSize+1)
			s.rows = append(s.rows, r)
		}
		s.names[partsOf(reflect.ValueOf(r.entity))] = r.name
	}
	return s
}

func compareTypes(a, b reflect.Type) int { return cmp.Compare(a.String(), b.String()) }

// difference compares two snapshots bit for bit, and returns the first difference, such as "agent 3 has
// components.Velocity.X=1, want 2", or the empty string. It ignores components for which the function skip,
// if not nil, returns true.
func (s *snapshot) difference(want *snapshot, skip func(ecs.Entity, reflect.Type) bool) string {
	if got, want := len(s.rows), len(want.rows); got != want {
		return fmt.Sprintf("there are %d entities, want %d", got, want)
	}
	for i, r := range s.rows {
		other := &want.rows[i]
		if got, want := typesOf(r.values), typesOf(other.values); !slices.Equal(got, want) {
			return fmt.Sprintf("%s has the components %v, want %v", r.name, got, want)
		}
		for k, value := range r.values {
			if skip != nil && skip(r.entity, value.Type()) {
				continue
			}
			if path, got, wanted, found := s.compare(value, other.values[k], want); found {
				return fmt.Sprintf("%s has %v%s=%s, want %s", r.name, value.Type(), path, got, wanted)
			}
		}
	}
	return ""
}

func typesOf(values []reflect.Value) (types []reflect.Type) {
	for _, v := range values {
		types = append(types, v.Type())
	}
	return types
}

// compare returns the path of the first difference between two values, and the differing values as text.
// Entities are equal if they have the same name in their snapshots.
func (s *snapshot) compare(a, b reflect.Value, want *snapshot) (path, got, wanted string, found bool) {
	path, found = firstLeaf(a, b, func(a, b reflect.Value) bool {
		switch {
		case a.Type() == entityType:
			got, wanted = s.nameOf(a), want.nameOf(b)
		case a.CanFloat() && math.Float64bits(a.Float()) != math.Float64bits(b.Float()), !a.CanFloat() && !a.Equal(b):
			got, wanted = fmt.Sprint(a), fmt.Sprint(b)
		default:
			return false
		}
		return got != wanted
	})
	return path, got, wanted, found
}

var entityType = reflect.TypeFor[ecs.Entity]()

// firstLeaf walks two values of the same type, and returns the path of the first leaf for which the given
// function returns true. A leaf is an entity, an integer, a float, a bool or a string; other kinds are
// ignored.
func firstLeaf(a, b reflect.Value, is func(a, b reflect.Value) bool) (path string, found bool) {
	switch kind := a.Kind(); {
	case a.Type() == entityType || kind >= reflect.Bool && kind <= reflect.Float64 || kind == reflect.String:
		return "", is(a, b)
	case kind == reflect.Struct:
		for i := range a.NumField() {
			if path, found := firstLeaf(a.Field(i), b.Field(i), is); found {
				if field := a.Type().Field(i); !field.Anonymous {
					path = "." + field.Name + path
				}
				return path, true
			}
		}
	case kind == reflect.Array:
		for i := range a.Len() {
			if path, found := firstLeaf(a.Index(i), b.Index(i), is); found {
				return fmt.Sprintf("[%d]%s", i, path), true
			}
		}
	}
	return "", false
}

func (s *snapshot) nameOf(entity reflect.Value) string {
	return cmp.Or(s.names[partsOf(entity)], "no entity")
}

func partsOf(entity reflect.Value) [2]uint64 {
	return [2]uint64{entity.Field(0).Uint(), entity.Field(1).Uint()}
}

func (s *snapshot) notANumber() string {
	for _, r := range s.rows {
		for _, value := range r.values {
			nan := func(v, _ reflect.Value) bool { return v.CanFloat() && math.IsNaN(v.Float()) }
			if path, found := firstLeaf(value, value, nan); found {
				return fmt.Sprintf("%s has %v%s=NaN", r.name, value.Type(), path)
			}
		}
	}
	return ""
}
