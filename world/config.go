package world

import (
	"fmt"
	"math"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"gonum.org/v1/gonum/spatial/r2"
)

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
	FaithfulORCA     bool               // ORCA as its source has it: nobody steps aside, and a throng may be pushed into one another
	FaithfulFacing   bool               // Facing as its source has it
	FaithfulArrivals bool               // OpposingArrival and DampedArrival as their source has them

	Combination systems.Combination // how the forces of behaviors become one; those of Steer are added to the result. Who is not of Spawn needs components.ForceCombination, or has the sum
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
	Lines   []measure.MeasurementLine // m, where to count who passes; implies Measure
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
	if err := c.checkGauges(); err != nil {
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
