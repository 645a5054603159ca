package scene

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/suggest"
	"gonum.org/v1/gonum/spatial/r2"
)

// shortNames are names of Set that are no keys, and the keys that they mean.
var shortNames = map[string][]string{
	"avoidance":   {"avoidance.max-force"},
	"facing":      {"facing.rate"},
	"turn-rate":   {"turn-towards.rate", "turn-away.rate"},
	"drive-speed": {"drive.speed", "drive.top-speed"},
	"flee-radius": {"flee.radius"},
	"goal-radius": {"goal.radius"},
}

// Set changes a number in all groups of the scene that have it. The name is that
// of its key in a group, such as max-speed or threat-scan.look-ahead; the key alone,
// such as look-ahead, which means all tables that have it; or that of a Parameter,
// such as groups[0].arrival.gain. The number is in the unit of the scene file. It is
// an error if there is no such number, if no group has it, and if a file may not say
// it. What does not go with other numbers, Build refuses.
func (s *Scene) Set(name string, x float64) error {
	var numbers []boundKey
	own := numbersOf(s.groupKeys(new(Group)), "", "", 0)
	alone := !slices.ContainsFunc(own, func(k boundKey) bool { return k.path == name })
	for i := range s.Groups {
		for _, k := range s.groupNumbers(i) {
			if k.path == name || slices.Contains(shortNames[name], k.path) || alone && k.key.name == name {
				numbers = append(numbers, k)
			}
		}
	}
	if k, err := s.boundKey(name); err == nil {
		numbers = append(numbers, k)
	}
	switch known := s.Settings(); {
	case len(numbers) > 0:
	case slices.Contains(known, name[strings.LastIndexByte(name, '.')+1:]):
		return fmt.Errorf("%s: no agent of scene %s has it", name, s.Name)
	default:
		hint := cmp.Or(suggest.DidYouMean(name, known), "want one of "+strings.Join(known, ", "))
		return fmt.Errorf("nothing is named %q, %s", name, hint)
	}
	for _, k := range numbers {
		if !k.Allow(x) {
			return fmt.Errorf("%s is %v%s, want %v", name, x, spaced(k.unit()), k.Limits)
		}
	}
	for _, k := range numbers {
		k.set(x)
	}
	return nil
}

// Settings returns the names that Set knows, but for those with a dot in them.
func (s *Scene) Settings() []string {
	var names []string
	for _, k := range s.groupKeys(new(Group)) {
		if k.binding != nil {
			names = append(names, k.name)
			continue
		}
		if k.inside == nil {
			continue
		}
		for _, k := range k.keys() {
			if k.binding != nil {
				names = append(names, k.name)
			}
		}
	}
	for name := range shortNames {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// startSpeedKey sets a velocity that is the same for all to zero.
func startSpeedKey(g *Group) key {
	k := may("start-speed", &g.Speed, notNegative, 0, "m/s at the start, in place of velocity, each in a direction drawn at random")
	of := k.binding
	k.binding = func() *binding {
		d := of()
		d.set = func(x float64) { g.Speed, g.Velocity = x, r2.Vec{} }
		return d
	}
	return k
}

// unit returns the unit of the key, with which its text begins; empty for a number
// without one.
func (k *key) unit() string {
	word, _, _ := strings.Cut(k.text, " ")
	word = strings.TrimRight(word, ",;")
	switch word {
	case "m", "m/s", "N", "kg/s", "kg", "s", "1/s", "rad", "rad/s", "degrees":
		return word
	}
	return ""
}

func spaced(unit string) string { return either(unit == "", "", " "+unit) }
