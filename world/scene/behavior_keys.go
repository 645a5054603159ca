package scene

import (
	"reflect"
	"slices"
)

// behavior binds the table of a behavior of type T. All its numbers can be tuned.
func behavior[T any](g *Group, name string, keys func(*T) []key, text string) key {
	typ := reflect.TypeFor[T]()
	// row returns the behavior that the group has, or the zero one, to be changed.
	row := func() *T {
		b, _ := Behavior[T](g)
		return &b
	}
	table := tableOf(keys)
	return key{
		name: name, text: text, behavior: typ,
		read:    func(r *reader, n *node) { g.Set(table.read(r, n)) },
		reset:   func() { g.drop(typ) },
		isReset: func() bool { return !has[T](g) },
		write:   func(w *writer) { table.write(w, *row()) },
		schema:  func() schema { return table.schema().with("description", text) },
		keys:    table.keys,
		inside: func() (all []key) {
			if !has[T](g) {
				return nil
			}
			for i, k := range keys(row()) {
				if k.dial == nil {
					all = append(all, k)
					continue
				}
				at := func(b *T) *dial { return keys(b)[i].dial() }
				k.dial = func() *dial {
					now := at(row())
					return &dial{
						limits: now.limits,
						get:    func() float64 { return at(row()).get() },
						set: func(x float64) {
							b := row()
							at(b).set(x)
							g.Set(*b)
						},
						keep: func() func() {
							was := slices.Clone(g.Behaviors)
							return func() { g.Behaviors = was }
						},
					}
				}
				k.live = func(l *living, x float64) {
					var b T
					set := at(&b).set
					each(l, func(t *T) {
						b = *t
						set(x)
						*t = b
					})
				}
				all = append(all, k)
			}
			return all
		},
	}
}

// drop takes the behavior of a type from the group.
func (g *Group) drop(of reflect.Type) {
	if i := g.index(of); i >= 0 {
		g.Behaviors = slices.Delete(slices.Clone(g.Behaviors), i, i+1)
	}
}
