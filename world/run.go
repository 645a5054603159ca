package world

import (
	"slices"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// running is one of the systems of a crowd's frame that are not of a host's lists.
type running struct {
	system any
	entry  *catalog.Entry // the behavior that it carries out; nil: none
}

// stretch is a part of a list.
type stretch struct{ first, n int }

// run returns new systems that carry out all behaviors, with what they work with and
// what moves agents: those that run before Config.Steer, and those that run after.
func (c *Config) run(obstacles *sense.Obstacles, neighbors *sense.Neighbors, fields *sense.Fields) (before, after []running) {
	phases := make([][]running, catalog.Observe+1)
	options := catalog.Options{c.settings(), obstacles, neighbors, fields}
	if c.Planner != nil {
		options = append(options, c.Planner)
	}
	for _, e := range c.behaviors() {
		if e.System != nil {
			phases[e.Phase] = append(phases[e.Phase], running{e.System(options), &e})
		}
	}
	before = slices.Concat(phases[catalog.Prepare],
		[]running{{system: &systems.Doors{}}, {system: obstacles}, {system: neighbors}, {system: &systems.PreviousPosition{}}},
		phases[catalog.Steer])
	after = slices.Concat(phases[catalog.Choose],
		[]running{{system: &systems.Integration{Hold: c.Hold}}},
		phases[catalog.Move], c.hold(obstacles), []running{{system: &systems.Portals{Obstacles: obstacles}}},
		phases[catalog.Observe])
	return c.combined(before), after
}

// hold returns what keeps agents in the box and off obstacles, when they have moved.
func (c *Config) hold(obstacles *sense.Obstacles) []running {
	slide, bounds := &systems.Slide{Obstacles: obstacles, Box: c.Box}, &systems.Bounds{Mode: c.Bounds, Box: c.Box}
	switch c.Bounds {
	case systems.BoundsWrap: // who goes out at one side has not gone all the way to the other
		slide.Box = r2.Box{}
		return []running{{system: slide}, {system: bounds}}
	case systems.BoundsNone, systems.BoundsFaithful:
		slide.Box = r2.Box{}
	}
	return []running{{system: bounds}, {system: slide}}
}

// listOf returns the systems alone, for the list of a frame.
func listOf(all []running) (list []any) {
	for _, r := range all {
		list = append(list, r.system)
	}
	return list
}

// find returns the system of type T.
func find[T any](all []running) (system T) {
	for _, r := range all {
		if s, ok := r.system.(T); ok {
			return s
		}
	}
	return system
}
