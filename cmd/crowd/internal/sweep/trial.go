package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/spec"
	"github.com/8f878440/crowd/world/scene"
)

const grace = 10 * time.Second

// trial does the runs of a sweep. Its methods may be called concurrently.
type trial struct {
	spec *spec.Spec
	room cli.MemoryRoom

	// ballast takes no memory, because it is never touched. It makes garbage collection, which otherwise
	// takes half of the time of small runs, rarer.
	ballast []byte
}

func newTrial(s *spec.Spec) *trial { return &trial{spec: s, ballast: make([]byte, 64<<20)} }

// Run does one run on one goroutine and returns its row. The status is failed if every try would fail,
// as with incompatible parameters or a low limits.memory. After an error, such as a timeout, a panic or lack
// of memory, another try may succeed. If ctx is done, the error is a cli.Interruption, and the run does not
// count as a try.
func (t *trial) Run(ctx context.Context, index int64) (row []byte, err error) {
	p, err := t.spec.Point(index)
	if err != nil {
		return nil, err
	}
	runCtx, cancel := context.WithTimeout(ctx, t.spec.Limits.Time)
	defer cancel()
	r, err := cli.Guard(runCtx, grace, func() (*results.Row, error) { return t.run(runCtx, p) })
	var bad failure
	switch {
	case err == nil:
		return r.Encode()
	case ctx.Err() != nil:
		return nil, cli.While(ctx, ctx.Err(), fmt.Sprintf("doing run %d", index))
	case runCtx.Err() != nil:
		while := err.Error()
		if early := (cli.Interruption{}); errors.As(err, &early) {
			while = early.While
		}
		return nil, fmt.Errorf("run %d: timed out after %v, %s", index, t.spec.Limits.Time, while)
	case errors.As(err, &bad):
		r = t.begin(p)
		r.Status, r.Error = results.Failed, bad.Error()
		return r.Encode()
	}
	return nil, fmt.Errorf("run %d: %w", index, err)
}

// Dead returns the row of a given-up run, with the first 10,000 bytes of its last error.
func (t *trial) Dead(index int64, why error) ([]byte, error) {
	p, err := t.spec.Point(index)
	if err != nil {
		return nil, err
	}
	const most = 10_000
	r, text := t.begin(p), why.Error()
	r.Status, r.Error = results.Dead, text[:min(len(text), most)]
	return r.Encode()
}

// Check returns an error unless data is a row of the run with the given index.
func (t *trial) Check(index int64, data []byte) error {
	p, err := t.spec.Point(index)
	if err != nil {
		return err
	}
	row, err := results.Decode(data)
	if err != nil {
		return err
	}
	if want := t.begin(p); row.Index != index || row.Seed != want.Seed || !slices.Equal(row.Axes, want.Axes) {
		return fmt.Errorf("have run %d of %v with seed %d, want run %d of %v with seed %d", row.Index, row.Axes, row.Seed, index, want.Axes, want.Seed)
	}
	return nil
}

// failure is an error that every try would return.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

func (t *trial) begin(p spec.Point) *results.Row {
	r := &results.Row{Index: p.Index, Axes: []any{t.spec.Scenes[p.Scene].Name}, Seed: p.Seed, Machine: here(), Version: version()}
	for _, v := range p.Values {
		if v.Text != "" {
			r.Axes = append(r.Axes, v.Text)
		} else {
			r.Axes = append(r.Axes, v.Number)
		}
	}
	return r
}

// version omits platform and kernels, which do not affect the results.
func version() string { return fmt.Sprintf("crowd %s, %s", cli.Version(), runtime.Version()) }

func (t *trial) run(ctx context.Context, p spec.Point) (*results.Row, error) {
	start := time.Now()
	s, err := t.spec.Open(ctx, p)
	if err != nil {
		return nil, lasting(ctx, err)
	}
	options := options(t.spec)
	need := s.Memory(options)
	if most := t.spec.Limits.Memory; most > 0 && need > most {
		return nil, failure{fmt.Errorf("%s needs about %d bytes of memory, want at most %d (limits.memory)", s.Name, need, most)}
	}
	var flag cli.MemoryFlag
	release, err := t.room.Take(ctx, func(taken uint64) error { return flag.Admit(s, options, taken) }, need)
	if err != nil {
		return nil, err
	}
	defer release()
	w, report, err := run.Prepare(ctx, s, options, nil, nil)
	if err != nil {
		return nil, lasting(ctx, err)
	}
	defer w.Close()
	if err := run.Run(ctx, s, w, report, false, nil); err != nil {
		return nil, lasting(ctx, err)
	}
	if report.Interrupted {
		return nil, fmt.Errorf("interrupted after %d of %d steps", report.Steps, s.Steps)
	}
	r := t.begin(p)
	r.Take(report)
	r.Status = results.OK
	r.Cost["seconds"] = time.Since(start).Seconds()
	if _, err := r.Encode(); err != nil { // a number is not finite
		return nil, failure{err}
	}
	return r, nil
}

func lasting(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return failure{err}
}

func options(s *spec.Spec) scene.Options {
	return scene.Options{Workers: 1, Measure: true, Safety: s.Run.Safety}
}

func here() string {
	name, err := os.Hostname()
	if err != nil {
		name = "unknown"
	}
	if cpu := cli.Processor(); cpu != "" {
		name += " (" + cpu + ")"
	}
	return name
}
