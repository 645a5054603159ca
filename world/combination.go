package world

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
)

// steering returns those entries of all that add to Steering, ordered by Priority.
func steering(all []catalog.Entry) (steer []catalog.Entry) {
	for _, e := range all {
		if e.Does.Has(catalog.Steers) {
			steer = append(steer, e)
		}
	}
	slices.SortStableFunc(steer, func(a, b catalog.Entry) int { return cmp.Compare(a.Priority, b.Priority) })
	return steer
}

// Behaviors returns the names of the behaviors whose forces can be combined, including those in
// more, in their default order of priority.
func Behaviors(more ...catalog.Entry) (names []string) {
	for _, e := range steering(append(systems.Catalog(), more...)) {
		names = append(names, e.Name)
	}
	return names
}

// CheckPriority returns an error that names the first unknown or repeated behavior in Priority, or nil.
// The error does not name the field.
func (c *Config) CheckPriority() error {
	all := Behaviors(c.Behaviors...)
	for i, name := range c.Priority {
		if !slices.Contains(all, name) {
			return fmt.Errorf("has %q, want only names of behaviors: %s", name, strings.Join(all, ", "))
		}
		if slices.Contains(c.Priority[:i], name) {
			return fmt.Errorf("has %q twice", name)
		}
	}
	return nil
}

// minChance is the minimum of Config.Chances, because a drawn force is divided by its probability.
const minChance = 0.01

// CheckChances returns an error if a chance or the number of chances is invalid, or nil. The error does not
// name the field.
func (c *Config) CheckChances() error {
	for _, x := range c.Chances {
		if !(x >= minChance && x <= 1) {
			return fmt.Errorf("has %v, want only numbers from %v to 1", x, minChance)
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

// combined returns list with its steering systems moved to the end, ordered by priority, and
// interleaved with systems that combine their forces. The other systems keep their order. If forces
// are summed, it returns list unchanged.
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

// order returns the names of all behaviors that steer; the names in Priority come first.
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
