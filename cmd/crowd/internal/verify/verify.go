// Package verify runs experiments that were made with people, with agents in their place,
// and says what was expected, what was measured, and whether that is as expected.
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

// suite is experiments that belong together.
type suite interface {
	plan(*plan)                      // plans the experiments
	rows() []Row                     // judges them, when they are carried out
	missing() string                 // what was not measured, and what would add it
	picture(*plot.Style) *plot.Sheet // draws them
}

// suites are all there are, in their order.
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

// SuiteNames returns the names of all suites.
func SuiteNames() (names []string) {
	for _, s := range suites {
		names = append(names, s.name)
	}
	return names
}

// part is a suite of a run.
type part struct {
	suite
	name    string
	file    string // of its picture
	written *output.File
}

// Run carries out what the options ask for. The error counts what is not as expected of the
// model; several are only compared.
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

// rowsOf returns the rows of a suite in which people walk by a model.
func (p *part) rowsOf(m scene.Model) []Row {
	rows := p.rows()
	for i := range rows {
		rows[i] = rows[i].by(m, p.name)
	}
	return rows
}

// report prints how people of one model walk, and draws it. The error counts what is not
// as expected.
func (o *Options) report(e *cli.Console, m scene.Model, parts []part) error {
	var rows []Row
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
				return err
			}
		}
	}
	return o.finish(e, m, parts, rows)
}

// finish prints what is below all suites, and returns an error if something is not as
// expected.
func (o *Options) finish(e *cli.Console, m scene.Model, parts []part, rows []Row) error {
	if o.JSON {
		if err := output.WriteJSON(e.Machine, rows); err != nil {
			return err
		}
	}
	good := 0
	for _, r := range rows {
		if r.asExpected() {
			good++
		}
	}
	if !o.JSON {
		for _, p := range parts {
			if p.file != "" {
				cli.Fprintf(e.Out, "picture in %s\n", p.file)
			}
		}
		if _, err := cli.Fprintf(e.Out, "%d of %d as expected, by the model %s\n", good, len(rows), m); err != nil {
			return err
		}
	}
	if good < len(rows) {
		return fmt.Errorf("%d not as expected", len(rows)-good)
	}
	return nil
}

// parts returns the suites that are asked for, each once and in the order of all, and the
// names of their pictures: that of the flag, or with several suites such with the name of
// the suite before its end.
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

// Options say what is verified and how, as flags of the command line.
type Options struct {
	Suites []string `arg:"" optional:"" name:"suite" words:"all,juelich,diagram,jam,rimea,nist" help:"juelich, diagram, jam, rimea, nist or all (default: all)."`

	Model   string `placeholder:"NAME" default:"${model}" words:"all" help:"How people walk: ${models}; or all, for one table of all models (default: ${model})."`
	Data    string `placeholder:"FOLDER" help:"Recordings of the Forschungszentrum Jülich, to compare the times between one person and the next."`
	Repeats int    `placeholder:"N" default:"10" help:"Run each experiment of juelich with N seeds, those of other suites with 3 at most (default: 10)."`
	Quick   bool   `help:"Fewer experiments, with one seed."`
	JSON    bool   `name:"json" help:"Print an array of results as JSON, and nothing else."`
	Out     string `short:"o" placeholder:"FILE.png" help:"Draw a picture of each suite, as the name ends: .png or .svg. With several suites FILE-SUITE.png."`
	Dark    bool   `help:"Use the dark theme."`
}

// mostSeeds is how many seeds may be asked for.
const mostSeeds = 1000

func (o *Options) check(e *cli.Console) error {
	for _, name := range o.Suites {
		if names := append(SuiteNames(), all); !slices.Contains(names, name) {
			return fmt.Errorf("no suite is named %q, %s", name, suggest.OneOf(name, names))
		}
	}
	if names := append(scene.ModelNames(), all); !slices.Contains(names, o.Model) {
		return fmt.Errorf("model is %q, %s", o.Model, suggest.OneOf(o.Model, names))
	}
	if o.Repeats < 1 || o.Repeats > mostSeeds {
		return fmt.Errorf("--repeats is %d, want 1 to %d", o.Repeats, mostSeeds)
	}
	if end := strings.ToLower(filepath.Ext(o.Out)); o.Out != "" && end != ".png" && end != ".svg" {
		return fmt.Errorf("--out is %s, want a name that ends with .png or .svg", o.Out)
	}
	return e.Given.Refuse(
		cli.IdleFlag{Name: "repeats", Idle: o.Quick, Why: "and --quick contradict one another, want one of them"},
		cli.IdleFlag{Name: "data", Idle: !o.asked("juelich"), Why: "is for juelich, and " + strings.Join(o.Suites, ", ") + " is verified"},
		cli.IdleFlag{Name: "out", Idle: o.Model == all, Why: "is for one model, and all are compared"},
		cli.IdleFlag{Name: "dark", Idle: o.Out == "", Why: "needs a picture, and none is drawn"},
	)
}

// all stands for all suites, or all models.
const all = "all"

// models returns the models that are asked for.
func (o *Options) models() []scene.ModelInfo {
	return slices.DeleteFunc(scene.Models(), func(m scene.ModelInfo) bool { return o.Model != all && o.Model != string(m.Model) })
}

// asked reports whether to run a suite.
func (o *Options) asked(name string) bool {
	return len(o.Suites) == 0 || slices.Contains(o.Suites, name) || slices.Contains(o.Suites, all)
}

// seeds returns with how many seeds experiments run that take at most so many.
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

// plan is the experiments of a run.
type plan struct {
	suite string      // whose experiments are planned
	model scene.Model // by which people walk in them
	runs  []planned
}

// planned is one run of an experiment.
type planned struct {
	suite string
	model scene.Model
	run   func(context.Context) error
}

// repeat plans an experiment with the seeds from 1, and returns where its results will be.
func repeat[T any](p *plan, seeds int, run func(ctx context.Context, by scene.Model, seed uint64) (T, error)) []T {
	results, by := make([]T, seeds), p.model
	for i := range results {
		p.runs = append(p.runs, planned{p.suite, by, func(ctx context.Context) (err error) {
			results[i], err = run(ctx, by, uint64(i+1))
			return err
		}})
	}
	return results
}

// carryOut runs the plan, as many at a time as there are processors, and shows how far it
// is. It ends at the first error.
func (p *plan) carryOut(ctx context.Context, e *cli.Console, machine bool) error {
	inner, stop := context.WithCancel(ctx)
	defer stop()
	bar := e.Progress("validate", len(p.runs), "run", machine)
	defer bar.Done()
	var (
		mu         sync.Mutex
		next, done int
		first      error
		workers    sync.WaitGroup
	)
	take := func() (run planned, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(p.runs) || first != nil {
			return run, false
		}
		next++
		return p.runs[next-1], true
	}
	work := func() {
		for run, ok := take(); ok; run, ok = take() {
			err := run.run(inner)
			mu.Lock()
			if err != nil && first == nil {
				first = fmt.Errorf("%s by %s: %w", run.suite, run.model, err)
				stop()
			}
			done++
			bar.At(fmt.Sprintf("%s by %s", run.suite, run.model), done)
			mu.Unlock()
		}
	}
	for range min(runtime.GOMAXPROCS(0), len(p.runs)) {
		workers.Go(work)
	}
	workers.Wait()
	return cmp.Or(ctx.Err(), first)
}
