package plot

import (
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// measure is how a figure is called in pictures.
type measure struct {
	words, unit string
	percent     bool    // a share, which is written in percent
	scale       float64 // what a figure is multiplied by to be in the unit; 0: 1
}

// measures are the figures of reports, scores and benches.
var measures = map[string]measure{
	"agents":                     {words: "agents"},
	"steps":                      {words: "steps"},
	"workers":                    {words: "workers"},
	"dt":                         {words: "length of a step", unit: "s"},
	"time_cap":                   {words: "time until the run ends", unit: "s"},
	"setup_seconds":              {words: "time to set up", unit: "s"},
	"ns_per_agent_step":          {words: "cost", unit: "ns per agent and step"},
	"us_per_agent_second":        {words: "cost", unit: "µs per agent and simulated second"},
	"steps_per_second":           {words: "steps a second", unit: "1/s"},
	"agents_per_second":          {words: "agents moved a second", unit: "1/s"},
	"real_time_factor":           {words: "speed", unit: "× real time"},
	"step_p50_ns":                {words: "time of a step, median", unit: "ms", scale: 1e-6},
	"step_p99_ns":                {words: "time of a step, 99th percentile", unit: "ms", scale: 1e-6},
	"allocs_per_step":            {words: "allocations a step"},
	"bytes_per_agent":            {words: "memory", unit: "bytes per agent"},
	"spread":                     {words: "spread of the samples", percent: true},
	"speed_up":                   {words: "speed-up"},
	"under_threat":               {words: "agents under threat", percent: true},
	"arrived":                    {words: "arrivals"},
	"arrived_agents":             {words: "agents that arrived"},
	"timed_out":                  {words: "agents that did not arrive"},
	"arrived_share":              {words: "agents that arrived", percent: true},
	"timed_out_share":            {words: "agents that did not arrive", percent: true},
	"success_share":              {words: "arrived without a collision", percent: true},
	"collisions":                 {words: "collisions among agents"},
	"collisions_steerbench":      {words: "collisions among agents, as SteerBench counts"},
	"obstacle_collisions":        {words: "collisions with obstacles"},
	"centers_inside":             {words: "centers inside obstacles", unit: "agent-steps"},
	"max_penetration":            {words: "deepest overlap with an obstacle", unit: "m"},
	"mean_arrival_time":          {words: "arrival time, mean", unit: "s"},
	"median_arrival_time":        {words: "arrival time, median", unit: "s"},
	"p95_arrival_time":           {words: "arrival time, 95th percentile", unit: "s"},
	"max_arrival_time":           {words: "arrival time, longest", unit: "s"},
	"flow":                       {words: "flow", unit: "agents/s"},
	"agent_penetration":          {words: "overlaps of agents, sum", unit: "m"},
	"agent_max_penetration":      {words: "deepest overlap of agents", unit: "m"},
	"agent_time_in_collision":    {words: "time that agents overlapped", unit: "s"},
	"agent_least_clearance":      {words: "least clearance of agents", unit: "m"},
	"agent_close_share":          {words: "agent-steps closer than 0.2 m", percent: true},
	"nearest_p1":                 {words: "distance to the nearest, 1st percentile", unit: "m"},
	"nearest_p5":                 {words: "distance to the nearest, 5th percentile", unit: "m"},
	"nearest_p50":                {words: "distance to the nearest, median", unit: "m"},
	"obstacle_penetration":       {words: "overlaps with obstacles, sum", unit: "m"},
	"obstacle_time_in_collision": {words: "time of overlaps with obstacles", unit: "s"},
	"obstacle_least_clearance":   {words: "least clearance of obstacles", unit: "m"},
	"obstacle_close_share":       {words: "agent-steps closer than 0.2 m to obstacles", percent: true},
	"path_ratio":                 {words: "length of ways", unit: "× straight line"},
	"time_ratio":                 {words: "time of ways", unit: "× fastest"},
	"energy":                     {words: "energy", unit: "J/kg"},
	"energy_optimum":             {words: "least energy", unit: "J/kg"},
	"effort":                     {words: "effort", unit: "m²/s²"},
	"steerbench_score":           {words: "SteerBench score"},
	"wiggle":                     {words: "wiggle"},
	"reversals":                  {words: "reversals", unit: "1/s"},
	"acceleration":               {words: "acceleration", unit: "m/s²"},
	"turning":                    {words: "turning", unit: "°/s"},
	"order":                      {words: "order"},
	"specific_flow":              {words: "flow for each meter", unit: "agents/s/m"},
	"seconds":                    {words: "time of a run", unit: "s"},
}

// measureOf returns how a column is called.
func measureOf(column string) measure {
	m, known := measures[column]
	if where, of, inside := strings.Cut(column, "."); inside && !known { // such as lines[0].flow
		if m, known = measures[of]; known {
			m.words += ", " + where
		}
	}
	if !known {
		m.words = terminal.Shorten(strings.ReplaceAll(strings.TrimPrefix(column, data.SetPrefix), "_", " "), 50)
	}
	if m.percent {
		m.unit = "%"
	}
	return m
}

// of returns a figure in the unit that it is written in.
func (m *measure) of(x float64) float64 {
	switch {
	case m.percent:
		return 100 * x
	case m.scale != 0:
		return m.scale * x
	}
	return x
}

// axis is the label of an axis.
func (m *measure) axis() string {
	if m.unit == "" {
		return m.words
	}
	return m.words + " (" + m.unit + ")"
}
