package report

import (
	"fmt"
	"io"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// WriteTable writes the report for people to read.
func (r *Report) WriteTable(w io.Writer) error {
	t := terminal.NewTable(w)
	row := t.Row
	row("scene", "%s, seed %d, dt %.4g s", r.Scene, r.Seed, r.Dt)
	if r.Model != "" {
		row("model", "%s: %s", r.Model, r.ModelParameters)
	}
	row("agents", "%s, %s each", numbers.Thousands(r.Agents), numbers.Bytes(int64(r.BytesPerAgent)))
	interrupted := r.resumed()
	switch {
	case r.InterruptedStep != nil:
		interrupted += fmt.Sprintf(", then interrupted in step %s: all here is as before it", numbers.Thousands(*r.InterruptedStep))
	case r.Interrupted:
		interrupted += ", then interrupted"
	}
	r.writeCost(t.Row, interrupted)
	if r.UnderThreat != nil && (r.Perf == nil || r.timed == 0) {
		row("under threat", "%.1f %% of the agents, on average", 100**r.UnderThreat)
	}
	if r.MeanArrivalTime != nil {
		row("arrived", "%s times, on the way %.1f s on average, median %s, p95 %s, at most %s s", numbers.Thousands(r.Arrived),
			*r.MeanArrivalTime, numbers.OrDash("%.1f", r.MedianArrivalTime), numbers.OrDash("%.1f", r.P95ArrivalTime), numbers.OrDash("%.1f", r.MaxArrivalTime))
	} else {
		row("arrived", "%s times", numbers.Thousands(r.Arrived))
	}
	if r.ArrivedShare != nil {
		outcome := fmt.Sprintf("%s of the agents arrived, %s did not", numbers.Percent(r.ArrivedShare), numbers.Percent(r.TimedOutShare))
		if r.SuccessShare != nil {
			outcome += fmt.Sprintf(", %s without a collision", numbers.Percent(r.SuccessShare))
		}
		if r.Flow != nil {
			outcome += fmt.Sprintf("; flow %.3g /s", *r.Flow)
		}
		row("outcome", "%s", outcome)
	}
	r.writeStuck(t)
	row("collisions", "%s with obstacles, deepest %.3g m, %.4g s in all; centers inside in %s agent-steps",
		numbers.Thousands(r.ObstacleCollisions), r.MaxPenetration, r.ObstacleTimeInCollision, numbers.Thousands(r.CentersInside))
	if r.Collisions != nil {
		row("", "%s of agents with agents, deepest %s m, %s s in all; closer than 0.2 m in %s of agent-steps", numbers.Thousands(*r.Collisions),
			numbers.OrDash("%.3g", r.AgentMaxPenetration), numbers.OrDash("%.4g", r.AgentTimeInCollision), numbers.Percent(r.AgentCloseShare))
	}
	if r.NearestP50 != nil {
		row("neighbors", "the nearest at %s m (median), %s m (p5), %s m (p1)",
			numbers.OrDash("%.3g", r.NearestP50), numbers.OrDash("%.3g", r.NearestP5), numbers.OrDash("%.3g", r.NearestP1))
	}
	if r.Neighbors != nil {
		row(terminal.NameIf(r.NearestP50 == nil, "neighbors"), "%.3g that an agent meets, on average", *r.Neighbors)
	}
	r.writeMeasurements(row)
	switch {
	case r.Energy == nil:
	case r.EnergyOptimum == nil:
		row("ways", "%s J/kg", numbers.OrDash("%.4g", r.Energy))
	default:
		row("ways", "%s × the straight line, %s × its time at full speed; %s J/kg, least %s", numbers.OrDash("%.3f", r.PathRatio),
			numbers.OrDash("%.3f", r.TimeRatio), numbers.OrDash("%.4g", r.Energy), numbers.OrDash("%.4g", r.EnergyOptimum))
	}
	if r.SteerbenchScore != nil {
		row("SteerBench", "%.4g, effort %s", *r.SteerbenchScore, numbers.OrDash("%.4g", r.Effort))
	}
	r.writeMotion(row)
	if r.SkippedRowSteps > 0 {
		t.RowIn(terminal.Bad, "skipped", "%s agent-steps, because a number was not finite", numbers.Thousands(int(r.SkippedRowSteps)))
	}
	for _, note := range r.Notes {
		t.RowIn(terminal.Warning, "note", "%s", note)
	}
	row("hash", "%s at the end, %s over time", r.Hash, r.TraceHash)
	return t.Flush()
}

// writeCost writes how many steps there were, and what those of this process cost, if it did any.
func (r *Report) writeCost(row terminal.Row, interrupted string) {
	if r.timed == 0 {
		row("steps", "%s%s, set up in %.2f s", numbers.Thousands(r.Steps), interrupted, r.SetupSeconds)
		return
	}
	row("steps", "%s in %.2f s%s, set up in %.2f s, %.2f s beside the steps to measure and record", numbers.Thousands(r.Steps), r.seconds(),
		interrupted, r.SetupSeconds, r.BesideSeconds)
	row("cost", "%.1f ns an agent and step, %.4g allocations a step", r.NsPerAgentStep, r.AllocsPerStep)
	row("rate", "%s steps a second, %s × real time, %s", numbers.Figure(r.StepsPerSecond), numbers.Figure(r.RealTimeFactor), numbers.Plural(r.Workers, "worker"))
	row("step", "p50 %s, p99 %s", numbers.Duration(r.StepP50Ns), numbers.Duration(r.StepP99Ns))
	if r.Perf != nil {
		r.Perf.write(row)
	} else {
		r.writeSystems(row)
	}
}

// writeSystems writes what the systems cost, but for those that cost nothing.
func (r *Report) writeSystems(row terminal.Row) {
	for i, s := range r.Systems {
		if s.Share < 0.0005 {
			break // the dearest come first
		}
		row(terminal.NameIf(i == 0, "systems"), "%4.1f %%  %s, %.2f ns an agent", 100*s.Share, s.Name, s.NsPerAgent)
	}
}

// seconds returns how long the steps took.
func (r *Report) seconds() float64 {
	return r.NsPerAgentStep * float64(r.Steps) * float64(r.Agents) / 1e9
}
