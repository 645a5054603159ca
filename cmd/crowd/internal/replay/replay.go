package replay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
)

// Replay is crowd replay.
type Replay struct {
	Recording string `arg:"" help:"File that crowd run --record or crowd view --record wrote."`

	Workers int    `placeholder:"N" help:"Goroutines that share a step (default: one for each processor)."`
	To      *int   `placeholder:"N" help:"Stop after this step (default: the last)."`
	States  bool   `help:"Print all agents after the last step, with all components, a line of JSON each."`
	Explain uint64 `placeholder:"ID" help:"Print what the last step does to an agent, and why, as JSON."`
	JSON    bool   `name:"json" help:"Print the result as JSON, and nothing else."`

	cli.MemoryFlag
}

// Help shows examples.
func (Replay) Help() string {
	return `Runs what was recorded again, and says whether each step gives the same bits, or which is
the first that does not: then the exit code is 1. A recording that is cut off, because the
run was killed, is good up to its last whole step.

Examples:

    crowd run evacuation --agents 100 --steps 50 --record evacuation.replay
    crowd replay evacuation.replay
    crowd replay evacuation.replay --workers 1 --json
    crowd replay evacuation.replay --to 3 --explain 17`
}

// result is what crowd replay --json prints.
type result struct {
	Scene  string `json:"scene"`
	Steps  int    `json:"steps"`            // that were recorded, up to --to
	Same   bool   `json:"same"`             // whether all of them gave the same hashes
	Step   *int   `json:"step,omitempty"`   // the first that did not
	Want   string `json:"want,omitempty"`   // hash after it, as it was recorded
	Got    string `json:"got,omitempty"`    // and now
	CutOff string `json:"cutOff,omitempty"` // where the recording is cut off
}

// errDiffers is of a replay that differs, which has been said.
var errDiffers = errors.New("the replay differs from the recording")

// Run runs a recording again.
func (c *Replay) Run(ctx context.Context, e *cli.Console) error {
	if err := e.Given.Refuse(
		cli.IdleFlag{Name: "states", Idle: e.Given["explain"], Why: "and --explain contradict one another, want one of them"},
		cli.IdleFlag{Name: "json", Idle: c.States || e.Given["explain"], Why: "is for the result, and --states and --explain print JSON anyway"},
	); err != nil {
		return cli.BadUsage(err)
	}
	if e.Given["workers"] && c.Workers < 1 {
		return cli.BadUsage(fmt.Errorf("--workers is %d, want 1 or more", c.Workers))
	}
	f, err := OpenFilm(ctx, c.Recording, c.Workers, c.MemoryFlag)
	if err != nil {
		return cli.BadUsage(err)
	}
	defer f.Close()
	if f.CutOff != nil {
		e.Log.Warn(fmt.Sprintf("%s: %v, in step %d: the steps before are used", c.Recording, f.CutOff, f.Steps()+1))
	}
	to := f.Steps()
	if c.To != nil {
		if to = *c.To; to < 0 || to > f.Steps() {
			return cli.BadUsage(fmt.Errorf("--to is %d, want 0 to %d", to, f.Steps()))
		}
	}
	bar := e.Progress(f.Name, to, "step", c.JSON || c.States || e.Given["explain"])
	defer bar.Done()
	f.tick = bar.Set
	switch {
	case c.States:
		return f.states(ctx, to, func(all iter.Seq[world.EntityState]) error { return printStates(e, all) })
	case e.Given["explain"]:
		return c.explain(ctx, e, f, to)
	}
	return c.whole(ctx, e, f, to)
}

// whole runs all steps, and says whether they are the same.
func (c *Replay) whole(ctx context.Context, e *cli.Console, f *Film, to int) error {
	r := result{Scene: f.Name, Steps: to, Same: true}
	if f.CutOff != nil {
		r.CutOff = f.CutOff.Error()
	}
	err := f.again(ctx, to)
	d := (*replay.Diverged)(nil)
	if errors.As(err, &d) {
		r.Same, r.Step, r.Want, r.Got = false, &d.Step, fmt.Sprintf("%016x", d.Want), fmt.Sprintf("%016x", d.Got)
	} else if err != nil {
		return err
	}
	switch {
	case c.JSON:
		err = output.WriteJSON(e.Machine, r)
	case r.Same:
		_, err = cli.Fprintf(e.Out, "the same, %s of %s\n", cli.Plural(to, "step"), f.Name)
	default:
		_, err = cli.Fprintf(e.Out, "%s: %v\nrecorded by %s, on %s\n", f.Name, d, f.Version, f.Machine)
	}
	if err == nil && !r.Same {
		err = errDiffers
	}
	return err
}

// explain prints what a step does to an agent.
func (c *Replay) explain(ctx context.Context, e *cli.Console, f *Film, step int) error {
	if step < 1 {
		return cli.BadUsage(fmt.Errorf("--to is %d, want 1 or more: --explain is of a step", step))
	}
	x, err := f.explain(ctx, step, c.Explain)
	if err != nil {
		return err
	}
	if x == nil {
		return cli.BadUsage(fmt.Errorf("--explain is %d, and no agent has that id before step %d", c.Explain, step))
	}
	return output.WriteJSON(e.Machine, x)
}

// printStates prints all agents.
func printStates(e *cli.Console, all iter.Seq[world.EntityState]) error {
	out := bufio.NewWriter(e.Machine)
	enc := json.NewEncoder(out)
	for x := range all {
		if err := enc.Encode(x); err != nil {
			return err
		}
	}
	return out.Flush()
}
