package report

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/generic"
)

// Next is the end of a summary: a picture and further commands to try.
type Next struct {
	Picture string // file and what it shows; empty means no picture
	Try     []Command
}

// Command is a command line and its purpose.
type Command struct{ Line, For string }

// WriteSummary writes the main results, the picture and the commands to try, for a terminal of 80 columns.
func (r *Report) WriteSummary(w io.Writer, next Next) error {
	t := cli.NewTable(w)
	by := ""
	if r.Model != "" {
		by = " by " + r.Model
	}
	t.Row("crowd", "%s in %s%s, for %s%s", cli.Plural(r.Agents, "agent"), r.Scene, by, r.span(r.Dt*float64(r.Steps)), r.resumed())
	switch {
	case r.InterruptedStep != nil:
		t.RowIn(cli.Warning, "", "interrupted in step %s: the metrics are from before this step", cli.Thousands(*r.InterruptedStep))
	case r.Interrupted:
		t.RowIn(cli.Warning, "", "interrupted after %s", cli.Plural(r.Steps, "step"))
	}
	name, outcome := r.outcome()
	t.Row(name, "%s", outcome)
	r.writeStuck(t)
	collisions := cli.Plain
	if r.ObstacleCollisions > 0 || r.Collisions != nil && *r.Collisions > 0 {
		collisions = cli.Warning
	}
	t.RowIn(collisions, "collisions", "%s", r.collisions())
	if r.timed > 0 {
		t.Row("speed", "%s × real time, %s per agent per step, %s", cli.Number(r.RealTimeFactor),
			cli.Duration(int64(r.NsPerAgentStep+0.5)), cli.Plural(r.Workers, "worker"))
	}
	r.writeNotes(t)
	if next.Picture != "" {
		t.Row("picture", "%s", next.Picture)
	}
	line, what := 0, 0
	for _, c := range next.Try {
		line, what = max(line, len(c.Line)), max(what, len(c.For))
	}
	for i, c := range next.Try {
		if len("collisions  ")+line+len("  ")+what > cli.Columns {
			c.For = "" // no room for this column
		}
		t.Row(cli.NameIf(i == 0, "try"), "%s\t%s", c.Line, c.For)
	}
	return t.Flush()
}

func (r *Report) writeNotes(t *cli.Table) {
	if r.SkippedRowSteps > 0 {
		t.RowIn(cli.Bad, "skipped", "%s agent-steps, because a number was not finite", cli.Thousands(int(r.SkippedRowSteps)))
	}
	for _, note := range r.Notes {
		t.RowIn(cli.Warning, "note", "%s", note)
	}
}

func (r *Report) outcome() (name, text string) {
	goals := r.ArrivedAgents + r.TimedOut
	switch {
	case goals == 0:
		return "goals", "none: no agent in this scene has a goal"
	case r.OutAfter != nil && r.Arrived == 1:
		return "out", "all agents after " + r.span(*r.OutAfter)
	case r.OutAfter != nil:
		return "out", fmt.Sprintf("all agents after %s; half of the trips took at most %s", r.span(*r.OutAfter), r.span(*r.MedianArrivalTime))
	}
	name = "arrived"
	if r.ends {
		name = "out"
	}
	text = fmt.Sprintf("%s of %s", cli.Thousands(r.ArrivedAgents), cli.Thousands(goals))
	switch {
	case r.MedianArrivalTime == nil:
	case r.Arrived == 1:
		text += " in " + r.span(*r.MaxArrivalTime)
	default:
		text += fmt.Sprintf("; half of the trips took at most %s, the slowest %s", r.span(*r.MedianArrivalTime), r.span(*r.MaxArrivalTime))
	}
	return name, text
}

func (r *Report) collisions() string {
	among := "not measured among agents (use --safety)"
	if r.Collisions != nil {
		among = cli.Thousands(*r.Collisions) + " among agents"
		if *r.Collisions > 0 && r.AgentMaxPenetration != nil {
			among += fmt.Sprintf(", the deepest %.2g m", *r.AgentMaxPenetration)
		}
	}
	return fmt.Sprintf("%s with obstacles, %s", cli.Thousands(r.ObstacleCollisions), among)
}

func (r *Report) span(seconds float64) string {
	if r.Dt == 1 {
		return fmt.Sprintf("%.0f frames", seconds)
	}
	return fmt.Sprintf("%.1f s", seconds)
}

// WriteTable writes the report as a table, with more results than WriteSummary.
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
		interrupted += fmt.Sprintf(", then interrupted in step %s: the metrics are from before this step", cli.Thousands(*r.InterruptedStep))
	case r.Interrupted:
		interrupted += ", then interrupted"
	}
	r.writeCost(t.Row, interrupted)
	if r.UnderThreat != nil && (r.Perf == nil || r.timed == 0) {
		row("under threat", "%.1f%% of the agents, on average", 100**r.UnderThreat)
	}
	if r.MeanArrivalTime != nil {
		row("arrived", "%s, after %.1f s on average, median %s, p95 %s, at most %s s", cli.Plural(r.Arrived, "time"),
			*r.MeanArrivalTime, cli.OrDash("%.1f", r.MedianArrivalTime), cli.OrDash("%.1f", r.P95ArrivalTime), cli.OrDash("%.1f", r.MaxArrivalTime))
	} else {
		row("arrived", "%s", cli.Plural(r.Arrived, "time"))
	}
	if r.ArrivedShare != nil {
		outcome := fmt.Sprintf("%s of the agents arrived, %s did not", cli.Percent(r.ArrivedShare), cli.Percent(r.TimedOutShare))
		if r.SuccessShare != nil {
			outcome += fmt.Sprintf(", %s arrived without a collision", cli.Percent(r.SuccessShare))
		}
		if r.Flow != nil {
			outcome += fmt.Sprintf("; flow %.3g agents/s", *r.Flow)
		}
		row("outcome", "%s", outcome)
	}
	r.writeStuck(t)
	row("collisions", "%s with obstacles, deepest %.3g m, %.4g s in total; centers inside obstacles in %s agent-steps",
		cli.Thousands(r.ObstacleCollisions), r.MaxPenetration, r.ObstacleTimeInCollision, cli.Thousands(r.CentersInside))
	if r.Collisions != nil {
		row("", "%s among agents, deepest %s m, %s s in total; closer than 0.2 m in %s of agent-steps", cli.Thousands(*r.Collisions),
			cli.OrDash("%.3g", r.AgentMaxPenetration), cli.OrDash("%.4g", r.AgentTimeInCollision), cli.Percent(r.AgentCloseShare))
	}
	if r.NearestP50 != nil {
		row("neighbors", "nearest at %s m (median), %s m (p5), %s m (p1)",
			cli.OrDash("%.3g", r.NearestP50), cli.OrDash("%.3g", r.NearestP5), cli.OrDash("%.3g", r.NearestP1))
	}
	if r.Neighbors != nil {
		row(cli.NameIf(r.NearestP50 == nil, "neighbors"), "%.3g considered per agent, on average", *r.Neighbors)
	}
	r.writeMeasurements(row)
	switch {
	case r.Energy == nil:
	case r.EnergyOptimum == nil:
		row("paths", "%s J/kg", cli.OrDash("%.4g", r.Energy))
	default:
		row("paths", "%s × the straight line, %s × its time at maximum speed; %s J/kg, optimum %s", cli.OrDash("%.3f", r.PathRatio),
			cli.OrDash("%.3f", r.TimeRatio), cli.OrDash("%.4g", r.Energy), cli.OrDash("%.4g", r.EnergyOptimum))
	}
	if r.SteerbenchScore != nil {
		row("SteerBench", "%.4g, effort %s", *r.SteerbenchScore, cli.OrDash("%.4g", r.Effort))
	}
	r.writeMotion(row)
	r.writeNotes(t)
	row("hash", "%s at the end, %s over time", r.Hash, r.TraceHash)
	return t.Flush()
}

func (r *Report) writeCost(row cli.Row, interrupted string) {
	if r.timed == 0 {
		row("steps", "%s%s, set up in %.2f s", cli.Thousands(r.Steps), interrupted, r.SetupSeconds)
		return
	}
	row("steps", "%s in %.2f s%s, set up in %.2f s, another %.2f s to measure and record", cli.Thousands(r.Steps), r.seconds(),
		interrupted, r.SetupSeconds, r.BesideSeconds)
	row("cost", "%.1f ns per agent per step, %.4g allocations per step", r.NsPerAgentStep, r.AllocsPerStep)
	row("rate", "%s steps/s, %s × real time, %s", cli.Number(r.StepsPerSecond), cli.Number(r.RealTimeFactor), cli.Plural(r.Workers, "worker"))
	row("step", "p50 %s, p99 %s", cli.Duration(r.StepP50Ns), cli.Duration(r.StepP99Ns))
	if r.Perf != nil {
		r.Perf.write(row)
	} else {
		r.writeSystems(row)
	}
}

func (r *Report) writeSystems(row cli.Row) {
	for i, s := range r.Systems {
		if s.Share < 0.0005 {
			break // sorted by share
		}
		row(cli.NameIf(i == 0, "systems"), "%4.1f%%  %s, %.2f ns per agent", 100*s.Share, s.Name, s.NsPerAgent)
	}
}

// seconds estimates the time of all steps from the steps that this process ran.
func (r *Report) seconds() float64 {
	return r.NsPerAgentStep * float64(r.Steps) * float64(r.Agents) / 1e9
}

// Conditions describe the machine of a run, and the settings for which Report has no fields of its own.
type Conditions struct {
	TimeCap          float64  `json:"time_cap" metric:"time until the run ends|s||at the latest" kind:"setting"`
	RadiusMin        *float64 `json:"radius_min" metric:"|m||smallest body" kind:"setting"`
	RadiusMax        *float64 `json:"radius_max" metric:"|m||largest body" kind:"setting"`
	ArrivalRadiusMin *float64 `json:"arrival_radius_min" metric:"|m||smallest arrival radius" kind:"setting"`
	ArrivalRadiusMax *float64 `json:"arrival_radius_max" metric:"|m||largest arrival radius" kind:"setting"`
	ArrivalThen      string   `json:"arrival_then"`
	CPU              string   `json:"cpu"`
	Cores            int      `json:"cores"`
	OS               string   `json:"os"`
	Arch             string   `json:"arch"`
	Kernels          string   `json:"kernels"`
}

func conditionsOf(s *scene.Scene, w *world.World) Conditions {
	c := Conditions{TimeCap: float64(s.Steps) * s.Dt, CPU: cli.Processor(), Cores: runtime.NumCPU(), OS: runtime.GOOS, Arch: runtime.GOARCH, Kernels: kernel.Used().String()}
	bodies := generic.NewFilter1[components.Radius]().Without(generic.T[components.Obstacle]()).Query(w.ECS)
	for bodies.Next() {
		widen(&c.RadiusMin, &c.RadiusMax, bodies.Get().Meters)
	}
	goals := generic.NewFilter1[components.Goal]().Query(w.ECS)
	for goals.Next() {
		widen(&c.ArrivalRadiusMin, &c.ArrivalRadiusMax, goals.Get().Radius)
	}
	var all []string
	for _, t := range []struct {
		then scene.Then
		name string
	}{{scene.Stay, "stay"}, {scene.Leave, "leave"}, {scene.Wander, "wander"}, {scene.Again, "again"}, {scene.Repeat, "repeat"}} {
		if slices.ContainsFunc(s.Groups, func(g scene.Group) bool { return g.Goal != nil && g.Count > 0 && g.Goal.Then == t.then }) {
			all = append(all, t.name)
		}
	}
	c.ArrivalThen = strings.Join(all, " ")
	return c
}

// widen extends a range to include x. The range is empty if *lo is nil.
func widen(lo, hi **float64, x float64) {
	if *lo == nil || x < **lo {
		*lo = &x
	}
	if *hi == nil || x > **hi {
		*hi = &x
	}
}
