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

// front is the Pareto front of two metrics of a sweep.
type front struct {
	*drawing
	goals [2]goal
	over  []*axis // points are means over these
	axes  []*axis // points differ on these
	all   []candidate
	left  int      // points that lack a metric
	lines []string // descriptions of the points on the front
}

type goal struct {
	metric string
	more   bool
}

// parseGoal parses a metric after a sign: + for more, or - for less. Without a sign, the better direction
// must be known.
func parseGoal(text string) (g goal, err error) {
	sign := text[:min(len(text), 1)]
	if g.metric = text; sign == "+" || sign == "-" {
		g.metric = text[1:]
	}
	better := metricOf(g.metric).Better
	if g.more = sign == "+" || sign != "-" && better > 0; g.metric == text && better == 0 {
		err = fmt.Errorf("the better direction of %s is unknown: write +%s if more is better, or -%s if less is", text, text, text)
	}
	return g, err
}

func (g goal) better() string { return map[bool]string{true: "more", false: "less"}[g.more] }

// loss is smaller for better values.
func (g goal) loss(x float64) float64 {
	if g.more {
		return -x
	}
	return x
}

// costAndQuality returns the fairest measured cost and a quality, or nil if either is missing. The quality is
// the first metric of --x or, without --x, of collisions, arrived_share and the main metrics, that has a known
// better direction, is in all successful runs, and varies.
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

func (p *drawing) sweepFront() ([]*Panel, error) { return p.drawFront(p.Pareto) }

// drawFront draws the Pareto front of two metrics, and sets p.best.
func (p *drawing) drawFront(names []string) (panels []*Panel, err error) {
	f := &front{drawing: p, over: p.study.tasks()}
	if len(names) != 2 {
		return nil, fmt.Errorf("--pareto is %s, want two metrics", strings.Join(names, ","))
	}
	for i, name := range names {
		if f.goals[i], err = parseGoal(name); err != nil {
			return nil, fmt.Errorf("--pareto: %w", err)
		} else if err = p.check("--pareto", f.goals[i].metric); err != nil {
			return nil, err
		}
	}
	if slices.Equal(p.Over, []string{"none"}) {
		f.over = nil
	} else if len(p.Over) > 0 {
		if f.over, err = p.axesOf("--over", p.Over); err != nil {
			return nil, err
		}
	}
	if len(f.over) > 0 && len(f.over) == len(p.study.varies()) {
		if f.over = nil; len(p.Over) > 0 {
			return nil, errors.New("--over contains all axes that vary, so only one point would be left")
		}
	}
	x, y := f.goals[0].metric, f.goals[1].metric
	f.axes = without(p.study.varies(), f.over)
	if f.all, f.left, err = p.study.candidates(f.goals[0], f.goals[1], f.over); err != nil {
		return nil, err
	} else if len(f.all) == 0 {
		return nil, fmt.Errorf("%s: no point has both %s and %s", p.files[0].Name, x, y)
	}
	if f.left > 0 {
		p.note("%d of %s left out of the front, for lack of %s or %s in some runs", f.left, cli.Plural(f.left+len(f.all), "point"), x, y)
	}
	over := strings.Join(append([]string{"seeds"}, axisNames(f.over)...), ", ")
	p.caption = append(p.caption, fmt.Sprintf("%s, means over %s; no other point beats the numbered ones in %s", cli.Plural(len(f.all), "point"), over, f.better()))
	p.best = f
	return []*Panel{f.panel()}, nil
}

func (f *front) better() string {
	g, h := f.goals[0], f.goals[1]
	return fmt.Sprintf("%s (%s is better) and %s (%s is better)", metricOf(g.metric).Name, g.better(), metricOf(h.metric).Name, h.better())
}

func (f *front) panel() *Panel {
	fx, fy := metricOf(f.goals[0].metric), metricOf(f.goals[1].metric)
	var xs, ys []float64
	for _, c := range f.all {
		xs, ys = append(xs, c.x*fx.Scale()), append(ys, c.y*fy.Scale())
	}
	panel := NewPanel(f.style, "", fx.Axis(), fy.Axis()).log(wide(xs), wide(ys))
	beaten := Series{Name: "other points", Color: -1, Glyph: 4}
	for i, c := range f.all {
		at := At(xs[i], ys[i])
		if !c.best {
			beaten.Points = append(beaten.Points, at)
			continue
		}
		var parts []string
		for _, a := range f.axes {
			value := cli.Shorten(a.of(c.row), 24)
			if a.numeric && value != "" {
				value = cli.Shorten(a.name, 24) + " " + value
			}
			parts = append(parts, value)
		}
		name := fmt.Sprintf("%d: %s", len(f.lines)+1, strings.Join(parts, ", "))
		panel.AddSeries(Marked, Series{Name: name, Points: Points{at}})
		panel.write(at, fmt.Sprint(len(f.lines)+1), vg.Point{X: 4, Y: 4}, f.style.text(9, f.style.Ink))
		f.lines = append(f.lines, fmt.Sprintf("%s: %s (%s), %s (%s)", name, cli.Number(at.X), fx.Axis(), cli.Number(at.Y), fy.Axis()))
	}
	panel.AddSeries(Marked, beaten)
	panel.widen()
	return panel
}

func (f *front) write(to io.Writer) error {
	_, err := cli.Fprintf(to, "no other point beats these in %s:\n", f.better())
	for _, line := range f.lines {
		if err == nil {
			_, err = cli.Fprintf(to, "  %s\n", line)
		}
	}
	return err
}

// writeJSON writes metrics in the units of the files.
func (f *front) writeJSON(to io.Writer) error {
	type object = map[string]any
	goals, points := []object{}, []object{}
	for _, g := range f.goals {
		goals = append(goals, object{"figure": g.metric, "better": g.better()})
	}
	for _, c := range f.all {
		point := object{}
		for _, a := range without(f.study.axes, f.over) {
			if text := a.of(c.row); a.numeric && text != "" {
				point[a.name] = number(text)
			} else if text != "" {
				point[a.name] = text
			}
		}
		if c.best {
			points = append(points, object{"point": point, "figures": object{f.goals[0].metric: c.x, f.goals[1].metric: c.y}})
		}
	}
	return output.WriteJSON(to, object{"goals": goals, "over": axisNames(f.over), "points": len(f.all), "left_out": f.left, "front": points})
}
