package systems

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Problem is a reason why an entity does not do what its components say.
type Problem struct {
	Component string // such as Limits; empty means none
	System    string // such as Seek; empty means none
	Text      string // what is wrong: a sentence without a period
}

func (p Problem) String() string { return p.Text }

// Diagnose returns the reasons why an entity does not do what its components say, such as a missing
// component. If there are none, the frame moves the entity according to all of its behaviors;
// world.Inspector.Explain returns their forces.
//
// Diagnose changes nothing, and takes microseconds. It panics if the frame is not initialized. The
// world must not be locked. For behaviors of a host, pass their entries.
func Diagnose(f *frame.Frame, w *ecs.World, e ecs.Entity, behaviors ...catalog.Entry) []Problem {
	if !f.Initialized() {
		panic("crowd: Diagnose of a frame before Initialize")
	}
	if !w.Alive(e) {
		return []Problem{{Text: "the entity is dead"}}
	}
	d := diagnosis{frame: f, world: w, entity: e, has: map[reflect.Type]reflect.Value{}, hosts: behaviors}
	d.components()
	d.unbound()
	d.idle()
	d.moved()
	d.values()
	d.aimless()
	return d.problems
}

type diagnosis struct {
	frame    *frame.Frame
	world    *ecs.World
	entity   ecs.Entity
	has      map[reflect.Type]reflect.Value // its components, by the types of this module
	foreign  []reflect.Type                 // types of its other components
	hosts    []catalog.Entry                // behaviors of the host
	movers   int                            // number of systems that move the entity
	problems []Problem
}

func (d *diagnosis) note(component, system, format string, args ...any) {
	d.problems = append(d.problems, Problem{component, system, fmt.Sprintf(format, args...)})
}

func (d *diagnosis) components() {
	bound := d.frame.Bindings()
	for _, id := range d.world.Ids(d.entity) {
		info, _ := ecs.ComponentInfo(d.world, id)
		t := info.Type
		if host := bound.HostType(t); host != t {
			d.note(t.Name(), "", "%v stands in for %v in this frame, and the entity has %[2]v: give it %[1]v", host, t)
			continue
		}
		if t = bound.OurType(t); t.PkgPath() != componentsPackage {
			d.foreign = append(d.foreign, t)
		}
		value := reflect.Zero(t)
		if t.Size() > 0 {
			value = reflect.NewAt(t, d.world.Get(d.entity, id)).Elem()
		}
		d.has[t] = value
	}
}

// unbound finds a host's types that should probably be bound.
func (d *diagnosis) unbound() {
	for _, t := range d.asked() {
		if _, ok := d.has[t]; ok {
			continue
		}
		for _, host := range d.foreign {
			if ours, ok := d.frame.Bindings().LooksLike(host, allComponents()); ok && ours == t && d.frame.Bindings().HostType(t) == t {
				d.note(t.Name(), "", "the entity has %v, which is not bound: call frame.Bind[%v, %[1]v](frame) before Initialize to make it stand in for %[2]v", host, t)
			}
		}
	}
}

// aimless finds an entity that has a Target, but no behavior.
func (d *diagnosis) aimless() {
	if len(d.problems) > 0 || !d.had(c.Target{}) {
		return
	}
	for t := range d.has {
		if e := d.entry(t); e != nil && e.Phase == catalog.Steer {
			return
		}
	}
	for m := range d.frame.Declared() {
		if slices.Contains(m.With, reflect.TypeFor[c.Target]()) && m.Matches(d.world, d.entity) {
			return
		}
	}
	d.note("Target", "", "nothing in the frame steers the entity to its Target: add a behavior, such as Arrival")
}

func (d *diagnosis) asked() (all []reflect.Type) {
	for m := range d.frame.Declared() {
		for _, t := range m.With {
			if t.PkgPath() == componentsPackage && !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	return all
}

// entry returns a component's entry, or nil if there is none or its Does is empty.
func (d *diagnosis) entry(t reflect.Type) *catalog.Entry {
	if e := entryOf(reflect.Zero(t).Interface(), d.hosts); e != nil && e.Does != 0 {
		return e
	}
	return nil
}

func (d *diagnosis) had(component any) bool {
	_, has := d.has[reflect.TypeOf(component)]
	return has
}

func (d *diagnosis) idle() {
	for m := range d.frame.Declared() {
		e, wanted := d.wanted(m)
		if !wanted {
			continue
		}
		lacks := d.lacks(m)
		if e != nil && e.Unless != nil && d.had(e.Unless) && slices.ContainsFunc(e.Adds, func(add any) bool {
			return slices.Contains(lacks, reflect.TypeOf(add).String())
		}) {
			continue // another behavior uses the component
		}
		if len(lacks) > 0 {
			d.note("", m.Name, "%s ignores the entity, which lacks %s", m.Name, strings.Join(lacks, ", "))
		}
		for _, t := range m.Without {
			if _, has := d.has[t]; has {
				d.note(t.Name(), m.Name, "%s ignores the entity, which has %v", m.Name, t)
			}
		}
	}
	for t := range d.has {
		e := d.entry(t)
		if e == nil {
			continue
		}
		if serve := serving(e); !slices.ContainsFunc(serve, d.inFrame) {
			var names []string
			for _, s := range serve {
				names = append(names, s.Elem().String())
			}
			d.note(t.Name(), serve[0].Elem().Name(), "the entity has %v, but %s is not in the frame", t, strings.Join(names, " or "))
		}
	}
	slices.SortFunc(d.problems, func(a, b Problem) int { return strings.Compare(a.Text, b.Text) }) // maps are unordered
}

// wanted reports whether a component of the entity requests the work of a system, and returns the component's
// entry if the system runs that behavior.
func (d *diagnosis) wanted(m *frame.Declared) (*catalog.Entry, bool) {
	for _, t := range m.With {
		if _, has := d.has[t]; !has {
			continue
		}
		e := d.entry(t)
		if e != nil && slices.Contains(serving(e), reflect.TypeOf(m.System)) {
			return e, true
		}
		if !ours(m.System) && (e != nil || t.PkgPath() != componentsPackage) {
			return nil, true
		}
	}
	return nil, false
}

func serving(e *catalog.Entry) (all []reflect.Type) {
	for _, system := range e.By {
		all = append(all, reflect.TypeOf(system))
	}
	if len(all) == 0 {
		all = append(all, reflect.TypeOf(e.System(nil)))
	}
	return all
}

func (d *diagnosis) inFrame(t reflect.Type) bool {
	return slices.ContainsFunc(d.frame.Systems(), func(s any) bool { return reflect.TypeOf(s) == t })
}

func (d *diagnosis) lacks(m *frame.Declared) (all []string) {
	for _, t := range m.With {
		if _, has := d.has[t]; !has && !slices.Contains(all, t.String()) {
			all = append(all, t.String())
		}
	}
	return all
}

func (d *diagnosis) moved() {
	position, steering := reflect.TypeFor[c.Position](), reflect.TypeFor[c.Steering]()
	forces, taken := "", false
	for m := range d.frame.Declared() {
		if len(d.lacks(m)) > 0 || slices.ContainsFunc(m.Without, func(t reflect.Type) bool { _, has := d.has[t]; return has }) {
			continue
		}
		if slices.Contains(m.Takes, steering) {
			taken = true
		} else if slices.Contains(m.Writes, steering) {
			if e, _ := d.wanted(m); e == nil || e.SteersWith(d.had) {
				forces = m.Name
			}
		}
		if slices.Contains(m.Writes, position) {
			d.movers++
		}
	}
	_, drives := d.has[reflect.TypeFor[c.Drive]()]
	switch {
	case d.movers == 0 && !d.inFrame(reflect.TypeFor[*Integration]()) && !d.inFrame(reflect.TypeFor[*Drive]()):
		d.note("", "Integration", "nothing in the frame moves the entity: put systems.Integration after the systems that steer")
	case d.movers == 0 && !drives:
		lacks := []string{}
		for _, t := range []reflect.Type{position, reflect.TypeFor[c.Velocity]()} {
			if _, has := d.has[t]; !has {
				lacks = append(lacks, t.String())
			}
		}
		if len(lacks) > 0 {
			d.note("", "Integration", "Integration does not move the entity, which lacks %s", strings.Join(lacks, ", "))
		}
	case forces != "" && !taken && drives:
		d.note(steering.Name(), forces, "%s adds to Steering, but Drive moves the entity along its Heading: Integration ignores entities with %v", forces, reflect.TypeFor[c.Drive]())
	case forces != "" && !taken:
		d.note(steering.Name(), forces, "%s adds to Steering, but nothing in the frame applies the force to the entity: put systems.Integration after %[1]s", forces)
	}
}

func (d *diagnosis) values() {
	const many = 100 // steps
	clock := frame.ClockOf(d.world)
	switch {
	case clock.Dt == 0:
		d.note("", "", "Clock.Dt is 0: no time passes in a step")
	case d.frame.Stalled() >= many:
		d.note("", "", "Clock.Time has been %v s for %d steps: call Frame.Step, or Clock.Advance after each Update", clock.Time, d.frame.Stalled())
	}
	for t, v := range d.has {
		e := entryOf(reflect.Zero(t).Interface(), d.hosts)
		if t.Kind() != reflect.Struct || e == nil && t.PkgPath() != componentsPackage {
			continue
		}
		for i := range v.NumField() {
			if !v.Field(i).CanInterface() { // a host's type
				continue
			}
			d.value(t.Name(), t.Field(i).Name, v.Field(i), paramOf(e, v, i))
		}
		d.allowed(e, t, v)
	}
	if body, ok := component[c.Radius](d); ok && (body.Meters < 0 || math.IsInf(body.Meters, 1)) {
		d.note("Radius", "", "Radius.Meters is %v m, want a finite number, 0 or more: other agents do not see the entity", body.Meters)
	}
	limits, limited := component[c.Limits](d)
	_, steered := d.has[reflect.TypeFor[c.Steering]()]
	_, reciprocal := d.has[reflect.TypeFor[c.ORCA]()]
	if limited && limits.MaxSpeed == 0 {
		d.note("Limits", "", "Limits.MaxSpeed is 0 m/s: the entity cannot move")
	}
	if limited && limits.MaxForce == 0 && steered && !reciprocal {
		d.note("Limits", "", "Limits.MaxForce is 0 N: no force affects the entity")
	}
	if mass, ok := component[c.Mass](d); ok && !(mass.Kilograms > 0) {
		d.note("Mass", "Integration", "Mass.Kilograms is %v, want a number above 0: Integration does not move the entity", mass.Kilograms)
	}
	pos, placed := component[c.Position](d)
	if target, ok := component[c.Target](d); ok && placed && pos.Vec == target.Vec {
		d.note("Target", "", "the entity is at its Target, and does not need to move")
	}
	if follow, ok := component[c.Follow](d); ok {
		d.follows("Follow", follow.Entity, reflect.TypeFor[c.Target]())
	}
	if from, ok := component[c.FleeFrom](d); ok {
		d.follows("FleeFrom", from.Entity, reflect.TypeFor[c.Flee]())
	}
	slices.SortStableFunc(d.problems, func(a, b Problem) int { return strings.Compare(a.Component, b.Component) })
}

func (d *diagnosis) allowed(e *catalog.Entry, t reflect.Type, v reflect.Value) {
	if e == nil || t == reflect.TypeFor[c.Follow]() || t == reflect.TypeFor[c.FleeFrom]() {
		return
	}
	at := reflect.New(t)
	at.Elem().Set(v)
	mass := 1.
	if m, ok := component[c.Mass](d); ok && m.Kilograms > 0 {
		mass = m.Kilograms
	}
	params := e.Params(at.Interface())
	key, problem := e.Problem(at.Interface(), params, mass, frame.ClockOf(d.world).Dt)
	if problem == "" {
		key, problem = CheckReferences(d.world, params)
	}
	if problem != "" && !strings.Contains(problem, "NaN") {
		d.note(t.Name(), "", "%s %s", strings.TrimSpace(e.Name+" "+key), problem)
	}
}

// follows checks Follow or FleeFrom, which copies another entity's position to Target or Flee.
func (d *diagnosis) follows(name string, other ecs.Entity, keeps reflect.Type) {
	if _, has := d.has[keeps]; !has {
		d.note(name, "Follow", "Follow ignores the entity, which lacks %v", keeps)
	}
	if !d.world.Alive(other) {
		d.note(name, "Follow", "%s.Entity is entity %d, which is not alive: its last position is kept", name, other.ID())
	}
}

func (d *diagnosis) value(component, field string, v reflect.Value, p catalog.Param) {
	switch x := v.Interface().(type) {
	case r2.Vec:
		if !vec.Finite(x) {
			d.note(component, "", "%s is (%v, %v), want finite numbers", strings.TrimSuffix(component+"."+field, ".Vec"), x.X, x.Y)
		}
	case float64:
		switch {
		case math.IsNaN(x):
			d.note(component, "", "%s.%s is NaN, want a number", component, field)
		case x == 0 && p.Pauses:
			d.note(component, component, "%s.%s is 0: %s is paused", component, field, component)
		case x == 0 && p.Blind:
			d.note(component, component, "%s.%s is 0: %s sees next to nothing", component, field, component)
		}
	}
}

func paramOf(e *catalog.Entry, component reflect.Value, i int) (none catalog.Param) {
	if e == nil {
		return none
	}
	field := component.Field(i).Addr().Interface()
	for _, p := range e.Params(component.Addr().Interface()) {
		if p.At == field {
			return p
		}
	}
	return none
}

func component[T any](d *diagnosis) (T, bool) {
	v, ok := d.has[reflect.TypeFor[T]()]
	if !ok {
		return *new(T), false
	}
	return v.Interface().(T), true
}

var componentsPackage = reflect.TypeFor[c.Agent]().PkgPath()

func ours(system any) bool {
	t := reflect.TypeOf(system)
	return t.Kind() == reflect.Pointer && t.Elem().PkgPath() == ownPackage && unicode.IsUpper(rune(t.Elem().Name()[0]))
}

var ownPackage = reflect.TypeFor[Integration]().PkgPath()
