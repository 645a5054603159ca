package plot

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/internal/suggest"
	"gonum.org/v1/plot/vg"
)

// sweepChief are the figures that are drawn by default, the first ones first.
var sweepChief = []string{"arrived_share", "flow", "mean_arrival_time", "collisions", "ns_per_agent_step", "lines[0].flow", "agent_time_in_collision", "wiggle", "path_ratio", "energy"}

// mostBins is the number of bins of scattered values on an axis.
const mostBins = 8

// front is the points of a sweep in the plane of two figures.
type front struct {
	*drawing
	goals [2]Goal
	over  []int // axes that points are means over
	axes  []int // axes that tell points apart
	all   []Candidate
	left  int // points that lack a figure
}

// sweepOverview draws means, and the front if a figure is known to be better or worse.
func (p *drawing) sweepOverview() (*Sheet, error) {
	s, err := p.effects()
	if err != nil {
		return nil, err
	}
	if names := p.costAndQuality(); names != nil {
		return p.drawFront(s, names)
	} else if p.JSON {
		return nil, errors.New("--json prints what no other beats, and no figure is known to be better or worse in all runs: choose two with --pareto")
	}
	return s, nil
}

// sweepFront draws the front alone.
func (p *drawing) sweepFront() (*Sheet, error) {
	if len(p.Pareto) != 2 || strings.TrimLeft(p.Pareto[0], "+-") == strings.TrimLeft(p.Pareto[1], "+-") {
		return nil, fmt.Errorf("--pareto is %s, want two figures", strings.Join(p.Pareto, ","))
	}
	return p.drawFront(p.sweep(1), p.Pareto)
}

// sweep begins a picture, and counts the runs that are left out.
func (p *drawing) sweep(columns int) *Sheet {
	if p.study.Failed+p.study.Dead > 0 {
		p.note("%d of %s left out: %d failed, %d dead", p.study.Failed+p.study.Dead, cli.Plural(p.study.Runs, "run"), p.study.Failed, p.study.Dead)
	}
	return p.picture(columns)
}

// means returns the figures that are asked for, or else up to three main ones that differ.
func (p *drawing) means() (figures []string, err error) {
	if p.X != "" {
		figures = strings.Split(p.X, ",")
	}
	for _, name := range figures {
		if err := p.checkFigure("--x", name); err != nil {
			return nil, err
		}
	}
	for _, name := range sweepChief {
		if least, most, _ := p.study.Span(name); p.X == "" && len(figures) < 3 && least < most {
			figures = append(figures, name)
		}
	}
	if p.study.Runs == p.study.Failed+p.study.Dead {
		return nil, fmt.Errorf("%s: no run has a result: %d failed, %d given up; the column error says why", p.files[0].Name, p.study.Failed, p.study.Dead)
	} else if len(figures) == 0 {
		return nil, fmt.Errorf("%s: none of the main figures differs; choose with --x from %s", p.files[0].Name, list(p.study.Figures))
	}
	for _, name := range figures {
		if _, _, n := p.study.Span(name); n > 0 {
			p.note("%d of %s have no %s", n, cli.Plural(p.study.Runs-p.study.Failed-p.study.Dead, "run"), name)
		}
	}
	return figures, nil
}

// checkFigure returns an error if a sweep has no such figure.
func (p *drawing) checkFigure(flag, name string) error {
	if !slices.Contains(p.study.Figures, name) {
		return fmt.Errorf("%s: no figure is called %q, %s", flag, name, suggest.OneOf(name, p.study.Figures))
	} else if least, most, _ := p.study.Span(name); least > most {
		return fmt.Errorf("%s: no run has measured %s; others are %s", flag, name, strings.Join(p.study.Figures, ", "))
	}
	return nil
}

// axesOf returns axes by their names.
func (p *drawing) axesOf(flag string, names []string) (axes []int, err error) {
	var all []string
	for _, a := range p.study.Axes {
		all = append(all, a.Name)
	}
	for _, name := range names {
		i := slices.Index(all, name)
		if i < 0 {
			return nil, fmt.Errorf("%s: no axis is called %q, %s", flag, name, suggest.OneOf(name, all))
		}
		axes = append(axes, i)
	}
	return axes, nil
}

// effects draws the mean of each figure at each value of each axis, over all else. Panels of one figure
// have one scale.
func (p *drawing) effects() (*Sheet, error) {
	figures, err := p.means()
	if err != nil {
		return nil, err
	}
	axes, seeds := p.study.Varies(), len(p.study.Seeds)
	if len(axes) == 0 {
		return nil, fmt.Errorf("%s: no axis has two values, so nothing can be compared", p.files[0].Name)
	}
	s := p.sweep(min(len(axes), 4))
	if len(axes) == 1 {
		s.Columns = min(len(figures), 3)
	}
	text := "; bars are 95 % intervals over seeds (Student's t of the means of each seed)"
	if seeds == 1 {
		text = ", and so without intervals"
	}
	s.Caption = append(s.Caption, fmt.Sprintf("Means over all other axes of %s, %s each%s", cli.Plural(len(p.study.Points), "point"), cli.Plural(seeds, "seed"), text))
	for color, name := range figures {
		f, least, most := figureOf(name), math.Inf(1), math.Inf(-1)
		first := len(s.Panels)
		for _, i := range axes {
			a, levels := p.study.Axes[i], p.study.Levels(i, mostBins)
			panel := NewPanel(p.style, "", figureOf(a.Name).axis(), f.axis())
			if levels.Binned {
				panel.X.Label.Text += fmt.Sprintf(", in %d quantiles", len(levels.Names))
			}
			look, line := Marked|Barred, Series{Color: color}
			for _, mean := range p.study.Effect(i, levels, name) {
				at := At(float64(mean.Level), mean.Mean*f.scale)
				if levels.At != nil {
					at.X = levels.At[mean.Level]
				}
				if half := mean.Half * f.scale; !math.IsNaN(half) {
					at.Low, at.High = at.Y-half, at.Y+half
				}
				least, most, line.Points = min(least, at.Low), max(most, at.High), append(line.Points, at)
			}
			if levels.At != nil {
				look |= Joined
				panel.log(wide(a.Numbers), false)
			}
			if panel.AddSeries(look, line); levels.At == nil {
				panel.names(&panel.X, levels.Names, 1)
			}
			s.Panels = append(s.Panels, panel)
		}
		for _, panel := range s.Panels[first:] {
			panel.Y.Min, panel.Y.Max = least, most
		}
	}
	return s, nil
}

// wide reports whether numbers need a logarithmic axis.
func wide(all []float64) bool { return slices.Min(all) > 0 && slices.Max(all) > 8*slices.Min(all) }

// heats draws the mean of each figure over two axes as colors.
func (p *drawing) heats() (*Sheet, error) {
	if len(p.Heat) != 2 || p.Heat[0] == p.Heat[1] {
		return nil, fmt.Errorf("--heat is %s, want two axes", strings.Join(p.Heat, ","))
	}
	at, err := p.axesOf("--heat", p.Heat)
	if err != nil {
		return nil, err
	}
	figures, err := p.means()
	if err != nil {
		return nil, err
	}
	text, levels := "Means over seeds and all other axes; gray cells have no runs", [2]*Levels{}
	for i, name := range p.Heat {
		most := int(min(max(math.Sqrt(float64(len(p.study.Points))/3), 2), mostBins)) // a few points in each cell
		if levels[i] = p.study.Levels(at[i], most); len(levels[i].Names) > 60 {
			return nil, fmt.Errorf("--heat: %s has %d values, want at most 60", name, len(levels[i].Names))
		} else if levels[i].Binned && !strings.HasSuffix(text, "quantiles") {
			text += "; scattered values are in quantiles"
		}
	}
	s := p.sweep(min(len(figures), 3))
	s.Caption = append(s.Caption, text)
	for _, name := range figures {
		f := figureOf(name)
		panel := NewPanel(p.style, f.axis(), figureOf(p.Heat[0]).axis(), figureOf(p.Heat[1]).axis())
		cells := p.study.Grid(at[0], at[1], levels[0], levels[1], name)
		for _, row := range cells {
			for k := range row {
				row[k] *= f.scale
			}
		}
		panel.heat(cells, levels[0].Names, levels[1].Names)
		s.Panels = append(s.Panels, panel)
	}
	return s, nil
}

// costAndQuality returns the fairest cost that runs have, and the first figure that all runs have and that
// is known to be better or worse; nil if there are none.
func (p *drawing) costAndQuality() []string {
	costs := []string{"us_per_agent_second", "ns_per_agent_step"} // steps may differ in length
	i := slices.IndexFunc(costs, func(name string) bool { least, most, _ := p.study.Span(name); return least <= most })
	names := append([]string{"collisions", "arrived_share"}, sweepChief...) // times of arrival are of agents that arrived
	if p.X != "" {
		names = strings.Split(p.X, ",")
	}
	for _, name := range names {
		least, most, missing := p.study.Span(name)
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

// drawFront draws all points in the plane of two figures, and marks and names those that no other beats.
func (p *drawing) drawFront(s *Sheet, names []string) (*Sheet, error) {
	f, study := &front{drawing: p}, p.study
	for i, name := range names {
		var err error
		if f.goals[i], err = parseGoal(name); err != nil {
			return nil, fmt.Errorf("--pareto: %w", err)
		}
		if err := p.checkFigure("--pareto", f.goals[i].Figure); err != nil {
			return nil, err
		}
	}
	var err error
	if len(p.Over) == 0 {
		f.over = study.Tasks()
	} else if len(p.Over) > 1 || p.Over[0] != "none" {
		if f.over, err = p.axesOf("--over", p.Over); err != nil {
			return nil, err
		}
	}
	if len(f.over) > 0 && len(f.over) == len(study.Varies()) {
		if f.over = nil; len(p.Over) > 0 {
			return nil, errors.New("--over has all axes that vary: there would be one point")
		}
	}
	f.axes = slices.DeleteFunc(study.Varies(), func(i int) bool { return slices.Contains(f.over, i) })
	f.all, f.left, err = study.Candidates(f.goals[0], f.goals[1], f.over)
	if err == nil && len(f.all) == 0 {
		err = fmt.Errorf("no point has both %s and %s", f.goals[0].Figure, f.goals[1].Figure)
	}
	if err != nil {
		return nil, err
	}
	if f.left > 0 {
		p.note("%d of %s left out of the front: without %s or %s in one of the cases", f.left, cli.Plural(f.left+len(f.all), "point"), f.goals[0].Figure, f.goals[1].Figure)
	}
	means := "seeds"
	for _, i := range f.over {
		means += ", " + study.Axes[i].Name
	}
	s.Caption = append(s.Caption, fmt.Sprintf("%s, means over %s; no other point beats the numbered ones: better is %s", cli.Plural(len(f.all), "point"), means, f.better()))
	s.Panels, p.best = append(s.Panels, f.panel()), f
	return s, nil
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
	var xs, ys []float64
	for _, c := range f.all {
		xs, ys = append(xs, c.X*fx.scale), append(ys, c.Y*fy.scale)
	}
	panel := NewPanel(f.style, "", fx.axis(), fy.axis()).log(wide(xs), wide(ys))
	beaten, n := Series{Name: "other points", Color: -1, Glyph: 4}, 0
	for i, c := range f.all {
		at := At(xs[i], ys[i])
		if !c.Best {
			beaten.Points = append(beaten.Points, at)
			continue
		}
		n++
		var parts []string
		for _, axis := range f.axes {
			switch v := f.value(c, axis).(type) {
			case string:
				parts = append(parts, cli.Shorten(v, 24))
			case float64:
				parts = append(parts, cli.Shorten(f.study.Axes[axis].Name, 24)+" "+short(v))
			}
		}
		panel.AddSeries(Marked, Series{Name: fmt.Sprintf("%d: %s", n, strings.Join(parts, ", ")), Points: Points{at}})
		panel.write(at, fmt.Sprint(n), vg.Point{X: 4, Y: 4}, f.style.text(9, f.style.Ink))
	}
	panel.AddSeries(Marked, beaten)
	return panel
}

// value returns the value of a point on an axis: a number, a word, or nil.
func (f *front) value(c Candidate, axis int) any {
	a, k := f.study.Axes[axis], c.At[axis]
	if k < 0 {
		return nil
	} else if a.Numbers != nil {
		return a.Numbers[k]
	}
	return a.Values[k]
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
		head = append(head, f.study.Axes[i].Name)
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
		over = append(over, f.study.Axes[i].Name)
	}
	for _, g := range f.goals {
		goals = append(goals, object{"figure": g.Figure, "better": map[bool]string{true: "more", false: "less"}[g.More]})
	}
	for _, c := range f.all {
		point := object{}
		for i, a := range f.study.Axes {
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
