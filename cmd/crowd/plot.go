package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
	"github.com/8f878440/crowd/internal/suggest"
	"gonum.org/v1/plot/vg"
)

// plotCmd draws curves and histograms.
type plotCmd struct {
	Files []string `arg:"" name:"file" help:"What run, score and bench wrote as JSON, CSV or Go benchmark lines, also as .gz; - is standard input."`

	Out    string    `required:"" short:"o" placeholder:"FILE.png" help:"The picture, as the name ends: .png or .svg."`
	What   string    `placeholder:"NAME" help:"What to draw of the content; the list is above (default: overview)."`
	X      string    `placeholder:"COLUMN" help:"Figure to draw, or the one across."`
	Y      string    `placeholder:"COLUMN" help:"Figure upwards, against --x."`
	By     string    `placeholder:"COLUMN" help:"Color or panel for each value of a column, or folder for that of the scene (default: for each file)."`
	Log    bool      `help:"Logarithmic axes for figures."`
	To     []float64 `placeholder:"X,Y" help:"Measure distances to this place, in meters (default: to where each agent began)."`
	Ways   int       `placeholder:"N" default:"100" help:"Draw the ways of so many agents."`
	Width  int       `placeholder:"PIXELS" help:"Width of the picture (default: 1200)."`
	Height int       `placeholder:"PIXELS" help:"Height of the picture (default: what it takes)."`
	Title  *string   `placeholder:"TEXT" help:"Title in place of the usual one; it may be empty."`
	Dark   bool      `help:"Light on dark."`
}

func (plotCmd) Help() string {
	var b strings.Builder
	b.WriteString("What a file holds is found out from its content. Of each kind --what draws:\n")
	write := func(head string, all []chart) {
		fmt.Fprintf(&b, "\n    %s\n", head)
		for _, c := range all {
			fmt.Fprintf(&b, "      %-10s %s\n", c.name, c.help)
		}
	}
	for _, kind := range []plotKind{runKind, scoreKind, benchKind, tableKind, motionKind} {
		all := chartsOf(kind)
		if kind != motionKind {
			all = all[:len(all)-len(figureCharts)]
		}
		write(string(kind), all)
	}
	write("all but trajectories, which are rows of figures", figureCharts)
	b.WriteString(`
Several files of a kind are drawn beside or over one another.

Examples:

    crowd run plaza --json | crowd plot - --out plaza.png
    crowd run plaza --json > before.json
    crowd run plaza --seed 2 --json > after.json
    crowd plot before.json after.json --out compared.png
    crowd score seek flee tank-path plaza --json > score.json
    crowd plot score.json --x mean_acceleration --by folder --out a.svg
    crowd plot score.json --x agents --y ns_per_agent_step --log --out cost.png
    crowd run plaza --trajectories plaza.csv.gz --every 10
    crowd plot plaza.csv.gz --what speed --out speed.png --dark
    crowd bench W2 --json > bench.json
    crowd plot bench.json --what cost --out cost.svg`)
	return b.String()
}

// plotting is a picture in the making.
type plotting struct {
	*plotCmd
	files []*plotFile
	kind  plotKind
	style *plotStyle
	notes []string // what is not in the picture, and why
}

func (c *plotCmd) Run(ctx context.Context, e *console.Console) error {
	if err := c.check(e); err != nil {
		return usage.Bad(err)
	}
	var files output.Files
	files.Reads(c.Files...)
	out := files.Add("--out", c.Out)
	if err := files.Open(); err != nil {
		return usage.Bad(err)
	}
	defer files.Discard()
	p := &plotting{plotCmd: c, style: &lightStyle}
	if c.Dark {
		p.style = &darkStyle
	}
	if err := p.readAll(ctx, e); err != nil {
		if ctx.Err() != nil {
			return err // it is not the file's fault
		}
		return usage.Bad(err)
	}
	if err := p.checkChart(e); err != nil {
		return usage.Bad(err)
	}
	s, err := p.sheet()
	if err != nil {
		return usage.Bad(err)
	}
	for _, note := range p.notes {
		e.Log.Info(note)
	}
	if err := out.Fill(func(to io.Writer) error { return s.write(to, c.Out) }); err != nil {
		return err
	}
	_, err = terminal.Fprintf(e.Out, "picture in %s\n", c.Out)
	return err
}

// Sizes that a picture may have, in pixels.
const (
	leastPixels = 200
	mostPixels  = 10_000
)

func (c *plotCmd) check(e *console.Console) error {
	if end := strings.ToLower(filepath.Ext(c.Out)); end != ".png" && end != ".svg" {
		return fmt.Errorf("--out is %s, want a name that ends with .png or .svg", c.Out)
	}
	for _, size := range []struct {
		flag   string
		pixels int
	}{{"width", c.Width}, {"height", c.Height}} {
		if e.Given[size.flag] && (size.pixels < leastPixels || size.pixels > mostPixels) {
			return fmt.Errorf("--%s is %d, want %d to %d pixels", size.flag, size.pixels, leastPixels, mostPixels)
		}
	}
	switch {
	case c.Ways < 0 || c.Ways > 10_000:
		return fmt.Errorf("--ways is %d, want 0 to 10000", c.Ways)
	case c.To != nil && (len(c.To) != 2 || !drawable(c.To[0]) || !drawable(c.To[1])):
		return fmt.Errorf("--to is %v, want X,Y", c.To)
	}
	return nil
}

// chart returns what is to be drawn.
func (p *plotting) chart() (c chart, err error) {
	all, what := chartsOf(p.kind), p.What
	switch {
	case p.kind == motionKind && p.X+p.Y+p.By != "":
		return c, fmt.Errorf("--x, --y and --by go with figures, and %s is %s", p.files[0].name, p.kind)
	case p.kind != motionKind && p.To != nil:
		return c, fmt.Errorf("--to goes with trajectories, and %s is %s", p.files[0].name, p.kind)
	case what != "":
	case p.X != "" && p.Y != "":
		what = "scatter"
	case p.X != "":
		what = "histogram"
	case p.Y != "":
		return c, errors.New("--y goes with --x: a figure alone is drawn by --x")
	default:
		what = all[0].name
	}
	i := slices.IndexFunc(all, func(c chart) bool { return c.name == what })
	if i < 0 {
		var names []string
		for _, c := range all {
			names = append(names, c.name)
		}
		return c, fmt.Errorf("nothing called %s in %s, which is %s; %s", what, p.files[0].name, p.kind, suggest.OneOf(what, names))
	}
	return all[i], nil
}

// checkChart returns an error if a flag is given of which the chart makes nothing.
func (p *plotting) checkChart(e *console.Console) error {
	c, err := p.chart()
	if err != nil {
		return err
	}
	for _, flag := range []string{"x", "y", "by", "log", "to", "ways"} {
		var users []string
		for _, other := range chartsOf(p.kind) {
			if other.uses(flag) {
				users = append(users, other.name)
			}
		}
		why := fmt.Sprintf("is for %s, and the picture is %s", strings.Join(users, ", "), c.name)
		if len(users) == 0 {
			why = fmt.Sprintf("goes with trajectories, and %s is %s", p.files[0].name, p.kind)
		}
		if err := e.Given.Refuse(usage.IdleFlag{Name: flag, Idle: !c.uses(flag), Why: why}); err != nil {
			return err
		}
	}
	return nil
}

// sheet makes the picture that is asked for.
func (p *plotting) sheet() (*plotSheet, error) {
	c, err := p.chart()
	if err != nil {
		return nil, err
	}
	s, err := c.draw(p)
	if err != nil {
		return nil, err
	}
	s.style, s.width, s.height = p.style, vg.Length(p.Width)*pixel, vg.Length(p.Height)*pixel
	if p.Title != nil {
		s.title = printable(*p.Title, 200)
	}
	s.columns = max(s.columns, 1)
	if len(p.notes) > 0 {
		s.caption = append(s.caption, strings.Join(p.notes, "; "))
	}
	return s, nil
}

// note says what is not in the picture.
func (p *plotting) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(p.notes, text) {
		p.notes = append(p.notes, text)
	}
}
