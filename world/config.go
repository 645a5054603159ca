package world

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"gonum.org/v1/gonum/spatial/r2"
)

func (w *World) check(r *Rows) error {
	columns := []func(*Rows) error{
		each(func(p *c.Position) error { return checkFinite("position", p.Vec) }),
		each(func(v *c.Velocity) error { return checkFinite("velocity", v.Vec) }),
		each(func(t *c.Target) error { return checkFinite("target", t.Vec) }),
		each(func(f *c.Steering) error { return checkFinite("steering", f.Vec) }),
		each(checkHeading),
		each(func(m *c.Mass) error { return above("mass", m.Kilograms, "kg") }),
		each(func(r *c.Radius) error { return atLeast("radius", r.Meters, "m") }),
		each(checkLimits),
	}
	for i := range w.behaviors {
		columns = append(columns, func(r *Rows) error { return w.checkBehavior(r, &w.behaviors[i]) })
	}
	for _, check := range columns {
		if w.Frame.Interrupted() {
			return ErrInterrupted
		}
		if err := check(r); err != nil {
			return err
		}
	}
	return w.checkModes(r)
}

func each[T any](check func(*T) error) func(*Rows) error {
	return func(r *Rows) error {
		column := Column[T](r)
		for i := range column {
			if err := check(&column[i]); err != nil {
				return fmt.Errorf("agent %d: %w", Column[c.Agent](r)[i].ID, err)
			}
		}
		return nil
	}
}

func checkHeading(h *c.Heading) error {
	if n := vec.Norm(h.Vec); !(math.Abs(n-1) < 1e-9) {
		return fmt.Errorf("heading is (%v, %v) of length %v, want a unit vector", h.X, h.Y, n)
	}
	return nil
}

func checkLimits(l *c.Limits) error {
	if err := atLeast("max speed", l.MaxSpeed, "m/s"); err != nil {
		return err
	}
	if !(l.MaxForce >= 0) { // infinity means no limit
		return fmt.Errorf("max force is %v N, want 0 or more", l.MaxForce)
	}
	return nil
}

func checkObstacle(at r2.Vec, o c.Obstacle) error {
	if err := checkFinite("position of obstacle", at); err != nil {
		return err
	}
	if err := checkFinite("span of obstacle", o.Span); err != nil {
		return err
	}
	return atLeast("radius of obstacle", o.Radius, "m")
}

func checkRing(corners []r2.Vec) error {
	if len(corners) < 3 {
		return fmt.Errorf("number of corners of polygon is %d, want 3 or more", len(corners))
	}
	for i, p := range corners {
		if !vec.Finite(p) {
			return checkFinite(fmt.Sprintf("corner %d of polygon", i), p)
		}
	}
	if fault := space.RingFault(corners); fault != "" {
		return fmt.Errorf("polygon %s", fault)
	}
	return nil
}

func checkFinite(name string, v r2.Vec) error {
	if !vec.Finite(v) {
		return fmt.Errorf("%s is (%v, %v), want finite numbers", name, v.X, v.Y)
	}
	return nil
}

func above(name string, x float64, unit string) error {
	if !(x > 0) || math.IsInf(x, 1) {
		return fmt.Errorf("%s is %v %s, want a finite number above 0", name, x, unit)
	}
	return nil
}

func atLeast(name string, x float64, unit string) error {
	if !(x >= 0) || math.IsInf(x, 1) {
		return fmt.Errorf("%s is %v %s, want a finite number, 0 or more", name, x, unit)
	}
	return nil
}

// checkNeeds rejects a behavior without a component that it needs, because the system would silently skip
// agents. It rejects two path planners, because each would overwrite the other's Target.
func (cfg *Config) checkNeeds(has map[reflect.Type]bool) error {
	var way any // first component that plans a path
	for _, e := range cfg.behaviors() {
		for _, need := range e.Needs {
			if has[reflect.TypeOf(e.Component)] && !has[reflect.TypeOf(need)] {
				return fmt.Errorf("%T needs %T", e.Component, need)
			}
		}
		if !e.Does.Has(catalog.FindsWay) || !has[reflect.TypeOf(e.Component)] {
			continue
		}
		if way != nil {
			return fmt.Errorf("%T and %T both plan a path, want one of them", way, e.Component)
		}
		way = e.Component
	}
	return nil
}

func (w *World) checkBehavior(r *Rows, e *catalog.Entry) (err error) {
	t := reflect.TypeOf(e.Component)
	if _, ok := r.cols[t]; !ok {
		return nil // saves time if few agents are spawned
	}
	mass := Column[c.Mass](r)
	e.Each(r.column(t, e.Column), r.Len, func(i int, component any, params []catalog.Param) {
		if err != nil {
			return
		}
		m := 1.
		if mass != nil {
			m = mass[i].Kilograms
		}
		key, problem := e.Problem(component, params, m, w.config.Dt)
		if problem == "" {
			key, problem = systems.CheckReferences(w.ECS, params)
		}
		if problem != "" {
			err = fmt.Errorf("agent %d: %s %s", Column[c.Agent](r)[i].ID, strings.TrimSpace(e.Name+" "+key), problem)
		}
	})
	return err
}

func (w *World) checkModes(r *Rows) error {
	for i, body := range Column[c.Radius](r) {
		if w.config.Scan != systems.ScanExact && body.Meters > 0 && Column[c.ThreatScan](r) != nil {
			return fmt.Errorf("agent %d: radius is %v m, but the configured scan supports only agents without a radius", Column[c.Agent](r)[i].ID, body.Meters)
		}
	}
	if smooth := Column[c.SmoothArrival](r); smooth != nil {
		for i, p := range Column[c.Path](r) {
			if !(p.Reached > smooth[i].Min) {
				return fmt.Errorf("agent %d: reached distance of path is %v m, want above %v m, the distance at which smooth arrival stops", Column[c.Agent](r)[i].ID, p.Reached, smooth[i].Min)
			}
		}
	}
	return nil
}

// Config configures a crowd. Start from Default: in a zero Config, Dt is 0, which is invalid.
type Config struct {
	Dt        float64 // s, above 0, the Dt of a new Clock; Spawn checks gains against it, not against Clock.Dt
	Workers   int     // goroutines that share a step, at most 1024; 0 means one per processor
	BatchRows int     // 0 means the default of frame.Frame

	Bounds systems.BoundsMode // what happens at the edge of Box
	Box    r2.Box             // m, sides above 0; unused with BoundsNone

	Seed uint64 // seeds Wander, ORCA, AnticipationVelocity and CombineDithering

	Scan             systems.ScanMode   // how ThreatScan finds obstacles; only ScanExact supports walls, polygons and agents with a radius
	AvoidOutward     bool               // Avoidance pushes agents out of the obstacle, not sideways
	Prediction       systems.Prediction // how far ahead Pursuit, Evasion, OffsetPursuit, Interpose and Hiding predict
	FaithfulWalls    bool               // Containment and WallFollowing act as published
	Hold             bool               // see systems.Integration.Hold
	FaithfulORCA     bool               // ORCA acts as published: no agent steps aside, and agents in a jam may overlap
	FaithfulFacing   bool               // Facing acts as published
	FaithfulArrivals bool               // OpposingArrival and DampedArrival act as published

	// Combination selects how forces of behaviors are combined; forces of the systems in Steer are
	// added to the result. The forces of agents with Drive, or without components.ForceCombination,
	// which Spawn adds, are summed.
	Combination systems.Combination
	Priority    []string  // names of behaviors, highest priority first; others follow in the order that the function Behaviors returns
	Chances     []float64 // for CombineDithering: one for all behaviors, or one per name in Priority; other behaviors get systems.DefaultChance

	Planner systems.Planner // for agents with Route; nil means shortest paths around obstacles

	OnArrived func(*World, systems.Arrived) // called for each arrival, in the order of IDs, after all agents have moved and before removals; may be nil

	// Bind binds a host's types to the components that they replace: for example,
	// frame.Bound[components.Position, game.Position](). Spawn, systems.AddBound and Column accept both
	// types; agents get the host's.
	Bind []frame.Binding

	// Saved lists a host's components, by value, and resources, by pointer, that Save also writes, such
	// as game.Health{} and &game.Score{}. Components must hold plain values of a fixed size; resources
	// are written as JSON, so Save fails if JSON would lose unexported fields. If Restore creates new
	// entities, it rewrites references to entities in both. No type may appear twice, belong to this
	// module or be bound.
	Saved []any

	// Unsaved lists a host's components, by value, that Save leaves out. Save fails on a host's
	// components that are in none of Saved, Unsaved and the entries of Behaviors.
	Unsaved []any

	// Behaviors lists a host's behaviors. In each phase, their systems run after the built-in ones.
	Behaviors []catalog.Entry

	Sense   []any                     // a host's systems that run before all others
	Steer   []any                     // a host's systems that run between behaviors that steer and those that choose a velocity
	Measure bool                      // measure trips and collisions with obstacles
	Safety  bool                      // measure collisions and distances between agents; implies Measure
	Lines   []measure.MeasurementLine // m, where to count agents; implies Measure
	Areas   []r2.Box                  // m, where to measure density and speed; implies Measure
	Profile bool                      // time a sample of the batches, for Stats.Frame
}

// Default returns a Config in which Dt is 1/60 s and all other fields are zero.
func Default() Config { return Config{Dt: 1. / 60} }

// Config returns the configuration of the world.
func (w *World) Config() Config { return w.config }

const maxWorkers = 1024

// Validate returns an error that names the first invalid field, or nil.
func (c *Config) Validate() error {
	switch {
	case !(c.Dt > 0) || math.IsInf(c.Dt, 1):
		return fmt.Errorf("dt is %v s, want a finite number above 0", c.Dt)
	case c.Workers < 0 || c.Workers > maxWorkers:
		return fmt.Errorf("workers is %d, want 0 (one for each processor) to %d", c.Workers, maxWorkers)
	case c.BatchRows < 0:
		return fmt.Errorf("batch rows is %d, want 0 (the default) or more", c.BatchRows)
	case c.Bounds < systems.BoundsNone || c.Bounds > systems.BoundsClamp:
		return fmt.Errorf("bounds is %d, want one of the modes of systems.BoundsMode", c.Bounds)
	case c.Scan < systems.ScanExact || c.Scan > systems.ScanNearestFirst:
		return fmt.Errorf("scan is %d, want one of the modes of systems.ScanMode", c.Scan)
	case c.Prediction < systems.PredictMeeting || c.Prediction > systems.PredictBearing:
		return fmt.Errorf("prediction is %d, want one of the modes of systems.Prediction", c.Prediction)
	}
	if err := c.checkBehaviors(); err != nil {
		return err
	}
	bound, err := column.NewBindings(c.Bind...)
	if err != nil {
		return err
	}
	if err := c.checkSaved(bound); err != nil {
		return err
	}
	if err := c.checkMeasurements(); err != nil {
		return err
	}
	if size := vec.Sub(c.Box.Max, c.Box.Min); c.Bounds != systems.BoundsNone && !(size.X > 0 && size.Y > 0 && vec.Finite(size)) {
		return fmt.Errorf("box is %v, want finite sides above 0", c.Box)
	}
	return c.checkCombination()
}

func (c *Config) wrap() (box r2.Box) {
	if c.Bounds == systems.BoundsWrap {
		box = c.Box
	}
	return box
}

func (c *Config) held() (box r2.Box) {
	if c.Bounds == systems.BoundsClamp || c.Bounds == systems.BoundsBounce {
		box = c.Box
	}
	return box
}

func (c *Config) measures() bool {
	return c.Measure || c.Safety || len(c.Lines)+len(c.Areas) > 0
}

func (c *Config) behaviors() []catalog.Entry { return append(systems.Catalog(), c.Behaviors...) }

func (c *Config) settings() systems.Settings {
	return systems.Settings{
		Seed: c.Seed, Prediction: c.Prediction, Scan: c.Scan, AvoidOutward: c.AvoidOutward,
		FaithfulArrivals: c.FaithfulArrivals, FaithfulFacing: c.FaithfulFacing,
		FaithfulWalls: c.FaithfulWalls, FaithfulORCA: c.FaithfulORCA,
	}
}

func (c *Config) checkBehaviors() error {
	if len(c.Behaviors) == 0 {
		return nil
	}
	names, components := map[string]bool{}, map[reflect.Type]bool{}
	for _, e := range c.behaviors() {
		if err := e.Validate(); err != nil {
			return err
		}
		t := reflect.TypeOf(e.Component)
		if names[e.Name] || components[t] {
			return fmt.Errorf("behavior %s has the name or the component %v of another behavior", e.Name, t)
		}
		names[e.Name], components[t] = true, true
	}
	return nil
}

func (c *Config) checkMeasurements() error {
	if n := len(c.Lines); n > measure.MaxLines {
		return fmt.Errorf("there are %d lines, want at most %d", n, measure.MaxLines)
	}
	for i, l := range c.Lines {
		if length := vec.Norm(vec.Sub(l.B, l.A)); !vec.Finite(l.A) || !vec.Finite(l.B) || length == 0 {
			return fmt.Errorf("line %d is from (%v, %v) to (%v, %v), want two different finite points", i, l.A.X, l.A.Y, l.B.X, l.B.Y)
		}
	}
	for i, a := range c.Areas {
		if size := vec.Sub(a.Max, a.Min); !(size.X > 0 && size.Y > 0 && vec.Finite(size)) {
			return fmt.Errorf("area %d is %v, want finite sides above 0", i, a)
		}
	}
	return nil
}

func steering(all []catalog.Entry) (steer []catalog.Entry) {
	for _, e := range all {
		if e.Does.Has(catalog.Steers) {
			steer = append(steer, e)
		}
	}
	slices.SortStableFunc(steer, func(a, b catalog.Entry) int { return cmp.Compare(a.Priority, b.Priority) })
	return steer
}

// Behaviors returns the names of the behaviors whose forces can be combined, both the built-in ones and
// those in more, in the order of their default priority.
func Behaviors(more ...catalog.Entry) (names []string) {
	for _, e := range steering(append(systems.Catalog(), more...)) {
		names = append(names, e.Name)
	}
	return names
}

// CheckPriority returns an error about the first unknown or repeated name in Priority. The error does
// not name the field.
func (c *Config) CheckPriority() error {
	all := Behaviors(c.Behaviors...)
	for i, name := range c.Priority {
		if !slices.Contains(all, name) {
			return fmt.Errorf("contains %q, want only names of behaviors: %s", name, strings.Join(all, ", "))
		}
		if slices.Contains(c.Priority[:i], name) {
			return fmt.Errorf("contains %q twice", name)
		}
	}
	return nil
}

// minChance is above 0 because a drawn force is divided by its chance.
const minChance = 0.01

// CheckChances returns an error if a chance or the number of chances is invalid. The error does not
// name the field.
func (c *Config) CheckChances() error {
	for _, x := range c.Chances {
		if !(x >= minChance && x <= 1) {
			return fmt.Errorf("contains %v, want only numbers from %v to 1", x, minChance)
		}
	}
	if n := len(c.Chances); n > 1 && n != len(c.Priority) {
		return fmt.Errorf("has %d numbers, want 1, or as many as priority has names (%d)", n, len(c.Priority))
	}
	return nil
}

func (c *Config) checkCombination() error {
	if c.Combination < systems.CombineSum || c.Combination > systems.CombineDithering {
		return fmt.Errorf("combination is %d, want one of the modes of systems.Combination", c.Combination)
	}
	if err := c.CheckPriority(); err != nil {
		return fmt.Errorf("priority %w", err)
	}
	if err := c.CheckChances(); err != nil {
		return fmt.Errorf("chances %w", err)
	}
	return nil
}

// combined returns the list unchanged if forces are summed. Otherwise, steering systems come last, ordered by
// priority, each followed by a system that combines its force.
func (c *Config) combined(list []running) []running {
	if c.Combination == systems.CombineSum {
		return list
	}
	steers := func(r running) bool { return r.entry != nil && r.entry.Does.Has(catalog.Steers) }
	var ranked []systems.PriorityEntry
	entries := map[any]*catalog.Entry{}
	for i, name := range c.order() {
		r := list[slices.IndexFunc(list, func(r running) bool { return r.entry != nil && r.entry.Name == name })]
		entries[r.system] = r.entry
		component := reflect.TypeOf(r.entry.Component)
		ranked = append(ranked, systems.PriorityEntry{
			System: r.system, Chance: c.chance(i), Rows: func(n *frame.Needs) { n.WithType(component) },
		})
	}
	list = slices.DeleteFunc(list, steers)
	for _, s := range systems.CombineForces(c.Combination, c.Seed, ranked...) {
		list = append(list, running{s, entries[s]})
	}
	return list
}

func (c *Config) order() []string {
	order := slices.Clone(c.Priority)
	for _, name := range Behaviors(c.Behaviors...) {
		if !slices.Contains(order, name) {
			order = append(order, name)
		}
	}
	return order
}

func (c *Config) chance(i int) float64 {
	switch {
	case len(c.Chances) == 1:
		return c.Chances[0]
	case i < len(c.Chances):
		return c.Chances[i]
	}
	return systems.DefaultChance
}
