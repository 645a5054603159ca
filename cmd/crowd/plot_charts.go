package main

import (
	"slices"
	"strings"
)

// chart is one thing that can be drawn of a kind of content.
type chart struct {
	name, help string
	flags      string // that say what is drawn, and how
	draw       func(*plotting) (*plotSheet, error)
}

// uses tells whether a flag makes a difference.
func (c *chart) uses(flag string) bool { return slices.Contains(strings.Fields(c.flags), flag) }

// figureCharts can be drawn of any rows of figures.
var figureCharts = []chart{
	{"histogram", "how often a figure (--x) lies where, with a panel for each group; without --x, of the chief ones", "x by log", (*plotting).histograms},
	{"ecdf", "in which share of the rows a figure (--x) is no higher", "x by log", (*plotting).distributions},
	{"rows", "a figure (--x) of each row", "x by log", (*plotting).barRows},
	{"scatter", "a figure (--y) against another (--x), a dot a row", "x y by log", (*plotting).scatter},
	{"curve", "the median of a figure (--y) at each value of another (--x), with quartiles", "x y by log", (*plotting).curve},
}

// chartsOf returns what can be drawn of a kind, the usual one first.
func chartsOf(kind plotKind) []chart {
	switch kind {
	case runKind:
		return append([]chart{
			{"overview", "what systems cost, and the chief figures", "log", (*plotting).runOverview},
			{"systems", "what each system costs", "log", (*plotting).runSystems},
			{"figures", "the chief figures, run beside run", "log", (*plotting).runFigures},
			{"workers", "what each worker did, of run --perf", "log", (*plotting).runWorkers},
		}, figureCharts...)
	case scoreKind:
		return append([]chart{{"overview", "the chief figures, each as its ecdf", "x by log", (*plotting).distributions}}, figureCharts...)
	case benchKind:
		return append([]chart{
			{"overview", "cost and speedup", "log", (*plotting).benchOverview},
			{"cost", "ns an agent and step against the number of agents, with half the interquartile range", "log", (*plotting).benchCost},
			{"speedup", "how many times as fast as with one worker, against workers, with half the interquartile range", "", (*plotting).benchSpeedUp},
		}, figureCharts...)
	case motionKind:
		return []chart{
			{"overview", "all of these", "log to ways", (*plotting).motionOverview},
			{"speed", "speed over time: median, and the half of the agents between the quartiles", "log", (*plotting).motionSpeed},
			{"agents", "number of agents over time", "log", (*plotting).motionAgents},
			{"distance", "distance to where each agent began, or to a place (--to), over time", "log to", (*plotting).motionDistance},
			{"ways", "ways of some agents (--ways) in the plane", "ways", (*plotting).motionWays},
		}
	}
	return append([]chart{{"overview", "histograms of the first figures", "x by log", (*plotting).histograms}}, figureCharts...)
}
