// Package crowdtest tests a host's behaviors and systems against the rules that built-in behaviors satisfy:
//
//	func TestSwim(t *testing.T) { crowdtest.Behavior(t, swim) }
//
// It creates small crowds of agents with the behavior, among obstacles, with random values within the limits
// of the entry, and reports as test errors:
//
//   - results that depend on the number of workers, the batch size, or the order of rows;
//   - undeclared writes, and writes to agents that the system does not work on;
//   - a system that skips, or panics on, agents with all components that the entry needs;
//   - a system that replaces the force in Steering, or whose force is not proportional to its gain or is
//     proportional to the length of the step;
//   - with [catalog.Finite], infinities and NaN in positions, velocities, headings and forces, and NaN in any
//     component, for agents in the same place, and for extremely small and large lengths and speeds;
//   - laws of the entry that do not hold (see [catalog.Law]), and laws that hold but are not declared;
//   - a behavior without effect;
//   - defaults that the limits of parameters or the entry do not allow;
//   - state kept outside components and not declared in the State of the entry;
//   - steps that [world.Inspector.Explain] does not predict;
//   - results that differ after [world.World.Save] and [world.World.Restore];
//   - changes by a step of length 0.
//
// Errors name the agent, and the actual and wanted values, if any. The crowds are the same in each run. With
// the safe build tag, columns are copies, so the package cannot check allocations, or writes to columns
// declared as read.
package crowdtest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// Options changes the crowds in which a behavior or a system is tested.
type Options struct {
	// Config changes the configuration of each crowd, in which Dt is 0.1 s. It can bind types, set modes of
	// rules, and add required behaviors and systems. The tests override Workers and BatchRows. Config may be
	// nil.
	Config func(*world.Config)

	// Agent returns components that replace or extend the random components of agent i, counted from 0. It is
	// for components without an entry, or with parameters that must satisfy a condition. Agent may be nil.
	Agent func(d *Draw, i int) []any

	// Around adds obstacles before agents are spawned; nil means random circles and walls.
	Around func(d *Draw, w *world.World) error

	// Tolerance is the maximum sum of the differences in position (m), velocity (m/s) and heading of an agent
	// in crowds that must move the same way; 0 means 1e-6, or 1e-5 for a behavior in the phase
	// catalog.Choose.
	Tolerance float64
}

// Behavior tests the behavior of an entry with the zero Options. It counts allocations, so it must not run in
// parallel with other tests.
func Behavior(t testing.TB, e catalog.Entry) {
	t.Helper()
	Options{}.Behavior(t, e)
}

// System tests a system without an entry against the given laws, with the zero Options. The function make
// returns a new system for each crowd, to run in world.Config.Steer. Agents have random bodies, motions,
// limits and targets, but zero values of needed components that have no entry, so most systems need
// Options.Agent. System must not run in parallel with other tests.
func System(t testing.TB, laws catalog.Law, make func() any) {
	t.Helper()
	Options{}.System(t, laws, make)
}

// Behavior tests the behavior of an entry: see [Behavior].
func (o Options) Behavior(t testing.TB, e catalog.Entry) {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Errorf("%v", err)
		return
	}
	(&kit{t: t, tracks: map[uint64]*track{}, options: o, name: e.Name, entry: &e, laws: e.Laws}).run()
}

// System tests a system without an entry: see [System].
func (o Options) System(t testing.TB, laws catalog.Law, make func() any) {
	t.Helper()
	(&kit{t: t, tracks: map[uint64]*track{}, options: o, name: frame.NameOf(make()), system: make, laws: laws}).run()
}

// Draw draws random values for agents and obstacles. Laws are tested with crowds that are moved, rotated,
// mirrored and scaled. So draw places with Point, vectors with Vector and unit vectors with Direction, and
// multiply other lengths and speeds by Scale.
type Draw struct {
	*rand.Rand
	Scale  float64 // factor for lengths and speeds: 1, except in tests of the law catalog.Finite
	motion motion
}

// Point returns a random place at most size meters from the origin along each axis, before scaling and
// motion.
func (d *Draw) Point(size float64) r2.Vec { return d.motion.point(d.within(size)) }

// Vector returns a random vector with components from -size to size, before scaling and rotation.
func (d *Draw) Vector(size float64) r2.Vec { return d.motion.turn(d.within(size)) }

// Direction returns a random unit vector.
func (d *Draw) Direction() r2.Vec { return d.motion.turn(vec.Unit(d.square())) }

func (d *Draw) within(size float64) r2.Vec { return vec.Scale(d.Scale*size, d.square()) }

func (d *Draw) square() r2.Vec { return r2.Vec{X: 2*d.Float64() - 1, Y: 2*d.Float64() - 1} }

// motion maps places and vectors of a crowd to those of a crowd that must move the same way.
type motion struct {
	point func(r2.Vec) r2.Vec
	turn  func(r2.Vec) r2.Vec // maps vectors
}

var identity = motion{func(p r2.Vec) r2.Vec { return p }, func(v r2.Vec) r2.Vec { return v }}

// linear returns a motion that leaves the origin in place.
func linear(turn func(r2.Vec) r2.Vec) motion { return motion{turn, turn} }

// defaults verifies that each default is allowed. If every parameter has one, all must be allowed together,
// for an agent of 1 kg in steps of the default length.
func (k *kit) defaults() string {
	if k.entry == nil {
		return ""
	}
	component := k.entry.New()
	params := k.entry.Params(component)
	missing := false
	for i := range params {
		p := &params[i]
		if p.Default == nil {
			missing = true
		} else if problem := p.Problem(); problem != "" {
			return fmt.Sprintf("%s %s", p.Key, problem)
		}
	}
	if key, problem := k.entry.Problem(component, params, 1, world.Default().Dt); problem != "" && !missing {
		return fmt.Sprintf("%s %s", key, problem)
	}
	return ""
}
