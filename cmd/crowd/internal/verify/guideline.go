package verify

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify/experiment"
)

// guideline is a suite of tests that are independent of one another, such as those of RiMEA.
type guideline struct {
	title  string
	seeds  int
	tests  []test
	judged []func() []Row
	charts []chart
}

// test plans experiments, and returns what judges them.
type test func(g *guideline, p *plan) func() []Row

// chart is a panel of the picture: people out over time, line after line.
type chart struct {
	title string
	lines []chartLine
}

type chartLine struct {
	name string
	of   []experiment.Evacuation // of which the first is drawn
}

func (g *guideline) plan(p *plan) {
	for _, plan := range g.tests {
		g.judged = append(g.judged, plan(g, p))
	}
}

func (g *guideline) rows() (rows []Row) {
	for _, judge := range g.judged {
		rows = append(rows, judge()...)
	}
	return rows
}

func (g *guideline) missing() string { return "" }

// chart adds a panel to the picture.
func (g *guideline) chart(title string, lines ...chartLine) {
	g.charts = append(g.charts, chart{title, lines})
}

func (g *guideline) picture(style *plot.Style) *plot.Sheet {
	s := &plot.Sheet{Style: style, Title: g.title, Columns: 2, Caption: []string{"People who have got out, with the first seed."}}
	for _, c := range g.charts {
		p := plot.NewPanel(style, c.title, "time (s)", "are out")
		var all []curve
		for i, l := range c.lines {
			times := slices.DeleteFunc(slices.Clone(l.of[0].Out), math.IsNaN)
			slices.Sort(times)
			all = append(all, line(l.name, i, plot.Joined|plot.Stepped, times, counts(len(times))))
		}
		addCurves(p, all...)
		s.Panels = append(s.Panels, p)
	}
	return s
}

// fixed is a test whose rows are known without an experiment.
func fixed(rows ...Row) test {
	return func(*guideline, *plan) func() []Row { return func() []Row { return rows } }
}

// one is a test of a single figure, of which the mean over all seeds counts.
func one(name string, e expectation, seeds int, run figure) test {
	return func(g *guideline, p *plan) func() []Row {
		seeds := min(seeds, g.seeds)
		all := repeat(p, seeds, run)
		return func() []Row {
			return []Row{judge(name, e, meanOf(all, func(x *float64) float64 { return *x }), of("mean", seeds))}
		}
	}
}

// evacuations plans an evacuation with each seed.
func (g *guideline) evacuations(p *plan, run evacuation) []experiment.Evacuation {
	return repeat(p, g.seeds, run)
}

// slowest returns when the last one got out, on average over all seeds.
func slowest(all []experiment.Evacuation) float64 {
	return meanOf(all, (*experiment.Evacuation).All)
}

// unfinished returns how many did not get out, of all seeds.
func unfinished(all []experiment.Evacuation) float64 {
	n := 0
	for i := range all {
		n += len(all[i].Out) - all[i].Left()
	}
	return float64(n)
}
