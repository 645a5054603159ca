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

// difference returns the first difference, compared bit for bit, such as "agent 3 has
// components.Velocity.X=1, want 2"; or the empty string. It ignores components for which skip
// returns true.
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
			if d := s.compare(value, other.values[k], want); d != nil {
				return fmt.Sprintf("%s has %v%s=%s, want %s", r.name, value.Type(), d.path, d.got, d.want)
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

type difference struct{ path, got, want string }

// compare returns the first difference between two values of the same type, or nil. Entities are equal
// if they have the same name in their snapshots. In other values, it compares integers, floats, bools and
// strings, and ignores other kinds.
func (s *snapshot) compare(a, b reflect.Value, want *snapshot) *difference {
	if a.Type() == reflect.TypeFor[ecs.Entity]() {
		return differ(s.nameOf(a), want.nameOf(b))
	}
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if d := s.compare(a.Field(i), b.Field(i), want); d != nil {
				if field := a.Type().Field(i); !field.Anonymous {
					d.path = "." + field.Name + d.path
				}
				return d
			}
		}
	case reflect.Array:
		for i := range a.Len() {
			if d := s.compare(a.Index(i), b.Index(i), want); d != nil {
				d.path = fmt.Sprintf("[%d]%s", i, d.path)
				return d
			}
		}
	case reflect.Float32, reflect.Float64:
		if a, b := a.Float(), b.Float(); math.Float64bits(a) != math.Float64bits(b) {
			return differ(fmt.Sprint(a), fmt.Sprint(b))
		}
	case reflect.Bool, reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if !a.Equal(b) {
			return differ(fmt.Sprint(a), fmt.Sprint(b))
		}
	}
	return nil
}

func differ(got, want string) *difference {
	if got == want {
		return nil
	}
	return &difference{got: got, want: want}
}

func (s *snapshot) nameOf(entity reflect.Value) string {
	if name, ok := s.names[partsOf(entity)]; ok {
		return name
	}
	return "no entity"
}

func partsOf(entity reflect.Value) [2]uint64 {
	return [2]uint64{entity.Field(0).Uint(), entity.Field(1).Uint()}
}

func (s *snapshot) notANumber() string {
	for _, r := range s.rows {
		for _, value := range r.values {
			if path, found := nanIn(value); found {
				return fmt.Sprintf("%s has %v%s=NaN", r.name, value.Type(), path)
			}
		}
	}
	return ""
}

func nanIn(v reflect.Value) (path string, found bool) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if path, found := nanIn(v.Field(i)); found {
				if field := v.Type().Field(i); !field.Anonymous {
					path = "." + field.Name + path
				}
				return path, true
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			if path, found := nanIn(v.Index(i)); found {
				return fmt.Sprintf("[%d]%s", i, path), true
			}
		}
	case reflect.Float32, reflect.Float64:
		return "", math.IsNaN(v.Float())
	}
	return "", false
}
