package world

import (
	"math"
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

// stepTrace runs a step for one agent, one system at a time, and restores the agent. Its systems are its own,
// so the counts of the world's systems do not change.
type stepTrace struct {
	of        *World
	rules     []running // in the order of the frame
	frame     *frame.Frame
	neighbors *sense.Neighbors
	arrivals  *systems.Arrivals
	portals   *systems.Portals
	doors     *systems.Doors // of the world's frame

	agent ecs.Entity
	ids   map[reflect.Type]ecs.ID // of all component types
}

func newStepTrace(of *World) *stepTrace {
	t := &stepTrace{of: of, neighbors: &sense.Neighbors{Wrap: of.config.wrap()}}
	before, after := of.config.run(of.Obstacles, t.neighbors, of.Fields)
	t.arrivals, t.portals = find[*systems.Arrivals](after), find[*systems.Portals](after)
	t.doors, _ = frame.Find[*systems.Doors](of.Frame)
	t.rules = slices.DeleteFunc(slices.Concat(before, after), func(r running) bool {
		_, doors := r.system.(*systems.Doors)
		return doors || r.system == any(of.Obstacles) // sense runs both
	})
	t.frame = of.frame(listOf(t.rules)...)
	t.frame.Workers = 1
	t.frame.Initialize(of.ECS)
	return t
}

func nameOf(system any) string { return reflect.Indirect(reflect.ValueOf(system)).Type().Name() }

// sense runs the Sensors of Config.Sense, opens and closes doors, and updates the obstacles, as the next step
// will. The function putBack restores the doors and whatever a host's Sensors have moved, except agents and
// obstacles.
func (t *stepTrace) sense() (putBack func()) {
	w := t.of.ECS
	at := map[ecs.Entity]c.Position{}
	if len(t.of.config.Sense)+len(t.of.config.Behaviors) > 0 {
		f := ecs.All(t.of.idOf(c.Position{})).Without(t.of.idOf(c.Agent{}), t.of.idOf(c.Obstacle{}))
		for q := w.Query(&f); q.Next(); {
			at[q.Entity()], _ = look[c.Position](t.of, q.Entity())
		}
	}
	for _, s := range t.of.config.Sense {
		if s, ok := s.(frame.Sensor); ok {
			s.Sense(w)
		}
	}
	doors, f := map[ecs.Entity]c.Door{}, ecs.All(t.of.idOf(c.Door{}))
	for q := w.Query(&f); q.Next(); {
		doors[q.Entity()], _ = look[c.Door](t.of, q.Entity())
	}
	t.doors.Sense(w)
	t.of.Obstacles.Sense(w)
	return func() {
		for e, was := range doors {
			if w.Alive(e) {
				edit(t.of, e, func(d *c.Door) { *d = was })
			}
		}
		for e, was := range at {
			if w.Alive(e) {
				edit(t.of, e, func(p *c.Position) { *p = was })
			}
		}
	}
}

func (t *stepTrace) explain(e ecs.Entity) *Explanation {
	w := t.of.ECS
	t.agent, t.ids = e, column.Registered(w, nil)
	tracked := *resource(w, &systems.TrackedEntities{})
	defer copy(tracked, slices.Clone(tracked))
	defer t.put(t.components())
	x := &Explanation{
		ID: t.of.ID(e), Entity: e, Time: t.of.Clock.Time, Dt: t.of.Clock.Dt,
		Components: componentsOf(w, e), Before: t.state(),
		MaxForce: inf, MaxSpeed: inf, Mass: 1,
	}
	if scan := part[c.ThreatScan](t); scan != nil {
		x.LookAhead = scan.LookAhead
	}
	if steer := t.steering(); steer != nil && *steer != (r2.Vec{}) {
		x.Shares = append(x.Shares, Share{Behavior: "Steering", Force: &ForceShare{Newtons: *steer}})
	}
	t.frame.Trace(w, e, func(place int, run func() bool) {
		t.apply(x, &rule{t.rules[place], nameOf(t.rules[place].system), run})
	})
	t.arrivals.Observe(w)
	t.portals.Observe(w)
	t.looks(x)
	x.After = t.state()
	if threat := part[c.Threat](t); threat != nil && !threat.Obstacle.IsZero() {
		x.Threat = t.threat(threat)
	}
	for _, a := range t.arrivals.List() {
		x.Arrives, x.Leaves = true, a.Remove
	}
	x.truncate()
	return x
}

func part[T any](t *stepTrace) *T {
	p, _ := t.part(reflect.TypeFor[T]()).(*T)
	return p
}

func (t *stepTrace) part(ours reflect.Type) any {
	id, ok := t.ids[t.of.types.HostType(ours)]
	if !ok || !t.of.ECS.Has(t.agent, id) {
		return nil
	}
	return reflect.NewAt(ours, t.of.ECS.Get(t.agent, id)).Interface()
}

func (t *stepTrace) state() (s State) {
	if p := part[c.Position](t); p != nil {
		s.Position = p.Vec
	}
	if v := part[c.Velocity](t); v != nil {
		s.Velocity = v.Vec
	}
	if h := part[c.Heading](t); h != nil {
		s.Heading = h.Vec
	}
	return s
}

func (t *stepTrace) hasPosition(e ecs.Entity) bool {
	if e.IsZero() || !t.of.ECS.Alive(e) {
		return false
	}
	_, ok := look[c.Position](t.of, e)
	return ok
}

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

// combine records how much of the preceding force a system grants.
func (t *stepTrace) combine(x *Explanation, r *rule) {
	steer, sum := t.steering(), part[c.ForceCombination](t)
	if steer == nil || sum == nil || r.run == nil {
		return
	}
	// The first run starts from zero, which avoids a rounding error in the granted force.
	force, before := *steer, *sum
	sum.Vec = r2.Vec{}
	t.run(x, r)
	granted := sum.Vec
	*steer, *sum = force, before
	t.run(x, r)
	x.Combination = t.of.config.Combination
	for i := len(x.Shares) - 1; i >= 0; i-- {
		if f := x.Shares[i].Force; f != nil {
			if f.Granted == nil { // not a force of an earlier behavior
				f.Granted = &granted
			}
			return
		}
	}
}

func (f *ForceShare) granted() r2.Vec {
	if f.Granted == nil {
		return f.Newtons
	}
	return *f.Granted
}

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

func (t *stepTrace) looks(x *Explanation) {
	index, ok := t.neighbors.Index(t.agent)
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

// sees reports whether the named rule looks at other agents in order to react to them, not just to push
// agents apart.
func (t *stepTrace) sees(name string) bool {
	for _, r := range t.rules {
		if nameOf(r.system) != name {
			continue
		}
		does := r.does()
		if does&(catalog.Steers|catalog.TakesForces|catalog.SetsVelocity) == 0 || does.Has(catalog.SetsPosition) {
			return false
		}
		orca := part[c.ORCA](t)
		return orca == nil || !does.Has(catalog.TakesForces) || orca.MaxNeighbors >= 0 && orca.NeighborDist > 0
	}
	return false
}

var inf = math.Inf(1)

// rule is a system. If the system does not apply to the agent, the function run is nil.
type rule struct {
	running
	name string
	run  func() (skipped bool)
}

func (t *stepTrace) apply(x *Explanation, r *rule) {
	switch r.system.(type) {
	case *systems.Follow:
		t.follow(x, r)
		return
	case *systems.Combine:
		t.combine(x, r)
		return
	case *systems.Integration:
		if !x.taken {
			t.sum(x)
		}
	}
	does := r.does()
	if does.Has(catalog.TakesForces) {
		t.choose(x, r)
		return
	}
	if gain := t.gain(r); gain != nil {
		if f := t.force(x, r, gain); f != nil {
			x.Shares = append(x.Shares, Share{Behavior: r.name, Force: f})
		}
		return
	}
	if r.run == nil {
		return
	}
	before, speed, maxSpeed := t.state(), t.driveSpeed(), t.limits().MaxSpeed
	t.run(x, r)
	after, s := t.state(), Share{Behavior: r.name}
	if does.Has(catalog.Moves) {
		x.MovedBy = r.name
	}
	switch {
	case does.Has(catalog.SetsTarget):
		s.Target, s.MaxSpeed = change(r2.Vec{}, t.sent(r.system)), differs(maxSpeed, t.limits().MaxSpeed)
	case does.Has(catalog.LimitsSpeed):
		if s.MaxSpeed = differs(maxSpeed, t.limits().MaxSpeed); s.MaxSpeed == nil {
			return
		}
	case does.Has(catalog.SetsSpeed):
		faster := t.driveSpeed() - speed
		s.Speed = &faster
	case does.Has(catalog.Turns):
		turn := vec.Angle(before.Heading, after.Heading)
		if s.Turn = &turn; does.Has(catalog.SetsVelocity) {
			s.Velocity = change(before.Velocity, after.Velocity)
		}
	case does.Has(catalog.SetsPosition):
		if before == after {
			return
		}
		s.Position, s.Velocity = change(before.Position, after.Position), change(before.Velocity, after.Velocity)
		s.Turn = differs(0, vec.Angle(before.Heading, after.Heading))
	case does.Has(catalog.SetsVelocity):
		s.Velocity = change(before.Velocity, after.Velocity)
	default:
		return
	}
	x.Shares = append(x.Shares, s)
}

func (r *running) does() catalog.Effect {
	switch r.system.(type) {
	case *systems.Integration:
		return catalog.Moves
	case *systems.Bounds, *systems.Slide:
		return catalog.SetsPosition | catalog.SetsVelocity
	case *systems.Portals:
		return catalog.SetsPosition
	}
	if r.entry == nil {
		return 0
	}
	return r.entry.Does
}

func change(from, to r2.Vec) *r2.Vec {
	d := vec.Sub(to, from)
	return &d
}

func differs(from, to float64) *float64 {
	if from == to {
		return nil
	}
	d := to - from
	return &d
}

func (t *stepTrace) run(x *Explanation, r *rule) {
	if r.run() {
		x.Skipped = append(x.Skipped, r.name)
	}
}

// force runs a steering rule on the agent and returns its force, or nil if the rule does not apply.
// It first makes and undoes two trial runs from a zero Steering: Raw is the force with a gain of 1, and
// Newtons is the force with the actual gain.
func (t *stepTrace) force(x *Explanation, r *rule, by *catalog.Param) *ForceShare {
	steer := t.steering()
	if steer == nil || r.run == nil {
		return nil
	}
	gain := by.At.(*float64)
	f, before := &ForceShare{Gain: *gain, GainUnit: by.Unit}, t.components()
	if by.Unit == "kg/s" {
		f.RawUnit = "m/s"
	}
	*steer, *gain = r2.Vec{}, 1
	t.run(x, r)
	f.Raw = *steer
	t.put(before)
	*steer = r2.Vec{}
	t.run(x, r)
	f.Newtons = *steer
	t.put(before)
	t.run(x, r)
	return f
}

// components returns copies of all components of the agent, because a host's system may change any of
// them.
func (t *stepTrace) components() (all []any) {
	eachComponent(t.of.ECS, t.agent, func(v reflect.Value) { all = append(all, v.Interface()) })
	return all
}

func (t *stepTrace) put(all []any) {
	for _, value := range all {
		column.Set(t.of.ECS, t.agent, value)
	}
}

func (t *stepTrace) gain(r *rule) *catalog.Param {
	has := func(component any) bool { return t.part(reflect.TypeOf(component)) != nil }
	if r.entry == nil || !r.entry.SteersWith(has) || !has(r.entry.Component) {
		return nil
	}
	gain, _ := catalog.Gain(r.entry.Params(t.part(reflect.TypeOf(r.entry.Component))))
	return gain
}

// sent returns where a system has sent the agent, in m: to its Destination, if the agent has one and the system
// does not lead it there, and to its Target otherwise.
func (t *stepTrace) sent(system any) r2.Vec {
	switch system.(type) {
	case *systems.Follow, *systems.FormationKeeping, *systems.Itinerary, *systems.PathFollowing:
		if to := part[c.Destination](t); to != nil {
			return to.Vec
		}
	}
	return part[c.Target](t).Vec
}

// follow records Target and Flee.From, both of which systems.Follow.Sense sets.
func (t *stepTrace) follow(x *Explanation, r *rule) {
	follow, target := part[c.Follow](t), part[c.Target](t)
	if target != nil && follow != nil && t.hasPosition(follow.Entity) {
		x.Shares = append(x.Shares, Share{Behavior: "Follow", Target: change(r2.Vec{}, t.sent(r.system))})
	}
	from, flee := part[c.FleeFrom](t), part[c.Flee](t)
	if flee != nil && from != nil && t.hasPosition(from.Entity) {
		x.Shares = append(x.Shares, Share{Behavior: "FleeFrom", Target: change(r2.Vec{}, flee.From)})
	}
}

func (t *stepTrace) choose(x *Explanation, r *rule) {
	t.sum(x)
	if r.run == nil {
		return
	}
	before, account := t.state().Velocity, &systems.Reciprocal{}
	if s, ok := r.system.(*systems.ORCA); ok {
		s.Account = account
	}
	t.run(x, r)
	if account.MaxSpeed > 0 {
		x.Reciprocal = account
	}
	x.Shares = append(x.Shares, Share{Behavior: r.name, Velocity: change(before, t.state().Velocity)})
	x.taken = x.Force != r2.Vec{} && *t.steering() == r2.Vec{}
}

func (t *stepTrace) sum(x *Explanation) {
	limits := t.limits()
	x.MaxForce, x.MaxSpeed = limits.MaxForce, limits.MaxSpeed
	if mass := part[c.Mass](t); mass != nil {
		x.Mass = mass.Kilograms
	}
	if steer := t.steering(); steer != nil {
		x.Force = *steer
	}
}

func (t *stepTrace) steering() *r2.Vec {
	if steer := part[c.Steering](t); steer != nil {
		return &steer.Vec
	}
	return nil
}

func (t *stepTrace) limits() c.Limits {
	if limits := part[c.Limits](t); limits != nil {
		return *limits
	}
	return c.Limits{MaxSpeed: inf, MaxForce: inf}
}

func (t *stepTrace) driveSpeed() float64 {
	if drive := part[c.Drive](t); drive != nil {
		return drive.Speed
	}
	return 0
}
