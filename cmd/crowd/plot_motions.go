package main

import (
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"gonum.org/v1/plot/plotter"
)

// motionSheet makes a picture of trajectories.
func (p *plotting) motionSheet(panels ...*panel) *plotSheet {
	s := &plotSheet{style: p.style, panels: panels, columns: min(2, len(panels))}
	m := p.files[0].motion
	s.title = p.files[0].label
	if len(p.files) > 1 {
		s.title = numbers.Plural(len(p.files), "run")
	} else {
		last := m.times.kept[len(m.times.kept)-1].time
		s.caption = []string{numbers.Plural(m.agents, "agent") + ", " + numbers.Figure(m.times.kept[0].time) + " to " + numbers.Figure(last) + " s"}
	}
	for _, f := range p.files {
		if m := f.motion; m.skipped > 0 {
			p.note("%s of %s rows of %s have a number that is missing or not finite", numbers.Thousands(m.skipped), numbers.Thousands(m.rows), f.label)
		}
		if f.motion.unplaced > 0 {
			p.note("distances and ways are of the first %s agents of %s", numbers.Thousands(mostPlaced), f.label)
		}
	}
	return s
}

func (p *plotting) motionOverview() (*plotSheet, error) {
	return p.motionSheet(p.speedOverTime(), p.agentsOverTime(), p.distanceOverTime(), p.waysPanel(p.files)), nil
}

func (p *plotting) motionSpeed() (*plotSheet, error) {
	return p.motionSheet(p.speedOverTime()), nil
}

func (p *plotting) motionAgents() (*plotSheet, error) {
	return p.motionSheet(p.agentsOverTime()), nil
}

func (p *plotting) motionDistance() (*plotSheet, error) {
	return p.motionSheet(p.distanceOverTime()), nil
}

func (p *plotting) motionWays() (*plotSheet, error) {
	if len(p.files) == 1 {
		s := p.motionSheet(p.waysPanel(p.files))
		s.row = rowHeight * 2
		return s, nil
	}
	var panels []*panel
	for i := range p.files {
		out := p.waysPanel(p.files[i : i+1])
		out.Title.Text = p.files[i].label
		panels = append(panels, out)
	}
	s := p.motionSheet(panels...)
	s.row = rowHeight * 5 / 4
	return s, nil
}

func (p *plotting) speedOverTime() *panel {
	return p.overTime("Speed", "speed (m/s)", func(m *moment) [3]float64 { return m.speed })
}

func (p *plotting) distanceOverTime() *panel {
	title := "Distance to where they began"
	if p.To != nil {
		title = "Distance to (" + numbers.Figure(p.To[0]) + ", " + numbers.Figure(p.To[1]) + ")"
	}
	return p.overTime(title, "distance (m)", func(m *moment) [3]float64 { return m.distance })
}

func (p *plotting) agentsOverTime() *panel {
	return p.overTime("Agents there", "agents", func(m *moment) [3]float64 {
		n := float64(m.agents)
		return [3]float64{n, n, n}
	})
}

// overTime draws the median of a figure, and a band from quartile to quartile.
func (p *plotting) overTime(title, label string, of func(*moment) [3]float64) *panel {
	out := newPanel(p.style, title, "time (s)", label)
	x, y := plotScale{ticks: 8}, plotScale{log: p.Log, zero: true}
	var all []series
	spread := false
	for i, f := range p.files {
		s := series{name: "median", color: i, dash: i / len(p.style.lines)}
		if len(p.files) > 1 {
			s.name = f.label
		}
		for k := range f.motion.times.kept {
			m := &f.motion.times.kept[k]
			q := of(m)
			if !y.has(q[0]) || !y.has(q[2]) {
				continue // of nobody, or 0 on a logarithmic axis
			}
			x.add(m.time)
			y.add(q[:]...)
			spread = spread || q[0] < q[2]
			s.points = append(s.points, point{XY: plotter.XY{X: m.time, Y: y.at(q[1])}, low: y.at(q[0]), high: y.at(q[2])})
		}
		all = append(all, s)
	}
	x.apply(&out.X)
	y.apply(&out.Y)
	xmin, xmax, ymin, ymax := out.X.Min, out.X.Max, out.Y.Min, out.Y.Max
	out.grid()
	how := joined
	if spread {
		how |= banded
	}
	out.draw(all, how)
	out.X.Min, out.X.Max, out.Y.Min, out.Y.Max = xmin, xmax, ymin, ymax
	switch {
	case len(p.files) == 1 && !spread:
		out.legend = legend{style: p.style}
	case len(p.files) == 1:
		out.legend.names[0] = "median, and half of the agents about it"
	}
	return out
}
