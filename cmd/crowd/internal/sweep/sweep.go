// Package sweep runs scenes with many parameters and seeds, and collects the results in a table.
package sweep

import (
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
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/spec"
	"github.com/8f878440/crowd/world/scene"
)

// Command is the command crowd sweep.
type Command struct {
	Run    Run    `cmd:"" default:"withargs" hidden:"" help:"Run scenes with many parameters and seeds, on one machine or several."`
	Init   Init   `cmd:"" help:"Print a small spec to start with."`
	Join   Work   `cmd:"" help:"Join a running sweep as a worker."`
	Status Status `cmd:"" help:"Report the progress and the workers of a sweep."`
	Merge  Merge  `cmd:"" help:"Merge the results of all shards of a sweep."`
}

//go:embed example.toml
var example string

// Init is the command crowd sweep init.
type Init struct{}

// Help returns an example.
func (Init) Help() string { return "Example:\n\n    crowd sweep init > first.toml" }

// Run prints the spec.
func (Init) Run(e *cli.Console) error {
	_, err := io.WriteString(e.Machine, example)
	return err
}

// Help returns examples.
func (Run) Help() string {
	return `A spec says which scenes run, with which parameters and seeds. docs/sweep.md describes it.

Examples:

    crowd sweep init > first.toml           a spec to start with
    crowd sweep SPEC.toml --dry-run         number of runs, and how long they take
    crowd sweep SPEC.toml                   run them, and write SPEC/results.csv
    crowd sweep join SPEC                   join, in another terminal
    crowd sweep status SPEC --page          watch it
    crowd sweep SPEC.toml --listen :4222    let other machines join
    crowd sweep SPEC.toml --shard 3/10      a tenth of the runs, without a server
    crowd sweep SPEC.toml --shard auto      in a job array of Slurm or Kubernetes
    crowd sweep merge SPEC                  merge the results of all shards`
}

// Run is the command crowd sweep without a subcommand.
type Run struct {
	Spec    string `arg:"" name:"spec" help:"File with the spec of the sweep, such as SPEC.toml."`
	Out     string `short:"o" placeholder:"DIR" help:"Folder of the sweep (default: the name of the spec without .toml, beside it)."`
	DryRun  bool   `help:"Print the number of runs and an estimate of their cost, without running them."`
	Workers int    `placeholder:"N" help:"Runs at a time, each with one goroutine; 0 leaves all runs to crowd sweep join (default: one per processor)."`
	Shard   string `placeholder:"I/N" help:"Do only part I of N, counted from 1, without a server, for crowd sweep merge; auto takes I and N from the environment variables of Slurm or Kubernetes."`
	Server
}

// Run does the runs or, with --dry-run, estimates their cost.
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
	dry := "is for the runs, and --dry-run does none"
	err := e.Given.Refuse(
		cli.IdleFlag{Name: "listen", Idle: c.Shard != "", Why: "is for a server, and --shard needs none"},
		cli.IdleFlag{Name: "cert", Idle: c.Listen == "", Why: "needs --listen, which is missing"},
		cli.IdleFlag{Name: "listen", Idle: c.DryRun, Why: dry},
		cli.IdleFlag{Name: "retry-dead", Idle: c.DryRun, Why: dry},
		cli.IdleFlag{Name: "out", Idle: c.DryRun, Why: dry},
		cli.IdleFlag{Name: "shard", Idle: c.DryRun, Why: dry},
	)
	if err != nil {
		return cli.BadUsage(err)
	}
	var part results.Shard
	if c.Shard != "" {
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
			return cli.BadUsage(fmt.Errorf("%s: want a name that ends in .toml, or --out", c.Spec))
		}
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
	build, err := engine.Build()
	if err != nil {
		return err
	}
	job := &results.ShardJob{
		Folder: c.Out, Shard: part, Runs: s.Runs(), Digest: s.Digest(), Version: build, Threads: c.Workers, Tries: s.Limits.Tries, RetryDead: c.RetryDead,
	}
	if err := work(ctx, e, s, job); err != nil {
		return err
	}
	if _, err = cli.Fprintf(e.Out, "shard %v: %s done, in %s\n", part, cli.Plural(int(job.Count()), "run"), job.Path()); err == nil && job.Dead > 0 {
		err = fmt.Errorf("gave up on %d of %s: --retry-dead tries again", job.Dead, cli.Plural(int(job.Count()), "run"))
	}
	return err
}

func begin(ctx context.Context, s *spec.Spec, folder string) (*spec.Spec, error) {
	manifest := s.Manifest()
	err := results.BeginFolder(folder, manifest, s.Text, func(files string) error { return s.CopyFiles(ctx, files) }, s.Difference)
	if err != nil {
		return nil, err
	}
	return spec.FromManifest(ctx, manifest, filepath.Join(folder, results.FilesFolder))
}

func work(ctx context.Context, e *cli.Console, s *spec.Spec, job *results.ShardJob) error {
	bar := e.Progress(cli.Plural(int(job.Count()), "run"), int(job.Count()), "run", false)
	defer bar.Done()
	first := true
	return job.Run(ctx, newTrial(s), func(n int64) {
		if first && n > 0 {
			e.Log.Info(fmt.Sprintf("already done: %d of %s", n, cli.Plural(int(job.Count()), "run")))
		}
		first = false
		bar.Set(int(n))
	})
}

const looked = 500 // maximum number of runs that estimate opens

func dryRun(ctx context.Context, e *cli.Console, s *spec.Spec, threads int) error {
	lines := []string{fmt.Sprintf("%s: %s, each with %s", cli.Plural(int(s.Runs()), "run"), cli.Plural(int(s.Points()), "point"), cli.Plural(s.SeedCount(), "seed"))}
	names := make([]string, len(s.Scenes))
	for i := range s.Scenes {
		names[i] = s.Scenes[i].Name
	}
	lines = append(lines, "  scene: "+strings.Join(names, ", "))
	for i := range s.Axes {
		lines = append(lines, fmt.Sprintf("  %s: %v", s.Axes[i].Name, &s.Axes[i]))
	}
	if s.Design.Kind != spec.Grid {
		lines = append(lines, fmt.Sprintf("  design: %s, %s per scene", s.Design.Kind, cli.Plural(int(s.Design.Points), "point")))
	}
	cost, err := estimate(ctx, s)
	switch {
	case ctx.Err() != nil:
		return cli.BadUsage(errors.New("interrupted while estimating"))
	case err != nil:
		lines = append(lines, fmt.Sprintf("no estimate: %v", err))
	default:
		took := time.Duration(min(cost.seconds/float64(threads), 9e9) * float64(time.Second)) // a Duration is at most 292 years
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

type costs struct {
	seconds float64 // with one thread
	memory  uint64  // bytes of the largest run in the sample
}

// estimate returns the estimated cost of all runs. It opens an evenly spaced sample of them, tries one run per
// scene and model in the sample, and assumes the same costs per agent for other runs of that scene and model.
// Runs that cannot be opened count as free.
func estimate(ctx context.Context, s *spec.Spec) (all costs, err error) {
	type kind struct {
		scene int
		model string
	}
	each := map[kind]sample{}
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
			continue // its row will have the error
		}
		which := kind{p.Scene, string(o.Model)}
		one, known := each[which]
		if !known {
			if one, err = try(ctx, s, o); err != nil {
				return all, err
			}
			each[which] = one
		}
		all.seconds += float64(o.Agents()) * (one.setup + one.step*float64(o.Steps))
		all.memory = max(all.memory, o.Memory(options(s)))
	}
	all.seconds *= float64(s.Runs()) / float64(n)
	return all, nil
}

// sample holds the costs per agent, in seconds, of the setup and of one step.
type sample struct {
	setup, step float64
}

// try builds a scene, runs it for at most about a second, and returns its costs.
func try(ctx context.Context, s *spec.Spec, o *scene.Scene) (sample, error) {
	runCtx, cancel := context.WithTimeout(ctx, s.Limits.Time)
	defer cancel()
	return cli.Guard(runCtx, grace, func() (sample, error) {
		if err := new(cli.MemoryFlag).Admit(o, options(s), 0); err != nil {
			return sample{}, err
		}
		w, report, err := run.Prepare(runCtx, o, options(s), nil, nil)
		if err != nil {
			return sample{}, err
		}
		defer w.Close()
		runCtx, cancel := context.WithTimeout(runCtx, time.Second)
		defer cancel()
		if err := run.Run(runCtx, o, w, report, false, nil); err != nil {
			return sample{}, err
		}
		agents := float64(max(report.Agents, 1))
		return sample{
			setup: report.SetupSeconds / agents,
			step:  report.NsPerAgentStep/1e9 + report.BesideSeconds/float64(max(report.Steps, 1))/agents,
		}, nil
	})
}
