package crowdtest

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	crowdSize = 12
	seeds     = 4
	steps     = 8   // for most crowds
	dt        = 0.1 // s
)

// variant describes how a crowd is drawn and run.
type variant struct {
	seed      uint64
	scale     float64 // factor for lengths and speeds
	motion    motion
	workers   int // 0 means 1
	batchRows int
	shuffled  bool         // agents are spawned in a different order
	only      int          // number, from 1, of the only agent with the behavior; 0 means all agents
	without   bool         // no agent has the behavior
	lacks     reflect.Type // component that agents lack; may be nil
	together  bool         // all agents and targets are in one place
}

func plain(seed uint64) variant { return variant{seed: seed, scale: 1, motion: identity} }

type crowd struct {
	*world.World
	kit    *kit
	types  column.Bindings
	agents []ecs.Entity
	system any // nil if the kit has an entry
}

func (k *kit) crowd(v variant) *crowd {
	k.t.Helper()
	config, system := k.config(!v.without)
	config.Workers, config.BatchRows = max(1, v.workers), v.batchRows
	w, err := world.New(config)
	k.must(err)
	w.Frame.ShareRows = 1
	k.t.Cleanup(w.Close)
	types, err := column.NewBindings(config.Bind...)
	k.must(err)
	cr := &crowd{World: w, kit: k, types: types, agents: make([]ecs.Entity, crowdSize), system: system}
	d := &Draw{rand.New(rand.NewPCG(v.seed, 7)), v.scale, v.motion}
	cr.surround(d)
	all := behaviors(&config)
	agents := k.drawAgents(d, v, all, config.Dt, types)
	order := rand.New(rand.NewPCG(v.seed, 8)).Perm(crowdSize)
	if !v.shuffled {
		slices.Sort(order)
	}
	for len(order) > 0 { // spawn runs of agents with the same components
		first := k.componentsIn(v, order[0], agents)
		n := 1
		for n < len(order) && sameTypes(first, k.componentsIn(v, order[n], agents)) {
			n++
		}
		k.must(w.Spawn(n, first, func(r *world.Rows) {
			for row, i := range order[:n] {
				cr.agents[i] = r.Entity(row)
				for _, value := range k.componentsIn(v, i, agents) {
					column.Set(w.ECS, cr.agents[i], types.ToHost(value))
				}
			}
		}))
		order = order[n:]
	}
	for i := range agents {
		cr.meet(i, agents[i], all)
	}
	return cr
}

func (k *kit) componentsIn(v variant, i int, agents [][]any) []any {
	values := []any{c.Agent{ID: uint64(i) + 1}}
	if k.entry != nil {
		values = append(values, k.entry.Adds...) // even without the behavior
	}
	has := (!v.without || k.entry == nil) && (v.only == 0 || v.only == i+1)
	for _, value := range agents[i] {
		t := reflect.TypeOf(value)
		if v.lacks != nil && (t == v.lacks || value == any(seek)) { // Seek may need the component
			continue
		}
		if has || !k.own(t) {
			values = put(values, value)
		}
	}
	return values
}

func sameTypes(a, b []any) bool {
	return slices.EqualFunc(a, b, func(a, b any) bool { return reflect.TypeOf(a) == reflect.TypeOf(b) })
}

func (cr *crowd) surround(d *Draw) {
	cr.kit.t.Helper()
	must := cr.kit.must
	if around := cr.kit.options.Around; around != nil {
		must(around(d, cr.World))
	} else {
		for range 4 {
			span := d.within(2)
			if d.IntN(2) == 0 {
				span = r2.Vec{}
			}
			_, err := cr.AddObstacle(d.Point(6), c.Obstacle{Span: d.motion.turn(span), Radius: d.Float64()})
			must(err)
		}
	}
	_, err := cr.AddPath([]r2.Vec{d.Point(6), d.Point(6), d.Point(6)})
	must(err)
	at, onward := d.Point(6), d.Vector(1)
	if onward == (r2.Vec{}) {
		onward.X = 1 // a scale of 0 leaves no direction
	}
	_, err = cr.AddItinerary([]systems.Stop{
		{At: at}, {Kind: systems.StopFlow, Direction: onward, Duration: 0.4}, {Kind: systems.StopFlee, At: d.Point(6)},
	})
	must(err)
	if contains(cr.kit.values, c.FlowField{}) { // only then, because a field is slow to compute
		goal := d.motion.point(r2.Vec{X: 5 * d.Scale, Y: 5 * d.Scale})
		_, err = cr.AddFlowField(sense.FlowField{Goals: []r2.Box{{Min: goal, Max: goal}}, Radius: 0.2 * d.Scale, Cell: 0.3 * d.Scale, Most: 100_000})
		must(err)
	}
}

func (cr *crowd) step() {
	cr.kit.t.Helper()
	cr.kit.must(cr.Step())
}

func (cr *crowd) states() (all []world.State) {
	for _, e := range cr.agents {
		all = append(all, world.State{
			Position: of[c.Position](cr, e).Vec, Velocity: of[c.Velocity](cr, e).Vec, Heading: of[c.Heading](cr, e).Vec,
		})
	}
	return all
}

func of[T any](cr *crowd, e ecs.Entity) T {
	source := column.SourceIn[T](cr.types, cr.ECS)
	value, _ := column.At[T](cr.ECS, &source, e)
	return value
}

func (k *kit) must(err error) {
	if err != nil {
		k.t.Helper()
		k.t.Fatalf("%s: %v", k.name, err)
	}
}

// drawAgents returns the components of all agents, as values of this module's types.
func (k *kit) drawAgents(d *Draw, v variant, all []catalog.Entry, dt float64, types column.Bindings) [][]any {
	agents := make([][]any, crowdSize)
	for i := range agents {
		position, velocity, heading, target := d.Point(5), d.Vector(1), d.Direction(), d.Point(5)
		if v.together {
			position, target = d.Point(0), d.Point(0)
		}
		limits := c.Limits{MaxSpeed: d.Scale * (1 + d.Float64()), MaxForce: d.Scale * (1 + 3*d.Float64())}
		mass := 1 + d.Float64()
		agents[i] = []any{
			c.Position{Vec: position}, c.Velocity{Vec: velocity}, c.Heading{Vec: heading}, c.Target{Vec: target},
			limits, c.Mass{Kilograms: mass}, c.Radius{Meters: 0.3 * d.Float64()},
		}
	}
	for _, value := range k.values {
		e := find(all, value)
		for i := range agents {
			switch {
			case value == any(seek):
				agents[i] = put(agents[i], value)
			case e != nil:
				agents[i] = put(agents[i], drawComponent(d, e, dt))
			case reflect.TypeOf(value) == reflect.TypeFor[c.Destination]():
				agents[i] = put(agents[i], c.Destination{Vec: agents[i][3].(c.Target).Vec})
			case !contains(agents[i], value): // otherwise, it is part of the state, which is drawn above
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

// valuesOf returns a value of each component that agents have in addition to their state, including Seek if
// they need it to move.
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

// drawComponent returns a component with random parameters. It draws them up to 1000 times, until they are
// allowed for an agent of 1 kg, the least mass in a crowd. Failing that, world.World.Spawn reports the error.
func drawComponent(d *Draw, e *catalog.Entry, dt float64) any {
	const tries = 1000
	component := reflect.New(reflect.TypeOf(e.Component))
	params := e.Params(component.Interface())
	for range tries {
		for i := range params {
			drawParam(d, &params[i])
		}
		if _, problem := e.Problem(component.Interface(), params, 1, dt); problem == "" {
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

// drawWithin draws a number within the limits, near the finite limit if the other limit is infinite.
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

// meet replaces each zero entity in the parameters of agent i with the next agent.
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

// put replaces the component of the same type as value, or else appends value.
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
