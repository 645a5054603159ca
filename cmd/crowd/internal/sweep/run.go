package sweep

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/spec"
)

// Run runs what a spec asks for.
type Run struct {
	Spec    string `arg:"" name:"spec" help:"File that says what is run, such as SPEC.toml."`
	Folder  string `placeholder:"DIR" help:"Folder of the sweep (default: the name of the spec without .toml, beside it)."`
	DryRun  bool   `help:"Say how many runs there are and what they are likely to take, and run none."`
	Threads int    `placeholder:"N" help:"Runs at a time, each with one worker; 0 leaves them to crowd work elsewhere (default: one for each processor)."`
	Shard   string `placeholder:"I/N" help:"Do only part i of n, from 1, without a server, and leave the results to crowd sweep merge; auto takes both from the variables of Slurm or Kubernetes."`
	Server
}

// Run does the runs.
func (c *Run) Run(ctx context.Context, e *cli.Console) error {
	least := 1
	if c.Shard == "" && !c.DryRun {
		least = 0
	}
	if e.Given["threads"] && c.Threads < least {
		return cli.BadUsage(fmt.Errorf("--threads is %d, want %d or more", c.Threads, least))
	}
	if !e.Given["threads"] {
		c.Threads = runtime.GOMAXPROCS(0)
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
	if c.Folder == "" {
		if c.Folder = strings.TrimSuffix(c.Spec, ".toml"); c.Folder == c.Spec {
			return cli.BadUsage(fmt.Errorf("%s: want a name that ends with .toml, or --folder", c.Spec))
		}
	}
	if err := e.Given.Refuse(cli.IdleFlag{Name: "folder", Idle: c.DryRun, Why: "is for the runs, and --dry-run does none"}, cli.IdleFlag{Name: "shard", Idle: c.DryRun, Why: "is for the runs, and --dry-run does none"}); err != nil {
		return cli.BadUsage(err)
	}
	if c.DryRun {
		return dryRun(ctx, e, s, c.Threads)
	}
	s, err = begin(ctx, s, c.Folder)
	if err != nil {
		return cli.BadUsage(cli.While(ctx, err, "copying scene files"))
	}
	if c.Shard == "" {
		return c.Server.serve(ctx, e, s, c.Folder, c.Threads)
	}
	job := &results.ShardJob{
		Folder: c.Folder, Shard: part, Runs: s.Runs(), Digest: s.Digest(), Version: cli.VersionLine(), Threads: c.Threads, Tries: s.Limits.Tries, RetryDead: c.RetryDead,
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
