package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
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
	t := terminal.NewTable(w)
	t.Row("crowd", "%s in %s, for %s", numbers.Plural(r.Agents, "agent"), r.Scene, r.span(r.Dt*float64(r.Steps)))
	switch {
	case r.InterruptedStep != nil:
		t.Row("", "interrupted in step %s: all here is as before it", numbers.Thousands(*r.InterruptedStep))
	case r.Interrupted:
		t.Row("", "interrupted after %s", numbers.Plural(r.Steps, "step"))
	}
	name, outcome := r.outcome()
	t.Row(name, "%s", outcome)
	t.Row("collisions", "%s", r.collisions())
	t.Row("speed", "%s × real time, %s a step for each agent, %s", numbers.Figure(r.RealTimeFactor),
		numbers.Duration(int64(r.NsPerAgentStep+0.5)), numbers.Plural(r.Workers, "worker"))
	if r.SkippedRowSteps > 0 {
		t.Row("skipped", "%s agent-steps, because a number was not finite", numbers.Thousands(int(r.SkippedRowSteps)))
	}
	for _, note := range r.Notes {
		writeRow(t, "note", "%s", note)
	}
	if next.Picture != "" {
		t.Row("picture", "%s", next.Picture)
	}
	width := 0
	for _, c := range next.Try {
		width = max(width, len(c.Line))
	}
	for i, c := range next.Try {
		if len(c.Line)+len("  "+c.For) > columns {
			t.Row(terminal.NameIf(i == 0, "try"), "%s", c.Line)
			continue
		}
		t.Row(terminal.NameIf(i == 0, "try"), "%s%s  %s", c.Line, strings.Repeat(" ", width-len(c.Line)), c.For)
	}
	return t.Flush()
}

// columns is how wide a terminal is at least, without the names of rows.
const columns = 80 - len("under threat  ")

// writeRow adds a row of several lines if it is longer than a terminal is wide.
func writeRow(t *terminal.Table, name, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if utf8.RuneCountInString(text) <= columns || strings.Contains(text, "\t") {
		t.Row(name, format, args...)
		return
	}
	for i, line := range wrapped(text, columns) {
		t.Row(terminal.NameIf(i == 0, name), "%s", line)
	}
}

// wrapped returns a text in lines of at most a number of letters, as far as words allow.
func wrapped(text string, most int) (lines []string) {
	for _, word := range strings.Fields(text) {
		if last := len(lines) - 1; last >= 0 && utf8.RuneCountInString(lines[last]+" "+word) <= most {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
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
	name, verb := "arrived", ""
	if r.ends {
		name, verb = "out", " left"
	}
	text = fmt.Sprintf("%s of %s%s", numbers.Thousands(r.ArrivedAgents), numbers.Thousands(goals), verb)
	if r.MedianArrivalTime != nil {
		text += fmt.Sprintf(", half of them within %s, the slowest in %s", r.span(*r.MedianArrivalTime), r.span(*r.MaxArrivalTime))
	}
	return name, text
}

// collisions says who touched what.
func (r *Report) collisions() string {
	among := "among agents not measured (--safety does)"
	if r.Collisions != nil {
		among = numbers.Thousands(*r.Collisions) + " among agents"
		if *r.Collisions > 0 && r.AgentMaxPenetration != nil {
			among += fmt.Sprintf(", the deepest %.2g m", *r.AgentMaxPenetration)
		}
	}
	return fmt.Sprintf("%s with obstacles, %s", numbers.Thousands(r.ObstacleCollisions), among)
}

// span writes a time of the crowd's; in frames where a step is one.
func (r *Report) span(seconds float64) string {
	if r.Dt == 1 {
		return fmt.Sprintf("%.0f frames", seconds)
	}
	return fmt.Sprintf("%.1f s", seconds)
}
