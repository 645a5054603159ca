package report

import (
	"fmt"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

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
	if n := w.Waiting(); n > 0 {
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
