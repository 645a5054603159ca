package umans

import (
	"slices"
	"strings"
)

// words are the attributes and child elements that an element may hold: those
// that are read, and those that are known and passed over without a word.
type words struct {
	attrs, ignoredAttrs       []string
	children, ignoredChildren []string
}

// vocabulary is all that UMANS files hold, by element. Policies and maps are
// children that are read as far as a warning: what they say is not used, but
// changes what UMANS would have done.
var vocabulary = map[string]words{
	"configPath": {attrs: list("path")},
	"Simulation": {
		attrs:        list("delta_time end_time"),
		ignoredAttrs: list("write_interval"),
		children:     list("World Policies Agents Map"), ignoredChildren: list("SPH"),
	},
	"World": {
		attrs:        list("type width height goal_radius"),
		ignoredAttrs: list("integration_mode nearest_nav dynamic_nav"),
		children:     list("Obstacles"), ignoredChildren: list("PNG"),
	},
	"Agents": {attrs: list("file"), children: list("Agent")},
	"Agent": {
		attrs:    list("id rad pref_speed max_speed max_acceleration start_time remove_at_goal"),
		children: list("pos goal"), ignoredChildren: list("Policy color"),
	},
	"pos":       {attrs: list("x y")},
	"goal":      {attrs: list("x y")},
	"Obstacles": {attrs: list("file"), children: list("Offset Obstacle"), ignoredChildren: list("Dimension")},
	"Offset":    {attrs: list("x y")},
	"Obstacle":  {children: list("Point")},
	"Point":     {attrs: list("x y")},
}

func list(s string) []string { return strings.Fields(s) }

// alternatives is "a, b or c", with the words that are passed over at the end.
func alternatives(format string, read, ignored []string) string {
	var all []string
	for _, w := range slices.Concat(read, ignored) {
		all = append(all, strings.ReplaceAll(format, "?", w))
	}
	switch n := len(all); n {
	case 0:
		return "none"
	case 1:
		return all[0]
	default:
		return strings.Join(all[:n-1], ", ") + " or " + all[n-1]
	}
}
