package main

// chart is one thing that can be drawn of a kind of content.
type chart struct {
	name, help string
	draw       func(*plotting) (*plotSheet, error)
}

// figureCharts can be drawn of any rows of figures.
var figureCharts = []chart{
	{"histogram", "how often a figure (--x) lies where, with a panel for each group; without --x, of the chief ones", (*plotting).histograms},
	{"ecdf", "in which share of the rows a figure (--x) is no higher", (*plotting).distributions},
	{"rows", "a figure (--x) of each row", (*plotting).barRows},
	{"scatter", "a figure (--y) against another (--x), a dot a row", (*plotting).scatter},
	{"curve", "the median of a figure (--y) at each value of another (--x), with quartiles", (*plotting).curve},
}

// chartsOf returns what can be drawn of a kind, the usual one first.
func chartsOf(kind plotKind) []chart {
	switch kind {
	case runKind:
		return append([]chart{
			{"overview", "what systems cost, and the chief figures", (*plotting).runOverview},
			{"systems", "what each system costs", (*plotting).runSystems},
			{"figures", "the chief figures, run beside run", (*plotting).runFigures},
			{"workers", "what each worker did, of run --perf", (*plotting).runWorkers},
		}, figureCharts...)
	case scoreKind:
		return append([]chart{{"overview", "the chief figures, each as its ecdf", (*plotting).distributions}}, figureCharts...)
	case benchKind:
		return append([]chart{
			{"overview", "cost and speedup", (*plotting).benchOverview},
			{"cost", "ns an agent and step against the number of agents, with half the interquartile range", (*plotting).benchCost},
			{"speedup", "how many times as fast as with one worker, against workers, with half the interquartile range", (*plotting).benchSpeedUp},
		}, figureCharts...)
	case motionKind:
		return []chart{
			{"overview", "all of these", (*plotting).motionOverview},
			{"speed", "speed over time: median, and the half of the agents between the quartiles", (*plotting).motionSpeed},
			{"agents", "number of agents over time", (*plotting).motionAgents},
			{"distance", "distance to where each agent began, or to a place (--to), over time", (*plotting).motionDistance},
			{"ways", "ways of some agents (--ways) in the plane", (*plotting).motionWays},
		}
	}
	return append([]chart{{"overview", "histograms of the first figures", (*plotting).histograms}}, figureCharts...)
}
