package scene

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world"
)

var combination = word[systems.Combination]("sum", "priority", "dithering")

// steeringName is the codec of the key of a behavior that steers.
func (s *Scene) steeringName() codec[string] {
	names := world.Behaviors(s.Catalog...)
	return codec[string]{
		read: func(r *reader, n *node) string {
			if n.kind == isText && slices.Contains(names, n.text) {
				return n.text
			}
			want := "one of " + strconv.Quote(names[0])
			for _, name := range names[1:] {
				want += ", " + strconv.Quote(name)
			}
			if hint := suggest.DidYouMean(n.text, names); n.kind == isText && hint != "" {
				want += "; " + hint
			}
			r.wrong(n, want)
			return names[0]
		},
		write:  func(w *writer, x string) { w.WriteString(quote(x)) },
		schema: func() schema { return schema{"enum": names} },
	}
}

func (f *file) combinationKey() key {
	return may("combination", &f.Combination, combination, systems.CombineSum, "how the forces of behaviors become one: their sum; by priority, until max-force is used up; or by dithering, one a step")
}

func (f *file) priorityKey() key {
	return bind("priority", &f.Priority, listOf(0, maxValues, f.steeringName(), "a list of behaviors that steer"), "the behaviors that come first, in their order, where combination is not sum; the others follow in that of the manual")
}

func (f *file) chancesKey() key {
	chance := number(catalog.Limits{Min: world.LeastChance, Max: 1})
	return bind("chances", &f.Chances, listOf(0, maxValues, chance, "a list of numbers"), "with dithering: the chance of each behavior of priority, or one number for all behaviors; otherwise 0.5")
}

// combinationProblems reports what is wrong with the order of behaviors.
func (s *Scene) combinationProblems(add func(is bool, key, format string, args ...any)) {
	err := world.CheckPriority(s.Priority, s.Catalog...)
	add(err != nil, "priority", "%v", err)
	err = world.CheckChances(s.Chances, s.Priority)
	add(err != nil, "chances", "%v", err)
}

// combinations finds what is said of a combination that the scene does not have,
// or of behaviors that nobody has.
func (s *Scene) combinations() (found []string) {
	warn := func(is bool, format string, args ...any) {
		if is {
			found = append(found, fmt.Sprintf(format, args...))
		}
	}
	sum := s.Combination == systems.CombineSum
	warn(sum && len(s.Priority) > 0, "priority is not used, because combination is \"sum\"; leave it out, or take \"priority\" or \"dithering\"")
	warn(s.Combination != systems.CombineDithering && len(s.Chances) > 0, "chances are not used, because combination is not \"dithering\"; leave them out")
	limited := func(g Group) bool { return g.Count > 0 && g.MaxForce.least() <= farthest }
	warn(s.Combination == systems.CombinePriority && !slices.ContainsFunc(s.Groups, limited),
		"combination is \"priority\", but no group has a max-force to share out, so that forces are added; give one to those that have several behaviors")
	warn(s.Combination == systems.CombineDithering && slices.Contains(s.Chances, 1),
		"chances has 1: while such a behavior has a force, nothing behind it ever steers")
	return found
}
