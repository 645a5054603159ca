package plot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/sheet"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot/study"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
)

// Sweep draws what crowd sweep found out.
type Sweep struct {
	Files []string `arg:"" name:"folder" help:"Folder of a sweep, or its results.csv. Several are joined."`

	Out    string   `short:"o" placeholder:"FILE.png" help:"The picture, as the name ends: .png or .svg (default: results.png beside results.csv)."`
	Figure []string `placeholder:"NAME,..." help:"Figures whose means are drawn (default: up to three that differ)."`
	Heat   []string `placeholder:"AXIS,AXIS" help:"Draw the figures as a table of colors over two axes."`
	Pareto []string `placeholder:"NAME,NAME" help:"Draw two figures against one another, such as cost and quality, and the points that no other beats. + before a name: more is better; -: less is."`
	Over   []string `placeholder:"AXIS,..." help:"Axes over which points against one another are means, or none (default: scene and agents)."`
	JSON   bool     `name:"json" help:"Print the points that no other beats as JSON, and nothing else."`
	Look
}

// studyDrawing is a picture of a sweep in the making.
type studyDrawing struct {
	*Sweep
	*study.Study
	style   *sheet.Style
	figures []string
	notes   []string
}

// chiefOfSweep are the figures that are drawn unless others are asked for, the first ones first.
var chiefOfSweep = []string{"arrived_share", "flow", "mean_arrival_time", "collisions", "ns_per_agent_step", "lines[0].flow", "agent_time_in_collision", "wiggle", "path_ratio", "energy"}

// Run draws what the options ask for.
func (o *Sweep) Run(ctx context.Context, e *console.Console) error {
	if err := o.check(e); err != nil {
		return usage.Bad(err)
	}
	var files output.Files
	files.Reads(o.Files...)
	out := files.Add("--out", o.Out)
	if err := files.Open(); err != nil {
		return usage.Bad(err)
	}
	defer files.Discard()
	s, front, err := o.draw(ctx, e)
	if err != nil {
		if ctx.Err() != nil {
			return err // it is not the file's fault
		}
		return usage.Bad(err)
	}
	if out != nil {
		if err := out.Fill(func(to io.Writer) error { return s.Write(to, o.Out) }); err != nil {
			return err
		}
	}
	if o.JSON && front == nil {
		return usage.Bad(errors.New("--json prints what no other beats, and no figure is known to be better or worse in all runs: choose two with --pareto"))
	}
	if o.JSON {
		return front.writeJSON(e.Machine)
	}
	if front != nil {
		if err := front.write(e.Out); err != nil {
			return err
		}
	}
	_, err = terminal.Fprintf(e.Out, "picture in %s\n", o.Out)
	return err
}

// check finds the tables, and returns an error for what does not go together.
func (o *Sweep) check(e *console.Console) error {
	for i, name := range o.Files {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			o.Files[i] = filepath.Join(name, "results.csv")
			if _, err := os.Stat(o.Files[i]); errors.Is(err, os.ErrNotExist) {
				return fmt.Errorf("%s: has no results.csv, which crowd sweep and crowd sweep merge write when all is done", name)
			}
		}
	}
	switch {
	case o.Out == "" && o.JSON: // no picture
	case o.Out == "" && len(o.Files) > 1:
		return errors.New("--out is missing: several sweeps are drawn")
	case o.Out == "":
		o.Out = filepath.Join(filepath.Dir(o.Files[0]), "results.png")
	}
	switch {
	case e.Given["heat"] && (len(o.Heat) != 2 || o.Heat[0] == o.Heat[1]):
		return fmt.Errorf("--heat is %s, want two axes", strings.Join(o.Heat, ","))
	case e.Given["pareto"] && (len(o.Pareto) != 2 || strings.TrimLeft(o.Pareto[0], "+-") == strings.TrimLeft(o.Pareto[1], "+-")):
		return fmt.Errorf("--pareto is %s, want two figures", strings.Join(o.Pareto, ","))
	}
	front := len(o.Pareto) > 0 || len(o.Heat) == 0
	if err := e.Given.Refuse(
		usage.IdleFlag{Name: "over", Idle: !front, Why: "is for --pareto, and --heat is drawn alone"},
		usage.IdleFlag{Name: "json", Idle: !front, Why: "is for --pareto, and --heat is drawn alone"},
		usage.IdleFlag{Name: "figure", Idle: len(o.Pareto) > 0 && len(o.Heat) == 0, Why: "is for means and --heat, and --pareto is drawn alone"},
	); err != nil {
		return err
	}
	return o.Look.check(e, o.Out)
}

// draw makes the picture, and the front if there is one.
func (o *Sweep) draw(ctx context.Context, e *console.Console) (*sheet.Sheet, *front, error) {
	p := &studyDrawing{Sweep: o, style: o.style()}
	if err := p.read(ctx); err != nil {
		return nil, nil, err
	}
	s := &sheet.Sheet{Style: p.style, Title: fmt.Sprintf("%s of %s", numbers.Plural(p.Runs, "run"), p.title())}
	var best *front
	var err error
	switch {
	case len(o.Heat) > 0:
		err = p.heats(s)
	case len(o.Pareto) == 0:
		err = p.effects(s)
	}
	if err == nil && (len(o.Pareto) > 0 || len(o.Heat) == 0) {
		best, err = p.front(s)
	}
	if err != nil {
		return nil, nil, err
	}
	p.noteLeft()
	for _, note := range p.notes {
		e.Log.Info(note)
	}
	if len(p.notes) > 0 {
		s.Caption = append(s.Caption, strings.Join(p.notes, "; "))
	}
	o.dress(s)
	return s, best, nil
}

// title names the sweeps.
func (p *studyDrawing) title() string {
	const most = 3
	if len(p.Files) > most {
		return numbers.Plural(len(p.Files), "sweep")
	}
	var names []string
	for _, name := range p.Files {
		if filepath.Base(name) == "results.csv" {
			if abs, err := filepath.Abs(name); err == nil {
				name = filepath.Dir(abs)
			}
		}
		names = append(names, terminal.Shorten(filepath.Base(name), 40))
	}
	return strings.Join(names, ", ")
}

// read reads the tables, and chooses the figures.
func (p *studyDrawing) read(ctx context.Context) error {
	goals := slices.Clone(p.Pareto)
	for i := range goals {
		goals[i] = strings.TrimLeft(goals[i], "+-")
	}
	var tables []study.Reader
	for _, name := range p.Files {
		in, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, errors.Unwrap(err))
		}
		defer in.Close()
		tables = append(tables, study.Reader{Reader: in, Name: name})
	}
	var err error
	if p.Study, err = study.Read(ctx, tables, slices.Concat(p.Figure, goals, costsOfSweep, chiefOfSweep)); err != nil {
		return err
	}
	for _, name := range p.Figure {
		if err := p.CheckFigure("--figure", name); err != nil {
			return err
		}
	}
	if p.figures = p.Figure; len(p.figures) > 0 {
		return nil
	}
	for _, name := range chiefOfSweep {
		if len(p.figures) < 3 && p.Differs(name) {
			p.figures = append(p.figures, name)
		}
	}
	if len(p.figures) == 0 && len(p.Pareto) == 0 {
		if p.Runs == p.Failed+p.Dead {
			return fmt.Errorf("%s: no run has a result: %d failed, %d given up; the column error says why", p.Files[0], p.Failed, p.Dead)
		}
		return fmt.Errorf("%s: none of the chief figures differs; choose with --figure from %s", p.Files[0], list(p.Figures))
	}
	return nil
}

// noteLeft says which runs are left out.
func (p *studyDrawing) noteLeft() {
	if p.Failed+p.Dead > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%d of %s left out: %d failed, %d dead", p.Failed+p.Dead, numbers.Plural(p.Runs, "run"), p.Failed, p.Dead))
	}
}

// noteMissing says how many runs lack a figure.
func (p *studyDrawing) noteMissing(name string) {
	if n := p.Missing(name); n > 0 {
		text := fmt.Sprintf("%d of %s have no %s", n, numbers.Plural(p.Runs-p.Failed-p.Dead, "run"), name)
		if !slices.Contains(p.notes, text) {
			p.notes = append(p.notes, text)
		}
	}
}
