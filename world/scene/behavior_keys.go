package scene

import (
	"fmt"
	"reflect"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func (s *Scene) behaviorKeys(g *Group) []key {
	entries := s.entries()
	all := make([]key, len(entries))
	for i := range entries {
		all[i] = g.behaviorKey(&entries[i])
	}
	return all
}

// behaviorKey returns a key whose value is a table of parameters or, if the only parameter has no key,
// that parameter.
func (g *Group) behaviorKey(e *catalog.Entry) key {
	of := reflect.TypeOf(e.Component)
	now := func() (b any, keys []key) {
		b = e.New()
		if i := g.index(of); i >= 0 {
			b = pointerTo(g.Behaviors[i])
		}
		return b, g.paramKeys(e, b)
	}
	k := key{
		name: e.Name, text: e.Text,
		reset:   func() { g.drop(of) },
		isReset: func() bool { return g.index(of) < 0 },
	}
	if e.Bare() {
		only := g.paramKeys(e, e.New())[0]
		k.schema = func() schema { return only.schema().with("description", e.Text) }
		k.read = func(r *reader, n *node) {
			b := e.New()
			g.paramKeys(e, b)[0].read(r, n)
			g.Set(pointedAt(b))
		}
		k.write = func(w *writer) { _, keys := now(); keys[0].write(w) }
		if only.binding != nil {
			k.binding, k.apply = g.bindParam(e, 0), setParam(e, 0)
		}
		return k
	}
	k.read = func(r *reader, n *node) {
		b := e.New()
		r.table(n, g.paramKeys(e, b))
		if older := olderMeaning[of]; older != nil && n.table != nil {
			older(r, n.table, b)
		}
		g.Set(pointedAt(b))
	}
	k.write = func(w *writer) { _, keys := now(); w.braces(keys) }
	k.keys = func() []key { return g.paramKeys(e, e.New()) }
	k.schema = func() schema { return tableSchema(k.keys()).with("description", e.Text) }
	k.inside = func() []key {
		if k.isReset() {
			return nil
		}
		_, keys := now()
		for i := range keys {
			if keys[i].binding != nil {
				keys[i].binding, keys[i].apply = g.bindParam(e, i), setParam(e, i)
			}
		}
		return keys
	}
	return k
}

// bindParam returns a function that binds a behavior's i-th parameter, which must be a float64. The group
// must have the behavior when the function is called.
func (g *Group) bindParam(e *catalog.Entry, i int) func() *binding {
	of := reflect.TypeOf(e.Component)
	now := func() (b any, at *binding) {
		b = pointerTo(g.Behaviors[g.index(of)])
		p := &e.Params(b)[i]
		return b, floats(p).binding(p.At.(*float64))
	}
	return func() *binding {
		_, first := now()
		return &binding{
			Limits: first.Limits,
			get:    func() float64 { _, at := now(); return at.get() },
			set: func(x float64) {
				b, at := now()
				at.set(x)
				g.Set(pointedAt(b))
			},
			keep: func() func() {
				was := g.Behaviors // Set replaces the slice
				return func() { g.Behaviors = was }
			},
		}
	}
}

func floats(p *catalog.Param) codec[float64] {
	if p.Degrees {
		return inDegrees(number(inFile(p)))
	}
	return number(inFile(p))
}

func inFile(p *catalog.Param) catalog.Limits {
	if p.File != nil {
		return *p.File
	}
	return p.Limits
}

func (g *Group) paramKeys(e *catalog.Entry, behavior any) []key {
	params := e.Params(behavior)
	keys := make([]key, len(params))
	for i := range params {
		keys[i] = g.valueKey(referencePath(e, &params[i]), &params[i])
		keys[i].was = params[i].Was
	}
	return keys
}

func (g *Group) valueKey(path string, p *catalog.Param) key {
	switch at := p.At.(type) {
	case *float64:
		return paramOf(p, at, floats(p))
	case *bool:
		return paramOf(p, at, boolean)
	case *int:
		return paramOf(p, at, integer[int](uint64(inFile(p).Min), uint64(inFile(p).Max)))
	case *uint32:
		return paramOf(p, at, integer[uint32](uint64(inFile(p).Min), uint64(inFile(p).Max)))
	case *r2.Vec:
		if p.Keeper != nil {
			return g.pointKey(path, p, at)
		}
		return paramOf(p, at, vector)
	case *r2.Box:
		return paramOf(p, at, area)
	case *ecs.Entity:
		return g.referenceKey(path, p)
	}
	panic(fmt.Sprintf("crowd: the parameter %s is a %T, which a scene file cannot contain", path, p.At))
}

func paramOf[T any](p *catalog.Param, at *T, c codec[T]) key {
	if p.Default == nil {
		return must(p.Key, at, c, p.Help())
	}
	k := may(p.Key, at, c, p.Default.(T), p.Help())
	if x, is := p.Default.(float64); is && p.Degrees {
		k.schema = func() schema { return c.schema().with("description", p.Help()).with("default", vec.Degrees(x)) }
	}
	return k
}
