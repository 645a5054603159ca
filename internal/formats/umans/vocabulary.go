package umans

import "github.com/8f878440/crowd/internal/textio"

// vocabulary is all that UMANS files hold, by element. Policies and maps are
// children that are read as far as a warning: what they say is not used, but
// changes what UMANS would have done.
var vocabulary = map[string]textio.Words{
	"configPath": {Attrs: textio.List("path")},
	"Simulation": {
		Attrs:        textio.List("delta_time end_time"),
		IgnoredAttrs: textio.List("write_interval"),
		Children:     textio.List("World Policies Agents Map"), IgnoredChildren: textio.List("SPH"),
	},
	"World": {
		Attrs:        textio.List("type width height goal_radius"),
		IgnoredAttrs: textio.List("integration_mode nearest_nav dynamic_nav"),
		Children:     textio.List("Obstacles"), IgnoredChildren: textio.List("PNG"),
	},
	"Agents": {Attrs: textio.List("file"), Children: textio.List("Agent")},
	"Agent": {
		Attrs:    textio.List("id rad pref_speed max_speed max_acceleration start_time remove_at_goal"),
		Children: textio.List("pos goal"), IgnoredChildren: textio.List("Policy color"),
	},
	"pos":       {Attrs: textio.List("x y")},
	"goal":      {Attrs: textio.List("x y")},
	"Obstacles": {Attrs: textio.List("file"), Children: textio.List("Offset Obstacle"), IgnoredChildren: textio.List("Dimension")},
	"Offset":    {Attrs: textio.List("x y")},
	"Obstacle":  {Children: textio.List("Point")},
	"Point":     {Attrs: textio.List("x y")},
}
