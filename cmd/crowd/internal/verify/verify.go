// Package verify simulates experiments with people and the tests of guidelines, and compares the results with
// expectations.
package verify

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/plot"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/world/scene"
)

type suite interface {
	plan(*plan)
	rows() []Row
	missing() string // describes what more data would add; "" means nothing
	picture(*plot.Style) *plot.Sheet
}

// suites lists the suites in the order of their results.
var suites = []struct {
	name  string
	begin func(*Options) (suite, error)
}{
	{"juelich", newJuelich},
	{"diagram", newDiagram},
	{"jam", newJam},
	{"rimea", newRimea},
	{"nist", newNist},
}

func suiteNames() (names []string) {
	for _, s := range suites {
		names = append(names, s.name)
	}
	return names
}

// part is a suite that Run runs.
type part struct {
	suite
	name    string
	file    string       // of the picture
	written *output.File // nil without --out
}

// Run runs the requested suites, and prints and draws their results. Unless --model is all, it returns an error
// if any metric is not as expected.
func (o *Options) Run(ctx context.Context, e *cli.Console) error {
	if err := o.check(e); err != nil {
		return cli.BadUsage(err)
	}
	var (
		models = o.models()
		parts  = make([][]part, len(models))
		files  output.Files
		runs   plan
	)
	for i, m := range models {
		var err error
		if parts[i], err = o.parts(); err != nil {
			return cli.BadUsage(err)
		}
		runs.model = m.Model
		for k := range parts[i] {
			p := &parts[i][k]
			p.written = files.Add("--out", p.file)
			runs.suite = p.name
			p.plan(&runs)
		}
	}
	if err := files.Open(); err != nil {
		return cli.BadUsage(err)
	}
	defer files.Discard()
	if err := runs.carryOut(ctx, e, o.JSON); err != nil {
		return cli.While(ctx, err, "verifying")
	}
	if o.Model == all {
		costs, err := costs(ctx, models)
		if err != nil {
			return err
		}
		return o.compare(e, models, parts, costs)
	}
	return o.report(e, models[0].Model, parts[0])
}

func (p *part) rowsOf(m scene.Model) []Row {
	rows := p.rows()
	for i := range rows {
		rows[i] = rows[i].by(m, p.name)
	}
	return rows
}

func (o *Options) report(e *cli.Console, m scene.Model, parts []part) error {
	var rows []Row
	var failed error // the first error of a picture
	for i := range parts {
		p := &parts[i]
		of := p.rowsOf(m)
		rows = append(rows, of...)
		if !o.JSON {
			if err := writeTable(e.Out, p.name, of, p.missing()); err != nil {
				return err
			}
		}
		if p.written != nil {
			s := p.picture(o.style())
			if err := p.written.Fill(func(to io.Writer) error { return s.Write(to, p.file) }); err != nil {
				failed, p.file = cmp.Or(failed, err), ""
			}
		}
	}
	bad := 0
	for _, r := range rows {
		if !r.asExpected() {
			bad++
		}
	}
	if o.JSON {
		if err := output.WriteJSON(e.Machine, rows); err != nil {
			return err
		}
	} else {
		for _, p := range parts {
			if p.file != "" {
				cli.Fprintf(e.Out, "picture in %s\n", p.file)
			}
		}
		if _, err := cli.Fprintf(e.Out, "%d of %d as expected, by the model %s\n", len(rows)-bad, len(rows), m); err != nil {
			return err
		}
	}
	if failed == nil && bad > 0 {
		return fmt.Errorf("not as expected: %d of %d metrics", bad, len(rows))
	}
	return failed
}

// parts returns the requested suites in order. With several suites, each picture's name has -SUITE before the
// extension.
func (o *Options) parts() (parts []part, err error) {
	for _, s := range suites {
		if !o.asked(s.name) {
			continue
		}
		p := part{name: s.name, file: o.Out}
		if p.suite, err = s.begin(o); err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	if o.Out != "" && len(parts) > 1 {
		end := filepath.Ext(o.Out)
		for i := range parts {
			parts[i].file = strings.TrimSuffix(o.Out, end) + "-" + parts[i].name + end
		}
	}
	return parts, nil
}

// Options are the flags of crowd validate.
type Options struct {
	Suites []string `arg:"" optional:"" name:"suite" words:"all,juelich,diagram,jam,rimea,nist" help:"juelich, diagram, jam, rimea, nist or all (default: all)."`

	Model   string `placeholder:"NAME" default:"${model}" words:"all" help:"Model of how people walk: ${models}; or all, for one table of all models (default: ${model})."`
	Data    string `placeholder:"FOLDER" help:"Folder with recordings from the Forschungszentrum Jülich, for comparing the time gaps between people."`
	Repeats int    `placeholder:"N" default:"10" help:"Run each experiment of juelich with N seeds, and experiments of other suites with at most 3 seeds (default: 10)."`
	Quick   bool   `help:"Run fewer experiments, with one seed."`
	JSON    bool   `name:"json" help:"Print only the results, as JSON."`
	Out     string `short:"o" placeholder:"FILE.png" help:"Draw a picture of each suite, as .png, .svg or .pdf. With several suites, the names are FILE-SUITE.png."`
	Dark    bool   `help:"Use the dark theme."`
}

func (Options) Help() string {
	return `Suites:

    juelich    gates of 0.5, 0.7 and 1.0 m, as recorded, and doors
    diagram    speed against density: corridor, closed loop, single file
    jam        smoothness of walking: jams, counterflow, overtaking
    rimea      the tests of the RiMEA guideline
    nist       the tests of NIST Technical Note 1822

Metrics that real people miss too, and tests that are not supported, are printed in yellow
and count as expected. The exit code is 1 if any other metric is not as expected.
docs/verification.md gives the definition and source of each metric.

--model all runs the suites with each model in turn and prints the metrics of all models in
one table. Because this is only a comparison, the exit code is 0.

Examples:

    crowd validate --quick
    crowd validate diagram --quick --out diagram.png
    crowd validate juelich --data RECORDINGS --repeats 20
    crowd validate diagram --model social-force-2000
    crowd validate all --model all --quick
    crowd validate jam --quick --json`
}

const mostSeeds = 1000 // limit of --repeats

func (o *Options) check(e *cli.Console) error {
	for _, name := range o.Suites {
		if names := append(suiteNames(), all); !slices.Contains(names, name) {
			return fmt.Errorf("no suite is named %q, %s", name, suggest.OneOf(name, names))
		}
	}
	if names := append(scene.ModelNames(), all); !slices.Contains(names, o.Model) {
		return fmt.Errorf("--model is %q, %s", o.Model, suggest.OneOf(o.Model, names))
	}
	if o.Repeats < 1 || o.Repeats > mostSeeds {
		return fmt.Errorf("--repeats is %d, want 1 to %d", o.Repeats, mostSeeds)
	}
	if o.Out != "" && plot.CheckName(o.Out) != nil {
		return plot.CheckName(o.Out)
	}
	return e.Given.Refuse(
		cli.IdleFlag{Name: "repeats", Idle: o.Quick, Why: "and --quick exclude each other, want only one"},
		cli.IdleFlag{Name: "data", Idle: !o.asked("juelich"), Why: "is only for juelich, which is not among the suites"},
		cli.IdleFlag{Name: "out", Idle: o.Model == all, Why: "is only for one model, and --model is all"},
		cli.IdleFlag{Name: "dark", Idle: o.Out == "", Why: "needs --out, which is missing"},
	)
}

// all means all suites, or all models.
const all = "all"

func (o *Options) models() []scene.ModelInfo {
	return slices.DeleteFunc(scene.Models(), func(m scene.ModelInfo) bool { return o.Model != all && o.Model != string(m.Model) })
}

func (o *Options) asked(name string) bool {
	return len(o.Suites) == 0 || slices.Contains(o.Suites, name) || slices.Contains(o.Suites, all)
}

func (o *Options) seeds(most int) int {
	if o.Quick {
		return 1
	}
	return min(o.Repeats, most)
}

func (o *Options) style() *plot.Style {
	if o.Dark {
		return &plot.DarkStyle
	}
	return &plot.LightStyle
}

type plan struct {
	suite string      // being planned
	model scene.Model // being planned
	runs  []planned
}

type planned struct {
	suite string
	model scene.Model
	run   func(context.Context) error
}

// repeat plans one run of an experiment for each seed from 1 to seeds. carryOut fills the returned slice.
func repeat[T any](p *plan, seeds int, experiment func(run) (T, error)) []T {
	results, by := make([]T, seeds), p.model
	for i := range results {
		p.runs = append(p.runs, planned{p.suite, by, func(ctx context.Context) (err error) {
			results[i], err = experiment(run{Context: ctx, By: by, Seed: uint64(i + 1)})
			return err
		}})
	}
	return results
}

// carryOut carries out the plan on all processors. After an error, it cancels the runs in progress and starts
// no more.
func (p *plan) carryOut(ctx context.Context, e *cli.Console, machine bool) error {
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	bar := e.Progress("validate", len(p.runs), "run", machine)
	defer bar.Done()
	var (
		mu      sync.Mutex
		done    int
		workers sync.WaitGroup
	)
	runs := make(chan planned, len(p.runs))
	for _, r := range p.runs {
		runs <- r
	}
	close(runs)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for r := range runs {
				if inner.Err() != nil {
					return
				}
				name := fmt.Sprintf("%s by %s", r.suite, r.model)
				if err := r.run(inner); err != nil {
					stop(fmt.Errorf("%s: %w", name, err))
				}
				mu.Lock()
				done++
				bar.At(name, done)
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	return cmp.Or(ctx.Err(), context.Cause(inner))
}
