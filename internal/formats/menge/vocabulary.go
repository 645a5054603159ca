package menge

import (
	"maps"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/textio"
)

// models are the elements with the numbers of pedestrian models, of which that of ORCA is
// read.
const models = "OpenSteer PedVO GCF Helbing Johansson Karamouzas Zanlungo Dummy"

// vocabulary is all that the files of a project hold, by element. What an element with a type
// may have besides stands in kinds.
var vocabulary = func() map[string]textio.Words {
	all := map[string]textio.Words{
		"Project": {
			Attrs:        textio.List("scene behavior model duration timeStep subSteps"),
			IgnoredAttrs: textio.List("view dumpPath output scbVersion random outSamples"),
		},
		"Experiment": {
			Attrs: textio.List("time_step"), IgnoredAttrs: textio.List("version"),
			Children:        textio.List("Common AgentProfile AgentGroup ObstacleSet"),
			IgnoredChildren: textio.List("SpatialQuery Elevation ORCA " + models),
		},
		"Common": {
			Attrs:        textio.List("time_step r pref_speed max_speed max_accel neighbor_dist max_neighbors obstacleSet"),
			IgnoredAttrs: textio.List("max_angle_vel class priority"), Children: textio.List("Property"),
		},
		"ORCA":         {Attrs: textio.List("tau tauObst"), Children: textio.List("Property")},
		"Property":     {Attrs: textio.List("name dist value min max mean stddev"), IgnoredAttrs: textio.List("seed")},
		"AgentProfile": {Attrs: textio.List("name inherits"), Children: textio.List("Common ORCA"), IgnoredChildren: textio.List(models)},
		"Profile":      {Attrs: textio.List("name weight")},
		"AgentGroup":   {Children: textio.List("ProfileSelector StateSelector Generator")},
		"Agent":        {Attrs: textio.List("p_x p_y")},
		"Obstacle":     {Attrs: textio.List("closed"), IgnoredAttrs: textio.List("boundingbox"), Children: textio.List("Vertex")},
		"Vertex":       {Attrs: textio.List("p_x p_y")},
		"BFSM":         {Children: textio.List("GoalSet State Transition")},
		"GoalSet":      {Attrs: textio.List("id"), Children: textio.List("Goal")},
		"State": {
			Attrs: textio.List("name final weight"), IgnoredAttrs: textio.List("speedPolicy"),
			Children: textio.List("GoalSelector VelComponent Action"),
		},
		"Transition": {Attrs: textio.List("from to order"), Children: textio.List("Condition Target")},

		"ObstacleSet":     {Children: textio.List("Obstacle")},
		"Generator":       {Children: textio.List("Agent")},
		"ProfileSelector": {Children: textio.List("Profile")},
		"Condition":       {Children: textio.List("Condition")},
		"Target":          {Children: textio.List("State")},
	}
	for element, types := range kinds {
		w := all[element]
		for _, attrs := range types {
			w.Attrs = append(w.Attrs, textio.List(attrs)...)
		}
		w.Attrs = append(w.Attrs, "type")
		w.IgnoredAttrs = textio.List(ignoredOfKinds[element])
		slices.Sort(w.Attrs)
		w.Attrs = slices.Compact(w.Attrs)
		all[element] = w
	}
	return all
}()

const (
	drawn     = " dist value min max mean stddev"
	displaced = " displace_dist displace_value displace_min displace_max displace_mean displace_stddev"
	boxed     = "min_x min_y max_x max_y"
)

// kinds are the types of elements that have one, each with its attributes.
var kinds = map[string]map[string]string{
	"ProfileSelector": {"const": "name", "random": "", "weighted": ""},
	"StateSelector":   {"const": "name"},
	"Generator": {
		"explicit":    displaced,
		"rect_grid":   "anchor_x anchor_y offset_x offset_y count_x count_y rotation" + displaced,
		"hex_lattice": "anchor_x anchor_y alignment row_direction density width population rotation" + displaced,
	},
	"ObstacleSet": {"explicit": "class", "nav_mesh": "class file_name"},
	"Goal": {
		"point": "id weight capacity x y", "circle": "id weight capacity x y radius", "AABB": "id weight capacity " + boxed,
		"OBB": "id weight capacity x y width height angle",
	},
	"GoalSelector": {
		"identity": "persistent", "mirror": "mirror_x mirror_y persistent", "explicit": "goal_set goal persistent",
		"nearest": "goal_set persistent", "farthest": "goal_set persistent",
		"random": "goal_set goal persistent", "weighted": "goal_set persistent",
	},
	"VelComponent": {
		"zero": "", "goal": "", "const": "x y", "const_dir": "x y", "vel_field": "file_name use_nearest",
		"road_map": "file_name", "nav_mesh": "file_name heading_threshold",
	},
	"Action": {
		"set_property": "property exit_reset" + drawn, "offset_property": "property exit_reset" + drawn,
		"scale_property": "property exit_reset" + drawn,
	},
	"Condition": {
		"auto": "", "goal_reached": "distance", "timer": "per_agent" + drawn, "AABB": "inside " + boxed,
		"circle": "inside center_x center_y radius", "OBB": "inside pivot_x pivot_y width height angle",
		"and": "", "or": "", "not": "",
	},
	"Target": {"prob": "", "return": ""},
}

// ignoredOfKinds are attributes of these elements that are passed over.
var ignoredOfKinds = map[string]string{
	"Generator": "displace_seed", "GoalSelector": "per_agent perAgent", "VelComponent": "weight dist headingDelta",
	"Condition": "seed", "Action": "seed",
}

// kind returns the type of an element, and whether it is known. One that is not is skipped in
// a lenient reading, and so is the attribute of another type.
func (r *reader) kind(t textio.Tag) (kind string, known bool, err error) {
	if err := r.Require(t, "type"); err != nil {
		return "", false, err
	}
	a, _ := t.Attr("type")
	types := kinds[t.Name]
	attrs, known := types[a.Value]
	if !known {
		want := textio.Alternatives("?", slices.Sorted(maps.Keys(types)), nil)
		return "", false, r.Odd(t.Line, want, "<%s> type=%q", t.Name, textio.Clip(a.Value))
	}
	for _, b := range t.Attrs {
		name := b.Name.Local
		if name == "type" || !slices.Contains(vocabulary[t.Name].Attrs, name) || slices.Contains(strings.Fields(attrs), name) {
			continue
		}
		if err := r.Odd(t.Line, textio.Alternatives("?", textio.List(attrs), nil), "attribute %s in <%s type=%q>", name, t.Name, a.Value); err != nil {
			return "", false, err
		}
	}
	return a.Value, true, nil
}
