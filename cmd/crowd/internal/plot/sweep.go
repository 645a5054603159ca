package plot

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/internal/suggest"
	"gonum.org/v1/plot/vg"
)

const mostBins = 8 // maximum number of quantiles of an axis; see study.levels

type front struct {
	*drawing
	goals [2]goal
	over  []*axis // points are means over these
	axes  []*axis // points differ on these
	all   []candidate
	left  int // points that lack a metric
}

func (p *drawing) sweepOverview() (*Sheet, error) {
	s, err := p.effects()
	if names := p.costAndQuality(); err == nil && names != nil {
		return s, p.drawFront(s, names)
	} else if err == nil && p.JSON {
		err = errors.New("--json prints a Pareto front, but no metric with a known better direction is in all runs and differs between them: choose two metrics with --pareto")
	}
	return s, err
}

func (p *drawing) sweepFront() (*Sheet, error) {
	if len(p.Pareto) != 2 || strings.TrimLeft(p.Pareto[0], "+-") == strings.TrimLeft(p.Pareto[1], "+-") {
		return nil, fmt.Errorf("--pareto is %s, want two metrics", strings.Join(p.Pareto, ","))
	}
	s := p.picture(1)
	return s, p.drawFront(s, p.Pareto)
}

// means returns the metrics of --x, or else up to three main metrics that differ between runs.
func (p *drawing) means() (metrics []string, err error) {
	if p.X != "" {
		metrics = strings.Split(p.X, ",")
	}
	for _, name := range metrics {
		if err := p.check("--x", name); err != nil {
			return nil, err
		}
	}
	for _, name := range chief {
		if least, most, _ := p.study.span(name); p.X == "" && len(metrics) < 3 && least < most {
			metrics = append(metrics, name)
		}
	}
	if len(p.study.ok) == 0 {
		return nil, fmt.Errorf("%s: no run has a result: %d failed, %d given up; the error column says why", p.files[0].Name, p.study.failed, p.study.dead)
	} else if len(metrics) == 0 {
		return nil, fmt.Errorf("%s: no main metric differs between runs, want --x with one of: %s", p.files[0].Name, list(p.columns(true)))
	}
	for _, name := range metrics {
		if _, _, n := p.study.span(name); n > 0 {
			p.note("no %s in %d of %s", name, n, cli.Plural(len(p.study.ok), "run"))
		}
	}
	return metrics, nil
}

func (p *drawing) axesOf(flag string, names []string) (axes []*axis, err error) {
	all := axisNames(p.study.axes)
	for _, name := range names {
		i := slices.Index(all, name)
		if i < 0 {
			return nil, fmt.Errorf("%s: no axis is named %q, %s", flag, name, suggest.OneOf(name, all))
		}
		axes = append(axes, p.study.axes[i])
	}
	return axes, nil
}

// effects draws the mean of each metric at each level of each axis that varies. Panels of a metric share a
// scale.
func (p *drawing) effects() (*Sheet, error) {
	metrics, err := p.means()
	if err != nil {
		return nil, err
	}
	axes, seeds := p.study.varies(), len(p.study.seeds)
	if len(axes) == 0 {
		return nil, fmt.Errorf("%s: no axis has two values, so nothing can be compared", p.files[0].Name)
	}
	s := p.picture(min(len(axes), 4))
	if len(axes) == 1 {
		s.Columns = min(len(metrics), 3)
	}
	text := "; bars are 95% confidence intervals over seeds (Student's t of the means of each seed)"
	if seeds == 1 {
		text = ", and therefore without intervals"
	}
	s.Caption = append(s.Caption, fmt.Sprintf("Means over all other axes; %s, %s each%s", cli.Plural(p.study.points(p.study.axes), "point"), cli.Plural(seeds, "seed"), text))
	for color, name := range metrics {
		least, most := math.Inf(1), math.Inf(-1)
		for _, a := range axes {
			l, look := p.study.levels(a, mostBins), Marked|Barred
			panel := NewPanel(p.style, "", metricOf(a.name).Axis(), metricOf(name).Axis())
			if l.binned {
				panel.X.Label.Text += fmt.Sprintf(" (%d quantiles)", len(l.names))
			}
			if l.at != nil {
				look |= Joined
				panel.log(wide(a.numbers), false)
			}
			line := Series{Color: color, Points: p.study.effect(a, l, name)}
			for _, at := range line.Points {
				least, most = min(least, at.Low), max(most, at.High)
			}
			if panel.AddSeries(look, line); l.at == nil {
				panel.names(&panel.X, l.names, 1)
			} else {
				panel.widen(&panel.X)
			}
			s.Panels = append(s.Panels, panel)
		}
		for _, panel := range s.Panels[len(s.Panels)-len(axes):] {
			panel.Y.Min, panel.Y.Max = least, most
			panel.widen(&panel.Y)
		}
	}
	return s, nil
}

// wide reports whether numbers need a logarithmic axis.
func wide(all []float64) bool { return slices.Min(all) > 0 && slices.Max(all) > 8*slices.Min(all) }

func (p *drawing) heats() (*Sheet, error) {
	if len(p.Heat) != 2 || p.Heat[0] == p.Heat[1] {
		return nil, fmt.Errorf("--heat is %s, want two axes", strings.Join(p.Heat, ","))
	}
	axes, err := p.axesOf("--heat", p.Heat)
	if err != nil {
		return nil, err
	}
	metrics, err := p.means()
	if err != nil {
		return nil, err
	}
	text, ls := "Means over seeds and all other axes; gray cells have no runs", [2]*levels{}
	for i, a := range axes {
		most := int(min(max(math.Sqrt(float64(p.study.points(p.study.axes))/3), 2), mostBins)) // a few points per cell
		if ls[i] = p.study.levels(a, most); len(ls[i].names) > 60 {
			return nil, fmt.Errorf("--heat: %s has %d values, want at most 60", a.name, len(ls[i].names))
		} else if len(ls[i].names) == 0 {
			return nil, fmt.Errorf("--heat: %s has no values", a.name)
		} else if ls[i].binned && !strings.HasSuffix(text, "quantiles") {
			text += "; scattered values are grouped in quantiles"
		}
	}
	s := p.picture(min(len(metrics), 3))
	s.Caption = append(s.Caption, text)
	for _, name := range metrics {
		panel := NewPanel(p.style, metricOf(name).Axis(), metricOf(p.Heat[0]).Axis(), metricOf(p.Heat[1]).Axis())
		panel.heat(p.study.grid(axes[0], axes[1], ls[0], ls[1], name), ls[0].names, ls[1].names)
		s.Panels = append(s.Panels, panel)
	}
	return s, nil
}

// costAndQuality returns the fairest measured cost and a quality, or nil if either is missing. The quality is
// the first metric of --x, or the first main metric without --x, that has a known better direction, is in all
// successful runs, and varies.
func (p *drawing) costAndQuality() []string {
	costs := []string{"us_per_agent_second", "ns_per_agent_step"} // steps may have different lengths
	i := slices.IndexFunc(costs, func(name string) bool { least, most, _ := p.study.span(name); return least <= most })
	names := append([]string{"collisions", "arrived_share"}, chief...) // arrival times cover only agents that arrived
	if p.X != "" {
		names = strings.Split(p.X, ",")
	}
	for _, name := range names {
		least, most, missing := p.study.span(name)
		if i >= 0 && metricOf(name).Better != 0 && !slices.Contains(costs, name) && least < most && missing == 0 {
			return []string{costs[i], name}
		}
	}
	return nil
}

// parseGoal parses a metric after a sign: + for more, or - for less. Without a sign, the better direction
// must be known.
func parseGoal(text string) (g goal, err error) {
	g.metric = strings.TrimLeft(text, "+-")
	better, sign := metricOf(g.metric).Better, text[:len(text)-len(g.metric)]
	g.more = sign == "+" || sign == "" && better > 0
	switch {
	case g.metric == "":
		err = fmt.Errorf("%q names no metric", text)
	case len(sign) > 1:
		err = fmt.Errorf("%q has several signs, want at most one sign", text)
	case sign == "" && better == 0:
		err = fmt.Errorf("the better direction of %s is unknown: write +%s if more is better, or -%s if less is", g.metric, g.metric, g.metric)
	}
	return g, err
}

// drawFront adds a panel with the Pareto front of two metrics to s, and sets p.best.
func (p *drawing) drawFront(s *Sheet, names []string) (err error) {
	f := &front{drawing: p, over: p.study.tasks()}
	for i, name := range names {
		if f.goals[i], err = parseGoal(name); err != nil {
			return fmt.Errorf("--pareto: %w", err)
		} else if err = p.check("--pareto", f.goals[i].metric); err != nil {
			return err
		}
	}
	if slices.Equal(p.Over, []string{"none"}) {
		f.over = nil
	} else if len(p.Over) > 0 {
		if f.over, err = p.axesOf("--over", p.Over); err != nil {
			return err
		}
	}
	if len(f.over) > 0 && len(f.over) == len(p.study.varies()) {
		if f.over = nil; len(p.Over) > 0 {
			return errors.New("--over contains all axes that vary, so only one point would be left")
		}
	}
	x, y := f.goals[0].metric, f.goals[1].metric
	f.axes = without(p.study.varies(), f.over)
	if f.all, f.left, err = p.study.candidates(f.goals[0], f.goals[1], f.over); err != nil {
		return err
	} else if len(f.all) == 0 {
		return fmt.Errorf("%s: no point has both %s and %s", p.files[0].Name, x, y)
	}
	if f.left > 0 {
		p.note("%d of %s left out of the front, for lack of %s or %s in some runs", f.left, cli.Plural(f.left+len(f.all), "point"), x, y)
	}
	means := strings.Join(append([]string{"seeds"}, axisNames(f.over)...), ", ")
	s.Caption = append(s.Caption, fmt.Sprintf("%s, means over %s; no other point beats the numbered ones: better is %s", cli.Plural(len(f.all), "point"), means, f.better()))
	s.Panels, p.best = append(s.Panels, f.panel()), f
	return nil
}

func (f *front) better() string {
	of := func(g goal) string {
		m, better := metricOf(g.metric), g.better()
		if first, _, _ := strings.Cut(m.Name, " "); !g.more && m.Better < 0 && strings.HasSuffix(first, "s") {
			better = "fewer" // a plural
		}
		return better + " " + m.Name
	}
	return of(f.goals[0]) + " and " + of(f.goals[1])
}

func (f *front) panel() *Panel {
	fx, fy := metricOf(f.goals[0].metric), metricOf(f.goals[1].metric)
	var xs, ys []float64
	for _, c := range f.all {
		xs, ys = append(xs, c.x*fx.Scale()), append(ys, c.y*fy.Scale())
	}
	panel := NewPanel(f.style, "", fx.Axis(), fy.Axis()).log(wide(xs), wide(ys))
	beaten, n := Series{Name: "other points", Color: -1, Glyph: 4}, 0
	for i, c := range f.all {
		at := At(xs[i], ys[i])
		if !c.best {
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
				parts = append(parts, cli.Shorten(axis.name, 24)+" "+short(v))
			}
		}
		panel.AddSeries(Marked, Series{Name: fmt.Sprintf("%d: %s", n, strings.Join(parts, ", ")), Points: Points{at}})
		panel.write(at, fmt.Sprint(n), vg.Point{X: 4, Y: 4}, f.style.text(9, f.style.Ink))
	}
	panel.AddSeries(Marked, beaten)
	panel.widen(&panel.X)
	panel.widen(&panel.Y)
	return panel
}

// value returns a point's value on an axis, as a float64 or a string, or nil if the point has none or is a
// mean over the axis.
func (f *front) value(c candidate, a *axis) any {
	text := a.of(c.row)
	if text == "" || slices.Contains(f.over, a) {
		return nil
	} else if x, err := strconv.ParseFloat(text, 64); err == nil && a.numbers != nil {
		return x
	}
	return text
}

func (f *front) write(to io.Writer) error {
	if _, err := cli.Fprintf(to, "no other point beats these: better is %s\n", f.better()); err != nil {
		return err
	}
	fx, fy := metricOf(f.goals[0].metric), metricOf(f.goals[1].metric)
	table, line := cli.NewTable(to), strings.Repeat("  %s\t", 2+len(f.axes))
	head := []any{fx.Axis(), fy.Axis()}
	for _, name := range axisNames(f.axes) {
		head = append(head, name)
	}
	table.Head(line, head...)
	for _, c := range f.all {
		row := []any{cli.Number(c.x * fx.Scale()), cli.Number(c.y * fy.Scale())}
		for _, a := range f.axes {
			text := "–"
			switch v := f.value(c, a).(type) {
			case string:
				text = cli.Shorten(v, 40)
			case float64:
				text = cli.Number(v)
			}
			row = append(row, text)
		}
		if c.best {
			table.Line(cli.Plain, line, row...)
		}
	}
	return table.Flush()
}

// Metrics have the units of the files.
func (f *front) writeJSON(to io.Writer) error {
	type object = map[string]any
	goals, points := []object{}, []object{}
	for _, g := range f.goals {
		goals = append(goals, object{"figure": g.metric, "better": g.better()})
	}
	for _, c := range f.all {
		point := object{}
		for _, a := range f.study.axes {
			if v := f.value(c, a); v != nil {
				point[a.name] = v
			}
		}
		if c.best {
			points = append(points, object{"point": point, "figures": object{f.goals[0].metric: c.x, f.goals[1].metric: c.y}})
		}
	}
	return output.WriteJSON(to, object{"goals": goals, "over": axisNames(f.over), "points": len(f.all), "left_out": f.left, "front": points})
}
