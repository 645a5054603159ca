package verify

import "github.com/8f878440/crowd/cmd/crowd/internal/plot"

// picture draws speed and flow over density, and the speeds of single file apart.
func (s *diagram) picture(style *plot.Style) *plot.Sheet {
	speed := func(_, v float64) float64 { return v }
	flow := func(density, v float64) float64 { return density * v }
	return &plot.Sheet{
		Style: style, Title: "Fundamental diagram",
		Caption: []string{"A point is a run: mean speed and density in a stretch of 4 m of a corridor of 5 m, of a closed loop of 2.4 m, and of a closed single file."},
		Columns: 3,
		Panels: []*plot.Panel{
			s.overDensity(style, "Speed over density", "speed (m/s)", speed),
			s.overDensity(style, "Flow over density", "specific flow (1/(m s))", flow),
			s.file(style),
		},
	}
}

// overDensity draws a figure of density and speed, and what it is by Weidmann.
func (s *diagram) overDensity(style *plot.Style, title, label string, figure func(density, speed float64) float64) *plot.Panel {
	p := plot.NewPanel(style, title, "density (people/m²)", label)
	var xs, ys []float64
	for density := 0.05; density <= 5.4; density += 0.05 {
		xs, ys = append(xs, density), append(ys, figure(density, weidmann(density)))
	}
	all := []curve{line("Weidmann 1993", people, plot.Joined, xs, ys)}
	for i, of := range []struct {
		name  string
		walks []walkedAt
	}{{"agents, corridor", append(append([]walkedAt{}, s.straight...), s.crawled...)}, {"agents, closed loop", s.loop}} {
		xs, ys := points(of.walks, figure)
		all = append(all, line(of.name, agents+i, plot.Marked, xs, ys))
	}
	addCurves(p, all...)
	return p
}

// points returns densities, and a figure of density and speed, of all runs.
func points(walks []walkedAt, figure func(density, speed float64) float64) (xs, ys []float64) {
	for _, w := range walks {
		for _, m := range w.walked {
			if m.noRoom == nil {
				xs, ys = append(xs, m.Density), append(ys, figure(m.Density, m.Speed))
			}
		}
	}
	return xs, ys
}

// file draws the speeds in single file, and the ranges that RiMEA wants.
func (s *diagram) file(style *plot.Style) *plot.Panel {
	p := plot.NewPanel(style, "Single file", "density (people/m)", "speed (m/s)")
	xs, ys := points(s.singleFile, func(_, speed float64) float64 { return speed })
	walked := line("agents", agents, plot.Marked, xs, ys)
	wanted := curve{plot.Series{Name: "RiMEA 16", Color: expected}, plot.Barred}
	for _, w := range s.singleFile {
		wanted.Points = append(wanted.Points, plot.Point{X: w.density, Y: w.speeds[0], Low: w.speeds[0], High: w.speeds[1]})
	}
	addCurves(p, wanted, walked)
	return p
}
