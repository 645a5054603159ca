// Package catalog describes behaviors as data: each [Entry] describes one. Other code iterates over the
// entries, and refers to no behavior by name.
//
// The entries of this module's behaviors are in package systems. Hosts add entries with
// world.Config.Behaviors.
package catalog

import (
	"fmt"
	"math"
)

// Entry describes a behavior. Create one with [Of].
type Entry struct {
	Name   string // in kebab-case: key in a scene file, and name in messages
	Text   string // one line
	Source string // of the rule; empty means none

	Component any               // zero value of the behavior's component
	Needs     []any             // other components that agents must have
	Adds      []any             // agents get these values, which behaviors may share
	Unless    any               // agents with this component do not get Adds; for them, effects in Does such as SetsSpeed replace the force
	System    func(Options) any // creates the system; nil means that another entry's system, or the world, runs the behavior
	By        []any             // nil pointers of the types of systems that run the behavior, if not only System
	Phase     Phase             // of its system
	Does      Effect
	Priority  int     // of its force, if forces are combined by priority: the lowest first
	MaxDt     float64 // s, longest step for which the behavior follows its source; 0 means any
	State     string  // what its system keeps outside components, which a save must include
	Laws      Law

	Doing string     // label of agents with the behavior, such as "fleeing"; empty means none
	While func() any // creates the condition for the label (see frame.While1); nil means always

	// Check, if not nil, finds a problem of a component, given as a pointer, that limits do not rule out. It
	// returns the parameter's key, or "" for several, and a text such as "is 2 m, want above 3", or "" for no
	// problem.
	Check func(component any) (key, problem string)

	// Special marks a behavior that has its own keys in package scene instead of a table.
	Special bool

	rows rows
	bare bool
}

// Phase is the part of a step in which a system runs. Within a phase, systems run in the order of
// entries.
type Phase int

const (
	Prepare Phase = iota // before the snapshots of obstacles and agents
	Steer                // sets forces, velocities and targets
	Choose               // after all forces are known, before agents move
	Move                 // moves agents, and completes their movement
	Observe              // after all agents have moved
)

// Effect is a set of effects and inputs of a behavior.
type Effect uint

const (
	Steers        Effect = 1 << iota // adds a force
	TakesForces                      // consumes Steering
	SetsVelocity                     // sets or changes Velocity
	SetsPosition                     // corrects Position after agents have moved
	Moves                            // replaces Integration
	SetsSpeed                        // sets Drive.Speed
	Turns                            // turns Heading
	SetsTarget                       // sets Target or another point to seek or flee, and possibly Limits.MaxSpeed
	SeesAgents                       // reads other agents
	SeesObstacles                    // reads obstacles
	LimitsSpeed                      // sets Limits.MaxSpeed
	FindsWay                         // finds the path to a goal, and sets Target in each step; allowed once per agent
)

// Has reports whether the set contains the effect.
func (e Effect) Has(effect Effect) bool { return e&effect == effect }

// Law is a set of invariants that a rule obeys.
type Law uint

const (
	Translation  Law = 1 << iota // translating the crowd translates its motion
	Rotation                     // rotating the crowd rotates its motion
	Mirror                       // mirroring the crowd mirrors its motion
	Finite                       // finite input gives finite output
	NoAllocation                 // a step does not allocate

	AllLaws = Translation | Rotation | Mirror | Finite | NoAllocation
)

// Has reports whether the set contains the law.
func (l Law) Has(law Law) bool { return l&law == law }

// Gain returns the parameter that the behavior's force is proportional to, and reports whether there is one.
func Gain(params []Param) (*Param, bool) {
	for i := range params {
		if params[i].Gain {
			return &params[i], true
		}
	}
	return nil, false
}

// acts are the effects that replace the force on agents with the component Entry.Unless.
const acts = TakesForces | SetsVelocity | SetsPosition | Moves | SetsSpeed | Turns | SetsTarget

// SteersWith reports whether the behavior adds a force to agents, given a function that reports whether they
// have a component.
func (e *Entry) SteersWith(has func(component any) bool) bool {
	return e.Does.Has(Steers) && !(e.Does&acts != 0 && e.Unless != nil && has(e.Unless))
}

// Shares returns the components that agents get for the behavior, given a function that reports whether they
// have a component.
func (e *Entry) Shares(has func(component any) bool) []any {
	if e.Unless != nil && has(e.Unless) {
		return nil
	}
	return e.Adds
}

// Validate returns an error if the entry is incomplete or contradictory.
func (e *Entry) Validate() error {
	switch {
	case e.Name == "":
		return fmt.Errorf("behavior has no name, want one such as %q", "orbit")
	case e.Component == nil || e.rows == nil:
		return fmt.Errorf("behavior %s has no component: make the entry with catalog.Of", e.Name)
	case e.System == nil && len(e.By) == 0:
		return fmt.Errorf("behavior %s has no system, want System or By", e.Name)
	case e.Phase < Prepare || e.Phase > Observe:
		return fmt.Errorf("behavior %s has phase %d, want Prepare (%d) to Observe (%d)", e.Name, e.Phase, Prepare, Observe)
	}
	params := e.Params(e.rows.fresh())
	if _, ok := Gain(params); e.Does.Has(Steers) && !ok {
		return fmt.Errorf("behavior %s steers, but none of its parameters is its gain", e.Name)
	}
	for i := range params {
		if err := params[i].validate(); err != nil {
			return fmt.Errorf("behavior %s: %w", e.Name, err)
		}
	}
	return nil
}

// Options are values for creating systems, such as systems.Settings. Get finds them by type.
type Options []any

// Get returns the first value of type T, or the zero value if there is none.
func Get[T any](o Options) T {
	for _, x := range o {
		if x, ok := x.(T); ok {
			return x
		}
	}
	var none T
	return none
}

// Problem checks a component, given as a pointer, and its parameters, for an agent of the given mass in kg
// and steps of dt seconds. It returns the first problem, as Check does.
func (e *Entry) Problem(component any, params []Param, mass, dt float64) (key, problem string) {
	for k := range params {
		p := &params[k]
		if problem = p.gainProblem(mass, dt); problem == "" {
			problem = p.Problem()
		}
		if problem != "" {
			return p.Key, problem
		}
	}
	if e.Check != nil {
		return e.Check(component)
	}
	return "", ""
}

// gainProblem describes a gain in kg/s that would remove more than the whole error in one step. If
// gain·dt/mass is above 1, agents oscillate; above 2, they diverge.
func (p *Param) gainProblem(mass, dt float64) string {
	if !p.Gain || p.Unit != "kg/s" {
		return ""
	}
	gain, _ := p.Number()
	if tau := gain * dt / mass; !(tau >= 0 && tau <= 1) {
		return fmt.Sprintf("is %v kg/s, want 0 to mass/dt = %v", gain, mass/dt)
	}
	return ""
}

// Limits are the limits of a number.
type Limits struct {
	Min, Max float64
	Above    bool // excludes Min
	Infinite bool // allows infinity, if Max is infinite
	Whole    bool
}

// Common limits.
var (
	ZeroOrMore = Limits{Max: math.Inf(1)}
	AboveZero  = Limits{Max: math.Inf(1), Above: true}
	OrInfinite = Limits{Max: math.Inf(1), Infinite: true} // 0 or more, including infinity
	Share      = Limits{Max: 1}
)

var (
	anyInt    = Limits{Max: math.MaxInt32, Whole: true}
	anyUint32 = Limits{Max: math.MaxUint32, Whole: true}
)

// Allow reports whether a number is within the limits.
func (l *Limits) Allow(x float64) bool {
	if x > l.Min && x < l.Max && !l.Whole {
		return true
	}
	return x >= l.Min && x <= l.Max && !(l.Above && x == l.Min) && (l.Infinite || !math.IsInf(x, 0)) && (!l.Whole || x == math.Trunc(x))
}

// String returns the limits as text, such as "a finite number, 0 or more".
func (l Limits) String() string {
	number := "a finite number"
	switch {
	case l.Infinite:
		number = "a number"
	case l.Whole:
		number = "a whole number"
	}
	switch {
	case l.Above && math.IsInf(l.Max, 1):
		return fmt.Sprintf("%s above %v", number, l.Min)
	case l.Above:
		return fmt.Sprintf("%s above %v, at most %v", number, l.Min, l.Max)
	case l.Whole && !math.IsInf(l.Max, 1):
		return fmt.Sprintf("%s, %.0f to %.0f", number, l.Min, l.Max)
	case !math.IsInf(l.Max, 1):
		return fmt.Sprintf("%v to %v", l.Min, l.Max)
	case !math.IsInf(l.Min, -1):
		return fmt.Sprintf("%s, %v or more", number, l.Min)
	}
	return number
}
