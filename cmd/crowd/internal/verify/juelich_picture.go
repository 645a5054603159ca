package verify

import (
	"fmt"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
)

// picture draws for each gate how many have passed over time, the distribution of time
// gaps, and the density before the gate.
func (s *juelich) picture(style *plot.Style) *plot.Sheet {
	out := &plot.Sheet{
		Style: style, Title: "Gates of Jülich",
		Caption: []string{
			"People (HERMES 2009, Forschungszentrum Jülich) and agents who walk through a gate and then a corridor of 1.8 m, measured in its middle.",
			"Densities are 1 over the area of Voronoi cells, no farther than 1 m, of agents with the first seed.",
		},
		Columns: max(len(s.gates), 3),
	}
	for _, draw := range []func(*walkedGate, *plot.Style) *plot.Panel{(*walkedGate).passed, (*walkedGate).gapsPanel, (*walkedGate).throng} {
		for i := range s.gates {
			out.Panels = append(out.Panels, draw(&s.gates[i], style))
		}
	}
	return out
}

// passed draws how many have passed over time.
func (g *walkedGate) passed(style *plot.Style) *plot.Panel {
	p := plot.NewPanel(style, fmt.Sprintf("Gate of %.1f m, %d people", g.width, g.people), "time from the first (s)", "have passed")
	var thin []curve
	for _, w := range g.walked {
		thin = append(thin, line("", agents, plot.Joined, w.Times, counts(len(w.Times))))
	}
	end := float64(g.people-1) / g.flow
	recorded := line(fmt.Sprintf("recorded flow, %.2f/s", g.flow), people, plot.Joined, []float64{0, end}, []float64{1, float64(g.people)})
	recorded.Dash = 1
	if g.recorded != nil {
		recorded = line("recorded", people, plot.Joined, g.recorded.Times, counts(len(g.recorded.Times)))
	}
	thin[0].Name = "agents, " + of("each", len(g.walked))
	addCurves(p, append(thin, recorded)...)
	return p
}

// gapsPanel draws the distribution of time gaps.
func (g *walkedGate) gapsPanel(style *plot.Style) *plot.Panel {
	p := plot.NewPanel(style, "Time gaps", "time between one and the next (s)", "share of gaps up to it")
	gaps := g.gaps()
	xs, ys := cumulated(gaps)
	all := []curve{line("agents, "+of("all", len(g.walked)), agents, plot.Joined|plot.Stepped, xs, ys)}
	if g.recorded != nil {
		xs, ys = cumulated(g.recorded.Gaps)
		all = append(all, line("recorded", people, plot.Joined|plot.Stepped, xs, ys))
		gaps = append(gaps, g.recorded.Gaps...)
	}
	most := 1.
	if len(gaps) > 0 {
		most = cli.Quantile(gaps, 0.99) // of few long ones the axis need not know
	}
	addCurves(p, all...)
	p.X.Max = most
	return p
}

// throng draws the Voronoi density before the gate when half have passed, with the first
// seed.
func (g *walkedGate) throng(style *plot.Style) *plot.Panel {
	const cutOff = 1 // m
	p := plot.NewPanel(style, "Density when half have passed (people/m²)", "m", "m")
	p.Plane = true
	rooms := experiment.GateRooms(g.width)
	c := newCells(style, experiment.Voronoi(g.walked[0].Throng, rooms, cutOff), rooms)
	p.Add(c)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -15, -6, -4.5, 1.5
	c.label(p)
	return p
}
