package plot

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/suggest"
)

const mostBins = 8 // maximum number of quantiles of an axis; see study.levels

func (p *drawing) sweepOverview() ([]*Panel, error) {
	effects, err := p.effects()
	if names := p.costAndQuality(); err == nil && names != nil {
		front, err := p.drawFront(names)
		return append(effects, front...), err
	} else if err == nil && p.JSON {
		err = errors.New("--json prints a Pareto front, but no metric with a known better direction is in all runs and differs between them: choose two metrics with --pareto")
	}
	return effects, err
}

// means returns the metrics of --x, or else up to three main metrics that differ between runs.
func (p *drawing) means() (metrics []string, err error) {
	if p.X != "" {
		metrics = strings.Split(p.X, ",")
	}
	for _, name := range chief {
		if least, most, _ := p.study.span(name); p.X == "" && len(metrics) < 3 && least < most {
			metrics = append(metrics, name)
		}
	}
	if len(p.study.ok) == 0 {
		return nil, fmt.Errorf("%s: no run has a result; the error column says why", p.files[0].Name)
	} else if len(metrics) == 0 {
		return nil, fmt.Errorf("%s: no main metric differs between runs, choose one with --x", p.files[0].Name)
	}
	for _, name := range metrics {
		if err := p.check("--x", name); err != nil {
			return nil, err
		}
		_, _, missing := p.study.span(name)
		p.noteMissing(name, missing, len(p.study.ok))
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
func (p *drawing) effects() (panels []*Panel, err error) {
	metrics, err := p.means()
	if err != nil {
		return nil, err
	}
	axes, seeds := p.study.varies(), len(p.study.seeds.values)
	if len(axes) == 0 {
		return nil, fmt.Errorf("%s: no axis has two values, so nothing can be compared", p.files[0].Name)
	}
	if p.across = min(len(axes), 4); len(axes) == 1 {
		p.across = min(len(metrics), 3)
	}
	text := "; bars are 95% confidence intervals over seeds (Student's t of the means of each seed)"
	if seeds == 1 {
		text = ", and therefore without intervals"
	}
	p.caption = append(p.caption, fmt.Sprintf("Means over all other axes; %s, %s each%s", cli.Plural(p.study.points(p.study.axes), "point"), cli.Plural(seeds, "seed"), text))
	for color, name := range metrics {
		least, most := math.Inf(1), math.Inf(-1)
		for _, a := range axes {
			l := p.study.levels(a, mostBins)
			line := Series{Color: color, Points: p.study.effect(a, l, name)}
			for _, at := range line.Points {
				least, most = min(least, at.Low), max(most, at.High)
			}
			panels = append(panels, p.effectPanel(a, l, line, metricOf(name).Axis()))
		}
		for _, panel := range panels[len(panels)-len(axes):] {
			panel.Y.Min, panel.Y.Max = least, most
			panel.widen()
		}
	}
	return panels, nil
}

func (p *drawing) effectPanel(a *axis, l *levels, line Series, metric string) *Panel {
	panel := NewPanel(p.style, "", metricOf(a.name).Axis(), metric)
	if l.binned {
		panel.X.Label.Text += fmt.Sprintf(" (%d quantiles)", len(l.names))
	}
	if l.at == nil {
		panel.AddSeries(Marked|Barred, line)
		panel.names(&panel.X, l.names, 1)
		return panel
	}
	panel.log(wide(l.at), false)
	panel.AddSeries(Marked|Barred|Joined, line)
	return panel
}

// wide reports whether numbers need a logarithmic axis.
func wide(all []float64) bool { return slices.Min(all) > 0 && slices.Max(all) > 8*slices.Min(all) }

func (p *drawing) heats() (panels []*Panel, err error) {
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
		if ls[i] = p.study.levels(a, most); len(ls[i].names) == 0 || len(ls[i].names) > 60 {
			return nil, fmt.Errorf("--heat: %s has %d values, want 1 to 60", a.name, len(ls[i].names))
		}
	}
	if ls[0].binned || ls[1].binned {
		text += "; scattered values are grouped in quantiles"
	}
	p.caption = append(p.caption, text)
	for _, name := range metrics {
		panel := NewPanel(p.style, metricOf(name).Axis(), metricOf(p.Heat[0]).Axis(), metricOf(p.Heat[1]).Axis())
		panel.heat(p.study.grid(axes[0], axes[1], ls[0], ls[1], name), ls[0].names, ls[1].names)
		panels = append(panels, panel)
	}
	return panels, nil
}
