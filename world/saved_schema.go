package world

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems"
)

// savedType is a component that can be saved.
type savedType struct {
	name string
	ours reflect.Type // that it is saved as
	host reflect.Type // that entities have: another one if that is bound
}

// fields are what the type has: names and kinds.
func (t *savedType) fields() []string { return archive.Fields(t.ours) }

// savedTypes returns the components that are saved, by name: ours, those of behaviors, and
// those of Config.Saved.
func (w *World) savedTypes() map[string]savedType {
	all := map[string]savedType{}
	add := func(component any) {
		if t := reflect.TypeOf(component); t.Kind() != reflect.Pointer {
			ours := w.types.OurType(t)
			all[ours.String()] = savedType{ours.String(), ours, w.types.HostType(ours)}
		}
	}
	for _, component := range systems.Components() {
		add(component)
	}
	for _, e := range w.config.Behaviors {
		for _, component := range slices.Concat([]any{e.Component}, e.Needs, e.Adds) {
			add(component)
		}
	}
	for _, component := range w.config.Saved {
		add(component)
	}
	return all
}

// checkSaved returns an error that names the first value of Saved or Unsaved that cannot be
// what it is there for.
func (c *Config) checkSaved(bound column.Bindings) error {
	types := map[reflect.Type]int{} // of Saved, and where
	names := map[string]reflect.Type{}
	for _, component := range systems.Components() {
		names[reflect.TypeOf(component).String()] = reflect.TypeOf(component)
	}
	for i, value := range c.Saved {
		t := reflect.TypeOf(value)
		if t == nil {
			return fmt.Errorf("saved[%d] is nil, want a component, or a pointer to a resource", i)
		}
		if first, ok := types[t]; ok {
			return fmt.Errorf("saved[%d] is %v, as is saved[%d]: want it once", i, t, first)
		}
		types[t] = i
		if t.Kind() == reflect.Pointer {
			if slices.Contains(ourResources(), t.Elem()) {
				return fmt.Errorf("saved[%d] is %v, which is always saved: want resources of your own", i, t)
			}
			continue
		}
		if ours := bound.OurType(t); ours != t {
			return fmt.Errorf("saved[%d] is %v, which stands in for %v and is always saved: want other components", i, t, ours)
		}
		if names[t.String()] == t {
			return fmt.Errorf("saved[%d] is %v, which is always saved: want components of your own", i, t)
		}
		if fault := archive.Fault(t); fault != "" {
			return fmt.Errorf("saved[%d] is the component %v with %s; keep what varies in a resource", i, t, fault)
		}
		if !archive.Plain(t) {
			return fmt.Errorf("saved[%d] is the component %v with strings or slices, want plain values of a fixed size; keep what varies in a resource", i, t)
		}
		if _, ok := names[t.String()]; ok {
			return fmt.Errorf("saved[%d] is one of two types with the name %v, want names of their own", i, t)
		}
		names[t.String()] = t
	}
	for i, value := range c.Unsaved {
		if t := reflect.TypeOf(value); t == nil || t.Kind() == reflect.Pointer {
			return fmt.Errorf("unsaved[%d] is a %T, want a component", i, value)
		}
	}
	return nil
}

// savedComponent is what a stream says of a component.
type savedComponent struct {
	Name   string
	Fields []string
}

// check returns an error that says what differs from the type that the world has.
func (s *savedComponent) check(t savedType) error {
	fields := t.fields()
	for i, f := range s.Fields {
		if i >= len(fields) {
			return fmt.Errorf("%s has the field %q, and the type that is there now has %d fields", s.Name, f, len(fields))
		}
		if f != fields[i] {
			return fmt.Errorf("field %d of %s is %q, and of the type that is there now %q", i, s.Name, f, fields[i])
		}
	}
	if n := len(s.Fields); n < len(fields) {
		return fmt.Errorf("%s lacks the field %q of the type that is there now", s.Name, fields[n])
	}
	return nil
}

// unknownComponents returns an error that names components that entities have and nobody
// saves, and how many have them.
func unknownComponents(counts map[reflect.Type]int) error {
	if len(counts) == 0 {
		return nil
	}
	var parts []string
	for t, n := range counts {
		have := "entities have"
		if n == 1 {
			have = "entity has"
		}
		parts = append(parts, fmt.Sprintf("%d %s %v", n, have, t))
	}
	slices.Sort(parts)
	return fmt.Errorf("%s: want it in Config.Saved, or in Config.Unsaved if it is to be left out", strings.Join(parts, ", "))
}
