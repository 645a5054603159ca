package umans

import "github.com/8f878440/crowd/internal/xmlfile"

// vocabulary is all that UMANS files hold, by element. Policies and maps are
// children that are read as far as a warning: what they say is not used, but
// changes what UMANS would have done.
var vocabulary = map[string]xmlfile.Words{
	"configPath": {Attrs: xmlfile.List("path")},
	"Simulation": {
		Attrs:        xmlfile.List("delta_time end_time"),
		IgnoredAttrs: xmlfile.List("write_interval"),
		Children:     xmlfile.List("World Policies Agents Map"), IgnoredChildren: xmlfile.List("SPH"),
	},
	"World": {
		Attrs:        xmlfile.List("type width height goal_radius"),
		IgnoredAttrs: xmlfile.List("integration_mode nearest_nav dynamic_nav"),
		Children:     xmlfile.List("Obstacles"), IgnoredChildren: xmlfile.List("PNG"),
	},
	"Agents": {Attrs: xmlfile.List("file"), Children: xmlfile.List("Agent")},
	"Agent": {
		Attrs:    xmlfile.List("id rad pref_speed max_speed max_acceleration start_time remove_at_goal"),
		Children: xmlfile.List("pos goal"), IgnoredChildren: xmlfile.List("Policy color"),
	},
	"pos":       {Attrs: xmlfile.List("x y")},
	"goal":      {Attrs: xmlfile.List("x y")},
	"Obstacles": {Attrs: xmlfile.List("file"), Children: xmlfile.List("Offset Obstacle"), IgnoredChildren: xmlfile.List("Dimension")},
	"Offset":    {Attrs: xmlfile.List("x y")},
	"Obstacle":  {Children: xmlfile.List("Point")},
	"Point":     {Attrs: xmlfile.List("x y")},
}
