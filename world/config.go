package world

import (
	"fmt"
	"math"
	"reflect"
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

// check returns an error that names the first agent with a value that is not
// allowed.
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
	for _, column := range columns {
		if w.Frame.Interrupted() {
			return ErrInterrupted
		}
		if err := column(r); err != nil {
			return err
		}
	}
	for i := range w.behaviors {
		if w.Frame.Interrupted() {
			return ErrInterrupted
		}
		if err := w.checkBehavior(r, &w.behaviors[i]); err != nil {
			return err
		}
	}
	return w.checkModes(r)
}

// each applies a check to one component of all agents.
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

// checkRing returns what is wrong with the corners of a polygon.
func checkRing(corners []r2.Vec) error {
	if len(corners) < 3 {
		return fmt.Errorf("polygon has %d corners, want 3 or more", len(corners))
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

// checkNeeds refuses a behavior without what it needs: its system would pass the agents
// by, without an error that says why. It refuses two that write the same Target, each undoing the
// other's work.
func (cfg *Config) checkNeeds(has map[reflect.Type]bool) error {
	var way any // that was found first
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
			return fmt.Errorf("%T and %T both find the way, want one of them", way, e.Component)
		}
		way = e.Component
	}
	return nil
}

// checkBehavior returns an error that names the first agent with a parameter of a
// behavior that is not allowed.
func (w *World) checkBehavior(r *Rows, e *catalog.Entry) (err error) {
	mass := Column[c.Mass](r)
	e.Each(r.column(reflect.TypeOf(e.Component), e.Column), r.Len, func(i int, component any, params []catalog.Param) {
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

// checkModes refuses what the configured rules do not know, and waypoints that
// an arrival would never reach.
func (w *World) checkModes(r *Rows) error {
	for i, body := range Column[c.Radius](r) {
		if w.config.Scan != systems.ScanExact && body.Meters > 0 && Column[c.ThreatScan](r) != nil {
			return fmt.Errorf("agent %d: radius is %v m, but the configured scan knows only agents that are points", Column[c.Agent](r)[i].ID, body.Meters)
		}
	}
	if smooth := Column[c.SmoothArrival](r); smooth != nil {
		for i, p := range Column[c.Path](r) {
			if !(p.Reached > smooth[i].Min) {
				return fmt.Errorf("agent %d: reached distance of path is %v m, want above %v, the distance at which smooth arrival stops", Column[c.Agent](r)[i].ID, p.Reached, smooth[i].Min)
			}
		}
	}
	return nil
}

// Config says how a crowd runs. Start from Default, because a zero value means
// zero.
type Config struct {
	Dt        float64 // s, length of a usual step, above 0: gains of Spawn are checked against it. The Clock may change it later
	Workers   int     // goroutines that share a step, at most 1024; 0: one for each processor
	BatchRows int     // rows of a batch; 0: the default of frame.Frame

	Bounds systems.BoundsMode // what happens at the edge of Box
	Box    r2.Box             // m, sides above 0; not used with BoundsNone

	Seed uint64 // of the draws of Wander and ORCA

	Scan             systems.ScanMode   // how ThreatScan looks; all but ScanExact know only circles and points
	AvoidOutward     bool               // Avoidance pushes out of the obstacle, not sideways
	Prediction       systems.Prediction // for when those that pursue or evade predict
	FaithfulWalls    bool               // Containment and WallFollowing as their source has them
	Hold             bool               // Integration keeps the stored velocity
	FaithfulORCA     bool               // ORCA as its source has it: no agent steps aside, and jams may be pushed into one another
	FaithfulFacing   bool               // Facing as its source has it
	FaithfulArrivals bool               // OpposingArrival and DampedArrival as their source has them

	Combination systems.Combination // how the forces of behaviors become one; those of Steer are added to the result. Agents not created by Spawn need components.ForceCombination; otherwise their forces are summed
	Priority    []string            // the names of behaviors that come first, in their order; the others follow in that of Behaviors
	Chances     []float64           // for CombineDithering: one for all behaviors, or one for each of Priority; otherwise systems.DefaultChance

	Planner systems.Planner // finds the ways of agents with Route; nil: they are the shortest round obstacles

	OnArrived func(*World, systems.Arrived) // called for each arrival, by id, after the step and before a removal; may be nil

	// Bind are a host's own types in place of ours, such as
	// frame.Bound[components.Position, game.Position](): for all that the world does.
	// Spawn and World.Frame.Add take and make these, and Column gives them as ours.
	Bind []frame.Binding

	// Saved are a host's own components, by value, and resources, by pointer, that Save writes beside
	// ours: game.Health{}, &game.Score{}. Components have plain values of a fixed size, and resources
	// go as their own JSON; entities within both are rewritten where Restore makes new ones. A type is
	// named once, and none of this module, or bound in place of one.
	Saved []any

	// Unsaved are a host's components, by value, that Save leaves out; with any other one it
	// refuses to save.
	Unsaved []any

	// Behaviors are a host's own: their systems run after ours in each phase, and all
	// else that is done with ours is done with them.
	Behaviors []catalog.Entry

	Sense   []any                     // a host's own systems that run before all others
	Steer   []any                     // a host's own systems that run after the behaviors and before agents move
	Measure bool                      // how agents get to their goals, and their collisions with obstacles, beside the step
	Safety  bool                      // how agents meet one another, too; implies Measure
	Lines   []measure.MeasurementLine // m, where to count agents that pass; implies Measure
	Areas   []r2.Box                  // m, where to measure density and speed; implies Measure
	Profile bool                      // time a part of the batches, for Stats
}

// Default returns the configuration that everything starts from: 60 steps a
// second, all processors, no bounds, the safe rules, agents that arrive stay.
func Default() Config { return Config{Dt: 1. / 60} }

// Config returns the configuration that the world was made with.
func (w *World) Config() Config { return w.config }

const maxWorkers = 1024

// Validate returns an error that names the first field with a value that is
// not allowed.
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

// wrap returns the box whose edges are joined; zero: none.
func (c *Config) wrap() (box r2.Box) {
	if c.Bounds == systems.BoundsWrap {
		box = c.Box
	}
	return box
}

// held returns the box that agents do not leave; zero: none.
func (c *Config) held() (box r2.Box) {
	if c.Bounds == systems.BoundsClamp || c.Bounds == systems.BoundsBounce {
		box = c.Box
	}
	return box
}

// measures reports whether anything is measured beside the steps.
func (c *Config) measures() bool {
	return c.Measure || c.Safety || len(c.Lines)+len(c.Areas) > 0
}

// behaviors returns all there are: ours, and then those of a host.
func (c *Config) behaviors() []catalog.Entry { return append(systems.Catalog(), c.Behaviors...) }

// settings returns how the rules work.
func (c *Config) settings() systems.Settings {
	return systems.Settings{
		Seed: c.Seed, Prediction: c.Prediction, Scan: c.Scan, AvoidOutward: c.AvoidOutward,
		FaithfulArrivals: c.FaithfulArrivals, FaithfulFacing: c.FaithfulFacing,
		FaithfulWalls: c.FaithfulWalls, FaithfulORCA: c.FaithfulORCA,
	}
}

// checkBehaviors returns an error that names the first of a host's behaviors that is not
// complete, or that there is already.
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
			return fmt.Errorf("behavior %s with component %v is there twice", e.Name, t)
		}
		names[e.Name], components[t] = true, true
	}
	return nil
}

// checkMeasurements refuses lines and areas without an extent.
func (c *Config) checkMeasurements() error {
	if n := len(c.Lines); n > measure.MaxLines {
		return fmt.Errorf("lines are %d, want at most %d", n, measure.MaxLines)
	}
	for i, l := range c.Lines {
		if length := vec.Norm(vec.Sub(l.B, l.A)); !vec.Finite(l.A) || !vec.Finite(l.B) || length == 0 {
			return fmt.Errorf("line %d is from (%v, %v) to (%v, %v), want two finite points", i, l.A.X, l.A.Y, l.B.X, l.B.Y)
		}
	}
	for i, a := range c.Areas {
		if size := vec.Sub(a.Max, a.Min); !(size.X > 0 && size.Y > 0 && vec.Finite(size)) {
			return fmt.Errorf("area %d is %v, want finite sides above 0", i, a)
		}
	}
	return nil
}
