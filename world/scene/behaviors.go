package scene

import (
	"fmt"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
)

// Behavior returns a group's behavior of type T, such as components.Seek, and reports whether there is
// one.
func Behavior[T any](g *Group) (behavior T, ok bool) {
	for _, b := range g.Behaviors {
		if b, is := b.(T); is {
			return b, true
		}
	}
	return behavior, false
}

func has[T any](g *Group) bool {
	_, ok := Behavior[T](g)
	return ok
}

// Set adds behaviors to the group, replacing those of the same types. Copies of the group do not
// change.
func (g *Group) Set(behaviors ...any) {
	g.Behaviors = slices.Clone(g.Behaviors)
	for _, b := range behaviors {
		if i := g.index(reflect.TypeOf(b)); i >= 0 {
			g.Behaviors[i] = b
		} else {
			g.Behaviors = append(g.Behaviors, b)
		}
	}
}

func (g *Group) drop(of reflect.Type) {
	if i := g.index(of); i >= 0 {
		g.Behaviors = slices.Delete(slices.Clone(g.Behaviors), i, i+1)
	}
}

func (g *Group) index(of reflect.Type) int {
	return slices.IndexFunc(g.Behaviors, func(b any) bool { return reflect.TypeOf(b) == of })
}

func (s *Scene) sortBehaviors() {
	place := map[reflect.Type]int{}
	for i, e := range s.entries() {
		place[reflect.TypeOf(e.Component)] = i
	}
	for i := range s.Groups {
		slices.SortStableFunc(s.Groups[i].Behaviors, func(a, b any) int {
			return place[reflect.TypeOf(a)] - place[reflect.TypeOf(b)]
		})
	}
}

var combination = word[systems.Combination]("sum", "priority", "dithering")

func (s *Scene) steeringName() codec[string] {
	names := world.Behaviors(s.Catalog...)
	return codec[string]{
		read: func(r *reader, n *node) string {
			return names[r.oneOf(n, names)]
		},
		write:  func(w *writer, x string) { w.WriteString(quote(x)) },
		schema: func() schema { return schema{"enum": names} },
	}
}

func (s *Scene) combinationProblems(add func(is bool, key, format string, args ...any)) {
	config := world.Config{Priority: s.Priority, Chances: s.Chances, Behaviors: s.Catalog}
	err := config.CheckPriority()
	add(err != nil, "priority", "%v", err)
	err = config.CheckChances()
	add(err != nil, "chances", "%v", err)
}

func (s *Scene) combinations() (found []string) {
	warn := func(is bool, format string, args ...any) {
		if is {
			found = append(found, fmt.Sprintf(format, args...))
		}
	}
	sum := s.Combination == systems.CombineSum
	warn(sum && len(s.Priority) > 0, "priority is not used, because combination is \"sum\"; leave it out, or use \"priority\" or \"dithering\"")
	warn(s.Combination != systems.CombineDithering && len(s.Chances) > 0, "chances is not used, because combination is not \"dithering\"; leave it out")
	limited := func(g Group) bool { return g.Count > 0 && g.MaxForce.least() <= farthest }
	warn(s.Combination == systems.CombinePriority && !slices.ContainsFunc(s.Groups, limited),
		"combination is \"priority\", but no group has a max-force, so forces are added; give a max-force to groups with several behaviors")
	warn(s.Combination == systems.CombineDithering && slices.Contains(s.Chances, 1),
		"chances contains 1: while a behavior with this chance has a force, no behavior after it ever steers")
	return found
}

// behaviorProblems checks few ranges of single numbers: see Scene.problems.
func (g *Group) behaviorProblems(s *Scene, add func(is bool, key, format string, args ...any)) {
	mass := 1.
	if !g.Mass.Zero() {
		mass = g.Mass.least()
	}
	for i, b := range g.Behaviors {
		e := s.entry(b)
		if e == nil {
			add(true, ".behaviors", "contains a %T, want a component of systems.Catalog or Scene.Catalog that a group can have", b)
			continue
		}
		if g.index(reflect.TypeOf(b)) != i {
			add(true, "."+e.Name, "is listed twice")
		}
		at := pointerTo(b)
		if e.Check != nil {
			key, problem := e.Check(at)
			add(problem != "", "."+e.Name+"."+key, "%s", problem)
		}
		for _, p := range e.Params(at) {
			switch x, _ := p.Number(); {
			case p.List == "paths" && int(x) >= len(s.Paths):
				add(true, "."+e.Name+"."+p.Key, "is %v, want less than %d, the number of paths", x, len(s.Paths))
			case p.Gain && p.Unit == "kg/s" && !(x*s.Dt/mass >= 0 && x*s.Dt/mass <= 1): // a larger gain would overcorrect in one step
				add(true, "."+e.Name+"."+p.Key, "is %v kg/s, want 0 to mass/dt = %v", x, mass/s.Dt)
			}
		}
	}
}

func (g *Group) needs(s *Scene, add func(is bool, key, format string, args ...any)) {
	for _, e := range s.known(g) {
		for _, need := range e.Needs {
			if !g.provides(need) {
				add(true, "."+e.Name, "needs %s", s.nameOf(need))
			}
		}
	}
	add(g.Goal != nil && !g.hasTarget(), ".goal", "needs a target or a path")
	add(g.Goal != nil && g.Goal.Then == Wander && g.Target == nil && g.hasTarget(), ".goal.then", "is \"wander\", which needs a target that is a place")
	add(g.Goal != nil && g.Goal.Then == Repeat && len(g.Itineraries) == 0, ".goal.then", "is \"repeat\", which needs itineraries")
}

func (g *Group) provides(component any) bool {
	switch component.(type) {
	case c.Agent, c.Position, c.Velocity, c.Limits:
		return true
	case c.Target:
		return g.hasTarget()
	case c.Radius:
		return !g.Radius.Zero()
	case c.Mass:
		return !g.Mass.Zero()
	case c.Goal:
		return g.Goal != nil
	case c.Layers:
		return g.Layers != nil
	case c.Itinerary:
		return len(g.Itineraries) > 0
	}
	return g.index(reflect.TypeOf(component)) >= 0
}

func (s *Scene) nameOf(component any) string {
	if _, is := component.(c.Target); is {
		return "a target or a path"
	}
	if e := s.entry(component); e != nil {
		return e.Name + ": " + e.Text
	}
	return reflect.TypeOf(component).Name()
}

func (g *Group) others(s *Scene, add func(is bool, key, format string, args ...any)) {
	asked := map[string]bool{}
	for _, x := range s.references(g) {
		asked[x.path] = true
		add(x.name == pointerName && s.Pointer == nil, "."+x.path, "is \"pointer\", but the scene has no pointer")
		add(x.name != pointerName && s.group(x.name) < 0, "."+x.path, "is %q, want \"pointer\" or the name of a group", x.name)
	}
	for path, name := range g.References {
		add(!asked[path], "."+path, "is %q, but the group has no behavior with that key", name)
	}
}
