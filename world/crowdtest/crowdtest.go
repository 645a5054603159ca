// Package crowdtest holds the behaviors and systems of a host to what those of this module
// are held to. One call in a test does it:
//
//	func TestSwim(t *testing.T) { crowdtest.Behavior(t, swim) }
//
// It makes small crowds of agents with the behavior, among obstacles, with values that are
// drawn within the limits of the entry, and reports as errors of the test:
//
//   - other bits for another number of workers, another size of batches, or another order of
//     the rows;
//   - what the system writes and does not declare, and what it writes of agents that it does
//     not work on;
//   - a system that passes over agents that have all that the entry needs, or panics for them;
//   - a system that replaces the force in Steering in place of adding to it, or whose force is not in
//     proportion to its gain, or is in proportion to the length of the step;
//   - positions, velocities, headings and forces that are not finite, and NaN in any component, from agents at
//     one place, and from places and speeds as small and as large as there are;
//   - laws of the entry that do not hold (see [catalog.Law]), and laws that hold and that the
//     entry does not name;
//   - a behavior that does nothing;
//   - defaults that are beyond the limits of their parameters;
//   - what is kept from one step to the next outside components, and not named in the State of
//     the entry;
//   - steps that [world.Inspector.Explain] does not predict;
//   - other bits after [world.World.Save] and [world.World.Restore];
//   - what a step of length 0 changes.
//
// An error names the agent, what it has and what is wanted. The crowds are the same in each
// run. With the build tag safe the memory that a step allocates is not looked at, nor what it
// writes to columns that it declares as read: there these are copies.
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

// Options change the crowds in which a behavior or a system is tested. The zero value is what
// [Behavior] and [System] use.
type Options struct {
	// Config changes the configuration of each crowd: the types that the host binds, other
	// behaviors and systems that this one needs, modes of rules. The steps are 0.1 s long.
	// The tests set Workers and BatchRows. It may be nil.
	Config func(*world.Config)

	// Agent returns components of one agent, counted from 0, beside those that are drawn, or
	// in their place: for components that have no entry in a catalog, or whose parameters go together in a
	// way that drawing them at random does not meet. It may be nil.
	Agent func(d *Draw, i int) []any

	// Around puts something into the world before the agents come, in place of obstacles
	// that are drawn. It may be nil.
	Around func(d *Draw, w *world.World) error

	// Tolerance is how far position, velocity and heading together may differ in crowds that
	// are to move alike, in m, m/s and 1; 0: 1e-6, and 1e-5 in the phase catalog.Choose.
	Tolerance float64
}

// Behavior holds the behavior of an entry to the laws, with the default options. It is not
// for tests that run in parallel with others.
func Behavior(t testing.TB, e catalog.Entry) {
	t.Helper()
	Options{}.Behavior(t, e)
}

// System holds a system without an entry to the laws, with the default options: those that
// are given, and no others. In each crowd make returns a new system, which runs in
// world.Config.Steer; agents have the zero values of the components that it needs, so most
// systems want Options.Agent. It is not for tests that run in parallel with others.
func System(t testing.TB, laws catalog.Law, make func() any) {
	t.Helper()
	Options{}.System(t, laws, make)
}

// Behavior holds the behavior of an entry to the laws: see [Behavior].
func (o Options) Behavior(t testing.TB, e catalog.Entry) {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Errorf("%v", err)
		return
	}
	(&kit{t: t, tracks: map[uint64]*track{}, options: o, name: e.Name, entry: &e, laws: e.Laws}).run()
}

// System holds a system without an entry to the laws: see [System].
func (o Options) System(t testing.TB, laws catalog.Law, make func() any) {
	t.Helper()
	(&kit{t: t, tracks: map[uint64]*track{}, options: o, name: frame.NameOf(make()), system: make, laws: laws}).run()
}

// Draw draws what differs from agent to agent and from crowd to crowd. Take all that is a
// place or a direction from Point and Vector, and multiply lengths and speeds by Scale: a law
// is tested with crowds that are moved, turned, mirrored, and of another size.
type Draw struct {
	*rand.Rand
	Scale  float64 // 1, but for the law catalog.Finite
	motion motion
}

// Point returns a place, at most size meters from the origin along each axis, where Scale is
// 1 and the crowd is where it was drawn.
func (d *Draw) Point(size float64) r2.Vec { return d.motion.point(d.within(size)) }

// Vector returns a vector, of at most size along each axis, where Scale is 1 and the crowd is
// not turned.
func (d *Draw) Vector(size float64) r2.Vec { return d.motion.turn(d.within(size)) }

// Direction returns a unit vector.
func (d *Draw) Direction() r2.Vec { return d.motion.turn(vec.Unit(d.square())) }

func (d *Draw) within(size float64) r2.Vec { return vec.Scale(d.Scale*size, d.square()) }

func (d *Draw) square() r2.Vec { return r2.Vec{X: 2*d.Float64() - 1, Y: 2*d.Float64() - 1} }

// motion maps a crowd to another one that is to move alike.
type motion struct {
	point func(r2.Vec) r2.Vec
	turn  func(r2.Vec) r2.Vec // of what has a direction and no place
}

var identity = motion{func(p r2.Vec) r2.Vec { return p }, func(v r2.Vec) r2.Vec { return v }}

// linear returns a motion that leaves the origin where it is.
func linear(turn func(r2.Vec) r2.Vec) motion { return motion{turn, turn} }

// defaults verifies that the defaults of scene files are allowed: each value, and
// all together for an agent of one kilogram in steps of usual length.
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
