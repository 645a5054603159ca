package replay

import (
	"iter"

	"github.com/8f878440/crowd/world"
)

// Field is a number of a component, or what else it holds, in two worlds.
type Field struct {
	Component string `json:"component"`
	Field     string `json:"field,omitempty"` // empty where the component is a single value, or is missing
	A         string `json:"a"`               // as text, with all digits
	B         string `json:"b"`
}

// Difference is the first entity that is not the same in two worlds.
type Difference struct {
	Agent  uint64  `json:"agent,omitempty"` // its id; 0: it is no agent
	Entity uint32  `json:"entity"`
	Fields []Field `json:"fields"` // those that differ, by component
}

// missing stands for a component, or all of them, that one world has and the other has not.
const missing = "missing"

// Differences visits the entities that are not the same in two worlds, whose [world.World.States] these are:
// agents by their ids, and then all others.
func Differences(a, b iter.Seq[world.EntityState]) iter.Seq[Difference] {
	return func(yield func(Difference) bool) {
		nextA, stopA := iter.Pull(a)
		defer stopA()
		nextB, stopB := iter.Pull(b)
		defer stopB()
		x, okA := nextA()
		y, okB := nextB()
		for okA || okB {
			d := Difference{Agent: x.Agent, Entity: x.Entity}
			atA, atB := placeOf(x.Agent, x.Entity), placeOf(y.Agent, y.Entity)
			onlyA, onlyB := !okB || okA && atA.before(atB), !okA || okB && atB.before(atA)
			switch {
			case onlyA:
				d.Fields = []Field{{Component: "all", A: "there", B: missing}}
			case onlyB:
				d.Agent, d.Entity = y.Agent, y.Entity
				d.Fields = []Field{{Component: "all", A: missing, B: "there"}}
			default:
				d.Fields = components(x.Components, y.Components)
			}
			if len(d.Fields) > 0 && !yield(d) {
				return
			}
			if !onlyB {
				x, okA = nextA()
			}
			if !onlyA {
				y, okB = nextB()
			}
		}
	}
}

// First returns the first of the differences; nil: there is none.
func First(all iter.Seq[Difference]) *Difference { return FirstNew(nil, all) }

// FirstNew returns the first of the differences after a step with a field that did not differ
// before; nil: there is none. Both are in the order of Differences.
func FirstNew(old []Difference, all iter.Seq[Difference]) *Difference {
	for d := range all {
		for len(old) > 0 && old[0].place().before(d.place()) {
			old = old[1:]
		}
		known := map[[2]string]bool{}
		if len(old) > 0 && old[0].place() == d.place() {
			for _, f := range old[0].Fields {
				known[[2]string{f.Component, f.Field}] = true
			}
		}
		for _, f := range d.Fields {
			if !known[[2]string{f.Component, f.Field}] {
				return &d
			}
		}
	}
	return nil
}

// place is that of an entity among those of world.World.States.
type place struct {
	agent  uint64
	entity uint32 // 0 for an agent, which goes by its id
}

func placeOf(agent uint64, entity uint32) place {
	if agent != 0 {
		entity = 0
	}
	return place{agent, entity}
}

func (d *Difference) place() place { return placeOf(d.Agent, d.Entity) }

// before reports whether a place comes before another one.
func (p place) before(q place) bool {
	if p.agent != q.agent {
		return p.agent-1 < q.agent-1 // 0 comes last
	}
	return p.entity < q.entity
}

// components compares those of two entities, which are in the order of their names.
func components(a, b []world.Component) (all []Field) {
	for len(a)+len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Name < b[0].Name:
			all = append(all, Field{Component: a[0].Name, A: "there", B: missing})
			a = a[1:]
		case len(a) == 0 || b[0].Name < a[0].Name:
			all = append(all, Field{Component: b[0].Name, A: missing, B: "there"})
			b = b[1:]
		default:
			all = append(all, fields(a[0].Name, a[0].Fields, b[0].Fields)...)
			a, b = a[1:], b[1:]
		}
	}
	return all
}

// fields compares those of a component.
func fields(name string, a, b []world.Field) (all []Field) {
	for i := range max(len(a), len(b)) {
		f, x, y := Field{Component: name, A: missing, B: missing}, world.Field{}, world.Field{}
		if i < len(a) {
			x = a[i]
			f.Field, f.A = x.Name, x.Value
		}
		if i < len(b) {
			y = b[i]
			f.Field, f.B = y.Name, y.Value
		}
		if x != y {
			all = append(all, f)
		}
	}
	return all
}
