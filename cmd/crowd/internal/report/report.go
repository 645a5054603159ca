// Package report holds what a run prints: what happened in it, what it cost, and which agents
// cannot arrive at their goals, and why.
package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// Report is what a run prints. docs/report.md describes the fields; they keep
// their names and meanings.
type Report struct {
	Scene       string  `json:"scene"`
	File        string  `json:"file,omitempty"`
	Agents      int     `json:"agents"`
	Steps       int     `json:"steps"`
	Workers     int     `json:"workers"`
	Seed        uint64  `json:"seed"`
	Dt          float64 `json:"dt"`
	Interrupted bool    `json:"interrupted"`

	InterruptedStep *int `json:"interrupted_step"`
	ResumedAfter    *int `json:"resumed_after"`
	Conditions
	Model           string `json:"model"`
	ModelParameters string `json:"model_parameters"`

	SetupSeconds    float64 `json:"setup_seconds"`
	BesideSeconds   float64 `json:"beside_seconds"`
	NsPerAgentStep  float64 `json:"ns_per_agent_step"`
	StepsPerSecond  float64 `json:"steps_per_second"`
	RealTimeFactor  float64 `json:"real_time_factor"`
	StepP50Ns       int64   `json:"step_p50_ns"`
	StepP99Ns       int64   `json:"step_p99_ns"`
	AllocsPerStep   float64 `json:"allocs_per_step"`
	BytesPerAgent   float64 `json:"bytes_per_agent"`
	SkippedRowSteps uint64  `json:"skipped_row_steps"`

	UnderThreat          *float64 `json:"under_threat"`
	Arrived              int      `json:"arrived"`
	ArrivedAgents        int      `json:"arrived_agents"`
	TimedOut             int      `json:"timed_out"`
	CannotArrive         *int     `json:"cannot_arrive"`
	CannotArriveAsked    *int     `json:"cannot_arrive_asked"` // of how many
	Reasons              []string `json:"reasons"`             // why, for some of them
	Collisions           *int     `json:"collisions"`
	CollisionsSteerbench *int     `json:"collisions_steerbench"`
	ObstacleCollisions   int      `json:"obstacle_collisions"`
	CentersInside        int      `json:"centers_inside"`
	MaxPenetration       float64  `json:"max_penetration"`
	MeanArrivalTime      *float64 `json:"mean_arrival_time"`
	OutAfter             *float64 `json:"out_after"` // s, when the last agent of a scene that ends left
	Figures

	Neighbors *float64 `json:"neighbors"`
	Lines     []Line   `json:"lines"`
	Areas     []Area   `json:"areas"`

	Systems   []System `json:"systems"`
	Perf      *Perf    `json:"perf"`
	Notes     []string `json:"notes"`
	Hash      string   `json:"hash"`
	TraceHash string   `json:"trace_hash"`
	Version   string   `json:"version"`
	Command   string   `json:"command"`

	ends   bool // whether everyone leaves on arrival
	pixels bool // whether lengths are pixels
	timed  int  // steps of this process
}

// System is what one system cost.
type System struct {
	Name       string  `json:"name"`
	NsPerAgent float64 `json:"ns_per_agent"`
	Share      float64 `json:"share"`
}

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(w io.Writer) error { return output.WriteJSON(w, r) }

// Begun is what a report has from the start of a run, for one of the same run that another
// process goes on with.
type Begun struct {
	Conditions Conditions
	Command    string
	OutAfter   *float64
}

// Begun returns what the report has from the start of the run.
func (r *Report) Begun() Begun { return Begun{r.Conditions, r.Command, r.OutAfter} }

// GoOn makes the report that of a run that began elsewhere and goes on after some steps.
func (r *Report) GoOn(b Begun, steps int) {
	c, now := b.Conditions, r.Conditions
	c.TimeCap, c.CPU, c.Cores, c.OS, c.Arch, c.Kernels = now.TimeCap, now.CPU, now.Cores, now.OS, now.Arch, now.Kernels
	r.Conditions, r.Command, r.OutAfter, r.ResumedAfter = c, b.Command, b.OutAfter, &steps
}

// resumed says when the run was resumed, or that there was nothing left to do, after a comma.
func (r *Report) resumed() string {
	switch {
	case r.ResumedAfter == nil:
		return ""
	case r.timed == 0 && !r.Interrupted:
		return ", the run had ended"
	}
	return ", resumed after " + cli.Plural(*r.ResumedAfter, "step")
}

// Begin returns the report of a run that is to come, with what is run and where. The
// command is the line that asks for it.
func Begin(s *scene.Scene, w *world.World, command string) *Report {
	return &Report{
		Scene: s.Name, Model: string(s.Model), ModelParameters: s.ModelParameters(), Agents: s.Agents(), Seed: s.Seed, Dt: s.Dt,
		Notes: s.Notes, Version: cli.VersionLine(), Command: command, Conditions: conditionsOf(s, w),
		ends: s.Ends(), pixels: s.InPixels(),
	}
}

// Fill takes figures from a world after a number of steps, of which those that this process
// has done have their times.
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
	if st.Looked > 0 {
		share := float64(st.Threats) / float64(st.Looked)
		r.UnderThreat = &share
	}
	r.Arrived, r.ArrivedAgents, r.TimedOut = st.Arrived, st.ArrivedOnce, st.Goals-st.ArrivedOnce
	if st.Arrived > 0 {
		r.MeanArrivalTime = &st.MeanArrivalTime
	}
	r.ObstacleCollisions, r.CentersInside = st.ObstacleCollisions.Collisions, st.ObstacleCollisions.CentersInside
	r.MaxPenetration = st.ObstacleCollisions.MaxPenetration
	if n := w.Stats().Waiting; n > 0 {
		r.note(fmt.Sprintf("at the end %s could not come: there was no room where the scene lets them start", cli.Plural(n, "agent")))
	}
	r.measured(&st)
	if slices.ContainsFunc(s.Groups, func(g scene.Group) bool { return g.Goal != nil && g.Goal.Then == scene.Repeat }) {
		r.PathRatio, r.TimeRatio, r.EnergyOptimum = nil, nil, nil // a round ends where it began
	}
	r.Neighbors = quotient(float64(st.Neighbors), float64(st.Looks))
	r.measurements(s, &st)
	r.Systems = systemCosts(st.Frame, float64(r.timed), float64(r.Agents))
	r.Hash = fmt.Sprintf("%016x", w.Hash())
}

// systemCosts returns what the systems cost in a number of steps that did anything, the
// dearest first.
func systemCosts(st frame.Stats, steps, agents float64) []System {
	all, total := []System{}, 0.
	for i := range st.Systems {
		s := &st.Systems[i]
		ns := s.PerRow() * float64(s.Rows) / steps / agents
		ns += float64(s.Alone.Nanoseconds()) / steps / agents
		if ns > 0 {
			all = append(all, System{Name: s.Name, NsPerAgent: ns})
			total += ns
		}
	}
	for i := range all {
		all[i].Share = all[i].NsPerAgent / total
	}
	slices.SortFunc(all, func(a, b System) int {
		if a.Share > b.Share {
			return -1
		}
		return 1
	})
	return all
}
