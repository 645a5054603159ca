package plot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/suggest"
)

// StudyFlags are the flags for sweeps alone.
type StudyFlags struct {
	Heat   []string `placeholder:"AXIS,AXIS" help:"Draw the figures as a heat map over two axes."`
	Pareto []string `placeholder:"NAME,NAME" help:"Draw two figures against each other, such as cost and quality, and the points that no other beats. + before a name: more is better; -: less is."`
	Over   []string `placeholder:"AXIS,..." help:"Axes that the points of --pareto are means over, or none (default: scene and agents)."`
	JSON   bool     `name:"json" help:"Print the points that no other beats as JSON, and nothing else."`
}

// Sweep draws sweeps.
type Sweep struct {
	Files  []string // folders, or their results.csv; several are joined
	Out    string
	Figure []string // whose means are drawn; nil: up to three that differ
	StudyFlags
	Look
}

// isStudy reports whether a name is of a folder, or of the table of a sweep.
func isStudy(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() { // a pipe can be read only once
		return err == nil && info.IsDir()
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [1 << 16]byte
	n, _ := io.ReadFull(f, head[:])
	line, _, _ := strings.Cut(string(head[:n]), "\n")
	return strings.HasPrefix(line, "index,") && strings.Contains(line, ",seed,status")
}

// studyDrawing is a picture of a sweep in the making.
type studyDrawing struct {
	*Sweep
	*Study
}

// sweepChief are the figures that are drawn by default, the first ones first.
var sweepChief = []string{"arrived_share", "flow", "mean_arrival_time", "collisions", "ns_per_agent_step", "lines[0].flow", "agent_time_in_collision", "wiggle", "path_ratio", "energy"}

// Run draws what the options ask for.
func (o *Sweep) Run(ctx context.Context, e *cli.Console) error {
	if err := o.check(e); err != nil {
		return cli.BadUsage(err)
	}
	var best *front
	err := o.draw(ctx, e, o.Files, o.Out, func() (s *Sheet, err error) {
		s, best, err = o.sheet(ctx, e)
		return s, err
	})
	switch {
	case err != nil:
		return err
	case o.JSON:
		return best.writeJSON(e.Machine)
	case best != nil:
		if err := best.write(e.Out); err != nil {
			return err
		}
	}
	_, err = cli.Fprintf(e.Out, "picture in %s\n", o.Out)
	return err
}

// check finds the tables, and returns an error for flags that do not go together.
func (o *Sweep) check(e *cli.Console) error {
	for i, name := range o.Files {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			o.Files[i] = filepath.Join(name, "results.csv")
			if _, err := os.Stat(o.Files[i]); errors.Is(err, os.ErrNotExist) {
				return fmt.Errorf("%s: has no results.csv, which crowd sweep and crowd sweep merge write at the end", name)
			}
		}
	}
	twice := func(names []string) bool {
		return len(names) != 2 || strings.TrimLeft(names[0], "+-") == strings.TrimLeft(names[1], "+-")
	}
	switch {
	case e.Given["heat"] && twice(o.Heat):
		return fmt.Errorf("--heat is %s, want two axes", strings.Join(o.Heat, ","))
	case e.Given["pareto"] && twice(o.Pareto):
		return fmt.Errorf("--pareto is %s, want two figures", strings.Join(o.Pareto, ","))
	case o.Out == "" && len(o.Files) > 1 && !o.JSON:
		return errors.New("--out is missing: several sweeps are drawn")
	case o.Out == "" && !o.JSON:
		o.Out = filepath.Join(filepath.Dir(o.Files[0]), "results.png")
	}
	heatAlone := len(o.Pareto) == 0 && len(o.Heat) > 0
	return e.Given.Refuse(
		cli.IdleFlag{Name: "over", Idle: heatAlone, Why: "is for --pareto, and --heat is drawn alone"},
		cli.IdleFlag{Name: "json", Idle: heatAlone, Why: "is for --pareto, and --heat is drawn alone"},
		cli.IdleFlag{Name: "x", Idle: len(o.Pareto) > 0 && len(o.Heat) == 0, Why: "is for means and --heat, and --pareto is drawn alone"},
	)
}

// sheet makes the picture, and the front if there is one.
func (o *Sweep) sheet(ctx context.Context, e *cli.Console) (*Sheet, *front, error) {
	files, err := read(ctx, e, o.Files, ReadOptions{})
	if err != nil {
		return nil, nil, err
	}
	p := &studyDrawing{Sweep: o}
	if p.Study, err = NewStudy(files); err != nil {
		return nil, nil, err
	}
	figures, err := p.figures()
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for _, name := range o.Files {
		if abs, err := filepath.Abs(name); err == nil && filepath.Base(name) == "results.csv" {
			name = filepath.Dir(abs)
		}
		names = append(names, cli.Shorten(filepath.Base(name), 40))
	}
	s, best := &Sheet{Title: fmt.Sprintf("%s of %s", cli.Plural(p.Runs, "run"), strings.Join(names, ", "))}, (*front)(nil)
	if len(o.Heat) > 0 {
		err = p.heats(s, figures)
	} else if len(o.Pareto) == 0 {
		err = p.effects(s, figures)
	}
	if err == nil && (len(o.Pareto) > 0 || len(o.Heat) == 0) {
		best, err = p.front(s)
	}
	if best == nil && o.JSON && err == nil {
		err = errors.New("--json prints what no other beats, and no figure is known to be better or worse in all runs: choose two with --pareto")
	}
	if p.Failed+p.Dead > 0 {
		p.note("%d of %s left out: %d failed, %d dead", p.Failed+p.Dead, cli.Plural(p.Runs, "run"), p.Failed, p.Dead)
	}
	return s, best, err
}

// figures returns the figures that are asked for, or else up to three main ones that differ.
func (p *studyDrawing) figures() ([]string, error) {
	for _, name := range p.Figure {
		if err := p.checkFigure("--x", name); err != nil {
			return nil, err
		}
	}
	figures := p.Figure
	for _, name := range sweepChief {
		if least, most, _ := p.Span(name); len(p.Figure) == 0 && len(figures) < 3 && least < most {
			figures = append(figures, name)
		}
	}
	switch {
	case len(figures) > 0 || len(p.Pareto) > 0:
		return figures, nil
	case p.Runs == p.Failed+p.Dead:
		return nil, fmt.Errorf("%s: no run has a result: %d failed, %d given up; the column error says why", p.Files[0], p.Failed, p.Dead)
	}
	return nil, fmt.Errorf("%s: none of the main figures differs; choose with --x from %s", p.Files[0], list(p.Figures))
}

// checkFigure returns an error if a sweep has no such figure.
func (p *studyDrawing) checkFigure(flag, name string) error {
	if !slices.Contains(p.Figures, name) {
		return fmt.Errorf("%s: no figure is called %q, %s", flag, name, suggest.OneOf(name, p.Figures))
	} else if least, most, _ := p.Span(name); least > most {
		return fmt.Errorf("%s: no run has measured %s; others are %s", flag, name, strings.Join(p.Figures, ", "))
	}
	return nil
}

// axesOf returns axes by their names.
func (p *studyDrawing) axesOf(flag string, names []string) (axes []int, err error) {
	var all []string
	for _, a := range p.Axes {
		all = append(all, a.Name)
	}
	for _, name := range names {
		i := slices.Index(all, name)
		if i < 0 {
			return nil, fmt.Errorf("%s: no axis is called %q, %s", flag, name, suggest.OneOf(name, all))
		}
		axes = append(axes, i)
	}
	return axes, nil
}

// noteMissing counts the runs that lack a figure.
func (p *studyDrawing) noteMissing(name string) {
	if _, _, n := p.Span(name); n > 0 {
		p.note("%d of %s have no %s", n, cli.Plural(p.Runs-p.Failed-p.Dead, "run"), name)
	}
}

// mostBins is the number of bins of scattered values on an axis.
const mostBins = 8

// effects draws the mean of each figure at each value of each axis, over all else. Panels of one figure
// have one scale.
func (p *studyDrawing) effects(s *Sheet, figures []string) error {
	axes, seeds := p.Varies(), len(p.Seeds)
	if len(axes) == 0 {
		return fmt.Errorf("%s: no axis has two values, so nothing can be compared", p.Files[0])
	}
	if s.Columns = min(len(axes), 4); len(axes) == 1 {
		s.Columns = min(len(figures), 3)
	}
	text := map[bool]string{true: ", and so without intervals", false: "; bars are 95 % intervals over seeds (Student's t of the means of each seed)"}[seeds == 1]
	s.Caption = append(s.Caption, fmt.Sprintf("Means over all other axes of %s, %s each%s", cli.Plural(len(p.Points), "point"), cli.Plural(seeds, "seed"), text))
	for color, name := range figures {
		f, least, most := figureOf(name), math.Inf(1), math.Inf(-1)
		first := len(s.Panels)
		for _, i := range axes {
			a, levels := p.Axes[i], p.Levels(i, mostBins)
			panel := NewPanel(p.style, "", figureOf(a.Name).axis(), f.axis())
			if levels.Binned {
				panel.X.Label.Text += fmt.Sprintf(", in %d quantiles", len(levels.Names))
			}
			look, line := Marked|Barred, Series{Color: color}
			for _, mean := range p.Effect(i, levels, name) {
				at := Point{X: float64(mean.Level), Y: mean.Mean * f.scale}
				if levels.At != nil {
					at.X = levels.At[mean.Level]
				}
				half := mean.Half * f.scale
				if math.IsNaN(half) {
					half = 0
				}
				at.Low, at.High = at.Y-half, at.Y+half
				least, most, line.Points = min(least, at.Low), max(most, at.High), append(line.Points, at)
			}
			if levels.At != nil {
				look |= Joined
				panel.Log(Geometric(a.Numbers), false)
			}
			panel.AddSeries(look, line)
			if levels.At == nil {
				panel.Names(&panel.X, shorten(levels.Names), 1)
			}
			s.Panels = append(s.Panels, panel)
		}
		for _, panel := range s.Panels[first:] {
			panel.Y.Min, panel.Y.Max = least, most
		}
		p.noteMissing(name)
	}
	return nil
}

// shorten returns names that have room on an axis.
func shorten(names []string) (short []string) {
	for _, name := range names {
		short = append(short, cli.Shorten(name, 24))
	}
	return short
}
