package world

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Component is a component of an entity as text.
type Component struct {
	Name   string  `json:"name"`   // of the type; a host's types with their package
	Fields []Field `json:"fields"` // none for a tag
}

// Field is a field of a component. Numbers have all their digits.
type Field struct {
	Name  string `json:"name"` // empty where the component is a single value
	Value string `json:"value"`
}

// componentsOf returns all components of a living entity, a host's too, by name.
func componentsOf(w *ecs.World, e ecs.Entity) (all []Component) {
	eachComponent(w, e, func(v reflect.Value) {
		name := v.Type().String()
		if v.Type().PkgPath() == ourComponents {
			name = v.Type().Name()
		}
		all = append(all, Component{name, fieldsOf([]Field{}, v)})
	})
	slices.SortFunc(all, func(a, b Component) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

var (
	ourComponents = reflect.TypeFor[c.Agent]().PkgPath()
	entityType    = reflect.TypeFor[ecs.Entity]()
	vectorType    = reflect.TypeFor[r2.Vec]()
)

// eachComponent visits the components of a living entity, in the order in which
// their types were registered.
func eachComponent(w *ecs.World, e ecs.Entity, visit func(reflect.Value)) {
	for _, id := range w.Ids(e) {
		info, ok := ecs.ComponentInfo(w, id)
		if !ok {
			continue
		}
		v := reflect.Zero(info.Type)
		if info.Type.Size() > 0 {
			v = reflect.NewAt(info.Type, w.Get(e, id)).Elem()
		}
		visit(v)
	}
}

// fieldsOf appends the fields of a component, those of embedded types among them.
func fieldsOf(all []Field, v reflect.Value) []Field {
	if v.Kind() != reflect.Struct || v.Type() == entityType {
		return append(all, Field{Value: text(v)})
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.Type.Size() == 0: // such as what marks a relation
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			all = fieldsOf(all, v.Field(i))
		default:
			all = append(all, Field{f.Name, text(v.Field(i))})
		}
	}
	return all
}

// text writes a value for people, without looking behind pointers.
func text(v reflect.Value) string {
	if v.Type() == entityType {
		return entityName(v.Field(0).Uint(), v.Field(1).Uint())
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32:
		return strconv.FormatFloat(v.Float(), 'g', -1, 32)
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.String:
		return v.String()
	case reflect.Struct:
		return structText(v)
	case reflect.Array, reflect.Slice:
		return listText(v)
	case reflect.Pointer, reflect.Map, reflect.Func, reflect.Chan, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
	}
	return v.Type().String()
}

func structText(v reflect.Value) string {
	var parts []string
	for i := range v.NumField() {
		part := text(v.Field(i))
		if v.Type() != vectorType {
			part = v.Type().Field(i).Name + " " + part
		}
		parts = append(parts, part)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// mostListed bounds what is written of a host's slices.
const mostListed = 16

func listText(v reflect.Value) string {
	var parts []string
	for i := range min(v.Len(), mostListed) {
		parts = append(parts, text(v.Index(i)))
	}
	if v.Len() > mostListed {
		parts = append(parts, fmt.Sprintf("… %d in all", v.Len()))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// entityText writes an entity, such as "entity 17", and the zero one as "none".
func entityText(e ecs.Entity) string { return entityName(uint64(e.ID()), uint64(e.Generation())) }

func entityName(id, generation uint64) string {
	switch {
	case id == 0:
		return "none"
	case generation == 0:
		return fmt.Sprintf("entity %d", id)
	}
	return fmt.Sprintf("entity %d, generation %d", id, generation)
}
