package report

import (
	"fmt"
	"io"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// WriteTable writes the report for people to read.
func (r *Report) WriteTable(w io.Writer) error {
	t := cli.NewTable(w)
	row := t.Row
	row("scene", "%s, seed %d, dt %.4g s", r.Scene, r.Seed, r.Dt)
	if r.Model != "" {
		row("model", "%s: %s", r.Model, r.ModelParameters)
	}
	row("agents", "%s, %s each", cli.Thousands(r.Agents), cli.Bytes(int64(r.BytesPerAgent)))
	interrupted := r.resumed()
	switch {
	case r.InterruptedStep != nil:
		interrupted += fmt.Sprintf(", then interrupted in step %s: all here is as before it", cli.Thousands(*r.InterruptedStep))
	case r.Interrupted:
		interrupted += ", then interrupted"
	}
	r.writeCost(t.Row, interrupted)
	if r.UnderThreat != nil && (r.Perf == nil || r.timed == 0) {
		row("under threat", "%.1f %% of the agents, on average", 100**r.UnderThreat)
	}
	if r.MeanArrivalTime != nil {
		row("arrived", "%s times, on the way %.1f s on average, median %s, p95 %s, at most %s s", cli.Thousands(r.Arrived),
			*r.MeanArrivalTime, cli.OrDash("%.1f", r.MedianArrivalTime), cli.OrDash("%.1f", r.P95ArrivalTime), cli.OrDash("%.1f", r.MaxArrivalTime))
	} else {
		row("arrived", "%s times", cli.Thousands(r.Arrived))
	}
	if r.ArrivedShare != nil {
		outcome := fmt.Sprintf("%s of the agents arrived, %s did not", cli.Percent(r.ArrivedShare), cli.Percent(r.TimedOutShare))
		if r.SuccessShare != nil {
			outcome += fmt.Sprintf(", %s without a collision", cli.Percent(r.SuccessShare))
		}
		if r.Flow != nil {
			outcome += fmt.Sprintf("; flow %.3g /s", *r.Flow)
		}
		row("outcome", "%s", outcome)
	}
	r.writeStuck(t)
	row("collisions", "%s with obstacles, deepest %.3g m, %.4g s in all; centers inside in %s agent-steps",
		cli.Thousands(r.ObstacleCollisions), r.MaxPenetration, r.ObstacleTimeInCollision, cli.Thousands(r.CentersInside))
	if r.Collisions != nil {
		row("", "%s of agents with agents, deepest %s m, %s s in all; closer than 0.2 m in %s of agent-steps", cli.Thousands(*r.Collisions),
			cli.OrDash("%.3g", r.AgentMaxPenetration), cli.OrDash("%.4g", r.AgentTimeInCollision), cli.Percent(r.AgentCloseShare))
	}
	if r.NearestP50 != nil {
		row("neighbors", "the nearest at %s m (median), %s m (p5), %s m (p1)",
			cli.OrDash("%.3g", r.NearestP50), cli.OrDash("%.3g", r.NearestP5), cli.OrDash("%.3g", r.NearestP1))
	}
	if r.Neighbors != nil {
		row(cli.NameIf(r.NearestP50 == nil, "neighbors"), "%.3g that an agent meets, on average", *r.Neighbors)
	}
	r.writeMeasurements(row)
	switch {
	case r.Energy == nil:
	case r.EnergyOptimum == nil:
		row("ways", "%s J/kg", cli.OrDash("%.4g", r.Energy))
	default:
		row("ways", "%s × the straight line, %s × its time at full speed; %s J/kg, least %s", cli.OrDash("%.3f", r.PathRatio),
			cli.OrDash("%.3f", r.TimeRatio), cli.OrDash("%.4g", r.Energy), cli.OrDash("%.4g", r.EnergyOptimum))
	}
	if r.SteerbenchScore != nil {
		row("SteerBench", "%.4g, effort %s", *r.SteerbenchScore, cli.OrDash("%.4g", r.Effort))
	}
	r.writeMotion(row)
	if r.SkippedRowSteps > 0 {
		t.RowIn(cli.Bad, "skipped", "%s agent-steps, because a number was not finite", cli.Thousands(int(r.SkippedRowSteps)))
	}
	for _, note := range r.Notes {
		t.RowIn(cli.Warning, "note", "%s", note)
	}
	row("hash", "%s at the end, %s over time", r.Hash, r.TraceHash)
	return t.Flush()
}

// writeCost writes how many steps there were, and what those of this process cost, if it did any.
func (r *Report) writeCost(row cli.Row, interrupted string) {
	if r.timed == 0 {
		row("steps", "%s%s, set up in %.2f s", cli.Thousands(r.Steps), interrupted, r.SetupSeconds)
		return
	}
	row("steps", "%s in %.2f s%s, set up in %.2f s, %.2f s beside the steps to measure and record", cli.Thousands(r.Steps), r.seconds(),
		interrupted, r.SetupSeconds, r.BesideSeconds)
	row("cost", "%.1f ns an agent and step, %.4g allocations a step", r.NsPerAgentStep, r.AllocsPerStep)
	row("rate", "%s steps a second, %s × real time, %s", cli.Figure(r.StepsPerSecond), cli.Figure(r.RealTimeFactor), cli.Plural(r.Workers, "worker"))
	row("step", "p50 %s, p99 %s", cli.Duration(r.StepP50Ns), cli.Duration(r.StepP99Ns))
	if r.Perf != nil {
		r.Perf.write(row)
	} else {
		r.writeSystems(row)
	}
}

// writeSystems writes what the systems cost, but for those that cost nothing.
func (r *Report) writeSystems(row cli.Row) {
	for i, s := range r.Systems {
		if s.Share < 0.0005 {
			break // the dearest come first
		}
		row(cli.NameIf(i == 0, "systems"), "%4.1f %%  %s, %.2f ns an agent", 100*s.Share, s.Name, s.NsPerAgent)
	}
}

// seconds returns how long the steps took.
func (r *Report) seconds() float64 {
	return r.NsPerAgentStep * float64(r.Steps) * float64(r.Agents) / 1e9
}
