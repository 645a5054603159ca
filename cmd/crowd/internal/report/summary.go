package report

import (
	"fmt"
	"io"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// Next is what a summary ends with: where the picture is, and commands to try.
type Next struct {
	Picture string // what it is called and shows; empty: there is none
	Try     []Command
}

// Command is a command line and what it is for.
type Command struct{ Line, For string }

// WriteSummary writes what one wants to know of a run at once, in lines of 80 columns.
// WriteTable has the rest.
func (r *Report) WriteSummary(w io.Writer, next Next) error {
	t := cli.NewTable(w)
	by := ""
	if r.Model != "" {
		by = " by " + r.Model
	}
	t.Row("crowd", "%s in %s%s, for %s%s", cli.Plural(r.Agents, "agent"), r.Scene, by, r.span(r.Dt*float64(r.Steps)), r.resumed())
	switch {
	case r.InterruptedStep != nil:
		t.RowIn(cli.Warning, "", "interrupted in step %s: all here is as before it", cli.Thousands(*r.InterruptedStep))
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
		t.Row("speed", "%s × real time, %s a step for each agent, %s", cli.Figure(r.RealTimeFactor),
			cli.Duration(int64(r.NsPerAgentStep+0.5)), cli.Plural(r.Workers, "worker"))
	}
	if r.SkippedRowSteps > 0 {
		t.RowIn(cli.Bad, "skipped", "%s agent-steps, because a number was not finite", cli.Thousands(int(r.SkippedRowSteps)))
	}
	for _, note := range r.Notes {
		t.RowIn(cli.Warning, "note", "%s", note)
	}
	if next.Picture != "" {
		t.Row("picture", "%s", next.Picture)
	}
	line, what := 0, 0
	for _, c := range next.Try {
		line, what = max(line, len(c.Line)), max(what, len(c.For))
	}
	for i, c := range next.Try {
		if len("collisions  ")+line+len("  ")+what > cli.Columns {
			c.For = "" // it stands in a column
		}
		t.Row(cli.NameIf(i == 0, "try"), "%s\t%s", c.Line, c.For)
	}
	return t.Flush()
}

// outcome says who came where, and when.
func (r *Report) outcome() (name, text string) {
	goals := r.ArrivedAgents + r.TimedOut
	switch {
	case goals == 0:
		return "goals", "none: nobody in this scene is to arrive anywhere"
	case r.OutAfter != nil:
		return "out", fmt.Sprintf("everyone, after %s; half of them within %s", r.span(*r.OutAfter), r.span(*r.MedianArrivalTime))
	}
	name = "arrived"
	if r.ends {
		name = "out"
	}
	text = fmt.Sprintf("%s of %s", cli.Thousands(r.ArrivedAgents), cli.Thousands(goals))
	if r.MedianArrivalTime != nil {
		text += fmt.Sprintf(", half of them within %s, the slowest in %s", r.span(*r.MedianArrivalTime), r.span(*r.MaxArrivalTime))
	}
	return name, text
}

// collisions says who touched what.
func (r *Report) collisions() string {
	among := "among agents not measured (--safety does)"
	if r.Collisions != nil {
		among = cli.Thousands(*r.Collisions) + " among agents"
		if *r.Collisions > 0 && r.AgentMaxPenetration != nil {
			among += fmt.Sprintf(", the deepest %.2g m", *r.AgentMaxPenetration)
		}
	}
	return fmt.Sprintf("%s with obstacles, %s", cli.Thousands(r.ObstacleCollisions), among)
}

// span writes a time of the crowd's; in frames where a step is one.
func (r *Report) span(seconds float64) string {
	if r.Dt == 1 {
		return fmt.Sprintf("%.0f frames", seconds)
	}
	return fmt.Sprintf("%.1f s", seconds)
}
