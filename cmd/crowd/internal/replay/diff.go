package replay

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
)

// Diff is the command crowd replay diff.
type Diff struct {
	Recordings []string `arg:"" name:"recording" help:"Two files written by crowd run --record or crowd view --record, or one file and --with."`

	With    string `placeholder:"BINARY" help:"Another build of crowd, to run the recording with."`
	Workers int    `placeholder:"N" help:"Goroutines that share a step (default: one per processor)."`
	JSON    bool   `name:"json" help:"Print only the result, as JSON."`

	cli.MemoryFlag
}

// Help shows examples.
func (Diff) Help() string {
	return `Finds the first step after which two runs differ. Prints the first agent that differs, the
fields in which it differs, and the forces on it in that step in both runs. The exit code
is 1 if the runs differ.

Examples:

    crowd run evacuation --agents 100 --steps 50 --record a.replay
    crowd run evacuation --agents 100 --steps 50 --record b.replay
    crowd replay diff a.replay b.replay
    crowd replay diff A.replay --with BINARY   compare with another build`
}

type difference struct {
	Sides  [2]string `json:"sides"`
	Same   bool      `json:"same"`
	Steps  int       `json:"steps"`            // in both runs
	Step   *int      `json:"step,omitempty"`   // first step after which the hashes differ
	Hashes []string  `json:"hashes,omitempty"` // after that step

	InputStep int               `json:"inputStep,omitempty"` // first step whose inputs differ
	Inputs    [2][]replay.Input `json:"inputs,omitzero"`

	Earlier    *replay.Difference `json:"earlier,omitempty"`    // first entity that already differed before the step, in fields outside the hash
	Difference *replay.Difference `json:"difference,omitempty"` // first entity that differs because of the step
	Forces     [2]json.RawMessage `json:"forces,omitzero"`      // as in crowd explain --json
	Notes      []string           `json:"notes,omitempty"`
}

// errParted is returned after the details are printed.
var errParted = errors.New("the runs differ")

// Run compares two runs and prints the result. If they differ, it returns errParted.
func (c *Diff) Run(ctx context.Context, e *cli.Console) error {
	if c.With != "" && len(c.Recordings) != 1 {
		return cli.BadUsage(fmt.Errorf("--with is given with %d recordings, want one", len(c.Recordings)))
	}
	if n := len(c.Recordings); c.With == "" && n != 2 {
		return cli.BadUsage(fmt.Errorf("the number of recordings is %d, want two, or one and --with", n))
	}
	if err := e.Given.CheckWorkers(c.Workers); err != nil {
		return cli.BadUsage(err)
	}
	var films []*Film
	for _, name := range c.Recordings {
		f, err := OpenFilm(ctx, name, c.Workers, c.MemoryFlag)
		if err != nil {
			return cli.BadUsage(err)
		}
		defer f.Close()
		if f.CutOff != nil {
			e.Log.Warn(fmt.Sprintf("%s: %v, in step %d: comparing the steps before it", name, f.CutOff, f.Steps()+1))
		}
		films = append(films, f)
	}
	var d *difference
	var err error
	if c.With != "" {
		d, err = compareWith(ctx, films[0], c.Recordings[0], c.With)
	} else {
		d, err = compare(ctx, films[0], films[1])
	}
	if err != nil && ctx.Err() != nil {
		return cli.While(ctx, err, "comparing")
	}
	if err != nil {
		return cli.BadUsage(err)
	}
	if d.Sides = [2]string{c.Recordings[0], c.With}; c.With == "" {
		d.Sides[1] = c.Recordings[1]
	}
	if c.JSON {
		err = output.WriteJSON(e.Machine, d)
	} else {
		err = d.write(e.Out)
	}
	if err == nil && !d.Same {
		err = errParted
	}
	return err
}

func scenesDiffer(a, b string) []string {
	one, other := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(one), len(other)) {
		lines := [2]string{"(the end)", "(the end)"}
		for k, text := range [][]string{one, other} {
			if i < len(text) {
				lines[k] = text[i]
			}
		}
		if lines[0] != lines[1] {
			return []string{fmt.Sprintf("the scenes differ, first on line %d: %s in A, %s in B", i+1, lines[0], lines[1])}
		}
	}
	return nil
}

func compare(ctx context.Context, a, b *Film) (*difference, error) {
	d := &difference{Same: true, Steps: min(a.Steps(), b.Steps())}
	p, err := replay.Compare(ctx, a.side(), b.side())
	if p == nil {
		return d, err
	}
	d.Same, d.Step, d.Hashes = false, &p.Step, p.Hashes[:]
	d.Notes = append(d.Notes, scenesDiffer(a.Scene, b.Scene)...)
	d.InputStep, d.Inputs, d.Earlier, d.Difference = p.InputStep, p.Inputs, p.Earlier, p.Difference
	if err != nil {
		d.Notes = append(d.Notes, fmt.Sprintf("no further details: %v", err))
	}
	for i, failed := range p.Unrepeated {
		if failed != nil {
			d.Notes = append(d.Notes, fmt.Sprintf("this build does not reproduce %s (%v): use the build that recorded it, %s", "AB"[i:i+1], failed, [2]*Film{a, b}[i].Version))
		}
	}
	for i, x := range p.Forces {
		if x == nil {
			continue
		}
		if d.Forces[i], err = json.Marshal(x); err != nil {
			return nil, err
		}
	}
	return d, ctx.Err()
}

type binary struct{ path, recording string }

// ask runs crowd replay with build b, and calls the function use with the output. It ignores the exit code,
// which is 1 if there is a difference.
func (b *binary) ask(ctx context.Context, use func(io.Reader) error, flags ...string) error {
	cmd := exec.CommandContext(ctx, b.path, append([]string{"replay", b.recording, "--quiet"}, flags...)...)
	cmd.WaitDelay = 10 * time.Second // for child processes of the command
	var errs firstBytes
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("--with is %s: %w", b.path, cmp.Or(errors.Unwrap(err), err))
	}
	used := use(out)
	_, _ = io.Copy(io.Discard, out)
	_ = cmd.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if used != nil {
		said, _, _ := strings.Cut(strings.TrimSpace(string(errs)), "\n")
		return fmt.Errorf("--with is %s, want a build of crowd; its answer to crowd replay %s is unusable: %s", b.path, strings.Join(flags, " "), cmp.Or(said, used.Error()))
	}
	return nil
}

type firstBytes []byte

func (f *firstBytes) Write(data []byte) (int, error) {
	const most = 4000
	*f = append(*f, data[:min(len(data), most-len(*f))]...)
	return len(data), nil
}

func (b *binary) replay(ctx context.Context) (r result, err error) {
	err = b.ask(ctx, func(out io.Reader) error { return json.NewDecoder(out).Decode(&r) }, "--json")
	return r, err
}

func (b *binary) states(ctx context.Context, step int, use func(iter.Seq[world.EntityState]) error) error {
	return b.ask(ctx, func(out io.Reader) error {
		dec := json.NewDecoder(bufio.NewReader(out))
		var failed error
		some := false
		err := use(func(yield func(world.EntityState) bool) {
			for {
				var x world.EntityState
				if failed = dec.Decode(&x); failed != nil || !yield(x) {
					return
				}
				some = true
			}
		})
		if err == nil && failed != nil && (!errors.Is(failed, io.EOF) || !some) {
			err = failed
		}
		return err
	}, "--states", "--to", strconv.Itoa(step))
}

func (b *binary) explain(ctx context.Context, step int, agent uint64) (x json.RawMessage, err error) {
	err = b.ask(ctx, func(out io.Reader) error { return json.NewDecoder(out).Decode(&x) },
		"--agent", strconv.FormatUint(agent, 10), "--to", strconv.Itoa(step))
	return x, err
}

// compareWith compares replays of a recording by this build and by another.
func compareWith(ctx context.Context, f *Film, recording, other string) (*difference, error) {
	b := &binary{other, recording}
	r, err := b.replay(ctx)
	if err != nil {
		return nil, err
	}
	if !r.Same && (r.Step == nil || *r.Step < 0 || *r.Step > f.Steps()) {
		return nil, fmt.Errorf("--with is %s, which does not report the step that differs", other)
	}
	d := &difference{Same: r.Same, Steps: f.Steps(), Step: r.Step}
	to := f.Steps()
	if !r.Same {
		to, d.Hashes = *r.Step, []string{r.Want, r.Got}
	}
	ours := (*replay.Diverged)(nil)
	if err := f.again(ctx, to); err != nil && !errors.As(err, &ours) {
		return nil, err
	}
	switch {
	case ours == nil && r.Same:
		return d, nil
	case ours != nil && r.Same: // only this build differs from the recording
		d.Same, d.Step = false, &ours.Step
		d.Hashes = []string{fmt.Sprintf("%016x", ours.Got), fmt.Sprintf("%016x", ours.Want)}
	case ours != nil:
		d.Notes = append(d.Notes, fmt.Sprintf("this build does not reproduce the recording either (%v): use the build that recorded it, %s", ours, f.Version))
		return d, nil
	}
	if err := d.lookInto(ctx, f, b); err != nil {
		return nil, err
	}
	if d.Difference == nil || d.Difference.Agent == 0 || *d.Step == 0 {
		return d, nil
	}
	for i, explain := range [2]func(context.Context, int, uint64) (json.RawMessage, error){f.explain, b.explain} {
		if d.Forces[i], err = explain(ctx, *d.Step, d.Difference.Agent); err != nil {
			d.Notes = append(d.Notes, fmt.Sprintf("no forces in %s: %v", "AB"[i:i+1], err))
		}
	}
	return d, ctx.Err()
}

func (d *difference) lookInto(ctx context.Context, f *Film, b *binary) error {
	var old []replay.Difference
	each := func(step int, use func(iter.Seq[replay.Difference])) error {
		return f.states(ctx, step, func(ours iter.Seq[world.EntityState]) error {
			return b.states(ctx, step, func(theirs iter.Seq[world.EntityState]) error {
				use(replay.Differences(ours, theirs))
				return nil
			})
		})
	}
	if *d.Step > 0 {
		if err := each(*d.Step-1, func(all iter.Seq[replay.Difference]) { old = slices.Collect(all) }); err != nil {
			return err
		}
		if len(old) > 0 {
			d.Earlier = &old[0]
		}
	}
	return each(*d.Step, func(all iter.Seq[replay.Difference]) { d.Difference = replay.First(all, old...) })
}
