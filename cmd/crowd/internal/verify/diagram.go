package verify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
)

// weidmann returns the walking speed in m/s at a density in people/m².
//
// Source: Weidmann, "Transporttechnik der Fussgänger", 1993.
func weidmann(density float64) float64 {
	const free, shape, jam = 1.34, 1.913, 5.4 // m/s, people/m², people/m²
	return max(0, free*(1-math.Exp(-shape*(1/density-1/jam))))
}

type diagram struct {
	seeds               int
	straight, loop      []walkedAt
	singleFile          []walkedAt
	impossible, crawled []walkedAt
}

type walkedAt struct {
	density   float64    // people/m², or people/m in single file
	tolerance float64    // m/s, maximum deviation from Weidmann's speed
	speeds    [2]float64 // m/s, expected range in place of Weidmann's speed
	walked    []walk
}

// walk is a measurement, or an error if the people did not fit.
type walk struct {
	experiment.Walk
	noRoom error
}

func corridorWalks() []walkedAt {
	return []walkedAt{
		{density: 0.5, tolerance: 0.1}, {density: 1, tolerance: 0.1}, {density: 2, tolerance: 0.1},
		{density: 3, tolerance: 0.1}, {density: 4, tolerance: 0.05},
	}
}

func fileWalks() []walkedAt {
	return []walkedAt{
		{density: 0.5, speeds: [2]float64{0.71, 1.39}}, {density: 1.1, speeds: [2]float64{0.32, 0.84}},
		{density: 2.1, speeds: [2]float64{0.035, 0.27}},
	}
}

func newDiagram(o *Options) (suite, error) {
	s := &diagram{
		seeds:      o.seeds(3),
		straight:   corridorWalks(),
		crawled:    []walkedAt{{density: 5, speeds: [2]float64{0.01, 0.09}}},
		impossible: []walkedAt{{density: 6}},
		loop:       corridorWalks()[1:],
		singleFile: fileWalks(),
	}
	if o.Quick {
		s.straight, s.loop, s.crawled = s.straight[:3], s.loop[1:2], nil
	}
	return s, nil
}

func (s *diagram) plan(p *plan) {
	planWalks(p, s.straight, s.seeds, experiment.WalkStraight)
	planWalks(p, s.crawled, s.seeds, experiment.WalkStraight)
	planWalks(p, s.impossible, 1, experiment.WalkStraight)
	planWalks(p, s.loop, s.seeds, experiment.WalkLoop)
	planWalks(p, s.singleFile, s.seeds, experiment.WalkSingleFile)
}

func planWalks(p *plan, walks []walkedAt, seeds int, measure func(run, float64) (experiment.Walk, error)) {
	for i := range walks {
		w := &walks[i]
		w.walked = repeat(p, seeds, func(r run) (walk, error) {
			measured, err := measure(r, w.density)
			if errors.As(err, new(experiment.NoRoomError)) {
				return walk{noRoom: err}, nil
			}
			return walk{Walk: measured}, err
		})
	}
}

func (s *diagram) rows() (rows []Row) {
	for i := range s.straight {
		rows = append(rows, s.straight[i].asWeidmann("corridor"))
	}
	for i := range s.crawled {
		rows = append(rows, s.crawled[i].within("corridor", "m²"), s.crawled[i].noneStill())
	}
	for i := range s.impossible {
		rows = append(rows, s.impossible[i].refused())
	}
	for i := range s.loop {
		rows = append(rows, s.loop[i].asWeidmann("closed loop").because(s.loop[i].tooFast(walled)))
	}
	for i := range s.singleFile {
		rows = append(rows, s.singleFile[i].within("single file", "m").because(s.singleFile[i].tooFast(filed)))
	}
	return rows
}

func (s *diagram) missing() string { return "" }

// measured returns the means over the runs, or NaN if the people did not fit in one of them.
func (w *walkedAt) measured() (density, speed float64) {
	if w.noRoom() != nil {
		return math.NaN(), math.NaN()
	}
	return meanOf(w.walked, func(m *walk) float64 { return m.Density }), meanOf(w.walked, func(m *walk) float64 { return m.Speed })
}

func (w *walkedAt) noRoom() error {
	for i := range w.walked {
		if err := w.walked[i].noRoom; err != nil {
			return err
		}
	}
	return nil
}

// judge judges x or, if the people did not fit, NaN, with the error in place of the notes.
func (w *walkedAt) judge(name string, e expectation, x float64, notes ...string) Row {
	if err := w.noRoom(); err != nil {
		return judge(name, e, math.NaN(), err.Error())
	}
	return judge(name, e, x, notes...)
}

// asWeidmann returns a row that compares the speed with Weidmann's speed at the measured density, not at the
// planned one.
func (w *walkedAt) asWeidmann(where string) Row {
	density, speed := w.measured()
	name := fmt.Sprintf("%s, %.3g/m²: speed", where, w.density)
	expected := about(weidmann(density), w.tolerance)
	if math.IsNaN(density) {
		expected = about(weidmann(w.density), w.tolerance)
	}
	r := w.judge(name, expected.in("m/s"), speed, of("mean", len(w.walked)), "Weidmann's speed at the measured density")
	r.law = fmt.Sprintf("Weidmann's ± %.2g m/s", w.tolerance)
	return r
}

func (w *walkedAt) within(where, unit string) Row {
	_, speed := w.measured()
	return w.judge(fmt.Sprintf("%s, %.3g/%s: speed", where, w.density, unit), between(w.speeds[0], w.speeds[1]).in("m/s"), speed, of("mean", len(w.walked)))
}

const (
	walled = "too fast: the space behind walls counts as empty, so a corridor 2.4 m wide looks less dense than it is"
	filed  = "too fast: with a longer time gap the speed would be as expected, but too few would pass the gates"
)

func (w *walkedAt) tooFast(why string) string {
	density, speed := w.measured()
	if most := w.speeds[1]; speed > most && most > 0 || speed > weidmann(density)+w.tolerance && most == 0 {
		return why
	}
	return ""
}

func (w *walkedAt) noneStill() Row {
	still := mostOf(w.walked, func(m *walk) int { return m.Still })
	return w.judge(fmt.Sprintf("corridor, %.3g/m²: still for 30 s", w.density), exactly(0), still, of("maximum", len(w.walked)))
}

func (w *walkedAt) refused() Row {
	return w.judge(fmt.Sprintf("corridor, %.3g/m²: refused as too dense", w.density), expectation{"yes", func(float64) bool { return w.noRoom() != nil }}, math.NaN())
}

func (s *diagram) picture(style *plot.Style) *plot.Sheet {
	speed := func(_, v float64) float64 { return v }
	flow := func(density, v float64) float64 { return density * v }
	return &plot.Sheet{
		Style: style, Title: "Fundamental diagram",
		Caption: []string{"Each point is a run: mean speed and density on 4 m of a corridor 5 m wide, of a closed loop 2.4 m wide, and of a closed single file."},
		Columns: 3,
		Panels: []*plot.Panel{
			s.overDensity(style, "Speed over density", "speed, m/s", speed),
			s.overDensity(style, "Flow over density", "specific flow, people/s/m", flow),
			s.file(style),
		},
	}
}

func (s *diagram) overDensity(style *plot.Style, title, label string, metric func(density, speed float64) float64) *plot.Panel {
	p := plot.NewPanel(style, title, "density, people/m²", label)
	var xs, ys []float64
	for density := 0.05; density <= 5.4; density += 0.05 {
		xs, ys = append(xs, density), append(ys, metric(density, weidmann(density)))
	}
	all := []curve{line("Weidmann 1993", people, plot.Joined, xs, ys)}
	for i, of := range []struct {
		name  string
		walks []walkedAt
	}{{"agents, corridor", slices.Concat(s.straight, s.crawled)}, {"agents, closed loop", s.loop}} {
		xs, ys := points(of.walks, metric)
		all = append(all, line(of.name, agents+i, plot.Marked, xs, ys))
	}
	addCurves(p, all...)
	return p
}

func points(walks []walkedAt, metric func(density, speed float64) float64) (xs, ys []float64) {
	for _, w := range walks {
		for _, m := range w.walked {
			if m.noRoom == nil {
				xs, ys = append(xs, m.Density), append(ys, metric(m.Density, m.Speed))
			}
		}
	}
	return xs, ys
}

func (s *diagram) file(style *plot.Style) *plot.Panel {
	p := plot.NewPanel(style, "Single file", "density, people/m", "speed, m/s")
	xs, ys := points(s.singleFile, func(_, speed float64) float64 { return speed })
	walked := line("agents", agents, plot.Marked, xs, ys)
	wanted := curve{plot.Series{Name: "RiMEA 16", Color: expected}, plot.Barred}
	for _, w := range s.singleFile {
		wanted.Points = append(wanted.Points, plot.Point{X: w.density, Y: w.speeds[0], Low: w.speeds[0], High: w.speeds[1]})
	}
	addCurves(p, wanted, walked)
	return p
}
