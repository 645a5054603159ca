package explain

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// forceTable returns a table of the forces, or nil if there are none. The first two rows are names and units.
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
		if f.GainUnit == "" { // this is not the force of a rule
			rawX, rawY, gain = "", "", ""
		}
		rows = append(rows, []string{s.Behavior, rawX, rawY, unit, gain, text[2][k], text[3][k], text[4][k], to, text[5][k], text[6][k], text[7][k]})
	}
	rows = append(rows, []string{"sum", "", "", "", "", text[2][n], text[3][n], text[4][n], degreesText(x.Force), "", text[6][n], text[7][n]})
	if x.Reciprocal != nil { // ORCA does not apply forces
		for i := range rows {
			rows[i] = rows[i][:10]
		}
	}
	return rows
}

// combining describes what a combination other than the sum does to the forces. It returns "" for the sum.
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

// mostNamed is the maximum number of neighbors listed by ID.
const mostNamed = 12

func writeLooks(row cli.Row, x *world.Explanation) {
	for i := range x.Looks {
		l := &x.Looks[i]
		field := ""
		if l.View > 0 && l.View < 2*math.Pi {
			field = fmt.Sprintf(", in %.4g° about %s°", vec.Degrees(l.View), degreesText(l.Facing))
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
	row("choice", "prefers %s m/s and, with %d half-planes of others and walls, chooses %s m/s, %s",
		placeText(r.Preferred), len(r.HalfPlanes), placeText(r.Chosen), answer)
}

// idsText lists the IDs of the agents that are seen, up to mostNamed.
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

// writeThreat writes the threat that the agent sees ahead, if the agent looks ahead.
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

// whyText returns the reason for the preferred speed of an agent.
func whyText(w *systems.Walking) string {
	side, overtakes := strings.CutPrefix(w.Why, "overtaking ")
	switch {
	case overtakes:
		return fmt.Sprintf("it overtakes agent %d on the %s, after a gap of %.4g m", w.Other, side, max(w.Gap, 0))
	case w.Why == "gap":
		return fmt.Sprintf("the gap to agent %d ahead is %.4g m", w.Other, max(w.Gap, 0))
	case w.Why == "density":
		return fmt.Sprintf("the density ahead is %.4g people/m²", w.Density)
	case w.Why == "oncoming":
		return fmt.Sprintf("agent %d comes toward it", w.Other)
	}
	return "nothing slows it"
}
