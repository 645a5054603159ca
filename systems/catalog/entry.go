// Package catalog says what there is to know of a behavior beside its component,
// its rule and its tests. An [Entry] is that for one behavior: its name, its
// parameters with their units and limits, what it needs and adds, what it does, and
// how its system is made. What completes, checks, reads, writes, tunes and explains
// behaviors goes over a list of entries, and knows none of them by name.
//
// The entries of the behaviors of this module stand beside their rules, in package
// systems. A host adds entries of its own with world.Config.Behaviors.
package catalog

import (
	"fmt"
	"math"
)

// Entry is all that there is to know of a behavior beside its component, its rule
// and its tests. Make one with [Of], which adds the component and its parameters.
type Entry struct {
	Name   string // in kebab-case: the key of its table in a scene file, and its name in messages and views
	Text   string // what it does, in one line
	Source string // of the rule; empty: there is none to name

	Component any               // the zero value of the component that agents with the behavior have
	Needs     []any             // components that these agents must have beside it
	Adds      []any             // components that it shares with other behaviors; agents are given these values
	Unless    any               // agents with this component are not given Adds; what Does names beside Steers then takes the place of the force
	System    func(Options) any // makes the system that carries it out; nil: one of another entry does, or one of the world
	By        []any             // nil pointers of the systems that carry it out, where System is nil or is not the only one
	Phase     Phase             // when in a step the system runs
	Does      Effect
	Priority  int     // of its force, where forces are combined by priority: the lowest comes first
	MaxDt     float64 // s, the longest step with which it does what its source says; 0: any
	State     string  // what its system keeps from one step to the next outside components, so that saving it is not forgotten; empty: nothing
	Laws      Law     // those that the rule obeys

	Doing string     // what agents with it are said to do in a view, such as "fleeing"; empty: nothing of their own
	While func() any // makes the condition under which they do so, see frame.While1; nil: they always do

	// Check returns what is wrong with a component, given as a pointer, beyond the
	// limits of each parameter: the key of a parameter, and a text such as "is 2 m, want
	// above 3". An empty text means that all is well. It may be nil.
	Check func(component any) (key, problem string)

	// Special says that package scene has keys of its own for it, and not a table with
	// its parameters.
	Special bool

	rows rows
}

// Phase is when in a step the system of a behavior runs. Within a phase the order is
// that of the list of entries.
type Phase int

const (
	Prepare Phase = iota // before the snapshots of obstacles and agents are taken
	Steer                // when forces, velocities and targets are set
	Choose               // when the forces of all agents are known, and before they move
	Move                 // when agents move, and after
	Observe              // when all have moved
)

// Effect is what a behavior does, and what it looks at: a set of the constants.
type Effect uint

const (
	Steers        Effect = 1 << iota // adds a force to Steering
	TakesForces                      // takes the force in Steering, and leaves none
	SetsVelocity                     // sets or changes Velocity
	SetsPosition                     // corrects Position, when agents have moved
	Moves                            // moves the agent, in place of Integration
	SetsSpeed                        // sets Drive.Speed
	Turns                            // turns Heading
	SetsTarget                       // sets Target or another point to go to or to flee from, and may set Limits.MaxSpeed
	SeesAgents                       // looks at other agents
	SeesObstacles                    // looks at obstacles
	LimitsSpeed                      // sets Limits.MaxSpeed
	FindsWay                         // finds the way to a goal, and sets Target in each step: no agent has two of these
)

// Has reports whether the effect is one of the set.
func (e Effect) Has(effect Effect) bool { return e&effect == effect }

// Law is what holds for a rule whatever the crowd: a set of the constants.
type Law uint

const (
	Translation  Law = 1 << iota // a crowd that is moved elsewhere moves alike
	Rotation                     // a crowd that is turned moves alike
	Mirror                       // a crowd that is mirrored moves alike, mirrored
	Finite                       // from finite numbers come finite numbers
	NoAllocation                 // a step allocates nothing

	AllLaws = Translation | Rotation | Mirror | Finite | NoAllocation
)

// Has reports whether the law is one of the set.
func (l Law) Has(law Law) bool { return l&law == law }

// Gain returns the parameter that the force of the behavior is in proportion to; false
// if there is none. The parameters are those of the entry.
func Gain(params []Param) (*Param, bool) {
	for i := range params {
		if params[i].Gain {
			return &params[i], true
		}
	}
	return nil, false
}

// acts is what an effect does to an agent, other than by a force.
const acts = TakesForces | SetsVelocity | SetsPosition | Moves | SetsSpeed | Turns | SetsTarget

// SteersWith reports whether the behavior adds a force to agents, where has tells which
// components they have beside it: see Unless.
func (e *Entry) SteersWith(has func(component any) bool) bool {
	return e.Does.Has(Steers) && !(e.Does&acts != 0 && e.Unless != nil && has(e.Unless))
}

// Shares returns the components that agents are given for the behavior, where has tells
// which components they have beside it.
func (e *Entry) Shares(has func(component any) bool) []any {
	if e.Unless != nil && has(e.Unless) {
		return nil
	}
	return e.Adds
}

// Validate returns an error that says what is missing in an entry, or contradictory.
func (e *Entry) Validate() error {
	switch {
	case e.Name == "":
		return fmt.Errorf("behavior has no name, want one such as %q", "orbit")
	case e.Component == nil || e.rows == nil:
		return fmt.Errorf("behavior %s has no component: make the entry with catalog.Of", e.Name)
	case e.System == nil && len(e.By) == 0:
		return fmt.Errorf("behavior %s has no system, want System or By", e.Name)
	case e.Phase < Prepare || e.Phase > Observe:
		return fmt.Errorf("behavior %s has the phase %d, want one of the constants", e.Name, e.Phase)
	}
	params := e.Params(e.rows.fresh())
	if _, ok := Gain(params); e.Does.Has(Steers) && !ok {
		return fmt.Errorf("behavior %s steers, and none of its parameters is its gain", e.Name)
	}
	for i := range params {
		if err := params[i].validate(); err != nil {
			return fmt.Errorf("behavior %s: %w", e.Name, err)
		}
	}
	return nil
}

// Options are what systems are made with: values of different types, such as
// systems.Settings and the snapshot of obstacles. Get finds them by type.
type Options []any

// Get returns the value of type T, the zero value if there is none.
func Get[T any](o Options) T {
	for _, x := range o {
		if x, ok := x.(T); ok {
			return x
		}
	}
	var none T
	return none
}

// Problem returns what is wrong with a component of an agent with a mass in kilograms, and
// with which parameter, where steps are dt seconds long. The component is given as a pointer,
// with its parameters. An empty text means that all is well, and an empty key that it is
// none of them alone.
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

// gainProblem refuses a gain that would remove more than the whole error in one step:
// gain·dt/mass above 1 swings, and above 2 grows without end.
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

// Limits are those of a number.
type Limits struct {
	Min, Max float64
	Above    bool // Min itself is not allowed
	Infinite bool // infinity is allowed, if Max is
	Whole    bool // it has no fraction
}

// Usual limits.
var (
	ZeroOrMore = Limits{Max: math.Inf(1)}
	AboveZero  = Limits{Max: math.Inf(1), Above: true}
	OrInfinite = Limits{Max: math.Inf(1), Infinite: true} // zero or more
	Share      = Limits{Max: 1}
)

// What fits into the types of counts.
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

// String returns the limits in words, such as "a finite number, 0 or more".
func (l Limits) String() string {
	number := "a finite number"
	switch {
	case l.Infinite:
		number = "a number"
	case l.Whole:
		number = "a whole number"
	}
	switch {
	case l == anyInt, l == anyUint32:
		return fmt.Sprintf("%s, %v or more", number, l.Min)
	case l.Above && math.IsInf(l.Max, 1):
		return fmt.Sprintf("%s above %v", number, l.Min)
	case !math.IsInf(l.Max, 1):
		return fmt.Sprintf("%v to %v", l.Min, l.Max)
	case !math.IsInf(l.Min, -1):
		return fmt.Sprintf("%s, %v or more", number, l.Min)
	}
	return number
}
