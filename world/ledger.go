package world

import (
	"reflect"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// ledger takes a copy of an agent through a step, one system at a time, in a
// world that has nothing else in it, and writes down what each of them does.
type ledger struct {
	of       *World
	apart    ecs.World
	clock    *systems.Clock
	rules    []rule
	arrivals *systems.Arrivals

	neighbors *systems.Neighbors // another one over the true world, in which the agent alone looks
	lookers   *systems.Frame     // of those who look; it never does a step
	seers     []*looker          // the same

	agent   ecs.Entity    // the copy
	leaders [4]ecs.Entity // stand where the entities of Follow, FleeFrom, Quarry and Pursuer are

	sensers []systems.Sensor // of a host
	things  []thing
}

// thing is an entity that is neither agent nor obstacle, and where it was.
type thing struct {
	entity ecs.Entity
	at     c.Position
}

// rule is a system in a frame of its own.
type rule struct {
	name   string
	system any
	frame  *systems.Frame
}

// unobserved is a system that does not look at the end of a step, because what it
// would note there is of the true world.
type unobserved struct {
	systems.System
	systems.Sensor
}

// unobservedSystem is that for a system that is no Sensor.
type unobservedSystem struct{ systems.System }

func newLedger(of *World) *ledger {
	l := &ledger{of: of, apart: ecs.NewWorld(4), clock: &systems.Clock{}, arrivals: &systems.Arrivals{}, neighbors: &systems.Neighbors{}}
	ecs.AddResource(&l.apart, l.clock)
	scan := &systems.ThreatScan{Obstacles: of.Obstacles, Mode: of.config.Scan}
	before, after := of.config.own(scan, l.neighbors, l.arrivals)
	looks := []any{l.neighbors}
	for _, s := range append(before, after...) {
		r := rule{name: nameOf(s), system: s}
		if s == any(of.Obstacles) || s == any(l.neighbors) {
			continue // they are up to date
		}
		if x, ok := s.(systems.Looker); ok {
			see := &looker{Looker: x, name: r.name}
			l.seers = append(l.seers, see)
			looks = append(looks, see)
		}
		switch x := s.(type) {
		case *systems.ThreatScan:
			s = &unobserved{x, x}
		case *systems.Containment, *systems.WallFollowing, *systems.Slide:
			s = &unobservedSystem{x.(systems.System)}
		}
		r.frame = systems.NewFrame(s)
		r.frame.Workers = 1
		l.rules = append(l.rules, r)
	}
	l.lookers = of.frame(looks...)
	l.lookers.Workers = 1
	l.lookers.Initialize(of.ECS)
	for _, r := range l.rules {
		r.frame.Initialize(&l.apart) // after those who look in the true world
	}
	for _, s := range of.config.Sense {
		if s, ok := s.(systems.Sensor); ok {
			l.sensers = append(l.sensers, s)
		}
	}
	return l
}

func nameOf(system any) string { return reflect.Indirect(reflect.ValueOf(system)).Type().Name() }

// sense looks at the true world as the next step will. The function that it
// returns puts back what has been moved by that.
func (l *ledger) sense() (putBack func()) {
	w := l.of.ECS
	l.things = l.things[:0]
	if len(l.sensers) > 0 {
		f := ecs.All(l.of.idOf(c.Position{})).Without(l.of.idOf(c.Agent{}), l.of.idOf(c.Obstacle{}))
		for q := w.Query(&f); q.Next(); {
			at, _ := look[c.Position](l.of, q.Entity())
			l.things = append(l.things, thing{q.Entity(), at})
		}
	}
	for _, s := range l.sensers {
		s.Sense(w)
	}
	l.of.Obstacles.Sense(w)
	return func() {
		for _, t := range l.things {
			if w.Alive(t.entity) {
				edit(l.of, t.entity, func(p *c.Position) { *p = t.at })
			}
		}
	}
}

// explain returns what a step will do to a living entity.
func (l *ledger) explain(e ecs.Entity) *Explanation {
	l.copy(e)
	w := l.of.ECS
	l.neighbors.Stand(l.agent, e)
	for _, s := range l.seers {
		s.open(l.of, e)
	}
	l.neighbors.Sense(w)
	x := &Explanation{
		ID: l.of.ID(e), Entity: e, Time: l.clock.Time, Dt: l.clock.Dt,
		Components: componentsOf(w, e), Before: stateOf(w, l.of.types, e),
		MaxForce: inf, MaxSpeed: inf, Mass: 1,
	}
	if scan, ok := look[c.ThreatScan](l.of, e); ok {
		x.LookAhead = scan.LookAhead
	}
	if steer := l.steering(); steer != nil && *steer != (r2.Vec{}) {
		x.Shares = append(x.Shares, Share{Behavior: "Steering", Force: &ForceShare{Newtons: *steer}})
	}
	for _, s := range l.seers {
		if s.saw.Reach > 0 {
			x.Looks = append(x.Looks, s.saw)
		}
	}
	for i := range l.rules {
		l.apply(x, &l.rules[i])
	}
	x.After = stateOf(&l.apart, nil, l.agent)
	if threat := get[c.Threat](&l.apart, l.agent); threat != nil && !threat.Obstacle.IsZero() {
		x.Threat = l.threat(threat)
	}
	for _, a := range l.arrivals.List() {
		x.Arrives, x.Leaves = true, a.Remove
	}
	x.truncate()
	return x
}

// copy puts an agent into the world apart, and with it what a step reads besides.
func (l *ledger) copy(e ecs.Entity) {
	w, apart := l.of.ECS, &l.apart
	*l.clock = *l.of.Clock
	share[systems.Paths](w, apart)
	share[systems.Itineraries](w, apart)
	l.sightings()
	for _, old := range append(l.leaders[:], l.agent) {
		if !old.IsZero() {
			apart.RemoveEntity(old)
		}
	}
	var values []any
	eachComponent(w, e, func(v reflect.Value) {
		if l.of.types.HostType(v.Type()) == v.Type() { // or a host's type stands in its place
			values = append(values, v.Interface())
		}
	})
	values = l.of.types.ToOurs(values)
	var ids []ecs.ID
	for _, value := range values {
		ids = append(ids, ecs.TypeID(apart, reflect.TypeOf(value)))
	}
	l.agent = apart.NewEntity(ids...)
	for _, value := range values {
		column.Set(apart, l.agent, value)
	}
	if get[c.Agent](apart, l.agent) == nil { // draws go by the entity, which is another one here
		systems.Add(apart, l.agent, c.Agent{ID: l.of.ID(e)})
	}
	l.leaders = [4]ecs.Entity{}
	if follow := get[c.Follow](apart, l.agent); follow != nil {
		l.leaders[0] = l.leader(follow.Entity)
		get[c.Follow](apart, l.agent).Entity = l.leaders[0]
	}
	if from := get[c.FleeFrom](apart, l.agent); from != nil {
		l.leaders[1] = l.leader(from.Entity)
		get[c.FleeFrom](apart, l.agent).Entity = l.leaders[1]
	}
	if quarry := get[c.Quarry](apart, l.agent); quarry != nil {
		l.leaders[2] = l.watched(quarry.Entity)
		get[c.Quarry](apart, l.agent).Entity = l.leaders[2]
	}
	if pursuer := get[c.Pursuer](apart, l.agent); pursuer != nil {
		l.leaders[3] = l.watched(pursuer.Entity)
		get[c.Pursuer](apart, l.agent).Entity = l.leaders[3]
	}
}

// watched returns an entity apart that is where e is and moves alike; one that is
// nowhere if e is, and none if e is none.
func (l *ledger) watched(e ecs.Entity) ecs.Entity {
	if e.IsZero() {
		return e
	}
	to := l.apart.NewEntity()
	if l.of.ECS.Alive(e) {
		if p, ok := look[c.Position](l.of, e); ok {
			systems.Add(&l.apart, to, p)
		}
		if v, ok := look[c.Velocity](l.of, e); ok {
			systems.Add(&l.apart, to, v)
		}
	}
	return to
}

// leader returns an entity apart that stands where e is, none if e is nowhere.
func (l *ledger) leader(e ecs.Entity) ecs.Entity {
	if e.IsZero() || !l.of.ECS.Alive(e) {
		return ecs.Entity{}
	}
	at, ok := look[c.Position](l.of, e)
	if !ok {
		return ecs.Entity{}
	}
	to := l.apart.NewEntity()
	systems.Add(&l.apart, to, at)
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
func (l *ledger) threat(seen *c.Threat) *Threat {
	t := &Threat{Threat: *seen}
	if !l.of.ECS.Alive(t.Obstacle) {
		return t
	}
	p, _ := look[c.Position](l.of, t.Obstacle)
	t.At = p.Vec
	if o, ok := look[c.Obstacle](l.of, t.Obstacle); ok {
		t.Radius = o.Radius
		switch {
		case o.Polygon != 0:
			t.Kind = "polygon"
		case o.Span != (r2.Vec{}):
			t.Kind = "wall"
		default:
			t.Kind = "circle"
		}
	}
	return t
}
