// Package explain writes what one step does to one agent, and why, for people to read.
package explain

import (
	"io"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// Write writes what a step does to an agent for people to read.
func Write(w io.Writer, title string, x *world.Explanation) error {
	cli.Fprintf(w, "%s, agent %d: from %.6g s to %.6g s\n\n", title, x.ID, x.Time, x.Time+x.Dt)
	if forces := forceTable(x); forces != nil {
		writeColumns(w, forces)
		cli.Fprintf(w, "\n")
	}
	t := cli.NewTable(w)
	row := t.Row
	for i := range x.Shares {
		if s := &x.Shares[i]; s.Force == nil {
			row(s.Behavior, "%s", changesText(s))
		}
	}
	writeThreat(row, x)
	if text := combining(x); text != "" {
		row("combination", "%s", text)
	}
	writeLooks(row, x)
	writeWalking(row, x)
	writeChoice(row, x)
	if x.Reciprocal != nil {
		row("truncation", "none: the %.4g N are a wish to ORCA, which takes them all", r2.Norm(x.Force))
	} else {
		row("truncation", "%s", cutting(x))
	}
	switch x.MovedBy {
	case "":
		row("moved by", "nothing")
	case "Integration":
		if x.Reciprocal != nil {
			row("moved by", "Integration, at the velocity that ORCA chose")
		} else {
			row("moved by", "Integration, mass %.4g kg", x.Mass)
		}
	default:
		row("moved by", "%s", x.MovedBy)
	}
	b, a := &x.Before, &x.After
	row("position", "%s → %s m, moved by %.4g m", placeText(b.Position), placeText(a.Position), r2.Norm(r2.Sub(a.Position, b.Position)))
	row("velocity", "%s → %s m/s, speed %.4g → %.4g m/s%s", placeText(b.Velocity), placeText(a.Velocity),
		r2.Norm(b.Velocity), r2.Norm(a.Velocity), atMost(x.MaxSpeed))
	if a.Heading != (r2.Vec{}) {
		row("heading", "%s → %s °", degreesText(b.Heading), degreesText(a.Heading))
	}
	switch {
	case x.Leaves:
		row("arrives", "in this step, and leaves")
	case x.Arrives:
		row("arrives", "in this step")
	}
	for _, name := range x.Skipped {
		row("skipped", "%s left the agent as it is, because a number is not finite", name)
	}
	for _, name := range x.LeftOut {
		row("left out", "%s may change the agent too", name)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	cli.Fprintf(w, "\n")
	for i, comp := range x.Components {
		row(cli.NameIf(i == 0, "components"), "%s\t%s", comp.Name, fieldsText(comp.Fields))
	}
	return t.Flush()
}
