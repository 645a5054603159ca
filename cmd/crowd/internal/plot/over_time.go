package plot

import (
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"gonum.org/v1/plot/plotter"
)

func (p *drawing) speedOverTime() *sheet.Panel {
	return p.overTime("Speed", "speed (m/s)", func(m *data.Moment) [3]float64 { return m.Speed })
}

func (p *drawing) distanceOverTime() *sheet.Panel {
	title := "Distance to where they began"
	if p.To != nil {
		title = "Distance to (" + numbers.Figure(p.To[0]) + ", " + numbers.Figure(p.To[1]) + ")"
	}
	return p.overTime(title, "distance (m)", func(m *data.Moment) [3]float64 { return m.Distance })
}

func (p *drawing) agentsOverTime() *sheet.Panel {
	return p.overTime("Agents there", "agents", func(m *data.Moment) [3]float64 {
		n := float64(m.Agents)
		return [3]float64{n, n, n}
	})
}

// overTime draws the median of a figure, and a band from quartile to quartile.
func (p *drawing) overTime(title, label string, of func(*data.Moment) [3]float64) *sheet.Panel {
	out := sheet.NewPanel(p.style, title, "time (s)", label)
	x, y := sheet.Scale{Ticks: 8}, sheet.Scale{Log: p.Log, Zero: true}
	var all []sheet.Series
	spread := false
	for i, f := range p.files {
		s := sheet.Series{Name: "median", Color: i, Dash: i / len(p.style.Lines)}
		if len(p.files) > 1 {
			s.Name = f.Label
		}
		for k := range f.Motion.Times.Kept {
			m := &f.Motion.Times.Kept[k]
			q := of(m)
			if !y.Has(q[0]) || !y.Has(q[2]) {
				continue // of nobody, or 0 on a logarithmic axis
			}
			x.Add(m.Time)
			y.Add(q[:]...)
			spread = spread || q[0] < q[2]
			s.Points = append(s.Points, sheet.Point{XY: plotter.XY{X: m.Time, Y: y.At(q[1])}, Low: y.At(q[0]), High: y.At(q[2])})
		}
		all = append(all, s)
	}
	x.Apply(&out.X)
	y.Apply(&out.Y)
	xmin, xmax, ymin, ymax := out.X.Min, out.X.Max, out.Y.Min, out.Y.Max
	out.AddGrid()
	how := sheet.Joined
	if spread {
		how |= sheet.Banded
	}
	out.AddSeries(all, how)
	out.X.Min, out.X.Max, out.Y.Min, out.Y.Max = xmin, xmax, ymin, ymax
	switch {
	case len(p.files) == 1 && !spread:
		out.DropLegend()
	case len(p.files) == 1:
		out.RenameFirst("median, and half of the agents about it")
	}
	return out
}
