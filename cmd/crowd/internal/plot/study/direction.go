package study

import (
	"fmt"
	"slices"
	"strings"

	"github.com/8f878440/crowd/internal/suggest"
)

// Goal is a figure, and which way it is better.
type Goal struct {
	Figure string
	More   bool // the more, the better
}

// better says of figures which way they are better: of lines and areas by the last part of their
// names. Of those that are not here neither way is, or it depends.
var better = map[string]bool{
	"arrived": true, "arrived_agents": true, "arrived_share": true, "success_share": true, "flow": true, "specific_flow": true, "passed": true,
	"agent_least_clearance": true, "obstacle_least_clearance": true, "nearest_p1": true, "nearest_p5": true,
	"steps_per_second": true, "real_time_factor": true,

	"timed_out": false, "timed_out_share": false, "collisions": false, "collisions_steerbench": false, "obstacle_collisions": false,
	"centers_inside": false, "max_penetration": false, "agent_penetration": false, "agent_max_penetration": false,
	"agent_time_in_collision": false, "agent_close_share": false, "obstacle_penetration": false, "obstacle_time_in_collision": false,
	"obstacle_close_share": false, "mean_arrival_time": false, "median_arrival_time": false, "p95_arrival_time": false,
	"max_arrival_time": false, "out_after": false, "path_ratio": false, "time_ratio": false, "energy": false, "effort": false, "steerbench_score": false,
	"wiggle": false, "reversals": false, "acceleration": false, "turning": false,
	"setup_seconds": false, "ns_per_agent_step": false, "us_per_agent_second": false, "step_p50_ns": false, "step_p99_ns": false, "seconds": false,
}

// Better tells which way a figure is better.
func Better(figure string) (more, known bool) {
	if i := strings.LastIndexByte(figure, '.'); i >= 0 {
		figure = figure[i+1:]
	}
	more, known = better[figure]
	return more, known
}

// ParseGoal reads a figure, with + before it if more is better, or - if less is.
func ParseGoal(text string) (g Goal, err error) {
	g.Figure = strings.TrimLeft(text, "+-")
	more, known := Better(g.Figure)
	switch sign := text[:len(text)-len(g.Figure)]; {
	case g.Figure == "":
		return g, fmt.Errorf("%q names no figure", text)
	case sign == "+":
		g.More = true
	case sign == "-":
	case sign != "":
		return g, fmt.Errorf("%q: want one sign at most", text)
	case !known:
		return g, fmt.Errorf("which way %s is better is not known: write +%s if more is, or -%s if less is", g.Figure, g.Figure, g.Figure)
	default:
		g.More = more
	}
	return g, nil
}

// CheckFigure returns an error if a sweep has no such figure.
func (s *Study) CheckFigure(flag, name string) error {
	switch {
	case !slices.Contains(s.Figures, name):
		return fmt.Errorf("%s: no figure is called %q, %s", flag, name, suggest.OneOf(name, s.Figures))
	case !s.Has(name):
		return fmt.Errorf("%s: no run has measured %s; others are %s", flag, name, strings.Join(s.Figures, ", "))
	}
	return nil
}

// FindAxis returns an axis by its name.
func (s *Study) FindAxis(flag, name string) (int, error) {
	var names []string
	for i, a := range s.Axes {
		if a.Name == name {
			return i, nil
		}
		names = append(names, a.Name)
	}
	return 0, fmt.Errorf("%s: no axis is called %q, %s", flag, name, suggest.OneOf(name, names))
}
