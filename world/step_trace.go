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

// stepTrace runs a step on the row of one agent, one system at a time, records the effect of each
// system, and then restores the row. It has its own systems, so the counts of the world's systems do
// not change.
type stepTrace struct {
	of        *World
	rules     []running // in the order of the frame
	frame     *frame.Frame
	neighbors *sense.Neighbors
	arrivals  *systems.Arrivals
	portals   *systems.Portals

	agent ecs.Entity
	ids   map[reflect.Type]ecs.ID // of all component types of the world
}

func newStepTrace(of *World) *stepTrace {
	t := &stepTrace{of: of, neighbors: &sense.Neighbors{Wrap: of.config.wrap()}}
	before, after := of.config.run(of.Obstacles, t.neighbors, of.Fields)
	t.arrivals, t.portals = find[*systems.Arrivals](after), find[*systems.Portals](after)
	t.rules = slices.DeleteFunc(slices.Concat(before, after), func(r running) bool {
		_, doors := r.system.(*systems.Doors)
		return doors || r.system == any(of.Obstacles) // sense updates the obstacles
	})
	t.frame = of.frame(listOf(t.rules)...)
	t.frame.Workers = 1
	t.frame.Initialize(of.ECS)
	return t
}

func nameOf(system any) string { return reflect.Indirect(reflect.ValueOf(system)).Type().Name() }

// sense runs the Sensors of Config.Sense and updates the obstacles, as the next step will. The returned
// function moves back entities with neither Agent nor Obstacle that the Sensors moved.
func (t *stepTrace) sense() (putBack func()) {
	w := t.of.ECS
	at := map[ecs.Entity]c.Position{}
	for _, s := range t.of.config.Sense {
		s, ok := s.(frame.Sensor)
		if !ok {
			continue
		}
		if len(at) == 0 {
			f := ecs.All(t.of.idOf(c.Position{})).Without(t.of.idOf(c.Agent{}), t.of.idOf(c.Obstacle{}))
			for q := w.Query(&f); q.Next(); {
				at[q.Entity()], _ = look[c.Position](t.of, q.Entity())
			}
		}
		s.Sense(w)
	}
	t.of.Obstacles.Sense(w)
	return func() {
		for e, was := range at {
			if w.Alive(e) {
				edit(t.of, e, func(p *c.Position) { *p = was })
			}
		}
	}
}

func (t *stepTrace) explain(e ecs.Entity) *Explanation {
	w := t.of.ECS
	t.agent, t.ids = e, column.Registered(w)
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

// part returns a component of the agent, or the host's type bound in its place. It returns nil if
// the agent has neither.
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

// combine runs a system that combines forces, and records how much of the preceding force it grants.
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

// granted returns the part of the force that the combination uses.
func (f *ForceShare) granted() r2.Vec {
	if f.Granted == nil {
		return f.Newtons
	}
	return *f.Granted
}

// truncate sets Truncated, of the sum and of each force, if Integration moves the agent by the forces.
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

// looks records which other agents each behavior of the agent sees.
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

// sees reports whether a rule looks at other agents to react to them, rather than to push agents
// apart.
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
