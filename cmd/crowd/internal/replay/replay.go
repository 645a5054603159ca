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
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
)

// Command is the command crowd replay.
type Command struct {
	Run  Replay `cmd:"" default:"withargs" hidden:"" help:"Run a recording again and check that each step gives the same result."`
	Diff Diff   `cmd:"" help:"Find the first step and agent that differ between two recordings or two builds of crowd."`
}

// Replay is the command crowd replay without a subcommand.
type Replay struct {
	Recording string `arg:"" help:"File written by crowd run --record or crowd view --record."`

	Workers int       `placeholder:"N" help:"Goroutines that share a step (default: one per processor)."`
	To      *run.Span `placeholder:"SPAN" help:"Stop after this many steps, or at a time such as 2.5s (default: the last step)."`
	States  bool      `help:"Print all entities after the last step, with all their components, one line of JSON each."`
	Agent   uint64    `placeholder:"ID" help:"Explain what the last step does to an agent, as JSON."`
	JSON    bool      `name:"json" help:"Print only the result, as JSON."`

	cli.MemoryFlag
}

// Help shows examples.
func (Replay) Help() string {
	return `Runs a recording again and checks that each step gives the same bits. The exit code is 1 if
one does not; the first such step is printed. A truncated recording, of a run that was
killed, is valid up to its last complete step.

Examples:

    crowd run evacuation --agents 100 --steps 50 --record evacuation.replay
    crowd replay evacuation.replay
    crowd replay evacuation.replay --workers 1 --json
    crowd replay evacuation.replay --to 3 --agent 17
    crowd replay diff evacuation.replay OTHER.replay`
}

type result struct {
	Scene  string `json:"scene"`
	Steps  int    `json:"steps"`            // to replay
	Same   bool   `json:"same"`             // all hashes were the same
	Step   *int   `json:"step,omitempty"`   // first step whose hash differs
	Want   string `json:"want,omitempty"`   // recorded
	Got    string `json:"got,omitempty"`    // replayed
	CutOff string `json:"cutOff,omitempty"` // how the recording is truncated
}

// errDiffers is returned after the difference is printed.
var errDiffers = errors.New("the replay differs from the recording")

// Run replays the recording. If a step differs, it returns errDiffers or a *replay.Diverged.
func (c *Replay) Run(ctx context.Context, e *cli.Console) error {
	if err := e.Given.Refuse(
		cli.IdleFlag{Name: "states", Idle: e.Given["agent"], Why: "and --agent exclude each other, want one of them"},
		cli.IdleFlag{Name: "json", Idle: c.States || e.Given["agent"], Why: "has no effect: --states and --agent print JSON anyway"},
	); err != nil {
		return cli.BadUsage(err)
	}
	if err := e.Given.CheckWorkers(c.Workers); err != nil {
		return cli.BadUsage(err)
	}
	f, err := OpenFilm(ctx, c.Recording, c.Workers, c.MemoryFlag)
	if err != nil {
		return cli.BadUsage(err)
	}
	defer f.Close()
	if f.CutOff != nil {
		e.Log.Warn(fmt.Sprintf("%s: %v, in step %d: using the steps before it", c.Recording, f.CutOff, f.Steps()+1))
	}
	to := f.Steps()
	if c.To != nil {
		if to = c.To.Steps(f.scene.Dt); to > f.Steps() {
			return cli.BadUsage(fmt.Errorf("--to is %s, want at most %s", *c.To, cli.Plural(f.Steps(), "step")))
		}
	}
	bar := e.Progress(f.Name, to, "step", c.JSON || c.States || e.Given["agent"])
	defer bar.Done()
	f.tick = bar.Set
	switch {
	case c.States:
		return f.states(ctx, to, func(all iter.Seq[world.EntityState]) error { return printStates(e, all) })
	case e.Given["agent"]:
		return c.explain(ctx, e, f, to)
	}
	return c.check(ctx, e, f, to)
}

func (c *Replay) check(ctx context.Context, e *cli.Console, f *Film, to int) error {
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
		_, err = cli.Fprintf(e.Out, "%s of %s: the same\n", cli.Plural(to, "step"), f.Name)
	default:
		_, err = cli.Fprintf(e.Out, "%s: %v\nrecorded by %s, on %s\n", f.Name, d, f.Version, f.Machine)
	}
	if err == nil && !r.Same {
		err = errDiffers
	}
	return err
}

func (c *Replay) explain(ctx context.Context, e *cli.Console, f *Film, step int) error {
	if step < 1 {
		return cli.BadUsage(fmt.Errorf("--to is %d, want 1 or more with --agent", step))
	}
	x, err := f.explain(ctx, step, c.Agent)
	if err != nil {
		return err
	}
	if x == nil {
		return cli.BadUsage(fmt.Errorf("--agent is %d, but no agent has this ID before step %d", c.Agent, step))
	}
	return output.WriteJSON(e.Machine, x)
}

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

func (d *difference) write(w io.Writer) error {
	if d.Same {
		_, err := cli.Fprintf(w, "the same in %s\n", cli.Plural(d.Steps, "step"))
		return err
	}
	where := fmt.Sprintf("after step %d", *d.Step)
	if *d.Step == 0 {
		where = "before the first step"
	}
	cli.Fprintf(w, "A is %s, B is %s\nthey differ %s: hash %s in A, %s in B\n", d.Sides[0], d.Sides[1], where, d.Hashes[0], d.Hashes[1])
	for _, note := range d.Notes {
		cli.Fprintf(w, "%s\n", note)
	}
	if d.InputStep > 0 {
		cli.Fprintf(w, "the inputs of step %d are the first that differ: %s in A, %s in B\n", d.InputStep, inputsText(d.Inputs[0]), inputsText(d.Inputs[1]))
	}
	if err := writeFields(w, d.Earlier, fmt.Sprintf("is the first that already differed before step %d, in fields that hashes do not cover", *d.Step)); err != nil {
		return err
	}
	made := fmt.Sprintf("is the first that differs because of step %d", *d.Step)
	if *d.Step == 0 {
		made = "is the first that differs at the start"
	}
	if err := writeFields(w, d.Difference, made); err != nil {
		return err
	}
	return d.writeForces(w)
}

func writeFields(w io.Writer, d *replay.Difference, what string) error {
	if d == nil {
		return nil
	}
	who := fmt.Sprintf("agent %d", d.Agent)
	if d.Agent == 0 {
		who = fmt.Sprintf("entity %d (not an agent)", d.Entity)
	}
	cli.Fprintf(w, "\n%s %s:\n\n", who, what)
	t := cli.NewTable(w)
	t.Head("\tA\tB")
	for _, f := range d.Fields {
		t.Line(cli.Plain, "%s\t%s\t%s", strings.TrimSuffix(f.Component+"."+f.Field, "."), f.A, f.B)
	}
	return t.Flush()
}

func (d *difference) writeForces(w io.Writer) error {
	var names []string
	forces := [2]map[string]string{}
	for i, text := range d.Forces {
		var x struct {
			Shares []struct {
				Behavior string
				Force    *struct{ X, Y any }
			}
			Force struct{ X, Y any }
		}
		if text == nil || json.Unmarshal(text, &x) != nil {
			continue
		}
		forces[i] = map[string]string{"sum": fmt.Sprintf("(%v, %v)", x.Force.X, x.Force.Y)}
		for _, s := range x.Shares {
			if s.Force == nil {
				continue
			}
			if forces[0][s.Behavior] == "" && forces[1][s.Behavior] == "" {
				names = append(names, s.Behavior)
			}
			forces[i][s.Behavior] = fmt.Sprintf("(%v, %v)", s.Force.X, s.Force.Y)
		}
	}
	if forces[0] == nil && forces[1] == nil {
		return nil
	}
	cli.Fprintf(w, "\nforces on the agent in step %d, in newtons:\n\n", max(*d.Step, 1))
	t := cli.NewTable(w)
	t.Head("\tA\tB")
	for _, name := range append(names, "sum") {
		t.Line(cli.Plain, "%s\t%s\t%s", name, cmp.Or(forces[0][name], "none"), cmp.Or(forces[1][name], "none"))
	}
	return t.Flush()
}

func inputsText(all []replay.Input) string {
	var parts []string
	for _, in := range all {
		parts = append(parts, in.Name+" "+string(in.Data))
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}
