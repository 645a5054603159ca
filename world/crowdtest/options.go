package crowdtest

import (
	"testing"

	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
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
