package scene

import (
	"fmt"
	"iter"
	"reflect"
	"slices"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
)

// components are the entries of this module, and ours those of them that have a table or a key
// of their own in a group.
var (
	components = systems.Catalog()
	ours       = inFiles(components)
)

// byType are all entries of this module.
var byType = func() map[reflect.Type]*catalog.Entry {
	of := map[reflect.Type]*catalog.Entry{}
	for i := range components {
		of[reflect.TypeOf(components[i].Component)] = &components[i]
	}
	return of
}()

func inFiles(entries []catalog.Entry) []catalog.Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e catalog.Entry) bool { return e.Special })
}

// entries returns those of all behaviors that a group can have, in the order of a file.
func (s *Scene) entries() []catalog.Entry {
	if len(s.Catalog) == 0 {
		return ours
	}
	return slices.Concat(ours, inFiles(s.Catalog))
}

// entry returns that of a behavior of a group, nil for one that no group can have.
func (s *Scene) entry(behavior any) *catalog.Entry {
	if e := s.entryOf(behavior); e != nil && !e.Special {
		return e
	}
	return nil
}

// registered are the behaviors of the host that all files may name.
var registered []catalog.Entry

// Register adds behaviors of a host to those that scene files may name where
// [OpenOptions.Catalog] is nil. It returns an error if one is not whole, or has the name of another
// key of a group. A program calls it at its start, before it reads scenes.
func Register(behaviors ...catalog.Entry) error {
	all := slices.Concat(registered, behaviors)
	if err := (&Scene{Catalog: all}).checkCatalog(); err != nil {
		return err
	}
	registered = all
	return nil
}

// catalogOr returns the behaviors of a host, or those that are registered.
func catalogOr(own []catalog.Entry) []catalog.Entry {
	if own == nil {
		return registered
	}
	return own
}

// checkCatalog returns an error that names the first entry of a host that is not whole, or
// has the name of another key of a group.
func (s *Scene) checkCatalog() error {
	if len(s.Catalog) == 0 {
		return nil
	}
	taken := map[string]bool{}
	for _, k := range new(Scene).groupKeys(new(Group)) {
		taken[k.name] = true
	}
	for i := range s.Catalog {
		e := &s.Catalog[i]
		if err := e.Validate(); err != nil {
			return err
		}
		if taken[e.Name] {
			return fmt.Errorf("behavior %s has the name of another key of groups", e.Name)
		}
		if byType[reflect.TypeOf(e.Component)] != nil {
			return fmt.Errorf("behavior %s has the component %T of another behavior", e.Name, e.Component)
		}
		taken[e.Name] = true
	}
	return nil
}

// entryOf returns that of a component, nil if there is none.
func (s *Scene) entryOf(component any) *catalog.Entry {
	of := reflect.TypeOf(component)
	if e, ok := byType[of]; ok {
		return e
	}
	for i := range s.Catalog {
		if e := &s.Catalog[i]; reflect.TypeOf(e.Component) == of {
			return e
		}
	}
	return nil
}

// known visits the behaviors of a group that have an entry.
func (s *Scene) known(g *Group) iter.Seq2[any, *catalog.Entry] {
	return func(yield func(any, *catalog.Entry) bool) {
		for _, b := range g.Behaviors {
			if e := s.entry(b); e != nil && !yield(b, e) {
				return
			}
		}
	}
}

// pointerTo returns a pointer to a copy of a component, and pointedAt what it points to.
func pointerTo(component any) any {
	at := reflect.New(reflect.TypeOf(component))
	at.Elem().Set(reflect.ValueOf(component))
	return at.Interface()
}

func pointedAt(component any) any { return reflect.ValueOf(component).Elem().Interface() }
