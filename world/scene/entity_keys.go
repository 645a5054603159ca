package scene

import (
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// PointerName means the pointer of the scene where a file names a group.
const PointerName = "pointer"

// whomPath returns the key of a parameter in Group.Whom: quarry, or flee.from.
func whomPath(e *catalog.Entry, p *catalog.Param) string {
	if p.Key == "" {
		return e.Name
	}
	return e.Name + "." + p.Key
}

// name sets whom a key means: PointerName, or the name of a group; nobody if it is empty.
func (g *Group) name(path, whom string) {
	if whom == "" {
		delete(g.Whom, path)
		return
	}
	if g.Whom == nil {
		g.Whom = map[string]string{}
	}
	g.Whom[path] = whom
}

// whomKey binds a parameter that is another entity.
func (g *Group) whomKey(path string, p *catalog.Param) key {
	var whom string
	k := must(p.Key, &whom, text, p.Help())
	k.read = func(r *reader, n *node) { g.name(path, text.read(r, n)) }
	k.write = func(w *writer) { text.write(w, g.Whom[path]) }
	return k
}

// pointKey binds a parameter that is a point, or whoever a component keeps it on.
func (g *Group) pointKey(path string, p *catalog.Param, at *r2.Vec) key {
	either := codec[r2.Vec]{
		read: func(r *reader, n *node) r2.Vec {
			if n.kind == isText {
				g.name(path, n.text)
				return r2.Vec{}
			}
			g.name(path, "")
			return vector.read(r, n)
		},
		write: func(w *writer, at r2.Vec) {
			if whom, ok := g.Whom[path]; ok {
				text.write(w, whom)
				return
			}
			vector.write(w, at)
		},
		schema: func() schema { return anyOf(text.schema(), vector.schema()) },
	}
	return must(p.Key, at, either, p.Text+": a point in "+p.Unit+", or \"pointer\", or the name of a group")
}

// whom is a component by which the agents of a group mean others.
type whom struct {
	path  string         // the key that names them, such as quarry or flee.from
	name  string         // PointerName, or the name of a group
	entry *catalog.Entry // of the component
	param int            // which of its parameters is the entity
}

// whom returns all of a group.
func (s *Scene) whom(g *Group) (all []whom) {
	if target := g.target(); target.pointer || target.group != "" {
		all = append(all, whom{"target", target.name(), s.entryOf(c.Follow{}), 0})
	}
	for b, e := range s.known(g) {
		for i, p := range e.Params(pointerTo(b)) {
			path := whomPath(e, &p)
			name, named := g.Whom[path]
			if _, is := p.At.(*ecs.Entity); is {
				all = append(all, whom{path, name, e, i})
			} else if p.Keeper != nil && named {
				all = append(all, whom{path, name, s.entryOf(p.Keeper), 0})
			}
		}
	}
	return all
}

// ofGroup reports whether the agents of a group are meant.
func (x *whom) ofGroup() bool { return x.name != "" && x.name != PointerName }

// with returns the components with the one by which others are meant, in which that is
// an entity.
func (x *whom) with(components []any, to ecs.Entity) []any {
	of := reflect.TypeOf(x.entry.Component)
	i := slices.IndexFunc(components, func(comp any) bool { return reflect.TypeOf(comp) == of })
	if i < 0 {
		i, components = len(components), append(components, x.entry.Component)
	}
	b := pointerTo(components[i])
	x.set(b, to)
	components[i] = pointedAt(b)
	return components
}

// set makes an entity the one that a component, given as a pointer, means.
func (x *whom) set(component any, to ecs.Entity) {
	*x.entry.Params(component)[x.param].At.(*ecs.Entity) = to
}
