package sweep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/spec"
)

// Server says to which workers the runs of a sweep are handed out.
type Server struct {
	Listen    string `placeholder:"ADDR" help:"Let workers of other machines join at this address, such as :4222, by TLS and with the token in the folder of the sweep (default: only those of this machine)."`
	TLSCert   string `placeholder:"FILE" help:"Certificate of the server for --listen, in PEM (default: one made in the folder of the sweep)."`
	TLSKey    string `placeholder:"FILE" help:"Its key."`
	RetryDead bool   `help:"Try again what was given up."`
}

// check returns what does not go together.
func (o *Server) check(given cli.Given) error {
	return given.Refuse(
		cli.IdleFlag{Name: "tls-cert", Idle: o.Listen == "", Why: "goes with --listen"},
		cli.IdleFlag{Name: "tls-key", Idle: o.Listen == "", Why: "goes with --listen"},
	)
}

// serve hands out the runs of a sweep to workers, one of which it starts itself unless threads is 0,
// and writes the results.
func (o *Server) serve(ctx context.Context, e *cli.Console, s *spec.Spec, folder string, threads int) (err error) {
	note := func(line string) { e.Log.Info(line) }
	sw, err := o.begin(ctx, s, folder, note)
	if err != nil {
		return cli.BadUsage(cli.While(ctx, err, "beginning the sweep"))
	}
	defer func() { err = errors.Join(err, sw.Close()) }()
	workCtx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var ended <-chan error // of the worker, if it can't go on
	if threads > 0 {
		ended = keepWorker(workCtx, folder, threads, note)
	}
	if err := o.follow(ctx, e, s, sw, ended); err != nil {
		return err
	}
	rows := rowsOf(sw, NewTrial(s))
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

// begin begins a sweep, or goes on with the one in the folder.
func (o *Server) begin(ctx context.Context, s *spec.Spec, folder string, note func(string)) (*engine.Sweep, error) {
	build, err := engine.Build()
	if err != nil {
		return nil, err
	}
	m := engine.Manifest{Build: build, Points: s.Runs(), Tries: s.Limits.Tries, MaxSeconds: (2 * s.Limits.Time).Seconds(), Spec: s.Manifest()}
	paths := map[string]string{}
	for _, f := range s.Files {
		m.Files = append(m.Files, engine.File{Name: f.Name, SHA256: f.SHA256, Size: f.Size})
		paths[f.Name] = s.Path(f)
	}
	return engine.Serve(ctx, engine.Options{
		Folder: folder, Listen: o.Listen, CertFile: o.TLSCert, KeyFile: o.TLSKey, RetryDead: o.RetryDead,
		Open:  func(name string) (io.ReadCloser, error) { return os.Open(paths[name]) },
		Check: NewTrial(s).Check, Same: results.Same, Note: note,
	}, m)
}

// follow shows how far a sweep is until it is at its end.
func (o *Server) follow(ctx context.Context, e *cli.Console, s *spec.Spec, sw *engine.Sweep, ended <-chan error) error {
	bar := e.Progress(cli.Plural(int(s.Runs()), "run"), int(s.Runs()), "run", false)
	defer bar.Done()
	done := make(chan error, 1)
	go func() { done <- sw.Wait() }()
	if n := sw.Before(); n > 0 {
		e.Log.Info(fmt.Sprintf("%s of %d were done before", cli.Plural(int(n), "run"), s.Runs()))
	}
	for tick := time.NewTicker(200 * time.Millisecond); ; {
		select {
		case err := <-done:
			bar.Set(int(s.Runs()))
			return cli.While(ctx, err, "sweeping")
		case err := <-ended:
			return fmt.Errorf("the worker of this sweep does not stay: %w", err)
		case <-tick.C:
			p := sw.Progress()
			bar.Set(int(p.Done + p.Dead))
		}
	}
}

// rowsOf returns the rows of a sweep, with one for each run that was given up.
func rowsOf(sw *engine.Sweep, runs *Trial) rowSource {
	return func(ctx context.Context) iter.Seq2[*results.Row, error] {
		return func(yield func(*results.Row, error) bool) {
			for one, err := range sw.Rows(ctx) {
				data := one.Data
				if err == nil && one.Data == nil && one.Dead != nil {
					data, err = runs.Dead(one.Index, errors.New(one.Dead.Error))
				}
				var row *results.Row
				if err == nil {
					row, err = results.Decode(data)
				}
				if err == nil && one.Dead != nil && one.Data == nil {
					row.Machine = one.Dead.Machine
				}
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}
