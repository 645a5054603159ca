package scene

import (
	"fmt"
	"iter"
	"reflect"
	"slices"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
)

// components are the built-in entries; ours are those with their own key in a group.
var (
	components = systems.Catalog()
	ours       = inFiles(components)
)

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

func (s *Scene) entries() []catalog.Entry {
	if len(s.Catalog) == 0 {
		return ours
	}
	return slices.Concat(ours, inFiles(s.Catalog))
}

func (s *Scene) entry(behavior any) *catalog.Entry {
	if e := s.entryOf(behavior); e != nil && !e.Special {
		return e
	}
	return nil
}

var registered []catalog.Entry

// Register adds a host's behaviors, which scene files may use if [OpenOptions.Catalog] is nil. It returns an
// error, and adds none, if a behavior is incomplete, or has the name of another key of a group or the
// component of another behavior. Call it before reading scenes.
func Register(behaviors ...catalog.Entry) error {
	all := slices.Concat(registered, behaviors)
	if err := (&Scene{Catalog: all}).checkCatalog(); err != nil {
		return err
	}
	registered = all
	return nil
}

func (o *OpenOptions) setCatalog() error {
	if o.Catalog == nil {
		o.Catalog = registered
	}
	return (&Scene{Catalog: o.Catalog}).checkCatalog()
}

func (s *Scene) checkCatalog() error {
	if len(s.Catalog) == 0 {
		return nil
	}
	taken, components := map[string]bool{}, map[reflect.Type]bool{}
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
		t := reflect.TypeOf(e.Component)
		if byType[t] != nil || components[t] {
			return fmt.Errorf("behavior %s has the component %T of another behavior", e.Name, e.Component)
		}
		taken[e.Name], components[t] = true, true
	}
	return nil
}

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

func (s *Scene) known(g *Group) iter.Seq2[any, *catalog.Entry] {
	return func(yield func(any, *catalog.Entry) bool) {
		for _, b := range g.Behaviors {
			if e := s.entry(b); e != nil && !yield(b, e) {
				return
			}
		}
	}
}

// pointerTo returns a pointer to a copy of a component; pointedAt is its inverse.
func pointerTo(component any) any {
	at := reflect.New(reflect.TypeOf(component))
	at.Elem().Set(reflect.ValueOf(component))
	return at.Interface()
}

func pointedAt(component any) any { return reflect.ValueOf(component).Elem().Interface() }
