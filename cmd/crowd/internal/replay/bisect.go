package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/world/replay"
)

// Bisect is crowd bisect.
type Bisect struct {
	Recordings []string `arg:"" name:"recording" help:"Two files that crowd run --record or crowd view --record wrote, or one and --with."`

	With    string `placeholder:"BINARY" help:"Another build of crowd, which runs the recording again."`
	Workers int    `placeholder:"N" help:"Goroutines that share a step (default: one for each processor)."`
	JSON    bool   `name:"json" help:"Print the result as JSON, and nothing else."`

	cli.MemoryFlag
}

// Help shows examples.
func (Bisect) Help() string {
	return `Finds the first step after which two runs differ, the first agent and what of it, and the
forces on that agent in the step, on both sides. Then the exit code is 1.

Examples:

    crowd run evacuation --agents 100 --steps 50 --record a.replay
    crowd run evacuation --agents 100 --steps 50 --record b.replay
    crowd bisect a.replay b.replay
    crowd bisect A.replay --with BINARY      this build and another one`
}

// difference is what crowd bisect --json prints.
type difference struct {
	Sides  [2]string `json:"sides"`
	Same   bool      `json:"same"`
	Steps  int       `json:"steps"`          // that were compared
	Step   *int      `json:"step,omitempty"` // the first after which the hashes differ
	Hashes []string  `json:"hashes,omitempty"`

	InputStep int               `json:"inputStep,omitempty"` // the first step with other inputs
	Inputs    [2][]replay.Input `json:"inputs,omitzero"`

	Earlier    *replay.Difference `json:"earlier,omitempty"`    // the first entity that differed before the step, where hashes do not look
	Difference *replay.Difference `json:"difference,omitempty"` // the first in which the step left another difference
	Forces     [2]json.RawMessage `json:"forces,omitzero"`      // as crowd explain --json has them
	Notes      []string           `json:"notes,omitempty"`
}

// errParted is of two runs that differ, which has been said.
var errParted = errors.New("they differ")

// Run compares two runs.
func (c *Bisect) Run(ctx context.Context, e *cli.Console) error {
	if c.With != "" && len(c.Recordings) != 1 {
		return cli.BadUsage(fmt.Errorf("--with takes one recording, and there are %d", len(c.Recordings)))
	}
	if n := len(c.Recordings); c.With == "" && n != 2 {
		return cli.BadUsage(fmt.Errorf("want two recordings, or one and --with, and there are %d", n))
	}
	if e.Given["workers"] && c.Workers < 1 {
		return cli.BadUsage(fmt.Errorf("--workers is %d, want 1 or more", c.Workers))
	}
	var films []*Film
	for _, name := range c.Recordings {
		f, err := OpenFilm(ctx, name, c.Workers, c.MemoryFlag)
		if err != nil {
			return cli.BadUsage(err)
		}
		defer f.Close()
		if f.CutOff != nil {
			e.Log.Warn(fmt.Sprintf("%s: %v, in step %d: the steps before are compared", name, f.CutOff, f.Steps()+1))
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

// scenesDiffer says where the scenes of two recordings differ, if they do: often that is the cause.
func scenesDiffer(a, b string) []string {
	one, other := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(one), len(other)) {
		lines := [2]string{"(its end)", "(its end)"}
		for k, text := range [][]string{one, other} {
			if i < len(text) {
				lines[k] = text[i]
			}
		}
		if lines[0] != lines[1] {
			return []string{fmt.Sprintf("their scenes differ, first in line %d: %s in A, %s in B", i+1, lines[0], lines[1])}
		}
	}
	return nil
}

// compare compares two recordings.
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
		d.Notes = append(d.Notes, fmt.Sprintf("no more can be said: %v", err))
	}
	for i, failed := range p.Unrepeated {
		if failed != nil {
			d.Notes = append(d.Notes, fmt.Sprintf("this build does not repeat %s (%v): ask the one that recorded it, %s", "AB"[i:i+1], failed, [2]*Film{a, b}[i].Version))
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
