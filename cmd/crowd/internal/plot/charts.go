package plot

import (
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/plot/data"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
)

// chart is one thing that can be drawn of a kind of content.
type chart struct {
	name, help string
	flags      string // that say what is drawn, and how
	draw       func(*drawing) (*sheet.Sheet, error)
}

// uses tells whether a flag makes a difference.
func (c *chart) uses(flag string) bool { return slices.Contains(strings.Fields(c.flags), flag) }

// figureCharts can be drawn of any rows of figures.
var figureCharts = []chart{
	{"histogram", "how often a figure (--x) lies where; all chief ones without it", "x by log", (*drawing).histograms},
	{"ecdf", "in which share of the rows a figure (--x) is no higher", "x by log", (*drawing).distributions},
	{"rows", "a figure (--x) of each row", "x by log", (*drawing).barRows},
	{"scatter", "a figure (--y) against another (--x), a dot a row", "x y by log", (*drawing).scatter},
	{"curve", "the median and quartiles of a figure (--y) by another (--x)", "x y by log", (*drawing).curve},
}

// chartsOf returns what can be drawn of a kind, the usual one first.
func chartsOf(kind data.Kind) []chart {
	switch kind {
	case data.RunKind:
		return append([]chart{
			{"overview", "what systems cost, and the chief figures", "log", (*drawing).runOverview},
			{"systems", "what each system costs", "log", (*drawing).runSystems},
			{"figures", "the chief figures, run beside run", "log", (*drawing).runFigures},
			{"workers", "what each worker did, of run --perf", "log", (*drawing).runWorkers},
		}, figureCharts...)
	case data.ScoreKind:
		return append([]chart{{"overview", "the chief figures, each as its ecdf", "x by log", (*drawing).distributions}}, figureCharts...)
	case data.BenchKind:
		return append([]chart{
			{"overview", "cost and speedup", "log", (*drawing).benchOverview},
			{"cost", "ns an agent and step against the number of agents", "log", (*drawing).benchCost},
			{"speedup", "how many times as fast as with one worker, against workers", "", (*drawing).benchSpeedUp},
		}, figureCharts...)
	case data.MotionKind:
		return []chart{
			{"overview", "all of these", "log to ways scene", (*drawing).motionOverview},
			{"speed", "speed over time: median and quartiles", "log", (*drawing).motionSpeed},
			{"agents", "number of agents over time", "log", (*drawing).motionAgents},
			{"distance", "distance to where each agent began, or to a place (--to)", "log to", (*drawing).motionDistance},
			{"ways", "ways of some agents (--ways), among the obstacles of --scene", "ways scene", (*drawing).motionWays},
		}
	}
	return append([]chart{{"overview", "histograms of the first figures", "x by log", (*drawing).histograms}}, figureCharts...)
}

// ChartNames returns the names of what can be drawn of a kind, the usual one first.
func ChartNames(kind data.Kind) (names []string) {
	for _, c := range chartsOf(kind) {
		names = append(names, c.name)
	}
	return names
}
