package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
)

// plan checks the command line and returns what is to be measured.
func (o *Options) plan(ctx context.Context, e *cli.Console) (*session, error) {
	b := &session{File: newFile(e), steps: o.steps(), baselines: o.Baselines, atLeast: 50 * time.Millisecond}
	b.Warmup, b.Repeats = o.Warmup, 10
	sizes := []int{1e3, 1e4, 1e5}
	if o.Quick {
		b.Repeats, b.atLeast, sizes = 5, 10*time.Millisecond, sizes[:2]
	}
	if o.Repeats != nil {
		b.Repeats = *o.Repeats
	}
	switch ext := strings.ToLower(filepath.Ext(o.Plot)); {
	case o.Steps != nil && (*o.Steps < 1 || *o.Steps > run.MaxSteps):
		return nil, fmt.Errorf("--steps is %d, want 1 to %d", *o.Steps, run.MaxSteps)
	case o.Warmup < 0 || o.Warmup > run.MaxSteps:
		return nil, fmt.Errorf("--warmup is %d, want 0 to %d", o.Warmup, run.MaxSteps)
	case b.Repeats < 1 || b.Repeats > maxRepeats:
		return nil, fmt.Errorf("--repeats is %d, want 1 to %d", b.Repeats, maxRepeats)
	case o.Plot != "" && ext != ".png" && ext != ".svg":
		return nil, fmt.Errorf("--plot is %s, want a name that ends with .png or .svg", o.Plot)
	case o.Out == "-":
		return nil, errors.New("--out is -, want a file; --json writes to standard output")
	case o.JSON.on && o.Go == "-":
		return nil, errors.New("--json and --go both want standard output; give --go a file, or --out in place of --json")
	case o.Compare != "" && (o.JSON.on || o.Go == "-"):
		return nil, errors.New("--compare wants standard output; give --go a file, or --out in place of --json")
	}
	asked, err := parseSizes(o.Agents)
	if err != nil {
		return nil, err
	}
	if b.workers, err = workerCounts(o.Workers); err != nil {
		return nil, err
	}
	if o.Compare != "" {
		if b.old, err = ReadFile(o.Compare); err != nil {
			return nil, err
		}
	}
	names := o.Names
	if len(names) == 0 {
		names = []string{"plaza"}
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		found, err := findCase(ctx, name, asked, sizes, e)
		if err != nil {
			return nil, err
		}
		crowds := len(b.workers) // that are there at a time
		if o.Baselines {
			crowds += len(found.others)
		}
		for _, agents := range found.sizes {
			what := fmt.Sprintf("%s with %s, %d at a time,", name, cli.Plural(agents, "agent"), crowds)
			if err := o.AdmitBytes(what, uint64(crowds)*found.memory(agents)); err != nil {
				return nil, err
			}
		}
		b.cases = append(b.cases, found)
	}
	alone := !slices.ContainsFunc(b.cases, func(c benchCase) bool { return len(c.others) > 0 })
	if err := e.Given.Refuse(cli.IdleFlag{Name: "baselines", Idle: alone, Why: "are for workloads such as W2, and none is measured"}); err != nil {
		return nil, err
	}
	return b, b.files.begin(o, b.cases) // now, and not when all is done
}

// maxRepeats bounds the time of the significance test.
const maxRepeats = 1000

func (o *Options) steps() int {
	if o.Steps == nil {
		return 0
	}
	return *o.Steps
}
