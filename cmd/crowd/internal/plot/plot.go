// Package plot draws charts of the output of other commands: reports, scores, benchmark results,
// trajectories, sweeps and tables. It recognizes the kind of a file by its content.
package plot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/plot/vg"
)

// Command is the command crowd plot.
type Command struct {
	Files []string `arg:"" name:"file" help:"Output of run and bench (JSON, CSV or Go benchmark lines), trajectories, folders of sweeps, or their results.csv; also as .gz. - is standard input."`

	Out   string    `short:"o" placeholder:"FILE.png" help:"Picture to write, .png, .svg or .pdf (default for a sweep: results.png in its folder)."`
	What  string    `placeholder:"NAME" help:"Chart to draw, from the list above (default: the chart that the other flags need, or overview)."`
	X     string    `placeholder:"COLUMN" help:"Metric to draw, or the horizontal metric (default: main metrics). For sweeps, the metrics to average, such as flow,collisions (default: up to three that differ)."`
	Y     string    `placeholder:"COLUMN" help:"Vertical metric, against --x."`
	By    string    `placeholder:"COLUMN" help:"Column whose values get different colors, or folder for the folder of the scene (default: a color for each file)."`
	Log   bool      `help:"Use logarithmic axes for metrics."`
	Scene string    `placeholder:"SCENE" help:"Draw the obstacles of this built-in scene or scene file beneath the paths."`
	To    []float64 `placeholder:"X,Y" help:"Measure distances from this point, in meters (default: the start of each agent)."`

	Heat   []string `group:"Sweeps:" placeholder:"AXIS,AXIS" help:"Draw the metrics as a heat map over two axes."`
	Pareto []string `group:"Sweeps:" placeholder:"NAME,NAME" help:"Draw two metrics against each other, such as cost and quality, and their Pareto front. + before a name means that more is better, - that less is better."`
	Over   []string `group:"Sweeps:" placeholder:"AXIS,..." help:"Axes over which --pareto takes means, or none (default: scene and agents)."`
	JSON   bool     `group:"Sweeps:" name:"json" help:"Print only the Pareto front, as JSON."`

	Size cli.Size `group:"Looks:" placeholder:"WIDTH[xHEIGHT]" help:"Size of the picture in pixels (default: 1200, and as high as needed)."`
	Dark bool     `group:"Looks:" help:"Use the dark theme."`
}

type chart struct {
	name, help string
	flags      string // flags that affect the chart, separated by spaces
	draw       func(*drawing) ([]*Panel, error)
}

var rowCharts = []chart{
	{"histogram", "how often a metric (--x) has each value (default: main metrics)", "x by log", (*drawing).histograms},
	{"ecdf", "share of rows up to each value of a metric", "x by log", (*drawing).distributions},
	{"rows", "a metric of each row, the highest first", "x by", (*drawing).rowBars},
	{"scatter", "a metric (--y) against another (--x), one dot per row", "x y by log", (*drawing).scatter},
	{"curve", "median and quartiles of a metric (--y) by another (--x)", "x y by log", (*drawing).curve},
}

// charts lists the charts of each kind of file, the default first. Files of all kinds but trajectories and
// sweeps also have the rowCharts.
var charts = map[Kind][]chart{
	RunKind: {{"overview", "cost of the systems, and the main metrics", "", (*drawing).runOverview}},
	BenchKind: {
		{"overview", "cost and speed-up", "log", panels((*drawing).cost, (*drawing).speedUp)},
		{"cost", "ns per agent per step by the number of agents", "log", panels((*drawing).cost)},
		{"speedup", "speed-up over one worker by the number of workers", "", panels((*drawing).speedUp)},
	},
	TableKind: {{"overview", "histograms of the main metrics", "x by log", (*drawing).histograms}},
	MotionKind: {
		{"overview", "all charts below", "log to scene", panels((*drawing).speeds, (*drawing).present, (*drawing).distances, (*drawing).paths)},
		{"speed", "speed over time: median and quartiles", "log", panels((*drawing).speeds)},
		{"agents", "number of agents over time", "log", panels((*drawing).present)},
		{"distance", "distance from the start of each agent, or from a point (--to)", "log to", panels((*drawing).distances)},
		{"paths", "paths of some agents, among the obstacles of --scene", "scene", panels((*drawing).paths)},
	},
	SweepKind: {
		{"overview", "main effects of the axes, and the Pareto front of two metrics", "x over json", (*drawing).sweepOverview},
		{"heat", "metrics over two axes (--heat)", "heat x", (*drawing).heats},
		{"front", "two metrics (--pareto) and their Pareto front", "pareto over json", (*drawing).sweepFront},
	},
}

// chartsOf returns all charts of a kind, the default first.
func chartsOf(kind Kind) []chart {
	if kind.rows() {
		return slices.Concat(charts[kind], rowCharts)
	}
	return charts[kind]
}

// ChartNames returns the names of the charts of a kind, the default first.
func ChartNames(kind Kind) (names []string) {
	for _, c := range chartsOf(kind) {
		names = append(names, c.name)
	}
	return names
}

// Help lists the charts and shows examples.
func (Command) Help() string {
	var b strings.Builder
	b.WriteString("The content of a file determines its kind. --what selects a chart of that kind:\n")
	write := func(head string, all []chart) {
		fmt.Fprintf(&b, "\n    %s\n", head)
		for _, c := range all {
			fmt.Fprintf(&b, "      %-10s %s\n", c.name, c.help)
		}
	}
	for _, kind := range []Kind{RunKind, BenchKind, TableKind, MotionKind, SweepKind} {
		write(string(kind), charts[kind])
	}
	write("all kinds except trajectories and sweeps", rowCharts)
	b.WriteString(`
Several files of a kind are drawn side by side or over one another.

Examples:

    crowd run plaza --json | crowd plot - --out plaza.png
    crowd run seek flee tank-path plaza --json > score.json
    crowd plot score.json --x acceleration --by folder --out a.svg
    crowd plot score.json --x agents --y ns_per_agent_step --log --out cost.png
    crowd run plaza --trajectories plaza.csv.gz --every 10
    crowd plot SWEEP                         main effects, and the Pareto front
    crowd plot SWEEP --pareto=ns_per_agent_step,+flow --out front.png`)
	return b.String()
}

type drawing struct {
	*Command
	ctx     context.Context
	style   *Style
	files   []*file
	kind    Kind
	notes   []string // what the picture omits, with reasons
	caption []string
	across  int    // columns of panels; 0 means the default
	study   *study // set for sweeps
	best    *front // set for sweeps if the front is drawn
}

// Run reads the files and draws them.
func (o *Command) Run(ctx context.Context, e *cli.Console) error {
	if err := o.check(); err != nil {
		return cli.BadUsage(err)
	}
	var files output.Files
	files.Reads(o.Files...)
	out := files.Add("--out", o.Out)
	if err := files.Open(); err != nil {
		return cli.BadUsage(err)
	}
	defer files.Discard()
	p := &drawing{Command: o, ctx: ctx, style: &LightStyle}
	if o.Dark {
		p.style = &DarkStyle
	}
	s, err := p.sheet(e)
	if ctx.Err() != nil {
		return cli.While(ctx, ctx.Err(), "reading files")
	} else if err != nil {
		return cli.BadUsage(err)
	}
	for _, note := range p.notes {
		e.Log.Info(note)
	}
	if err := out.Fill(func(to io.Writer) error { return s.Write(to, o.Out) }); err != nil {
		return err
	}
	if o.JSON {
		return p.best.writeJSON(e.Machine)
	} else if p.best != nil {
		if err := p.best.write(e.Out); err != nil {
			return err
		}
	}
	_, err = cli.Fprintf(e.Out, "picture in %s\n", o.Out)
	return err
}

// check checks the flags, replaces folders of sweeps with their tables, and sets the default of --out.
func (o *Command) check() error {
	for i, name := range o.Files {
		info, err := os.Stat(name)
		if err == nil && info.IsDir() {
			o.Files[i] = filepath.Join(name, "results.csv")
			if _, err = os.Stat(o.Files[i]); err != nil {
				return fmt.Errorf("%s: has no results.csv, which crowd sweep and crowd sweep merge write at the end", name)
			}
		} else if name != "-" && err != nil {
			return fmt.Errorf("%s: %w", name, errors.Unwrap(err))
		}
	}
	if !o.JSON && len(o.Files) == 1 && filepath.Base(o.Files[0]) == "results.csv" {
		o.Out = cmp.Or(o.Out, filepath.Join(filepath.Dir(o.Files[0]), "results.png"))
	}
	switch {
	case o.Out == "" && !o.JSON:
		return errors.New("--out is missing, want a name that ends in .png, .svg or .pdf")
	case o.Out != "" && CheckName(o.Out) != nil:
		return CheckName(o.Out)
	case o.To != nil && (len(o.To) != 2 || !cli.Drawable(o.To[0]) || !cli.Drawable(o.To[1])):
		return fmt.Errorf("--to is %v, want X,Y within ±1e300 meters", o.To)
	}
	return o.Size.Check(200, 10_000)
}

func (p *drawing) sheet(e *cli.Console) (*Sheet, error) {
	for _, name := range p.Files {
		f, err := p.read(e, name)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, f)
	}
	if err := p.join(); err != nil {
		return nil, err
	}
	c, err := p.chart(e.Given)
	if err != nil {
		return nil, err
	}
	return p.picture(c)
}

func (p *drawing) read(e *cli.Console, name string) (*file, error) {
	in, size := os.Stdin, 0
	if name == "-" {
		name = "standard input"
	} else {
		var err error
		if in, err = os.Open(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, errors.Unwrap(err))
		}
		defer in.Close()
		if info, err := in.Stat(); err == nil {
			size = int(info.Size())
		}
	}
	bar := e.Progress(name, size, "byte", size == 0)
	defer bar.Done()
	return readFile(name, io.TeeReader(textio.WithContext(p.ctx, in), bar), p.To)
}

// join labels the files, and sets the kind that they share. Tables of different kinds share TableKind; other
// kinds must be equal. For sweeps, join also sets the study.
func (p *drawing) join() (err error) {
	var names []string
	first := p.files[0]
	p.kind = first.Kind
	for _, f := range p.files {
		names = append(names, strings.TrimSuffix(f.Name, "/results.csv"))
		if f.Kind != p.kind && !(f.Kind.rows() && p.kind.rows()) {
			return fmt.Errorf("%s is %s and %s is %s: want files of one kind", first.Name, first.Kind, f.Name, f.Kind)
		} else if f.Kind != p.kind {
			p.kind = TableKind
		}
	}
	for i, label := range shortNames(names, ".json", ".jsonl", ".csv", ".txt") {
		p.files[i].Label = label
	}
	if p.kind == SweepKind {
		p.study, err = newStudy(p.files)
	}
	return err
}

// chart returns the chart of --what, or else the one that the other flags need. It returns an error if there
// is none, or if a given flag does not affect the chart.
func (p *drawing) chart(given cli.Given) (c chart, err error) {
	all, what := chartsOf(p.kind), cmp.Or(p.What, "overview")
	switch {
	case p.What != "":
	case p.kind == SweepKind && p.Heat != nil:
		what = "heat"
	case p.kind == SweepKind && p.Pareto != nil:
		what = "front"
	case p.kind.rows() && p.X != "" && p.Y != "":
		what = "scatter"
	case p.kind.rows() && p.X != "":
		what = "histogram"
	}
	i := slices.IndexFunc(all, func(c chart) bool { return c.name == what })
	if i < 0 {
		return c, fmt.Errorf("no chart %s for %s, which is %s; %s", what, p.files[0].Name, p.kind, suggest.OneOf(what, ChartNames(p.kind)))
	}
	why := fmt.Sprintf("does not affect the chart %s of %s, want another --what", what, p.kind)
	for _, flag := range strings.Fields("x y by log to scene heat pareto over json") {
		idle := !slices.Contains(strings.Fields(all[i].flags), flag)
		if err := given.Refuse(cli.IdleFlag{Name: flag, Idle: idle, Why: why}); err != nil {
			return c, err
		}
	}
	return all[i], nil
}

func (p *drawing) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(p.notes, text) {
		p.notes = append(p.notes, text)
	}
}

func (p *drawing) series(i int, name string) Series {
	return Series{Name: name, Color: i, Glyph: i, Dash: i / len(p.style.Lines)}
}

// panels returns a function that draws the panels that are not nil.
func panels(draw ...func(*drawing) (*Panel, error)) func(*drawing) ([]*Panel, error) {
	return func(p *drawing) (all []*Panel, err error) {
		for _, draw := range draw {
			panel, err := draw(p)
			if err != nil {
				return nil, err
			} else if panel != nil {
				all = append(all, panel)
			}
		}
		return all, nil
	}
}

func (p *drawing) picture(c chart) (*Sheet, error) {
	panels, err := c.draw(p)
	n, caption := len(p.rows()), p.settings
	switch {
	case err != nil:
		return nil, err
	case len(panels) == 0:
		return nil, fmt.Errorf("%s: has no numbers for the chart %s", p.files[0].Name, c.name)
	case p.kind == MotionKind:
		n, caption = len(p.files), p.spans
	case p.kind == SweepKind:
		if n = len(p.study.runs); n > len(p.study.ok) {
			p.note("%d of %s left out, because they failed", n-len(p.study.ok), cli.Plural(n, "run"))
		}
	}
	title := cli.Plural(n, p.noun()) + " from "
	if len(p.files) == 1 {
		title += p.files[0].Label
	} else {
		title += cli.Plural(len(p.files), "file")
	}
	s := &Sheet{Style: p.style, Title: title, Caption: append(caption(), p.caption...), Columns: p.across, Panels: panels}
	if s.Columns == 0 {
		s.Columns = map[int]int{1: 1, 2: 2, 4: 2}[len(panels)]
	}
	s.Columns = cmp.Or(s.Columns, 3)
	if len(p.notes) > 0 {
		s.Caption = append(s.Caption, strings.Join(p.notes, "; "))
	}
	s.Width, s.Height = vg.Length(p.Size.Width)*pixel, vg.Length(p.Size.Height)*pixel
	return s, nil
}
