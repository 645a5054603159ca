package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/spec"
)

// Server holds the flags for a sweep that workers can join.
type Server struct {
	Listen    string `placeholder:"ADDR" help:"Listen on this address, such as :4222, for workers on other machines. They need TLS and the token in the folder of the sweep (default: only workers on this machine can join)."`
	Cert      string `placeholder:"FILE" help:"Certificate and private key for --listen, in one PEM file (default: created in the folder of the sweep)."`
	RetryDead bool   `help:"Retry the runs that were given up."`
}

// serve hands out runs to workers and writes the results. It also keeps a worker process running, unless
// threads is 0.
func (o *Server) serve(ctx context.Context, e *cli.Console, s *spec.Spec, folder string, threads int) (err error) {
	note := func(line string) { e.Log.Info(line) }
	sw, err := o.begin(ctx, s, folder, note)
	if err != nil {
		return cli.BadUsage(cli.While(ctx, err, "beginning the sweep"))
	}
	defer func() { err = errors.Join(err, sw.Close()) }()
	workCtx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var ended <-chan error // receives the error from a worker that keeps failing
	if threads > 0 {
		ended = keepWorker(workCtx, folder, threads, note)
	}
	if err := o.follow(ctx, e, s, sw, ended); err != nil {
		return err
	}
	rows := rowsOf(sw, newTrial(s))
	counts, table := counts{}, results.NewTable(s.AxisNames())
	for row, err := range rows(ctx) {
		if err == nil {
			err = table.Add(row)
		}
		if err != nil {
			return cli.While(ctx, err, "reading results")
		}
		counts.add(row)
	}
	if err := write(ctx, table, rows, folder); err != nil {
		return err
	}
	return counts.summary(e, s, folder)
}

func (o *Server) begin(ctx context.Context, s *spec.Spec, folder string, note func(string)) (*engine.Sweep, error) {
	build, err := engine.Build()
	if err != nil {
		return nil, err
	}
	m := engine.Manifest{Build: build, Points: s.Runs(), Tries: s.Limits.Tries, MaxSeconds: (2 * s.Limits.Time).Seconds(), Spec: s.Manifest(), Files: s.Files}
	return engine.Serve(ctx, engine.Options{
		Folder: folder, Listen: o.Listen, CertFile: o.Cert, RetryDead: o.RetryDead,
		Open:  func(name string) (io.ReadCloser, error) { return os.Open(s.Path(name)) },
		Check: newTrial(s).Check, Same: results.Same, Note: note,
	}, m)
}

func (o *Server) follow(ctx context.Context, e *cli.Console, s *spec.Spec, sw *engine.Sweep, ended <-chan error) error {
	bar := e.Progress(cli.Plural(int(s.Runs()), "run"), int(s.Runs()), "run", false)
	defer bar.Done()
	done := make(chan error, 1)
	go func() { done <- sw.Wait() }()
	if n := sw.Before(); n > 0 {
		e.Log.Info(fmt.Sprintf("already done: %d of %s", n, cli.Plural(int(s.Runs()), "run")))
	}
	for tick := time.NewTicker(200 * time.Millisecond); ; {
		select {
		case err := <-done:
			bar.Set(int(s.Runs()))
			return cli.While(ctx, err, "sweeping")
		case err := <-ended:
			return fmt.Errorf("the worker of this sweep keeps failing: %w", err)
		case <-tick.C:
			p := sw.Progress()
			bar.Set(int(p.Done + p.Dead))
		}
	}
}

func rowsOf(sw *engine.Sweep, runs *trial) rowSource {
	return func(ctx context.Context) iter.Seq2[*results.Row, error] {
		return func(yield func(*results.Row, error) bool) {
			for one, err := range sw.Rows(ctx) {
				data := one.Data
				if err == nil && one.Dead != nil {
					data, err = runs.Dead(one.Index, errors.New(one.Dead.Error))
				}
				var row *results.Row
				if err == nil {
					row, err = results.Decode(data)
				}
				if err == nil && one.Dead != nil {
					row.Machine = one.Machine
				}
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

// Place locates a sweep.
type Place struct {
	Sweep     string `arg:"" help:"Folder of a sweep, or address of its server, such as https://host:4222."`
	TokenFile string `placeholder:"FILE" help:"File with the token of the sweep (default: the token in the folder or, for an address, in the environment variable CROWD_SWEEP_TOKEN)."`
	Cert      string `placeholder:"FILE" help:"PEM file of the certificates to trust, such as server.pem in the folder of the sweep (default for an address: those of the system)."`
}

func (p *Place) where() (engine.Where, error) {
	w := engine.Where{TokenFile: p.TokenFile, CAFile: p.Cert}
	if strings.Contains(p.Sweep, "://") {
		w.URL = p.Sweep
		return w, nil
	}
	w.Folder = p.Sweep
	if info, err := os.Stat(p.Sweep); err != nil {
		return w, fmt.Errorf("%s: %w; want the folder of a sweep, or an address such as https://host:4222", p.Sweep, err.(*fs.PathError).Err)
	} else if !info.IsDir() {
		return w, fmt.Errorf("%s is a file, want the folder of a sweep, or an address such as https://host:4222", p.Sweep)
	}
	return w, nil
}

// Work is the command crowd sweep join.
type Work struct {
	Place
	Workers int `placeholder:"N" help:"Runs at a time, each with one goroutine (default: one per processor)."`
}

// Help returns examples.
func (Work) Help() string {
	return `The worker joins a running sweep, and ends with it. Examples:

    crowd sweep join SWEEP                     in a second terminal
    crowd sweep join https://HOST:4222 --token-file TOKEN --cert SERVER.pem

The second is for another machine, with copies of the files "token" and "server.pem" from the
folder of crowd sweep --listen :4222. A worker gives up after two minutes without a server.`
}

// Run works on a sweep until it ends.
func (c *Work) Run(ctx context.Context, e *cli.Console) error {
	if e.Given["workers"] && c.Workers < 1 {
		return cli.BadUsage(fmt.Errorf("--workers is %d, want 1 or more", c.Workers))
	}
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
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
		Where: where, Threads: c.Workers, Build: build,
		Open: func(m *engine.Manifest, folder string) (engine.Run, error) { return open(ctx, m, folder) },
		Note: func(line string) { e.Log.Info(line) },
	})
	if errors.As(err, new(engine.Refused)) && ctx.Err() == nil {
		return cli.BadUsage(err)
	}
	return cli.While(ctx, err, "working")
}

func open(ctx context.Context, m *engine.Manifest, folder string) (engine.Run, error) {
	s, err := spec.FromManifest(ctx, m.Spec, folder)
	if err != nil {
		return nil, err
	}
	runs := newTrial(s)
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

// A worker keeps failing if it fails mayLeave times in a row, each time soon after its start.
const (
	stays    = 5 * time.Second // a longer-lived worker resets the count
	mayLeave = 5
)

// keepWorker keeps a worker process running until ctx is done or the sweep ends. The channel receives an
// error if the worker keeps failing.
func keepWorker(ctx context.Context, folder string, threads int, note func(string)) <-chan error {
	failed := make(chan error, 1)
	go func() {
		for left := mayLeave; ; {
			began := time.Now()
			err := workOnce(ctx, folder, threads)
			if ctx.Err() != nil || err == nil { // without an error, the sweep has ended
				return
			}
			if left--; time.Since(began) > stays {
				left = mayLeave
			}
			if left == 0 {
				failed <- err
				return
			}
			note(fmt.Sprintf("restarting the worker, which ended: %v", err))
		}
	}()
	return failed
}

// workOnce runs a worker process. The error is the panic or the last message of the process.
func workOnce(ctx context.Context, folder string, threads int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, "sweep", "join", folder, "--workers", fmt.Sprint(threads), "--quiet")
	var said bytes.Buffer
	cmd.Stderr = &said
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 15 * time.Second
	err = cmd.Run()
	if err == nil {
		return nil
	}
	if lines := strings.Split(strings.TrimSpace(said.String()), "\n"); lines[0] != "" {
		// A panic is on the first line; other errors are on the last.
		line := lines[len(lines)-1]
		if strings.HasPrefix(lines[0], "panic: ") || strings.HasPrefix(lines[0], "fatal error: ") {
			line = lines[0]
		}
		return errors.New(strings.TrimPrefix(line, "crowd: "))
	}
	return err
}
