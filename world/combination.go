package world

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
)

// steers are the behaviors that add to Steering, in the order of their priority
// if nothing else is said: first what keeps an agent from harm, then what it is
// after, then what it does otherwise. Each stands with what says which agents have
// it. The force of a behavior that is not among them would count as a host's, first in
// line, so a test holds that all are.
var steers = []struct {
	name string // of the system, as in a scene file
	rows func(*systems.Needs)
}{
	{"containment", systems.With[c.Containment]},
	{"wall-following", systems.With[c.WallFollowing]},
	{"avoidance", systems.With[c.Avoidance]},
	{"unaligned-collision-avoidance", systems.With[c.UnalignedCollisionAvoidance]},
	{"separation", systems.With[c.Separation]},
	{"evasion", systems.With[c.Evasion]},
	{"flee", systems.With[c.Flee]},
	{"pursuit", systems.With[c.Pursuit]},
	{"offset-pursuit", systems.With[c.OffsetPursuit]},
	{"arrival", systems.With[c.Arrival]},
	{"smooth-arrival", systems.With[c.SmoothArrival]},
	{"seek", systems.With[c.Seek]},
	{"alignment", systems.With[c.Alignment]},
	{"cohesion", systems.With[c.Cohesion]},
	{"wander", systems.With[c.Wander]},
}

// Behaviors returns the names of the behaviors whose forces can be combined, in
// the order of their priority where Config.Priority does not say otherwise.
func Behaviors() (names []string) {
	for _, b := range steers {
		names = append(names, b.name)
	}
	return names
}

// CheckPriority returns an error that names the first behavior of Config.Priority
// that there is not, or that stands there twice.
func CheckPriority(names []string) error {
	for i, name := range names {
		if !slices.Contains(Behaviors(), name) {
			return fmt.Errorf("is %q, want one of %s", name, strings.Join(Behaviors(), ", "))
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("has %q twice", name)
		}
	}
	return nil
}

// LeastChance is the least of Config.Chances: the rarer a force is drawn, the
// greater it is then.
const LeastChance = 0.01

// CheckChances returns an error that names the first value that is not allowed.
func CheckChances(chances []float64, names []string) error {
	for _, x := range chances {
		if !(x >= LeastChance && x <= 1) {
			return fmt.Errorf("has %v, want %v to 1", x, LeastChance)
		}
	}
	if n := len(chances); n > 1 && n != len(names) {
		return fmt.Errorf("has %d numbers, want one, or one for each of the %d names of priority", n, len(names))
	}
	return nil
}

func (c *Config) checkCombination() error {
	if c.Combination < systems.CombineSum || c.Combination > systems.CombineDithering {
		return fmt.Errorf("combination is %d, want one of the modes of systems.Combination", c.Combination)
	}
	if err := CheckPriority(c.Priority); err != nil {
		return fmt.Errorf("priority %w", err)
	}
	if err := CheckChances(c.Chances, c.Priority); err != nil {
		return fmt.Errorf("chances %w", err)
	}
	return nil
}

// combined returns the crowd's own systems that run before a host's, so that the
// forces of behaviors are combined: those that steer, in the order of their
// priority, behind all others, which keep their order.
func (c *Config) combined(own []any) []any {
	if c.Combination == systems.CombineSum {
		return own
	}
	ranked, order := make([]systems.PriorityEntry, len(steers)), c.order()
	own = slices.DeleteFunc(own, func(system any) bool {
		i := slices.Index(order, kebab(nameOf(system)))
		if i >= 0 {
			ranked[i].System, ranked[i].Chance = system, c.chance(i)
		}
		return i >= 0
	})
	for i, name := range order {
		ranked[i].Rows = steers[slices.Index(Behaviors(), name)].rows
	}
	return append(own, systems.CombineForces(c.Combination, c.Seed, ranked...)...)
}

// order returns all behaviors: first those of Priority.
func (c *Config) order() []string {
	order := slices.Clone(c.Priority)
	for _, b := range steers {
		if !slices.Contains(order, b.name) {
			order = append(order, b.name)
		}
	}
	return order
}

// chance returns that of the i-th behavior of the order.
func (c *Config) chance(i int) float64 {
	switch {
	case len(c.Chances) == 1:
		return c.Chances[0]
	case i < len(c.Chances):
		return c.Chances[i]
	}
	return systems.DefaultChance
}

// kebab returns the name of a system as it stands in a scene file: wall-following
// for WallFollowing.
func kebab(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
