package scene

import (
	"reflect"

	c "github.com/8f878440/crowd/components"
)

// behaviorProblems reports what is wrong with the behaviors of a group beyond the range
// of one number.
func (g *Group) behaviorProblems(s *Scene, add func(is bool, key, format string, args ...any)) {
	mass := 1.
	if !g.Mass.Zero() {
		mass = g.Mass.least()
	}
	for i, b := range g.Behaviors {
		e := s.entry(b)
		if e == nil {
			add(true, ".behaviors", "have a %T, want a component of systems.Catalog or Scene.Catalog that a group can have", b)
			continue
		}
		if g.index(reflect.TypeOf(b)) != i {
			add(true, "."+e.Name, "is there twice")
		}
		at := pointerTo(b)
		if e.Check != nil {
			key, problem := e.Check(at)
			add(problem != "", "."+e.Name+"."+key, "%s", problem)
		}
		for _, p := range e.Params(at) {
			switch x, _ := p.Number(); {
			case p.List == "paths" && int(x) >= len(s.Paths):
				add(true, "."+e.Name+"."+p.Key, "is %v, but the scene has %d paths, counted from 0", x, len(s.Paths))
			case p.Gain && p.Unit == "kg/s" && !(x*s.Dt/mass >= 0 && x*s.Dt/mass <= 1): // it would remove more than the whole error in a step
				add(true, "."+e.Name+"."+p.Key, "is %v kg/s, want 0 to mass/dt = %v", x, mass/s.Dt)
			}
		}
	}
}

// needs reports behaviors, and a goal, without what they cannot do without.
func (g *Group) needs(s *Scene, add func(is bool, key, format string, args ...any)) {
	for _, e := range s.known(g) {
		for _, need := range e.Needs {
			if !g.provides(need) {
				add(true, "."+e.Name, "needs %s", s.called(need))
			}
		}
	}
	add(g.Goal != nil && !g.hasTarget(), ".goal", "needs a target or a path")
	add(g.Goal != nil && g.Goal.Then == Wander && g.Target == nil && g.hasTarget(), ".goal.then", "is \"wander\", which needs a target that is a place")
	add(g.Goal != nil && g.Goal.Then == Repeat && len(g.Itineraries) == 0, ".goal.then", "is \"repeat\", which needs itineraries")
}

// provides reports whether the agents of the group have a component.
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

// called returns what a component is called in a file.
func (s *Scene) called(component any) string {
	if _, is := component.(c.Target); is {
		return "a target or a path"
	}
	if e := s.entry(component); e != nil {
		return e.Name + ": " + e.Text
	}
	return reflect.TypeOf(component).Name()
}

// others reports names of agents that are not there, and names that nobody asks for.
func (g *Group) others(s *Scene, add func(is bool, key, format string, args ...any)) {
	asked := map[string]bool{}
	for _, x := range s.whom(g) {
		asked[x.path] = true
		add(x.name == PointerName && s.Pointer == nil, "."+x.path, "is a pointer, but the scene has no pointer")
		add(x.name != PointerName && s.group(x.name) < 0, "."+x.path, "is %q, want \"pointer\" or the name of a group", x.name)
	}
	for path, name := range g.Whom {
		add(!asked[path], "."+path, "is %q, but the group has no behavior with that key", name)
	}
}
