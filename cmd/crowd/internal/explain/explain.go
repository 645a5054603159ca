// Package explain prints what one step does to one agent, and why.
package explain

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
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
	if x.Path != nil {
		row("path", "%s", pathText(x.Path))
	}
	writeLooks(row, x)
	writeWalking(row, x)
	writeChoice(row, x)
	if x.Reciprocal != nil {
		row("truncation", "none: ORCA derives the preferred velocity from %.4g N", r2.Norm(x.Force))
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

func pathText(p *systems.PathStatus) string {
	switch {
	case p.Reached:
		return "none, because the agent is at its goal"
	case p.Unreachable:
		return "none: obstacles or closed doors block every path, so the agent keeps its target"
	case p.Waiting:
		return "not computed yet"
	}
	return fmt.Sprintf("%.4g m to go", p.Remaining)
}

// changesText lists the effects of a rule except forces.
func changesText(s *world.Share) string {
	var parts []string
	part := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	const noise = 1e-12 // rounding errors
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

// writeColumns aligns the first column and columns without a name left, and the others right.
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

const scientific = -1 // number of decimals that means exponent notation

// decimals returns the number of decimals that show four significant digits of the largest finite number, 3
// if all numbers are 0, or scientific if the largest is tiny or huge.
func decimals(numbers []float64) int {
	most := 0.
	for _, x := range numbers {
		if x = math.Abs(x); x <= math.MaxFloat64 {
			most = max(most, x)
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

func fixedText(x float64, places int) string {
	switch {
	case places == scientific:
		return fmt.Sprintf("%.2e", x+0)
	case math.Abs(x) < math.Pow10(-places)/2: // never -0.000
		x = 0
	}
	return strconv.FormatFloat(x, 'f', places, 64)
}

func placeText(v r2.Vec) string { return fmt.Sprintf("(%.7g, %.7g)", v.X+0, v.Y+0) }

func atMost(limit float64) string {
	if math.IsInf(limit, 1) {
		return ""
	}
	return fmt.Sprintf(" of at most %.4g", limit)
}

// degreesText formats the direction of a vector in degrees, counterclockwise from +x, or returns "–" for (0, 0).
func degreesText(v r2.Vec) string {
	if v == (r2.Vec{}) {
		return "–"
	}
	return fmt.Sprintf("%.1f", math.Atan2(v.Y, v.X)*180/math.Pi)
}

var longNumber = regexp.MustCompile(`-?\d+\.\d{5,}(e[+-]\d+)?`)

// fieldsText lists fields, and rounds numbers with five or more decimals to seven significant digits.
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

// forceTable returns a table of the forces, or nil. The first two rows are names and units.
func forceTable(x *world.Explanation) [][]string {
	var raw, newtons []float64
	whole := 0.
	for _, s := range x.Shares {
		if f := s.Force; f != nil {
			size := r2.Norm(f.Newtons)
			raw, newtons = append(raw, f.Raw.X, f.Raw.Y), append(newtons, f.Newtons.X, f.Newtons.Y, size)
			whole += size
		}
	}
	if newtons == nil {
		return nil
	}
	rawPlaces, places := decimals(raw), decimals(append(newtons, x.Force.X, x.Force.Y, r2.Norm(x.Force)))
	force := func(f float64) string { return fixedText(f, places) }
	rows := [][]string{
		{"", "raw x", "raw y", "", "gain", "force x", "force y", "|force|", "angle", "share", "kept x", "kept y"},
		{"", "", "", "", "", "N", "N", "N", "°", "%", "N", "N"},
	}
	for _, s := range x.Shares {
		f := s.Force
		if f == nil {
			continue
		}
		rawX, rawY, gain := fixedText(f.Raw.X, rawPlaces), fixedText(f.Raw.Y, rawPlaces), strings.TrimSpace(fmt.Sprintf("%.4g %s", f.Gain, f.GainUnit))
		if f.GainUnit == "" { // this is not the force of a rule
			rawX, rawY, gain = "", "", ""
		}
		size := r2.Norm(f.Newtons)
		share := fixedText(100*size/max(whole, math.SmallestNonzeroFloat64), 1)
		rows = append(rows, []string{s.Behavior, rawX, rawY, f.RawUnit, gain, force(f.Newtons.X), force(f.Newtons.Y), force(size),
			degreesText(f.Newtons), share, force(f.Truncated.X), force(f.Truncated.Y)})
	}
	rows = append(rows, []string{"sum", "", "", "", "", force(x.Force.X), force(x.Force.Y), force(r2.Norm(x.Force)),
		degreesText(x.Force), "", force(x.Truncated.X), force(x.Truncated.Y)})
	if x.Reciprocal != nil { // ORCA does not apply forces
		for i := range rows {
			rows[i] = rows[i][:10]
		}
	}
	return rows
}

// combining describes what a combination other than the sum does to the forces.
func combining(x *world.Explanation) string {
	var parts []string
	for _, s := range x.Shares {
		f := s.Force
		if f == nil || f.Granted == nil || f.Newtons == (r2.Vec{}) {
			continue
		}
		switch part := r2.Norm(*f.Granted) / r2.Norm(f.Newtons); {
		case part == 0:
			parts = append(parts, s.Behavior+" dropped")
		case x.Combination == systems.CombineDithering:
			parts = append(parts, fmt.Sprintf("%s drawn, with %.4g times its force", s.Behavior, part))
		case *f.Granted == f.Newtons:
			parts = append(parts, s.Behavior+" granted")
		default:
			parts = append(parts, fmt.Sprintf("%s truncated to %.4g%%", s.Behavior, 100*part))
		}
	}
	switch {
	case x.Combination == systems.CombineSum:
		return ""
	case len(parts) == 0:
		return fmt.Sprintf("by %v: there is no force", x.Combination)
	}
	return fmt.Sprintf("by %v: %s", x.Combination, strings.Join(parts, ", "))
}

const mostNamed = 12 // neighbors listed by ID

func writeLooks(row cli.Row, x *world.Explanation) {
	for i := range x.Looks {
		l := &x.Looks[i]
		field := ""
		if l.View > 0 && l.View < 2*math.Pi {
			field = fmt.Sprintf(", in a field of %.4g° centered on %s°", vec.Degrees(l.View), degreesText(l.Facing))
		}
		row(cli.NameIf(i == 0, "neighbors"), "%s considers %d within %.4g m%s%s", l.Behavior, len(l.Seen), l.Reach, field, idsText(l))
	}
}

func writeChoice(row cli.Row, x *world.Explanation) {
	r := x.Reciprocal
	if r == nil {
		return
	}
	answer := "which satisfies all of them"
	if !r.Feasible {
		answer = "which violates those of other agents least: no velocity satisfies all"
	}
	row("choice", "prefers %s m/s and, with %s of agents and walls, chooses %s m/s, %s",
		placeText(r.Preferred), cli.Plural(len(r.HalfPlanes), "half-plane"), placeText(r.Chosen), answer)
}

func idsText(l *world.Look) string {
	var b strings.Builder
	for i := range l.Seen {
		switch {
		case i == mostNamed:
			return b.String() + ", …"
		case i == 0:
			b.WriteString(": ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, l.Seen[i].ID)
	}
	return b.String()
}

func writeThreat(row cli.Row, x *world.Explanation) {
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
	row("", "%.4g m ahead, within the look-ahead of %.4g m; contact at %s m, normal at %s°",
		t.Distance, x.LookAhead, placeText(t.Contact), degreesText(t.Normal))
}

// cutting describes how the maximum force truncates the sum of forces.
func cutting(x *world.Explanation) string {
	size := r2.Norm(x.Force)
	switch {
	case x.MovedBy != "Integration" && x.Force != (r2.Vec{}):
		return fmt.Sprintf("the force, %.4g N, is not applied, because Integration does not move the agent", size)
	case x.MovedBy != "Integration":
		return "none, because there is no force"
	case math.IsInf(x.MaxForce, 1):
		return fmt.Sprintf("none: %.4g N, no limit", size)
	case size <= x.MaxForce:
		return fmt.Sprintf("none: %.4g N of at most %.4g N", size, x.MaxForce)
	}
	return fmt.Sprintf("%.4g N exceeds the limit of %.4g N: %.4g%% of each force remains", size, x.MaxForce, 100*r2.Norm(x.Truncated)/size)
}

func writeWalking(row cli.Row, x *world.Explanation) {
	if x.Reciprocal == nil || x.Reciprocal.Walking == nil {
		return
	}
	w := x.Reciprocal.Walking
	text := fmt.Sprintf("prefers %.4g m/s alone, %.4g m/s here: %s", w.Free, w.Speed, whyText(w))
	if w.Inertia {
		text += "; it cannot accelerate to that at once"
	}
	row("walking", "%s", text)
}

func whyText(w *systems.Walking) string {
	side, overtakes := strings.CutPrefix(w.Why, "overtaking ")
	switch {
	case overtakes:
		return fmt.Sprintf("it overtakes agent %d on the %s, at a gap of %.4g m", w.Other, side, max(w.Gap, 0))
	case w.Why == "gap":
		return fmt.Sprintf("the gap to agent %d ahead is %.4g m", w.Other, max(w.Gap, 0))
	case w.Why == "density":
		return fmt.Sprintf("the density ahead is %.4g people/m²", w.Density)
	case w.Why == "oncoming":
		return fmt.Sprintf("agent %d comes toward it", w.Other)
	}
	return "nothing slows it"
}
