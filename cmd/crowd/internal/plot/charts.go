package plot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	"github.com/8f878440/crowd/internal/suggest"
)

// chart is a picture that a kind of file can become.
type chart struct {
	name, help string
	flags      string // that make a difference
	draw       func(*drawing) (*Sheet, error)
}

// rowCharts draw any rows of figures.
var rowCharts = []chart{
	{"histogram", "how often a figure (--x) has which value (default: main ones)", "x by log", (*drawing).histograms},
	{"ecdf", "share of the rows in which a figure (--x) is no higher", "x by log", (*drawing).distributions},
	{"rows", "a figure (--x) of each row, the highest first", "x by log", (*drawing).rowBars},
	{"scatter", "a figure (--y) against another (--x), one dot per row", "x y by log", (*drawing).scatter},
	{"curve", "median and quartiles of a figure (--y) by another (--x)", "x y by log", (*drawing).curve},
}

// charts says which file becomes which picture, the default first.
var charts = map[Kind][]chart{
	RunKind: append([]chart{
		{"overview", "cost of the systems, and the main figures", "log", (*drawing).runOverview},
		{"systems", "cost of each system", "log", (*drawing).runSystems},
		{"figures", "the main figures, run by run", "log", (*drawing).runFigures},
		{"workers", "how busy each worker was, of run -v", "log", (*drawing).runWorkers},
	}, rowCharts...),
	ScoreKind: append([]chart{{"overview", "the main figures, each as its ecdf", "x by log", (*drawing).distributions}}, rowCharts...),
	BenchKind: append([]chart{
		{"overview", "cost and speedup", "log", (*drawing).benchOverview},
		{"cost", "ns per agent and step by the number of agents", "log", (*drawing).benchCost},
		{"speedup", "speed-up over one worker by the number of workers", "", (*drawing).benchSpeedUp},
	}, rowCharts...),
	TableKind: append([]chart{{"overview", "histograms of the first figures", "x by log", (*drawing).histograms}}, rowCharts...),
	MotionKind: {
		{"overview", "all of these", "log to scene", motion((*drawing).speeds, (*drawing).agents, (*drawing).distances, (*drawing).paths)},
		{"speed", "speed over time: median and quartiles", "log", motion((*drawing).speeds)},
		{"agents", "number of agents over time", "log", motion((*drawing).agents)},
		{"distance", "distance from the start of each agent, or from a point (--to)", "log to", motion((*drawing).distances)},
		{"ways", "paths of some agents, among the obstacles of --scene", "scene", motion((*drawing).paths)},
	},
}

// ChartNames returns the names of the charts of a kind, the default first.
func ChartNames(kind Kind) (names []string) {
	for _, c := range charts[kind] {
		names = append(names, c.name)
	}
	return names
}

// Help lists the charts.
func (Command) Help() string {
	var b strings.Builder
	b.WriteString("The content of a file decides what it is. Of each kind --what draws:\n")
	write := func(head string, all []chart) {
		fmt.Fprintf(&b, "\n    %s\n", head)
		for _, c := range all {
			fmt.Fprintf(&b, "      %-10s %s\n", c.name, c.help)
		}
	}
	for _, kind := range []Kind{RunKind, ScoreKind, BenchKind, TableKind, MotionKind} {
		all := charts[kind]
		if kind != MotionKind {
			all = all[:len(all)-len(rowCharts)]
		}
		write(string(kind), all)
	}
	write("a sweep: its folder, or its results.csv", []chart{
		{name: "(default)", help: "main effects of the axes, and the Pareto front of two figures"},
		{name: "(--heat)", help: "figures over two axes"},
		{name: "(--pareto)", help: "a figure against another, and the points that no other beats"},
	})
	write("all but trajectories and sweeps, which are rows of figures", rowCharts)
	b.WriteString(`
Several files of a kind are drawn side by side or over one another.

Examples:

    crowd run plaza --json | crowd plot - --out plaza.png
    crowd run seek flee tank-path plaza --json > score.json
    crowd plot score.json --x acceleration --by folder --out a.svg
    crowd plot score.json --x agents --y ns_per_agent_step --log --out cost.png
    crowd run plaza --trajectories plaza.csv.gz --every 10
    crowd plot plaza.csv.gz --what speed --out speed.png --dark
    crowd plot SWEEP                         main effects, and the Pareto front
    crowd plot SWEEP --pareto=ns_per_agent_step,+flow --out front.png`)
	return b.String()
}

// drawing is a picture in the making.
type drawing struct {
	*Command
	ctx   context.Context
	files []*File
	kind  Kind
}

// sheet reads the files, and draws the chart that the flags ask for.
func (p *drawing) sheet(e *cli.Console) (s *Sheet, err error) {
	if p.files, err = read(p.ctx, e, p.Files, ReadOptions{Paths: drawnPaths, To: p.To}); err != nil {
		return nil, err
	}
	if err := p.join(); err != nil {
		return nil, err
	}
	c, err := p.chart(e.Given)
	if err != nil {
		return nil, err
	}
	return c.draw(p)
}

// join labels the files, and finds out what all of them are.
func (p *drawing) join() error {
	var names []string
	p.kind = p.files[0].Kind
	for _, f := range p.files {
		if names = append(names, f.Name); f.Kind == p.kind {
			continue
		}
		if p.kind == MotionKind || f.Kind == MotionKind {
			return fmt.Errorf("%s is %s and %s is %s: want files of one kind", p.files[0].Name, p.files[0].Kind, f.Name, f.Kind)
		}
		p.kind = TableKind
	}
	for i, label := range ShortNames(names, ".json", ".jsonl", ".csv", ".txt") {
		p.files[i].Label = label
	}
	return nil
}

// chart chooses the chart, and refuses flags that make no difference to it.
func (p *drawing) chart(given cli.Given) (c chart, err error) {
	all, what, is := charts[p.kind], p.What, fmt.Sprintf("%s is %s", p.files[0].Name, p.kind)
	switch {
	case p.kind == MotionKind && p.X+p.Y+p.By != "":
		return c, fmt.Errorf("--x, --y and --by go with figures, and %s", is)
	case what != "":
	case p.X != "" && p.Y != "":
		what = "scatter"
	case p.X != "":
		what = "histogram"
	case p.Y != "":
		return c, errors.New("--y goes with --x: a figure alone is drawn by --x")
	default:
		what = "overview"
	}
	i := slices.IndexFunc(all, func(c chart) bool { return c.name == what })
	if i < 0 {
		return c, fmt.Errorf("nothing called %s in %s, which is %s; %s", what, p.files[0].Name, p.kind, suggest.OneOf(what, ChartNames(p.kind)))
	}
	for _, flag := range []string{"x", "y", "by", "log", "to", "scene"} {
		var users []string
		for _, other := range all {
			if slices.Contains(strings.Fields(other.flags), flag) {
				users = append(users, other.name)
			}
		}
		why := fmt.Sprintf("is for %s, and the picture is %s", strings.Join(users, ", "), what)
		if len(users) == 0 {
			why = "goes with trajectories, and " + is
		}
		if err := given.Refuse(cli.IdleFlag{Name: flag, Idle: !slices.Contains(users, what), Why: why}); err != nil {
			return c, err
		}
	}
	return all[i], nil
}

// figure is what pictures call a column, and which way it is better.
type figure struct {
	words, unit string
	scale       float64 // from the column to the unit; 0: 1
	better      float64 // above 0: more is; below 0: less is; 0: neither, or it depends
}

// figures are those of reports, and of benches and sweeps beside them. Others are called by their columns.
var figures = func() map[string]figure {
	all := map[string]figure{
		"seconds":             {"time of a run", "s", 1, -1},
		"us_per_agent_second": {"cost", "µs per agent and simulated second", 1, -1},
		"agents_per_second":   {"agents moved per second", "1/s", 1, 0},
		"spread":              {"spread of the samples", "%", 100, 0},
		"speed_up":            {"speed-up", "", 1, 0},
	}
	for _, of := range [][]report.Figure{report.OfLine, report.OfArea, report.OfReport} {
		for i := range of {
			if f := &of[i]; f.Name != "" {
				_, column, in := strings.Cut(f.Column, "].")
				if !in {
					column = f.Column
				}
				all[column] = figure{f.Name, f.Unit, f.Scale(), float64(f.Better)}
			}
		}
	}
	return all
}()

// figureOf returns the figure of a column: of lines and areas by the last part of its name, such as
// lines[0].flow.
func figureOf(column string) figure {
	f, known := figures[column]
	if i := strings.LastIndexByte(column, '.'); i >= 0 && !known {
		if f, known = figures[column[i+1:]]; known {
			f.words += ", " + column[:i]
		}
	}
	if !known {
		f.words = cli.Shorten(strings.ReplaceAll(strings.TrimPrefix(column, SetPrefix), "_", " "), 50)
	}
	f.scale = cmp.Or(f.scale, 1)
	return f
}

// axis is the label of an axis.
func (f figure) axis() string {
	if f.unit == "" {
		return f.words
	}
	return f.words + " (" + f.unit + ")"
}

// chief are the figures that say most about a crowd, the first ones first.
var chief = []string{"mean_arrival_time", "path_ratio", "arrived_share", "collisions", "obstacle_collisions", "ns_per_agent_step", "speed_up", "allocs_per_step", "bytes_per_agent"}
