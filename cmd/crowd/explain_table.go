package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// writeExplanation writes what a step does to an agent for people to read.
func writeExplanation(w io.Writer, title string, x *world.Explanation) error {
	terminal.Fprintf(w, "%s, agent %d: from %.6g s to %.6g s\n\n", title, x.ID, x.Time, x.Time+x.Dt)
	if forces := forceTable(x); forces != nil {
		writeColumns(w, forces)
		terminal.Fprintf(w, "\n")
	}
	t := terminal.NewTable(w)
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
	terminal.Fprintf(w, "\n")
	for i, comp := range x.Components {
		row(terminal.NameIf(i == 0, "components"), "%s\t%s", comp.Name, fieldsText(comp.Fields))
	}
	return t.Flush()
}

// forceTable returns a table of the forces, nil if there are none. Its first two
// rows are names and units.
func forceTable(x *world.Explanation) [][]string {
	var forces []world.Share
	whole := 0.
	for _, s := range x.Shares {
		if s.Force != nil {
			forces = append(forces, s)
			whole += r2.Norm(s.Force.Newtons)
		}
	}
	if len(forces) == 0 {
		return nil
	}
	n := len(forces)
	columns := [8][]float64{} // raw x, raw y, force x, force y, |force|, share, left x, left y
	add := func(values ...float64) {
		for i, v := range values {
			columns[i] = append(columns[i], v)
		}
	}
	for _, s := range forces {
		f := s.Force
		size := r2.Norm(f.Newtons)
		add(f.Raw.X, f.Raw.Y, f.Newtons.X, f.Newtons.Y, size, 100*size/max(whole, math.SmallestNonzeroFloat64), f.Truncated.X, f.Truncated.Y)
	}
	add(math.NaN(), math.NaN(), x.Force.X, x.Force.Y, r2.Norm(x.Force), math.NaN(), x.Truncated.X, x.Truncated.Y)
	raw, force := decimals(columns[0], columns[1]), decimals(columns[2], columns[3], columns[4])
	text := [8][]string{}
	for i, places := range []int{raw, raw, force, force, force, 1, force, force} {
		text[i] = fixedText(columns[i], places)
	}
	rows := [][]string{
		{"", "raw x", "raw y", "", "gain", "force x", "force y", "|force|", "to", "share", "left x", "left y"},
		{"", "", "", "", "", "N", "N", "N", "°", "%", "N", "N"},
	}
	for k, s := range forces {
		f, to := s.Force, degreesText(s.Force.Newtons)
		gain := strings.TrimSpace(fmt.Sprintf("%.4g %s", f.Gain, f.GainUnit))
		rawX, rawY, unit := text[0][k], text[1][k], f.RawUnit
		if f.GainUnit == "" { // no rule made it
			rawX, rawY, gain = "", "", ""
		}
		rows = append(rows, []string{s.Behavior, rawX, rawY, unit, gain, text[2][k], text[3][k], text[4][k], to, text[5][k], text[6][k], text[7][k]})
	}
	rows = append(rows, []string{"sum", "", "", "", "", text[2][n], text[3][n], text[4][n], degreesText(x.Force), "", text[6][n], text[7][n]})
	if x.Reciprocal != nil { // ORCA leaves nothing of them
		for i := range rows {
			rows[i] = rows[i][:10]
		}
	}
	return rows
}

// writeColumns writes a table: the first column from the left, numbers from the
// right.
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
			case rows[0][i] == "": // units, close to their numbers
				b.WriteString(" " + cell + blank)
			default:
				b.WriteString("   " + blank + cell)
			}
		}
		terminal.Fprintf(w, "%s\n", strings.TrimRight(b.String(), " "))
	}
}

// scientific stands for numbers that are written with an exponent.
const scientific = -1

// decimals returns with how many decimals the largest number of some columns has
// four digits.
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

// fixedText writes the numbers of a column, each with so many decimals.
func fixedText(column []float64, places int) (text []string) {
	for _, x := range column {
		switch {
		case places == scientific:
			text = append(text, fmt.Sprintf("%.3e", x+0))
		case math.Abs(x) < math.Pow10(-places)/2: // never -0.000
			text = append(text, strconv.FormatFloat(0, 'f', places, 64))
		default:
			text = append(text, strconv.FormatFloat(x, 'f', places, 64))
		}
	}
	return text
}

// changesText says what a rule does that is no force.
func changesText(s *world.Share) string {
	var parts []string
	part := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	const noise = 1e-12 // of rounding, and nobody wants to read it
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
		part("turns by %s °", signed(s.Turn, 180/math.Pi))
	}
	if s.Speed != nil {
		part("speed by %s m/s", signed(s.Speed, 1))
	}
	if s.MaxSpeed != nil {
		part("greatest speed by %s m/s", signed(s.MaxSpeed, 1))
	}
	return strings.Join(parts, ", ")
}

// writeThreat writes what the agent sees ahead, if it looks.
func writeThreat(row terminal.Row, x *world.Explanation) {
	t := x.Threat
	if t == nil {
		if x.LookAhead > 0 {
			row("threat", "none within %.4g m ahead", x.LookAhead)
		}
		return
	}
	thick := ""
	if t.Radius > 0 {
		thick = fmt.Sprintf(" of radius %.4g m", t.Radius)
	}
	row("threat", "%s%s at %s m, entity %d", cmp.Or(t.Kind, "something"), thick, placeText(t.At), t.Obstacle.ID())
	row("", "%.4g m ahead, of %.4g m that the agent looks; contact at %s m, normal to %s °",
		t.Distance, x.LookAhead, placeText(t.Contact), degreesText(t.Normal))
}

// cutting says what is left of the forces.
func cutting(x *world.Explanation) string {
	size := r2.Norm(x.Force)
	switch {
	case x.MovedBy != "Integration" && x.Force != (r2.Vec{}):
		return fmt.Sprintf("the %.4g N are not applied, because Integration does not move the agent", size)
	case x.MovedBy != "Integration":
		return "none, because there is no force"
	case math.IsInf(x.MaxForce, 1):
		return fmt.Sprintf("none: %.4g N, and no limit", size)
	case size <= x.MaxForce:
		return fmt.Sprintf("none: %.4g N of at most %.4g N", size, x.MaxForce)
	}
	return fmt.Sprintf("%.4g N are more than %.4g N: %.4g %% of each force is left", size, x.MaxForce, 100*r2.Norm(x.Truncated)/size)
}

func placeText(v r2.Vec) string { return fmt.Sprintf("(%.7g, %.7g)", v.X+0, v.Y+0) }

// atMost writes a limit, if there is one.
func atMost(limit float64) string {
	if math.IsInf(limit, 1) {
		return ""
	}
	return fmt.Sprintf(" of at most %.4g", limit)
}

// degreesText writes the direction of a vector, counter-clockwise from +x.
func degreesText(v r2.Vec) string {
	if v == (r2.Vec{}) {
		return "–"
	}
	return fmt.Sprintf("%.1f", math.Atan2(v.Y, v.X)*180/math.Pi)
}

var longNumber = regexp.MustCompile(`-?\d+\.\d{5,}(e[+-]\d+)?`)

// fieldsText writes the fields of a component, with seven digits of each number.
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
