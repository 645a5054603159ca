package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/results"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/spec"
	"github.com/8f878440/crowd/world/scene"
)

// grace is how long a run that should end may take until it is left behind.
const grace = 10 * time.Second

// Trial does runs of a sweep, any number of them at a time.
type Trial struct {
	spec *spec.Spec
	room cli.MemoryRoom

	// ballast is never touched, so it takes no memory. But it counts for the garbage collector, which would begin
	// anew at every few megabytes of small runs, and take half of their time.
	ballast []byte
}

// NewTrial returns what does the runs of a sweep.
func NewTrial(s *spec.Spec) *Trial { return &Trial{spec: s, ballast: make([]byte, 64<<20)} }

// Run does one run, with one worker, and returns its row. What would fail again in the same way,
// such as numbers that do not go together or too much memory, makes a row with the status failed.
// An error says that another try may do better: time was up, there was a panic, or this machine
// has too little memory. If the context ended it is an cli.Interruption, and was no try at all.
func (t *Trial) Run(ctx context.Context, index int64) (row []byte, err error) {
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
		return nil, interruptedError(ctx, index)
	case runCtx.Err() != nil:
		return nil, fmt.Errorf("run %d: timed out after %v, %s", index, t.spec.Limits.Time, whileOf(err))
	case errors.As(err, &bad):
		r = t.begin(p)
		r.Status, r.Error = results.Failed, bad.Error()
		return r.Encode()
	}
	return nil, fmt.Errorf("run %d: %w", index, err)
}

// Dead returns the row of a run that is given up, with the error of its last try.
func (t *Trial) Dead(index int64, why error) ([]byte, error) {
	p, err := t.spec.Point(index)
	if err != nil {
		return nil, err
	}
	const most = 10_000
	r, text := t.begin(p), why.Error()
	r.Status, r.Error = results.Dead, text[:min(len(text), most)]
	return r.Encode()
}

// Check returns an error if a row is none of a run: it cannot be read, or is of another point.
func (t *Trial) Check(index int64, data []byte) error {
	p, err := t.spec.Point(index)
	if err != nil {
		return err
	}
	row, err := results.Decode(data)
	if err != nil {
		return err
	}
	if want := t.begin(p); row.Index != index || row.Seed != want.Seed || !slices.Equal(row.Axes, want.Axes) {
		return fmt.Errorf("got=run %d of %v with seed %d, want=run %d of %v with seed %d", row.Index, row.Axes, row.Seed, index, want.Axes, want.Seed)
	}
	return nil
}

// failure is an error that would come again.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// whileOf says what a run did when its time was up.
func whileOf(err error) string {
	var early cli.Interruption
	if errors.As(err, &early) {
		return early.While
	}
	return err.Error()
}

func interruptedError(ctx context.Context, index int64) error {
	return cli.While(ctx, ctx.Err(), fmt.Sprintf("doing run %d", index))
}

// begin returns a row with the point of a run.
func (t *Trial) begin(p spec.Point) *results.Row {
	r := &results.Row{Index: p.Index, Axes: []any{t.spec.Scenes[p.Scene].Name}, Seed: p.Seed, Machine: here(), Version: cli.VersionLine()}
	for _, v := range p.Values {
		if v.Text != "" {
			r.Axes = append(r.Axes, v.Text)
		} else {
			r.Axes = append(r.Axes, v.Number)
		}
	}
	return r
}

// run does the run of a point to its end.
func (t *Trial) run(ctx context.Context, p spec.Point) (*results.Row, error) {
	start := time.Now()
	s, err := t.spec.Open(ctx, p)
	if err != nil {
		return nil, lasting(ctx, err)
	}
	options := SceneOptions(t.spec)
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
	w, report, err := run.Prepare(ctx, s, options, nil)
	if err != nil {
		return nil, lasting(ctx, err)
	}
	defer w.Close()
	if err := run.Run(ctx, s, w, report, false, nil); err != nil {
		return nil, lasting(ctx, err)
	}
	if report.Interrupted {
		return nil, fmt.Errorf("stepping: %d of %d steps", report.Steps, s.Steps)
	}
	r := t.begin(p)
	r.Take(report)
	r.Status = results.OK
	r.Cost["seconds"] = time.Since(start).Seconds()
	if _, err := r.Encode(); err != nil { // a number that is not finite
		return nil, failure{err}
	}
	return r, nil
}

// lasting returns an error as one that would come again, unless the context made it.
func lasting(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return failure{err}
}

// SceneOptions are those of each run.
func SceneOptions(s *spec.Spec) scene.Options {
	return scene.Options{Workers: 1, Measure: true, Safety: s.Run.Safety}
}

// here names this machine.
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
