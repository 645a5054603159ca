package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/simulation"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// plan checks the command line and returns what is to be measured.
func (c *benchCmd) plan(ctx context.Context, e *console.Console) (*bench, error) {
	b := &bench{benchFile: newBenchFile(e), steps: c.steps(), baselines: c.Baselines, atLeast: 50 * time.Millisecond}
	b.Warmup, b.Repeats = c.Warmup, 10
	sizes := []int{1e3, 1e4, 1e5}
	if c.Quick {
		b.Repeats, b.atLeast, sizes = 5, 10*time.Millisecond, sizes[:2]
	}
	if c.Repeats != nil {
		b.Repeats = *c.Repeats
	}
	switch ext := strings.ToLower(filepath.Ext(c.Plot)); {
	case c.Steps != nil && (*c.Steps < 1 || *c.Steps > simulation.MaxSteps):
		return nil, fmt.Errorf("--steps is %d, want 1 to %d", *c.Steps, simulation.MaxSteps)
	case c.Warmup < 0 || c.Warmup > simulation.MaxSteps:
		return nil, fmt.Errorf("--warmup is %d, want 0 to %d", c.Warmup, simulation.MaxSteps)
	case b.Repeats < 1 || b.Repeats > maxRepeats:
		return nil, fmt.Errorf("--repeats is %d, want 1 to %d", b.Repeats, maxRepeats)
	case c.Plot != "" && ext != ".png" && ext != ".svg":
		return nil, fmt.Errorf("--plot is %s, want a name that ends with .png or .svg", c.Plot)
	case c.Out == "-":
		return nil, errors.New("--out is -, want a file; --json writes to standard output")
	case c.JSON.on && c.Go == "-":
		return nil, errors.New("--json and --go both want standard output; give --go a file, or --out in place of --json")
	case c.Compare != "" && (c.JSON.on || c.Go == "-"):
		return nil, errors.New("--compare wants standard output; give --go a file, or --out in place of --json")
	}
	asked, err := parseSizes(c.Agents)
	if err != nil {
		return nil, err
	}
	if b.workers, err = workerCounts(c.Workers); err != nil {
		return nil, err
	}
	if c.Compare != "" {
		if b.old, err = readBenchFile(c.Compare); err != nil {
			return nil, err
		}
	}
	names := c.Names
	if len(names) == 0 {
		names = []string{scene.Default}
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
		if c.Baselines {
			crowds += len(found.others)
		}
		for _, agents := range found.sizes {
			what := fmt.Sprintf("%s with %s, %d at a time,", name, numbers.Plural(agents, "agent"), crowds)
			if err := c.AdmitBytes(what, uint64(crowds)*found.memory(agents)); err != nil {
				return nil, err
			}
		}
		b.cases = append(b.cases, found)
	}
	alone := !slices.ContainsFunc(b.cases, func(c benchCase) bool { return len(c.others) > 0 })
	if err := e.Given.Refuse(usage.IdleFlag{Name: "baselines", Idle: alone, Why: "are for workloads such as W2, and none is measured"}); err != nil {
		return nil, err
	}
	return b, b.files.begin(c, b.cases) // now, and not when all is done
}

// maxRepeats bounds the time of the significance test.
const maxRepeats = 1000

func (c *benchCmd) steps() int {
	if c.Steps == nil {
		return 0
	}
	return *c.Steps
}

// parseSizes reads numbers of agents, each once.
func parseSizes(texts []string) ([]int, error) {
	var sizes []int
	for _, text := range texts {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || x != float64(int(x)) || x < 1 || x > world.MaxAgents {
			return nil, fmt.Errorf("--agents has %q, want whole numbers from 1 to %d, such as 1000,1e6", text, world.MaxAgents)
		}
		if !slices.Contains(sizes, int(x)) {
			sizes = append(sizes, int(x))
		}
	}
	return sizes, nil
}

// maxWorkers bounds what a slip of the finger can ask for.
const maxWorkers = 1024

// workerCounts returns the numbers of workers to measure, in order and each once.
func workerCounts(asked []int) ([]int, error) {
	for _, n := range asked {
		if n < 1 || n > maxWorkers {
			return nil, fmt.Errorf("--workers has %d, want 1 to %d", n, maxWorkers)
		}
	}
	counts := slices.Clone(asked)
	if len(counts) == 0 {
		counts = []int{1, runtime.GOMAXPROCS(0)}
	}
	slices.Sort(counts)
	return slices.Compact(counts), nil
}
