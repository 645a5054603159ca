package plot

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"

	"gonum.org/v1/plot/vg"
)

// front is the points of a sweep in the plane of two figures.
type front struct {
	*studyDrawing
	goals [2]Goal
	over  []int // axes that points are means over
	axes  []int // axes that tell points apart
	all   []Candidate
	left  int // points that lack a figure
}

// front draws all points in the plane of two figures, and marks and names those that no other
// beats. Without --pareto there is none if no figure is known to be better or worse.
func (p *studyDrawing) front(s *Sheet) (*front, error) {
	f, names := &front{studyDrawing: p}, p.Pareto
	if len(names) == 0 {
		if names = p.costAndQuality(); names == nil {
			return nil, nil
		}
	}
	for i, name := range names {
		var err error
		if f.goals[i], err = parseGoal(name); err != nil {
			return nil, fmt.Errorf("--pareto: %w", err)
		}
		if err := p.checkFigure("--pareto", f.goals[i].Figure); err != nil {
			return nil, err
		}
	}
	if len(p.Over) == 0 {
		f.over = p.Tasks()
	} else if len(p.Over) > 1 || p.Over[0] != "none" {
		var err error
		if f.over, err = p.axesOf("--over", p.Over); err != nil {
			return nil, err
		}
	}
	if len(f.over) > 0 && len(f.over) == len(p.Varies()) {
		if f.over = nil; len(p.Over) > 0 {
			return nil, errors.New("--over has all axes that vary: there would be one point")
		}
	}
	f.axes = slices.DeleteFunc(p.Varies(), func(i int) bool { return slices.Contains(f.over, i) })
	all, left, err := p.Candidates(f.goals[0], f.goals[1], f.over)
	if f.all, f.left = all, left; err == nil && len(all) == 0 {
		err = fmt.Errorf("no point has both %s and %s", f.goals[0].Figure, f.goals[1].Figure)
	}
	if err != nil {
		return nil, err
	}
	if left > 0 {
		p.note("%d of %s left out of the front: without %s or %s in one of the cases", left, cli.Plural(left+len(all), "point"), f.goals[0].Figure, f.goals[1].Figure)
	}
	means := "seeds"
	for _, i := range f.over {
		means += ", " + p.Axes[i].Name
	}
	s.Caption = append(s.Caption, fmt.Sprintf("%s, means over %s; no other point beats the numbered ones: better is %s", cli.Plural(len(all), "point"), means, f.better()))
	s.Panels = append(s.Panels, f.panel())
	return f, nil
}

// costAndQuality returns the fairest cost that runs have, and the first figure that all runs have and that
// is known to be better or worse; nil if there are none.
func (p *studyDrawing) costAndQuality() []string {
	costs := []string{"us_per_agent_second", "ns_per_agent_step"} // steps may differ in length
	i := slices.IndexFunc(costs, func(name string) bool { least, most, _ := p.Span(name); return least <= most })
	names := p.Figure
	if len(names) == 0 {
		names = append([]string{"collisions", "arrived_share"}, sweepChief...) // times of arrival are of agents that arrived
	}
	for _, name := range names {
		least, most, missing := p.Span(name)
		if i >= 0 && figureOf(name).better != 0 && !slices.Contains(costs, name) && least < most && missing == 0 {
			return []string{costs[i], name}
		}
	}
	return nil
}

// parseGoal reads a figure, with + before it if more is better, or - if less is.
func parseGoal(text string) (g Goal, err error) {
	g.Figure = strings.TrimLeft(text, "+-")
	better, sign := figureOf(g.Figure).better, text[:len(text)-len(g.Figure)]
	g.More = sign == "+" || sign == "" && better > 0
	switch {
	case g.Figure == "":
		err = fmt.Errorf("%q names no figure", text)
	case len(sign) > 1:
		err = fmt.Errorf("%q: want one sign at most", text)
	case sign == "" && better == 0:
		err = fmt.Errorf("which way %s is better is not known: write +%s if more is, or -%s if less is", g.Figure, g.Figure, g.Figure)
	}
	return g, err
}

// better says which way the figures are better.
func (f *front) better() string {
	of := func(g Goal) string {
		return map[bool]string{true: "more ", false: "less "}[g.More] + figureOf(g.Figure).words
	}
	return of(f.goals[0]) + " and " + of(f.goals[1])
}

// panel draws the points: rings, and discs with a number for those that no other beats. The legend names them.
func (f *front) panel() *Panel {
	fx, fy := figureOf(f.goals[0].Figure), figureOf(f.goals[1].Figure)
	panel := NewPanel(f.style, "", fx.axis(), fy.axis())
	var xs, ys []float64
	for _, c := range f.all {
		xs, ys = append(xs, c.X*fx.scale), append(ys, c.Y*fy.scale)
	}
	wide := func(all []float64) bool { return slices.Min(all) > 0 && slices.Max(all) > 8*slices.Min(all) }
	panel.Log(wide(xs), wide(ys))
	var best []Series
	beaten := Series{Name: "other points", Color: -1, Glyph: 4}
	for i, c := range f.all {
		if at := At(xs[i], ys[i]); c.Best {
			best = append(best, Series{Name: fmt.Sprintf("%d: %s", len(best)+1, f.nameOf(c)), Points: Points{at}})
		} else {
			beaten.Points = append(beaten.Points, at)
		}
	}
	panel.AddSeries(Marked, append(best, beaten)...)
	for i, s := range best {
		panel.Write(s.Points, []string{fmt.Sprint(i + 1)}, vg.Point{X: 4, Y: 4}, f.style.Text(9, f.style.Ink))
	}
	return panel
}

// value returns the value of a point on an axis: a number, a word, or nil.
func (f *front) value(c Candidate, axis int) any {
	a, k := f.Axes[axis], c.At[axis]
	if k < 0 {
		return nil
	} else if a.Numbers != nil {
		return a.Numbers[k]
	}
	return a.Values[k]
}

// nameOf names a point by its values.
func (f *front) nameOf(c Candidate) string {
	var parts []string
	for _, i := range f.axes {
		switch v := f.value(c, i).(type) {
		case string:
			parts = append(parts, cli.Shorten(v, 24))
		case float64:
			parts = append(parts, cli.Shorten(f.Axes[i].Name, 24)+" "+ShortValue(v))
		}
	}
	return strings.Join(parts, ", ")
}

// write prints the points that no other beats, the best in the first figure first.
func (f *front) write(to io.Writer) error {
	if _, err := cli.Fprintf(to, "no other point beats these: better is %s\n", f.better()); err != nil {
		return err
	}
	fx, fy := figureOf(f.goals[0].Figure), figureOf(f.goals[1].Figure)
	table, line := cli.NewTable(to), strings.Repeat("  %s\t", 2+len(f.axes))
	head := []any{fx.axis(), fy.axis()}
	for _, i := range f.axes {
		head = append(head, f.Axes[i].Name)
	}
	table.Head(line, head...)
	for _, c := range f.all {
		row := []any{cli.Figure(c.X * fx.scale), cli.Figure(c.Y * fy.scale)}
		for _, i := range f.axes {
			text := "–"
			switch v := f.value(c, i).(type) {
			case string:
				text = cli.Shorten(v, 40)
			case float64:
				text = cli.Figure(v)
			}
			row = append(row, text)
		}
		if c.Best {
			table.Line(cli.Plain, line, row...)
		}
	}
	return table.Flush()
}

// writeJSON prints the same for programs.
func (f *front) writeJSON(to io.Writer) error {
	type object = map[string]any
	over, goals, points := []string{}, []object{}, []object{}
	for _, i := range f.over {
		over = append(over, f.Axes[i].Name)
	}
	for _, g := range f.goals {
		goals = append(goals, object{"figure": g.Figure, "better": map[bool]string{true: "more", false: "less"}[g.More]})
	}
	for _, c := range f.all {
		point := object{}
		for i, a := range f.Axes {
			if v := f.value(c, i); v != nil {
				point[a.Name] = v
			}
		}
		if c.Best {
			points = append(points, object{"point": point, "figures": object{f.goals[0].Figure: c.X, f.goals[1].Figure: c.Y}})
		}
	}
	return output.WriteJSON(to, object{"goals": goals, "over": over, "points": len(f.all), "left_out": f.left, "front": points})
}
