// Package explain prints what one step does to one agent, and why.
package explain

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// Write writes an explanation as text, below a title.
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
		row("truncation", "none: ORCA uses the %.4g N as its preferred velocity", r2.Norm(x.Force))
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
		row("heading", "%s → %s°", degreesText(b.Heading), degreesText(a.Heading))
	}
	switch {
	case x.Leaves:
		row("arrives", "in this step, and leaves")
	case x.Arrives:
		row("arrives", "in this step")
	}
	for _, name := range x.Skipped {
		row("skipped", "%s did not change the agent, because a number is not finite", name)
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

// changesText describes all effects of a rule except forces.
func changesText(s *world.Share) string {
	var parts []string
	part := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	const noise = 1e-12 // rounding errors, not worth showing
	by := func(v *r2.Vec) string {
		if r2.Norm(*v) < noise {
			return "(0, 0)"
		}
		return placeText(*v)
	}
	signed := func(x *float64, times float64) string {
		if math.Abs(*x) < noise {
			return "0"
		}
		return fmt.Sprintf("%+.4g", *x*times)
	}
	if s.Target != nil && s.Behavior == "FleeFrom" {
		part("flees from %s m", placeText(*s.Target))
	} else if s.Target != nil {
		part("target %s m", placeText(*s.Target))
	}
	if s.Position != nil {
		part("position by %s m", by(s.Position))
	}
	if s.Velocity != nil {
		part("velocity by %s m/s", by(s.Velocity))
	}
	if s.Turn != nil {
		part("turns by %s°", signed(s.Turn, 180/math.Pi))
	}
	if s.Speed != nil {
		part("speed by %s m/s", signed(s.Speed, 1))
	}
	if s.MaxSpeed != nil {
		part("maximum speed by %s m/s", signed(s.MaxSpeed, 1))
	}
	return strings.Join(parts, ", ")
}

// writeColumns writes a table. The first column and columns without a name are aligned left, the others right.
func writeColumns(w io.Writer, rows [][]string) {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			blank := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			switch {
			case i == 0:
				b.WriteString(cell + blank)
			case rows[0][i] == "": // units are close to their numbers
				b.WriteString(" " + cell + blank)
			default:
				b.WriteString("  " + blank + cell)
			}
		}
		cli.Fprintf(w, "%s\n", strings.TrimRight(b.String(), " "))
	}
}

// scientific stands for exponent notation as a number of decimals.
const scientific = -1

// decimals returns the number of decimals with which the finite number of the columns that is largest in
// magnitude has at least four significant digits, or 3 if that is 0 or missing, or scientific if it is tiny or
// huge.
func decimals(columns ...[]float64) int {
	most := 0.
	for _, column := range columns {
		for _, x := range column {
			if x = math.Abs(x); x <= math.MaxFloat64 {
				most = max(most, x)
			}
		}
	}
	switch {
	case most == 0:
		return 3
	case most < 1e-4 || most >= 1e7:
		return scientific
	}
	return max(0, 3-int(math.Floor(math.Log10(most))))
}

// fixedText formats the numbers of a column with places decimals, or in exponent notation if places is scientific.
func fixedText(column []float64, places int) (text []string) {
	for _, x := range column {
		switch {
		case places == scientific:
			text = append(text, fmt.Sprintf("%.2e", x+0))
		case math.Abs(x) < math.Pow10(-places)/2: // never -0.000
			text = append(text, strconv.FormatFloat(0, 'f', places, 64))
		default:
			text = append(text, strconv.FormatFloat(x, 'f', places, 64))
		}
	}
	return text
}

func placeText(v r2.Vec) string { return fmt.Sprintf("(%.7g, %.7g)", v.X+0, v.Y+0) }

// atMost formats a limit, or returns "" if it is infinite.
func atMost(limit float64) string {
	if math.IsInf(limit, 1) {
		return ""
	}
	return fmt.Sprintf(" of at most %.4g", limit)
}

// degreesText formats the direction of a vector in degrees, counterclockwise from +x, or returns – for (0, 0).
func degreesText(v r2.Vec) string {
	if v == (r2.Vec{}) {
		return "–"
	}
	return fmt.Sprintf("%.1f", math.Atan2(v.Y, v.X)*180/math.Pi)
}

var longNumber = regexp.MustCompile(`-?\d+\.\d{5,}(e[+-]\d+)?`)

// fieldsText formats the fields of a component. It rounds numbers with five decimals or more to seven significant
// digits.
func fieldsText(all []world.Field) string {
	var parts []string
	for _, f := range all {
		value := longNumber.ReplaceAllStringFunc(f.Value, func(s string) string {
			x, _ := strconv.ParseFloat(s, 64)
			return fmt.Sprintf("%.7g", x)
		})
		parts = append(parts, strings.TrimSpace(f.Name+" "+value))
	}
	return strings.Join(parts, ", ")
}
