package sweep

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/spec"
)

// Place says where a sweep is.
type Place struct {
	Sweep     string `arg:"" help:"Folder of a sweep, or the address of its server, such as https://host:4222."`
	TokenFile string `placeholder:"FILE" help:"File with the token of the sweep (default: the variable CROWD_SWEEP_TOKEN, or the token in the folder)."`
	TLSCA     string `name:"tls-ca" placeholder:"FILE" help:"Certificates to trust, in PEM: server.pem of the folder of the sweep (default: those of the system)."`
}

// where returns the place for the engine.
func (p *Place) where() (engine.Where, error) {
	w := engine.Where{TokenFile: p.TokenFile, CAFile: p.TLSCA}
	if strings.Contains(p.Sweep, "://") {
		w.URL = p.Sweep
		return w, nil
	}
	w.Folder = p.Sweep
	if info, err := os.Stat(p.Sweep); err != nil {
		return w, fmt.Errorf("%s: %w; want the folder of a sweep, or an address such as https://host:4222", p.Sweep, err.(*fs.PathError).Err)
	} else if !info.IsDir() {
		return w, fmt.Errorf("%s: is a file, want the folder of a sweep, or an address such as https://host:4222", p.Sweep)
	}
	return w, nil
}

// Work does runs of a sweep.
type Work struct {
	Place
	Threads int `placeholder:"N" help:"Runs at a time, each with one worker (default: one for each processor)."`
}

// Help says how workers join.
func (Work) Help() string {
	return `It joins a sweep that runs, and ends with it. Examples:

    crowd work SWEEP                     in a second terminal
    crowd work https://HOST:4222 --token-file TOKEN --tls-ca SERVER.pem

The latter is for another machine, with the files token and server.pem of the folder of crowd
sweep --listen :4222. A worker waits two minutes for a server that is not there, and then gives up.`
}

// Run works until the sweep ends.
func (c *Work) Run(ctx context.Context, e *cli.Console) error {
	if e.Given["threads"] && c.Threads < 1 {
		return cli.BadUsage(fmt.Errorf("--threads is %d, want 1 or more", c.Threads))
	}
	if c.Threads == 0 {
		c.Threads = runtime.GOMAXPROCS(0)
	}
	where, err := c.where()
	if err != nil {
		return cli.BadUsage(err)
	}
	build, err := engine.Build()
	if err != nil {
		return err
	}
	err = engine.Work(ctx, engine.WorkOptions{
		Where: where, Threads: c.Threads, Build: build,
		Open: func(m *engine.Manifest, folder string) (engine.Run, error) { return open(ctx, m, folder) },
		Note: func(line string) { e.Log.Info(line) },
	})
	if errors.As(err, new(engine.Refused)) && ctx.Err() == nil {
		return cli.BadUsage(err)
	}
	return cli.While(ctx, err, "working")
}

// open opens the runs of a sweep that came with a manifest.
func open(ctx context.Context, m *engine.Manifest, folder string) (engine.Run, error) {
	s, err := spec.FromManifest(ctx, m.Spec, folder)
	if err != nil {
		return nil, err
	}
	runs := NewTrial(s)
	return func(ctx context.Context, index int64) (row []byte, failed bool, err error) {
		row, err = runs.Run(ctx, index)
		if errors.As(err, new(cli.Interruption)) {
			return nil, false, context.Cause(ctx)
		}
		if err != nil {
			return nil, false, err
		}
		r, err := results.Decode(row)
		return row, err == nil && r.Status == results.Failed, err
	}, nil
}
