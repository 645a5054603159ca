package frame

import (
	"reflect"

	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// rowFilter matches rows that have some components and lack others. A component that
// is not registered in the world is on no row, and looking for it does not register it:
// arche has room for 256, its tiny build for 64, and a host needs some for itself.
type rowFilter struct {
	with, without []reflect.Type
	mask          ecs.MaskFilter
	asleep        bool // not all of with are registered
}

// Matches reports whether the filter matches rows with these components.
func (f *rowFilter) Matches(bits *ecs.Mask) bool { return !f.asleep && f.mask.Matches(bits) }

// lookUp sets the mask to the components that are registered. It returns whether all are.
func (f *rowFilter) lookUp(registered func(reflect.Type) (ecs.ID, bool)) (all bool) {
	mask := func(types []reflect.Type) (m ecs.Mask, all bool) {
		all = true
		for _, t := range types {
			id, ok := registered(t)
			if all = all && ok; ok {
				m.Set(id, true)
			}
		}
		return m, all
	}
	include, with := mask(f.with)
	exclude, without := mask(f.without)
	f.mask, f.asleep = ecs.MaskFilter{Include: include, Exclude: exclude}, !with
	return with && without
}

// lookUp finds the components of the pass that are registered in its world.
func (p *pass) lookUp() {
	ids := column.Registered(p.world)
	registered := func(t reflect.Type) (ecs.ID, bool) {
		id, ok := ids[p.bound.HostType(t)]
		return id, ok
	}
	p.registered, p.complete = len(ids), true
	for i := range p.slots {
		s := &p.slots[i]
		if s.found {
			continue
		}
		if _, s.found = registered(s.typ); s.found {
			s.source = s.find(p.bound, p.world)
		}
		p.complete = p.complete && s.found
	}
	for _, f := range p.filters {
		p.complete = f.lookUp(registered) && p.complete
	}
}

// Matches reports whether a system of the pass works on rows with these components, or
// wants to see them. Arche asks for each archetype when it is made, so a component that
// has just been registered is known in time.
func (p *pass) Matches(bits *ecs.Mask) bool {
	if !p.complete && len(ecs.ComponentIDs(p.world)) != p.registered {
		p.lookUp()
	}
	for _, f := range p.filters {
		if f.Matches(bits) {
			return true
		}
	}
	return false
}
