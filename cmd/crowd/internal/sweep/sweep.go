// Package sweep runs scenes under many parameters and seeds, in processes that do not take it
// down, and makes a table of what happened.
package sweep

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/spec"
	"github.com/8f878440/crowd/world/scene"
)

// Command is crowd sweep.
type Command struct {
	Run    Run    `cmd:"" default:"withargs" hidden:"" help:"Run scenes under many parameters and seeds, on one machine or many."`
	Init   Init   `cmd:"" help:"Print a small spec, to begin with."`
	Join   Work   `cmd:"" help:"Do runs of a sweep that runs elsewhere."`
	Status Status `cmd:"" help:"Report how far a sweep is, and which workers it has."`
	Merge  Merge  `cmd:"" help:"Join the results of all shards of a sweep."`
}

//go:embed example.toml
var example string

// Init prints a spec.
type Init struct{}

// Help shows an example.
func (Init) Help() string { return "Example:\n\n    crowd sweep init > first.toml" }

// Run prints it.
func (Init) Run(e *cli.Console) error {
	_, err := io.WriteString(e.Machine, example)
	return err
}

// Help shows examples.
func (Run) Help() string {
	return `A spec says which scenes run, with which parameters and seeds. docs/sweep.md describes it.

Examples:

    crowd sweep init > first.toml           a spec to begin with
    crowd sweep SPEC.toml --dry-run         how many runs, and how long they take
    crowd sweep SPEC.toml                   run them, and write SPEC/results.csv
    crowd sweep join SPEC                   in another terminal: join in
    crowd sweep status SPEC --page          watch it
    crowd sweep SPEC.toml --listen :4222    let other machines join
    crowd sweep SPEC.toml --shard 3/10      a tenth of them, without a server
    crowd sweep SPEC.toml --shard auto      in a job array of Slurm or Kubernetes
    crowd sweep merge SPEC                  join the results of all shards`
}

// Run runs what a spec asks for.
type Run struct {
	Spec    string `arg:"" name:"spec" help:"File that says what is run, such as SPEC.toml."`
	Out     string `short:"o" placeholder:"DIR" help:"Folder of the sweep (default: the name of the spec without .toml, beside it)."`
	DryRun  bool   `help:"Say how many runs there are and what they are likely to take, and run none."`
	Workers int    `placeholder:"N" help:"Runs at a time, each with one goroutine; 0 leaves them to crowd sweep join elsewhere (default: one for each processor)."`
	Shard   string `placeholder:"I/N" help:"Do only part i of n, from 1, without a server, and leave the results to crowd sweep merge; auto takes both from the variables of Slurm or Kubernetes."`
	Server
}

// Run does the runs.
func (c *Run) Run(ctx context.Context, e *cli.Console) error {
	least := 1
	if c.Shard == "" && !c.DryRun {
		least = 0
	}
	if e.Given["workers"] && c.Workers < least {
		return cli.BadUsage(fmt.Errorf("--workers is %d, want %d or more", c.Workers, least))
	}
	if !e.Given["workers"] {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	alone := cli.IdleFlag{Name: "listen", Idle: c.Shard != "", Why: "is for a server, and --shard needs none"}
	if err := cmp.Or(e.Given.Refuse(alone), c.Server.check(e.Given)); err != nil {
		return cli.BadUsage(err)
	}
	var part results.Shard
	if c.Shard != "" {
		var err error
		if part, err = results.ParseShard(c.Shard); err != nil {
			return cli.BadUsage(err)
		}
	}
	s, err := spec.Read(ctx, c.Spec)
	if err != nil {
		return cli.BadUsage(cli.While(ctx, err, "reading "+c.Spec))
	}
	if c.Out == "" {
		if c.Out = strings.TrimSuffix(c.Spec, ".toml"); c.Out == c.Spec {
			return cli.BadUsage(fmt.Errorf("%s: want a name that ends with .toml, or --out", c.Spec))
		}
	}
	if err := e.Given.Refuse(cli.IdleFlag{Name: "out", Idle: c.DryRun, Why: "is for the runs, and --dry-run does none"}, cli.IdleFlag{Name: "shard", Idle: c.DryRun, Why: "is for the runs, and --dry-run does none"}); err != nil {
		return cli.BadUsage(err)
	}
	if c.DryRun {
		return dryRun(ctx, e, s, c.Workers)
	}
	s, err = begin(ctx, s, c.Out)
	if err != nil {
		return cli.BadUsage(cli.While(ctx, err, "copying scene files"))
	}
	if c.Shard == "" {
		return c.Server.serve(ctx, e, s, c.Out, c.Workers)
	}
	job := &results.ShardJob{
		Folder: c.Out, Shard: part, Runs: s.Runs(), Digest: s.Digest(), Version: cli.VersionLine(), Threads: c.Workers, Tries: s.Limits.Tries, RetryDead: c.RetryDead,
	}
	if err := work(ctx, e, s, job); err != nil {
		return err
	}
	_, err = cli.Fprintf(e.Out, "shard %v: %s done, in %s\n", part, cli.Plural(int(job.Count()), "run"), job.Path())
	return err
}

// begin makes the folder of a sweep, and returns the spec with the files that were copied there.
func begin(ctx context.Context, s *spec.Spec, folder string) (*spec.Spec, error) {
	manifest := s.Manifest()
	err := results.BeginFolder(folder, manifest, s.Text, func(files string) error { return s.CopyFiles(ctx, files) }, s.Difference)
	if err != nil {
		return nil, err
	}
	return spec.FromManifest(ctx, manifest, filepath.Join(folder, results.FilesFolder))
}

// work does the runs of a shard that are not done yet.
func work(ctx context.Context, e *cli.Console, s *spec.Spec, job *results.ShardJob) error {
	title := cli.Plural(int(job.Count()), "run")
	bar := e.Progress(title, int(job.Count()), "run", false)
	defer bar.Done()
	first := true
	return job.Run(ctx, NewTrial(s), func(n int64) {
		if first && n > 0 {
			e.Log.Info(fmt.Sprintf("%s of %d were done before", cli.Plural(int(n), "run"), job.Count()))
		}
		first = false
		bar.Set(int(n))
	})
}

// looked is how many points the estimate looks at, spread evenly over all.
const looked = 500

// dryRun says how many runs there are and what they are likely to take.
func dryRun(ctx context.Context, e *cli.Console, s *spec.Spec, threads int) error {
	lines := []string{fmt.Sprintf("%s: %s, each with %s", cli.Plural(int(s.Runs()), "run"), cli.Plural(int(s.Points()), "point"), cli.Plural(s.SeedCount(), "seed"))}
	var names []string
	for i := range s.Scenes {
		names = append(names, s.Scenes[i].Name)
	}
	lines = append(lines, "  scene: "+strings.Join(names, ", "))
	for i := range s.Axes {
		lines = append(lines, fmt.Sprintf("  %s: %v", s.Axes[i].Name, &s.Axes[i]))
	}
	if s.Design.Kind != spec.Grid {
		lines = append(lines, fmt.Sprintf("  design: %s, %s a scene", s.Design.Kind, cli.Plural(int(s.Design.Points), "point")))
	}
	cost, err := estimate(ctx, s)
	switch {
	case ctx.Err() != nil:
		return cli.BadUsage(errors.New("interrupted while estimating"))
	case err != nil:
		lines = append(lines, fmt.Sprintf("no estimate: %v", err))
	default:
		took := time.Duration(cost.seconds / float64(threads) * float64(time.Second))
		lines = append(lines, fmt.Sprintf("about %v with %s, and %s of memory for the crowds", rounded(took), cli.Plural(threads, "thread"), cli.Bytes(int64(cost.memory)*int64(threads))))
		if most := s.Limits.Memory; most > 0 && cost.memory > most {
			lines = append(lines, fmt.Sprintf("the largest run needs %s of memory, more than limits.memory allows, and would fail", cli.Bytes(int64(cost.memory))))
		}
	}
	for _, line := range lines {
		if _, err := cli.Fprintf(e.Out, "%s\n", line); err != nil {
			return err
		}
	}
	return nil
}

// rounded returns a time with no more digits than an estimate has.
func rounded(t time.Duration) time.Duration {
	switch {
	case t > time.Hour:
		return t.Round(10 * time.Minute)
	case t > time.Minute:
		return t.Round(10 * time.Second)
	case t > time.Second:
		return t.Round(time.Second)
	}
	return t.Round(10 * time.Millisecond)
}

// costs are those of all runs with one thread.
type costs struct {
	seconds float64
	memory  uint64 // bytes of the largest run
}

// estimate looks at some points, and runs one of each scene and model for a moment: the rest takes
// as much for each agent and step.
func estimate(ctx context.Context, s *spec.Spec) (all costs, err error) {
	type kind struct {
		scene int
		model string
	}
	each := map[kind]Sample{}
	n := min(s.Runs(), looked)
	for i := range n {
		if ctx.Err() != nil {
			return all, ctx.Err()
		}
		p, err := s.Point(int64(float64(i) / float64(n) * float64(s.Runs())))
		if err != nil {
			return all, err
		}
		o, err := s.Open(ctx, p)
		if err != nil {
			continue // it will be a row that says so
		}
		which := kind{p.Scene, string(o.Model)}
		sample, known := each[which]
		if !known {
			if sample, err = Try(ctx, s, o); err != nil {
				return all, err
			}
			each[which] = sample
		}
		agents := float64(o.Agents())
		all.seconds += agents * (sample.Setup + sample.Step*float64(o.Steps))
		all.memory = max(all.memory, o.Memory(SceneOptions(s)))
	}
	all.seconds *= float64(s.Runs()) / float64(n)
	return all, nil
}

// moment is how long a sample runs.
const moment = time.Second

// Sample is what a scene costs for each of its agents.
type Sample struct {
	Setup float64 // s
	Step  float64 // s
}

// Try runs a scene for a moment.
func Try(ctx context.Context, s *spec.Spec, o *scene.Scene) (Sample, error) {
	runCtx, cancel := context.WithTimeout(ctx, s.Limits.Time)
	defer cancel()
	return cli.Guard(runCtx, grace, func() (Sample, error) {
		options := SceneOptions(s)
		if err := new(cli.MemoryFlag).Admit(o, options, 0); err != nil {
			return Sample{}, err
		}
		w, report, err := run.Prepare(runCtx, o, options, nil)
		if err != nil {
			return Sample{}, err
		}
		defer w.Close()
		runCtx, cancel := context.WithTimeout(runCtx, moment)
		defer cancel()
		if err := run.Run(runCtx, o, w, report, false, nil); err != nil {
			return Sample{}, err
		}
		agents := float64(max(report.Agents, 1))
		return Sample{
			Setup: report.SetupSeconds / agents,
			Step:  report.NsPerAgentStep/1e9 + report.BesideSeconds/float64(max(report.Steps, 1))/agents,
		}, nil
	})
}
