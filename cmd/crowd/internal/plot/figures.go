package plot

import (
	"cmp"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// figure is what pictures call a column, and which way it is better.
type figure struct {
	words, unit string
	scale       float64 // from the column to the unit; 0: 1
	better      float64 // above 0: more is; below 0: less is; 0: neither, or it depends
}

// figures are those of reports, scores, benches and sweeps. Others are called by their columns.
var figures = map[string]figure{
	"dt":                         {"length of a step", "s", 1, 0},
	"time_cap":                   {"time until the run ends", "s", 1, 0},
	"setup_seconds":              {"time to set up", "s", 1, -1},
	"seconds":                    {"time of a run", "s", 1, -1},
	"ns_per_agent_step":          {"cost", "ns per agent and step", 1, -1},
	"us_per_agent_second":        {"cost", "µs per agent and simulated second", 1, -1},
	"steps_per_second":           {"steps per second", "1/s", 1, 1},
	"agents_per_second":          {"agents moved per second", "1/s", 1, 0},
	"real_time_factor":           {"speed", "× real time", 1, 1},
	"step_p50_ns":                {"time of a step, median", "ms", 1e-6, -1},
	"step_p99_ns":                {"time of a step, 99th percentile", "ms", 1e-6, -1},
	"allocs_per_step":            {"allocations per step", "", 1, 0},
	"bytes_per_agent":            {"memory", "bytes per agent", 1, 0},
	"spread":                     {"spread of the samples", "%", 100, 0},
	"speed_up":                   {"speed-up", "", 1, 0},
	"under_threat":               {"agents under threat", "%", 100, 0},
	"arrived":                    {"arrivals", "", 1, 1},
	"arrived_agents":             {"agents that arrived", "", 1, 1},
	"timed_out":                  {"agents that did not arrive", "", 1, -1},
	"arrived_share":              {"agents that arrived", "%", 100, 1},
	"timed_out_share":            {"agents that did not arrive", "%", 100, -1},
	"success_share":              {"arrived without a collision", "%", 100, 1},
	"passed":                     {"agents that passed", "", 1, 1},
	"out_after":                  {"time until all are out", "s", 1, -1},
	"collisions":                 {"collisions among agents", "", 1, -1},
	"collisions_steerbench":      {"collisions among agents, as SteerBench counts", "", 1, -1},
	"obstacle_collisions":        {"collisions with obstacles", "", 1, -1},
	"centers_inside":             {"centers inside obstacles", "agent-steps", 1, -1},
	"max_penetration":            {"deepest overlap with an obstacle", "m", 1, -1},
	"mean_arrival_time":          {"arrival time, mean", "s", 1, -1},
	"median_arrival_time":        {"arrival time, median", "s", 1, -1},
	"p95_arrival_time":           {"arrival time, 95th percentile", "s", 1, -1},
	"max_arrival_time":           {"arrival time, longest", "s", 1, -1},
	"flow":                       {"flow", "agents/s", 1, 1},
	"specific_flow":              {"flow per meter", "agents/s/m", 1, 1},
	"agent_penetration":          {"overlaps of agents, sum", "m", 1, -1},
	"agent_max_penetration":      {"deepest overlap of agents", "m", 1, -1},
	"agent_time_in_collision":    {"time that agents overlapped", "s", 1, -1},
	"agent_least_clearance":      {"least clearance of agents", "m", 1, 1},
	"agent_close_share":          {"agent-steps closer than 0.2 m", "%", 100, -1},
	"nearest_p1":                 {"distance to the nearest, 1st percentile", "m", 1, 1},
	"nearest_p5":                 {"distance to the nearest, 5th percentile", "m", 1, 1},
	"nearest_p50":                {"distance to the nearest, median", "m", 1, 0},
	"obstacle_penetration":       {"overlaps with obstacles, sum", "m", 1, -1},
	"obstacle_time_in_collision": {"time of overlaps with obstacles", "s", 1, -1},
	"obstacle_least_clearance":   {"least clearance of obstacles", "m", 1, 1},
	"obstacle_close_share":       {"agent-steps closer than 0.2 m to obstacles", "%", 100, -1},
	"path_ratio":                 {"length of paths", "× straight line", 1, -1},
	"time_ratio":                 {"time of paths", "× fastest", 1, -1},
	"energy":                     {"energy", "J/kg", 1, -1},
	"energy_optimum":             {"least energy", "J/kg", 1, 0},
	"effort":                     {"effort", "m²/s²", 1, -1},
	"steerbench_score":           {"SteerBench score", "", 1, -1},
	"wiggle":                     {"wiggle", "", 1, -1},
	"reversals":                  {"reversals", "1/s", 1, -1},
	"acceleration":               {"acceleration", "m/s²", 1, -1},
	"turning":                    {"turning", "°/s", 1, -1},
}

// figureOf returns the figure of a column: of lines and areas by the last part of its name, such as
// lines[0].flow.
func figureOf(column string) figure {
	f, known := figures[column]
	if i := strings.LastIndexByte(column, '.'); i >= 0 && !known {
		if f, known = figures[column[i+1:]]; known {
			f.words += ", " + column[:i]
		}
	}
	if !known {
		f.words = cli.Shorten(strings.ReplaceAll(strings.TrimPrefix(column, SetPrefix), "_", " "), 50)
	}
	f.scale = cmp.Or(f.scale, 1)
	return f
}

// axis is the label of an axis.
func (f figure) axis() string {
	if f.unit == "" {
		return f.words
	}
	return f.words + " (" + f.unit + ")"
}

// chief are the figures that say most about a crowd, the first ones first.
var chief = []string{"mean_arrival_time", "path_ratio", "arrived_share", "collisions", "obstacle_collisions", "ns_per_agent_step", "speed_up", "allocs_per_step", "bytes_per_agent"}
