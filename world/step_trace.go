package world

import (
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// stepTrace takes a copy of an agent through a step, one system at a time, in a
// sandbox: a world that has nothing else in it. It writes down what each of them does.
type stepTrace struct {
	of       *World
	sandbox  ecs.World
	clock    *frame.Clock
	rules    []rule
	arrivals *systems.Arrivals

	neighbors *sense.Neighbors // another one over the true world, in which the agent alone looks
	snapshot  *frame.Frame     // of these; it never does a step

	agent    ecs.Entity   // the copy
	standIns []ecs.Entity // are where the entities that the copy goes by are, and move alike

	sensers []frame.Sensor // of a host
	things  []thing
}

// thing is an entity that is neither agent nor obstacle, and where it was.
type thing struct {
	entity ecs.Entity
	at     c.Position
}

// rule is a system in a frame of its own.
type rule struct {
	running
	name  string
	frame *frame.Frame
}

// unobserved is a system that does not look at the end of a step, because what it
// would note there is of the true world.
type unobserved struct {
	frame.System
	frame.Sensor
	frame.Attacher
}

// unobservedSystem is that for a system that is no Sensor.
type unobservedSystem struct{ frame.System }

func newStepTrace(of *World) *stepTrace {
	t := &stepTrace{of: of, sandbox: ecs.NewWorld(4), clock: &frame.Clock{}, neighbors: &sense.Neighbors{Wrap: of.config.wrap()}}
	ecs.AddResource(&t.sandbox, t.clock)
	before, after := of.config.run(of.Obstacles, t.neighbors, of.Fields)
	t.arrivals = find[*systems.Arrivals](after)
	t.snapshot = of.frame(t.neighbors)
	t.snapshot.Workers = 1
	t.snapshot.Initialize(of.ECS)
	for _, own := range slices.Concat(before, after) {
		r := rule{running: own, name: nameOf(own.system)}
		if r.system == any(of.Obstacles) || r.system == any(t.neighbors) {
			continue // they are up to date
		}
		r.frame = frame.New(r.unobserved())
		r.frame.Workers, r.frame.Snapshots = 1, t.snapshot
		r.frame.Initialize(&t.sandbox)
		t.rules = append(t.rules, r)
	}
	for _, s := range of.config.Sense {
		if s, ok := s.(frame.Sensor); ok {
			t.sensers = append(t.sensers, s)
		}
	}
	return t
}

// unobserved returns the system as one that does not look at the end of a step, if what
// it would note there is of the true world: how far agents look for obstacles.
func (r *rule) unobserved() any {
	switch s := r.system.(type) {
	case *systems.Arrivals, *systems.Portals:
		return s
	case interface {
		frame.System
		frame.Sensor
		frame.Observer
		frame.Attacher
	}:
		return &unobserved{s, s, s}
	case interface {
		frame.System
		frame.Observer
	}:
		return &unobservedSystem{s}
	}
	return r.system
}

func nameOf(system any) string { return reflect.Indirect(reflect.ValueOf(system)).Type().Name() }

// sense looks at the true world as the next step will. The function that it
// returns puts back what has been moved by that.
func (t *stepTrace) sense() (putBack func()) {
	w := t.of.ECS
	t.things = t.things[:0]
	if len(t.sensers) > 0 {
		f := ecs.All(t.of.idOf(c.Position{})).Without(t.of.idOf(c.Agent{}), t.of.idOf(c.Obstacle{}))
		for q := w.Query(&f); q.Next(); {
			at, _ := look[c.Position](t.of, q.Entity())
			t.things = append(t.things, thing{q.Entity(), at})
		}
	}
	for _, s := range t.sensers {
		s.Sense(w)
	}
	t.of.Obstacles.Sense(w)
	t.of.Fields.Set(*resource(w, &sense.FlowFields{}))
	return func() {
		for _, x := range t.things {
			if w.Alive(x.entity) {
				edit(t.of, x.entity, func(p *c.Position) { *p = x.at })
			}
		}
	}
}

// explain returns what a step will do to a living entity.
func (t *stepTrace) explain(e ecs.Entity) *Explanation {
	t.copy(e)
	w := t.of.ECS
	t.neighbors.Stand(t.agent, e)
	t.neighbors.Sense(w)
	x := &Explanation{
		ID: t.of.ID(e), Entity: e, Time: t.clock.Time, Dt: t.clock.Dt,
		Components: componentsOf(w, e), Before: stateOf(w, t.of.types, e),
		MaxForce: inf, MaxSpeed: inf, Mass: 1,
	}
	if scan, ok := look[c.ThreatScan](t.of, e); ok {
		x.LookAhead = scan.LookAhead
	}
	if steer := t.steering(); steer != nil && *steer != (r2.Vec{}) {
		x.Shares = append(x.Shares, Share{Behavior: "Steering", Force: &ForceShare{Newtons: *steer}})
	}
	t.looks(x, e)
	for i := range t.rules {
		t.apply(x, &t.rules[i])
	}
	x.After = stateOf(&t.sandbox, nil, t.agent)
	if threat := get[c.Threat](&t.sandbox, t.agent); threat != nil && !threat.Obstacle.IsZero() {
		x.Threat = t.threat(threat)
	}
	for _, a := range t.arrivals.List() {
		x.Arrives, x.Leaves = true, a.Remove
	}
	x.truncate()
	return x
}

// copy puts an agent into the sandbox, and with it what a step reads besides.
func (t *stepTrace) copy(e ecs.Entity) {
	w, sandbox := t.of.ECS, &t.sandbox
	*t.clock = *t.of.Clock
	share[systems.Paths](w, sandbox)
	share[systems.Itineraries](w, sandbox)
	share[systems.Ways](w, sandbox)
	share[sense.FlowFields](w, sandbox)
	t.sightings()
	for _, old := range append(t.standIns, t.agent) {
		if !old.IsZero() {
			sandbox.RemoveEntity(old)
		}
	}
	var values []any
	eachComponent(w, e, func(v reflect.Value) {
		if t.of.types.HostType(v.Type()) == v.Type() { // or a host's type stands in its place
			values = append(values, v.Interface())
		}
	})
	values = t.of.types.ToOurs(values)
	var ids []ecs.ID
	for _, value := range values {
		ids = append(ids, ecs.TypeID(sandbox, reflect.TypeOf(value)))
	}
	t.agent = sandbox.NewEntity(ids...)
	for _, value := range values {
		column.Set(sandbox, t.agent, value)
	}
	if get[c.Agent](sandbox, t.agent) == nil { // draws go by the entity, which is another one here
		systems.Add(sandbox, t.agent, c.Agent{ID: t.of.ID(e)})
	}
	t.standIns = t.standIns[:0]
	for i := range t.of.behaviors {
		for _, p := range t.params(&t.of.behaviors[i]) {
			if whom, ok := p.At.(*ecs.Entity); ok && !whom.IsZero() {
				*whom = t.standIn(*whom)
			}
		}
	}
}

// params returns the parameters of a behavior of the copy, nil if it does not have it.
func (t *stepTrace) params(e *catalog.Entry) []catalog.Param {
	typ := reflect.TypeOf(e.Component)
	id := ecs.TypeID(&t.sandbox, typ)
	if !t.sandbox.Has(t.agent, id) {
		return nil
	}
	return e.Params(reflect.NewAt(typ, t.sandbox.Get(t.agent, id)).Interface())
}

// standIn returns an entity of the sandbox that is where e is and moves alike; one that
// is nowhere if e is.
func (t *stepTrace) standIn(e ecs.Entity) ecs.Entity {
	to := t.sandbox.NewEntity()
	t.standIns = append(t.standIns, to)
	if t.of.ECS.Alive(e) {
		if p, ok := look[c.Position](t.of, e); ok {
			systems.Add(&t.sandbox, to, p)
		}
		if v, ok := look[c.Velocity](t.of, e); ok {
			systems.Add(&t.sandbox, to, v)
		}
		if h, ok := look[c.Heading](t.of, e); ok {
			systems.Add(&t.sandbox, to, h)
		}
	}
	return to
}

// share makes a resource of one world that of another.
func share[T any](from, to *ecs.World) {
	id := ecs.ResourceID[T](to)
	if to.Resources().Has(id) {
		to.Resources().Remove(id)
	}
	if theirs := ecs.ResourceID[T](from); from.Resources().Has(theirs) {
		to.Resources().Add(id, from.Resources().Get(theirs))
	}
}

// stateOf returns where an entity is and goes.
func stateOf(w *ecs.World, types column.Bindings, e ecs.Entity) State {
	p, _ := lookIn[c.Position](w, types, e)
	v, _ := lookIn[c.Velocity](w, types, e)
	h, _ := lookIn[c.Heading](w, types, e)
	return State{p.Vec, v.Vec, h.Vec}
}

// threat returns what is known of an obstacle ahead.
func (t *stepTrace) threat(seen *c.Threat) *Threat {
	ahead := &Threat{Threat: *seen}
	if !t.of.ECS.Alive(ahead.Obstacle) {
		return ahead
	}
	p, _ := look[c.Position](t.of, ahead.Obstacle)
	ahead.At = p.Vec
	if o, ok := look[c.Obstacle](t.of, ahead.Obstacle); ok {
		ahead.Radius = o.Radius
		switch {
		case o.Polygon != 0:
			ahead.Kind = "polygon"
		case o.Span != (r2.Vec{}):
			ahead.Kind = "wall"
		default:
			ahead.Kind = "circle"
		}
	}
	return ahead
}

// combine takes the copy through a system that combines, and writes down what that
// grants of the force before it.
func (t *stepTrace) combine(x *Explanation, r *rule) {
	steer, sum := t.steering(), get[c.ForceCombination](&t.sandbox, t.agent)
	if steer == nil || sum == nil {
		return
	}
	// On top of nothing: what is granted has no rounding then.
	force, before := *steer, *sum
	sum.Vec = r2.Vec{}
	works := t.run(x, r)
	granted := sum.Vec
	if !works {
		*sum = before
		return
	}
	*steer, *sum = force, before
	t.run(x, r)
	x.Combination = t.of.config.Combination
	for i := len(x.Shares) - 1; i >= 0; i-- {
		if f := x.Shares[i].Force; f != nil {
			if f.Granted == nil { // the force of this behavior, and not an earlier one
				f.Granted = &granted
			}
			return
		}
	}
}

// granted is what is left of the force before MaxForce.
func (f *ForceShare) granted() r2.Vec {
	if f.Granted == nil {
		return f.Newtons
	}
	return *f.Granted
}

// truncate works out what is left of each force when their sum is shortened.
func (x *Explanation) truncate() {
	if x.MovedBy != "Integration" || x.taken {
		return
	}
	x.Truncated = vec.Truncate(x.Force, x.MaxForce)
	factor := 1.
	if x.Truncated != x.Force {
		factor = vec.Norm(x.Truncated) / vec.Norm(x.Force)
	}
	for _, s := range x.Shares {
		if s.Force != nil {
			s.Force.Truncated = vec.Scale(factor, s.Force.granted())
		}
	}
}

// looks writes down which agents the behaviors of an agent see.
func (t *stepTrace) looks(x *Explanation, e ecs.Entity) {
	index, ok := t.neighbors.Index(e)
	if !ok {
		return
	}
	agents := t.neighbors.Agents()
	t.neighbors.Looks(index, func(rule string, look sense.Look, found []uint32) {
		if !t.sees(rule) {
			return
		}
		saw := Look{Behavior: rule, Reach: look.NeighborDist, View: look.FieldOfView, Facing: vec.Unit(agents.Velocity(index))}
		for _, i := range found {
			saw.Seen = append(saw.Seen, agents.At(i))
		}
		x.Looks = append(x.Looks, saw)
	})
}

// sees reports whether a rule looks for others to go by them: not so one by which agents
// are pushed.
func (t *stepTrace) sees(name string) bool {
	for _, r := range t.rules {
		if r.name != name {
			continue
		}
		does := r.does()
		if does&(catalog.Steers|catalog.TakesForces|catalog.SetsVelocity) == 0 || does.Has(catalog.SetsPosition) {
			return false
		}
		orca := get[c.ORCA](&t.sandbox, t.agent)
		return orca == nil || !does.Has(catalog.TakesForces) || orca.MaxNeighbors >= 0 && orca.NeighborDist > 0
	}
	return false
}
