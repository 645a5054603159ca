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

// First returns the first difference between two worlds, whose [world.World.States] these are: of the agent with the
// lowest id, or if no agent differs, of the first other entity. It is nil if there is none.
func First(a, b iter.Seq[world.EntityState]) *Difference {
	nextA, stopA := iter.Pull(a)
	defer stopA()
	nextB, stopB := iter.Pull(b)
	defer stopB()
	for {
		x, okA := nextA()
		y, okB := nextB()
		if !okA && !okB {
			return nil
		}
		d := &Difference{Agent: x.Agent, Entity: x.Entity}
		switch {
		case !okB || okA && before(&x, &y):
			d.Fields = []Field{{Component: "all", A: "there", B: missing}}
		case !okA || before(&y, &x):
			d.Agent, d.Entity = y.Agent, y.Entity
			d.Fields = []Field{{Component: "all", A: missing, B: "there"}}
		default:
			d.Fields = components(x.Components, y.Components)
		}
		if len(d.Fields) > 0 {
			return d
		}
	}
}

// before tells whether an entity comes before another one in world.World.States.
func before(x, y *world.EntityState) bool {
	if x.Agent != y.Agent {
		return x.Agent-1 < y.Agent-1 // 0 comes last
	}
	return x.Agent == 0 && x.Entity < y.Entity
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
