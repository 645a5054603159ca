// Package report makes the report of a run: what happened, what it cost, and which agents cannot reach their
// goals, with the reasons.
package report

import (
	"fmt"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// Report is the report of a run. docs/report.md describes its fields. Their names and meanings are stable.
type Report struct {
	Scene       string  `json:"scene"`
	File        string  `json:"file,omitempty"`
	Agents      int     `json:"agents" metric:"|||agents at the start" kind:"setting"`
	Steps       int     `json:"steps" metric:"|||completed steps" kind:"setting"`
	Workers     int     `json:"workers"`
	Seed        uint64  `json:"seed"`
	Dt          float64 `json:"dt" metric:"length of a step|s||" kind:"setting"`
	Interrupted bool    `json:"interrupted"`

	InterruptedStep *int `json:"interrupted_step"`
	ResumedAfter    *int `json:"resumed_after" metric:"|||steps before the run was resumed" kind:"setting"`
	Conditions
	Model           string `json:"model"`
	ModelParameters string `json:"model_parameters"`

	SetupSeconds    float64 `json:"setup_seconds" metric:"setup time|s|less|real time for building the world, or reading it from a saved run" kind:"cost"`
	BesideSeconds   float64 `json:"beside_seconds" metric:"|s||real time outside the steps: measuring, recording, pictures" kind:"cost"`
	NsPerAgentStep  float64 `json:"ns_per_agent_step" metric:"cost|ns per agent per step|less|real time of all steps ÷ steps ÷ agents at the start" kind:"cost"`
	StepsPerSecond  float64 `json:"steps_per_second" metric:"step rate|1/s|more|" kind:"cost"`
	RealTimeFactor  float64 `json:"real_time_factor" metric:"speed|× real time|more|simulated seconds per second" kind:"cost"`
	StepP50Ns       int64   `json:"step_p50_ns" metric:"median step time|ms|less|" kind:"cost"`
	StepP99Ns       int64   `json:"step_p99_ns" metric:"99th-percentile step time|ms|less|" kind:"cost"`
	AllocsPerStep   float64 `json:"allocs_per_step" metric:"allocations per step|||on the heap, after up to 20 warm-up steps" kind:"local"`
	BytesPerAgent   float64 `json:"bytes_per_agent" metric:"memory|bytes per agent||heap of the crowd ÷ agents" kind:"local"`
	SkippedRowSteps uint64  `json:"skipped_row_steps" metric:"|agent-steps||skipped because a number was not finite"`
	Waiting         int     `json:"waiting" metric:"agents that found no room to start||less|at the end, of the agents that sources add"`

	UnderThreat          *float64 `json:"under_threat" metric:"agents under threat|%||of the scans for obstacles"`
	Arrived              int      `json:"arrived" metric:"arrivals||more|an agent may arrive several times"`
	ArrivedAgents        int      `json:"arrived_agents" metric:"agents that arrived||more|at least once"`
	TimedOut             int      `json:"timed_out" metric:"agents that did not arrive||less|of the agents with a goal"`
	CannotArrive         *int     `json:"cannot_arrive" metric:"|||agents that did not arrive and have no path at the end" kind:"local"`
	CannotArriveAsked    *int     `json:"cannot_arrive_asked" metric:"|||number of agents checked for a path, at most 1,000 in 5 s" kind:"local"`
	Reasons              []string `json:"reasons"` // for some of the agents that cannot arrive
	Collisions           *int     `json:"collisions" metric:"collisions among agents||less|counted once from first contact until the two separate"`
	CollisionsSteerbench *int     `json:"collisions_steerbench" metric:"collisions among agents, as SteerBench counts||less|each collision counts for both agents"`
	ObstacleCollisions   int      `json:"obstacle_collisions" metric:"collisions with obstacles||less|counted the same way"`
	CentersInside        int      `json:"centers_inside" metric:"centers inside obstacles|agent-steps|less|"`
	MaxPenetration       float64  `json:"max_penetration" metric:"deepest overlap with an obstacle|m|less|after any step"`
	MeanArrivalTime      *float64 `json:"mean_arrival_time" metric:"mean arrival time|s|less|from the start of a trip to the arrival"`
	OutAfter             *float64 `json:"out_after" metric:"time until all agents are out|s|less|when the last agent left, if all leave on arrival"`
	Metrics

	Neighbors *float64 `json:"neighbors" metric:"|||mean number of neighbors found per query"`
	Lines     []Line   `json:"lines"`
	Areas     []Area   `json:"areas"`

	Systems   []System `json:"systems"`
	Perf      *Perf    `json:"perf"`
	Notes     []string `json:"notes"`
	Hash      string   `json:"hash"`
	TraceHash string   `json:"trace_hash"`
	Version   string   `json:"version"`
	Command   string   `json:"command"`

	ends   bool // all agents leave on arrival
	pixels bool // lengths are in pixels
	timed  int  // steps that this process ran
}

// System is the cost of a system.
type System struct {
	Name       string  `json:"name"`
	NsPerAgent float64 `json:"ns_per_agent"`
	Share      float64 `json:"share"`
}

// Begun is the part of a report that a process takes over when it resumes the run.
type Begun struct {
	Conditions Conditions
	Command    string
	OutAfter   *float64
}

// Begun returns the part of the report for a process that resumes the run.
func (r *Report) Begun() Begun { return Begun{r.Conditions, r.Command, r.OutAfter} }

// GoOn makes r the report of a run that this process resumes after the given number of steps.
func (r *Report) GoOn(b Begun, steps int) {
	c, now := b.Conditions, r.Conditions
	c.TimeCap, c.CPU, c.Cores, c.OS, c.Arch, c.Kernels = now.TimeCap, now.CPU, now.Cores, now.OS, now.Arch, now.Kernels
	r.Conditions, r.Command, r.OutAfter, r.ResumedAfter = c, b.Command, b.OutAfter, &steps
}

// resumed returns a clause such as ", resumed after 9 steps", or "".
func (r *Report) resumed() string {
	switch {
	case r.ResumedAfter == nil:
		return ""
	case r.timed == 0 && !r.Interrupted:
		return ", already ended when resumed"
	}
	return ", resumed after " + cli.Plural(*r.ResumedAfter, "step")
}

// Begin returns the report of a run before its first step.
func Begin(s *scene.Scene, w *world.World, command string) *Report {
	return &Report{
		Scene: s.Name, Model: string(s.Model), ModelParameters: s.ModelParameters(), Agents: s.Agents(), Seed: s.Seed, Dt: s.Dt,
		Notes: s.Notes, Version: cli.VersionLine(), Command: command, Conditions: conditionsOf(s, w),
		ends: s.Ends(), pixels: s.InPixels(),
	}
}

// Fill fills in the metrics of a world after the given number of steps. The parameter times holds only the
// steps of this process. Call Fill once: it appends notes, lines and areas.
func (r *Report) Fill(s *scene.Scene, w *world.World, steps int, times *StepTimes) {
	r.Steps, r.timed = steps, times.steps()
	if n, total := float64(r.timed), float64(times.total); n > 0 {
		r.StepP50Ns, r.StepP99Ns = times.quantile(50), times.quantile(99)
		r.NsPerAgentStep = total / n / float64(r.Agents)
		r.StepsPerSecond = n / (total / 1e9)
		r.RealTimeFactor = r.StepsPerSecond * r.Dt
	}
	st := w.Stats()
	r.SkippedRowSteps = st.Skipped
	r.UnderThreat = quotient(float64(st.Threats), float64(st.Looked))
	r.Arrived, r.ArrivedAgents, r.TimedOut = st.Arrived, st.ArrivedOnce, st.Goals-st.ArrivedOnce
	if st.Arrived > 0 {
		r.MeanArrivalTime = seconds(st.MeanArrivalTime)
	}
	if r.OutAfter != nil {
		r.OutAfter = seconds(*r.OutAfter)
	}
	r.ObstacleCollisions, r.CentersInside = st.ObstacleCollisions.Collisions, st.ObstacleCollisions.CentersInside
	r.MaxPenetration = st.ObstacleCollisions.MaxPenetration
	if r.Waiting = st.Waiting; r.Waiting > 0 {
		r.note(fmt.Sprintf("at the end, %s could not start for lack of room", cli.Plural(r.Waiting, "agent")))
	}
	r.measured(&st)
	if slices.ContainsFunc(s.Groups, func(g scene.Group) bool { return g.Goal != nil && g.Goal.Then == scene.Repeat }) {
		r.PathRatio, r.TimeRatio, r.EnergyOptimum = nil, nil, nil // a round trip ends where it started
	}
	r.Neighbors = quotient(float64(st.Neighbors), float64(st.Looks))
	r.measurements(s, &st)
	r.Systems = systemCosts(&st.Frame, float64(r.timed), float64(r.Agents))
	r.Hash = fmt.Sprintf("%016x", w.Hash())
}

func systemCosts(st *frame.Stats, steps, agents float64) []System {
	all := []System{}
	for _, s := range systemsPerf(st, steps) {
		if s.Ns > 0 {
			all = append(all, System{s.Name, s.Ns / agents, s.Share})
		}
	}
	return all
}
