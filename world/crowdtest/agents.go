package crowdtest

import (
	"math"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// drawAgents returns the components of all agents, as types of this module.
func (k *kit) drawAgents(d *Draw, v variant, all []catalog.Entry, types column.Bindings) [][]any {
	agents := make([][]any, crowdSize)
	mass := make([]float64, crowdSize)
	for i := range agents {
		position, velocity, heading, target := d.Point(5), d.Vector(1), d.Direction(), d.Point(5)
		if v.together {
			position, target = d.Point(0), d.Point(0)
		}
		limits := c.Limits{MaxSpeed: d.Scale * (1 + d.Float64()), MaxForce: d.Scale * (1 + 3*d.Float64())}
		mass[i] = 1 + d.Float64()
		agents[i] = []any{
			c.Position{Vec: position}, c.Velocity{Vec: velocity}, c.Heading{Vec: heading}, c.Target{Vec: target},
			limits, c.Mass{Kilograms: mass[i]}, c.Radius{Meters: 0.3 * d.Float64()},
		}
	}
	for _, value := range k.values {
		e := find(all, value)
		for i := range agents {
			switch {
			case value == any(seek):
				agents[i] = put(agents[i], value)
			case e != nil:
				agents[i] = put(agents[i], drawComponent(d, e, mass[i]))
			case reflect.TypeOf(value) == reflect.TypeFor[c.Destination]():
				agents[i] = put(agents[i], c.Destination{Vec: agents[i][3].(c.Target).Vec})
			case !contains(agents[i], value): // else it is part of the state, which is drawn above
				agents[i] = append(agents[i], value)
			}
		}
	}
	if k.options.Agent != nil {
		for i := range agents {
			for _, value := range types.ToOurs(k.options.Agent(d, i)) {
				agents[i] = put(agents[i], value)
			}
		}
	}
	return agents
}

// valuesOf returns a value of each component that agents have in addition to their state: Seek if the
// behavior needs it to move, the components that the behavior needs, directly or indirectly, and its
// own component.
func (k *kit) valuesOf(all []catalog.Entry) (values []any) {
	if k.needsSeek() {
		values = append(values, seek)
	}
	var need func([]any)
	need = func(needs []any) {
		for _, value := range needs {
			if contains(values, value) {
				continue
			}
			if e := find(all, value); e != nil && e != k.entry {
				need(e.Needs)
			}
			values = append(values, value)
		}
	}
	need(k.needed())
	return values
}

// drawComponent returns a component for an agent with the given mass. It draws parameters until they
// are allowed, at most 1000 times; then World.Spawn reports the error.
func drawComponent(d *Draw, e *catalog.Entry, mass float64) any {
	const tries = 1000
	component := reflect.New(reflect.TypeOf(e.Component))
	params := e.Params(component.Interface())
	for range tries {
		for i := range params {
			drawParam(d, &params[i])
		}
		if _, problem := e.Problem(component.Interface(), params, mass, dt); problem == "" {
			break
		}
	}
	return component.Elem().Interface()
}

func drawParam(d *Draw, p *catalog.Param) {
	switch at := p.At.(type) {
	case *float64:
		if *at = 3 * d.Float64(); !p.Limits.Allow(*at) {
			*at = drawWithin(d, &p.Limits)
		}
	case *bool:
		*at = d.IntN(2) == 0
	case *int:
		if *at = d.IntN(8); !p.Limits.Allow(float64(*at)) {
			*at = int(drawWithin(d, &p.Limits))
		}
	case *uint32:
		if *at = d.Uint32N(6); p.List != "" {
			*at = 0
		} else if !p.Limits.Allow(float64(*at)) {
			*at = uint32(drawWithin(d, &p.Limits))
		}
	case *r2.Vec:
		*at = d.Point(5)
	case *r2.Box:
		a, b := d.motion.point(r2.Vec{X: -6, Y: -4}), d.motion.point(r2.Vec{X: 5, Y: 6})
		*at = r2.NewBox(a.X, a.Y, b.X, b.Y)
	}
}

// drawWithin returns a number within limits, near the finite limit if the other is infinite.
func drawWithin(d *Draw, l *catalog.Limits) float64 {
	const span = 8
	low, high := l.Min, l.Max
	if math.IsInf(low, -1) {
		low = high - span
	}
	if math.IsInf(high, 1) {
		high = low + span
	}
	x := low + float64((high-low)*d.Float64())
	if l.Whole {
		x = math.Floor(x)
	}
	return x
}

// meet sets each parameter of agent i that is the zero entity to the next agent.
func (cr *crowd) meet(i int, values []any, all []catalog.Entry) {
	agent := cr.agents[i]
	for _, value := range values {
		e := find(all, value)
		if e == nil || !cr.ECS.Has(agent, ecs.TypeID(cr.ECS, cr.types.HostType(reflect.TypeOf(value)))) {
			continue
		}
		component := reflect.New(reflect.TypeOf(value))
		component.Elem().Set(reflect.ValueOf(value))
		for _, p := range e.Params(component.Interface()) {
			if other, is := p.At.(*ecs.Entity); is && other.IsZero() {
				*other = cr.agents[(i+1)%crowdSize]
				column.Set(cr.ECS, agent, cr.types.ToHost(component.Elem().Interface()))
			}
		}
	}
}

// put returns values with value in place of the component of the same type, or appended.
func put(values []any, value any) []any {
	if i := index(values, value); i >= 0 {
		values[i] = value
		return values
	}
	return append(values, value)
}

func contains(values []any, value any) bool { return index(values, value) >= 0 }

func index(values []any, value any) int {
	return slices.IndexFunc(values, func(other any) bool { return reflect.TypeOf(other) == reflect.TypeOf(value) })
}
