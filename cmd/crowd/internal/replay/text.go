package replay

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/world/replay"
)

// write writes a difference for people to read.
func (d *difference) write(w io.Writer) error {
	if d.Same {
		_, err := cli.Fprintf(w, "the same, as far as both go: %s\n", cli.Plural(d.Steps, "step"))
		return err
	}
	where := fmt.Sprintf("after step %d", *d.Step)
	if *d.Step == 0 {
		where = "before the first step"
	}
	cli.Fprintf(w, "A is %s, B is %s\nthey differ %s: hash %s in A, %s in B\n", d.Sides[0], d.Sides[1], where, d.Hashes[0], d.Hashes[1])
	for _, note := range d.Notes {
		cli.Fprintf(w, "%s\n", note)
	}
	if d.InputStep > 0 {
		cli.Fprintf(w, "the first inputs that differ come before step %d: %s in A, %s in B\n", d.InputStep, inputsText(d.Inputs[0]), inputsText(d.Inputs[1]))
	}
	if err := writeFields(w, d.Earlier, fmt.Sprintf("is the first that differed before step %d, where hashes do not look", *d.Step)); err != nil {
		return err
	}
	made := fmt.Sprintf("is the first in which step %d made a difference", *d.Step)
	if *d.Step == 0 {
		made = "is the first that differs at the start"
	}
	if err := writeFields(w, d.Difference, made); err != nil {
		return err
	}
	return d.writeForces(w)
}

// writeFields writes what of an entity differs.
func writeFields(w io.Writer, d *replay.Difference, what string) error {
	if d == nil {
		return nil
	}
	who := fmt.Sprintf("agent %d", d.Agent)
	if d.Agent == 0 {
		who = fmt.Sprintf("entity %d, no agent,", d.Entity)
	}
	cli.Fprintf(w, "\n%s %s:\n\n", who, what)
	t := cli.NewTable(w)
	t.Head("\tA\tB")
	for _, f := range d.Fields {
		t.Line(cli.Plain, "%s\t%s\t%s", strings.TrimSuffix(f.Component+"."+f.Field, "."), f.A, f.B)
	}
	return t.Flush()
}

// writeForces writes the forces on the agent in the step, on both sides.
func (d *difference) writeForces(w io.Writer) error {
	var names []string
	forces := [2]map[string]string{}
	for i, text := range d.Forces {
		var x struct {
			Shares []struct {
				Behavior string
				Force    *struct{ X, Y any }
			}
			Force struct{ X, Y any }
		}
		if text == nil || json.Unmarshal(text, &x) != nil {
			continue
		}
		forces[i] = map[string]string{"sum": fmt.Sprintf("(%v, %v)", x.Force.X, x.Force.Y)}
		for _, s := range x.Shares {
			if s.Force == nil {
				continue
			}
			if forces[0][s.Behavior] == "" && forces[1][s.Behavior] == "" {
				names = append(names, s.Behavior)
			}
			forces[i][s.Behavior] = fmt.Sprintf("(%v, %v)", s.Force.X, s.Force.Y)
		}
	}
	if forces[0] == nil && forces[1] == nil {
		return nil
	}
	cli.Fprintf(w, "\nforces on it in step %d, in newtons:\n\n", max(*d.Step, 1))
	t := cli.NewTable(w)
	t.Head("\tA\tB")
	for _, name := range append(names, "sum") {
		t.Line(cli.Plain, "%s\t%s\t%s", name, orNone(forces[0][name]), orNone(forces[1][name]))
	}
	return t.Flush()
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func inputsText(all []replay.Input) string {
	var parts []string
	for _, in := range all {
		parts = append(parts, in.Name+" "+string(in.Data))
	}
	return orNone(strings.Join(parts, ", "))
}
