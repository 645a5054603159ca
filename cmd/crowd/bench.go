package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/memory"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
)

// benchCmd measures what steps cost.
type benchCmd struct {
	Names []string `arg:"" optional:"" name:"name" help:"Built-in scenes, scene files, or workloads such as W2 and W3/obstacles=1024 (default: ${scene})."`

	Agents    []string `placeholder:"N" help:"Numbers of agents, such as 1000,1e6 (default: 1e3,1e4,1e5; files, and scenes with fixed places, as they are)."`
	Workers   []int    `placeholder:"N" help:"Numbers of workers (default: 1, and one for each processor)."`
	Steps     *int     `placeholder:"N" help:"Steps of a sample (default: what takes 50 ms or more)."`
	Warmup    int      `placeholder:"N" default:"5" help:"Steps before those that are timed, each time the state was set back."`
	Repeats   *int     `placeholder:"N" help:"Samples of each (default: 10, with --quick 5)."`
	Baselines bool     `help:"Beside workloads, measure plain loops that give the same results."`
	Quick     bool     `help:"Be done soon: up to 10,000 agents, fewer and shorter samples."`

	JSON    jsonSwitch `name:"json" help:"Print the results as JSON, and nothing else."`
	Out     string     `short:"o" placeholder:"FILE.json" help:"Write the results as JSON, beside the table."`
	Go      string     `name:"go" placeholder:"FILE" help:"Write Go benchmark lines, for benchstat; - is standard output, in place of the table."`
	Compare string     `placeholder:"OLD.json" help:"Compare with the results that an earlier --out wrote."`
	Plot    string     `placeholder:"FILE.png" help:"Draw cost against agents and speed-up against workers, as .png or .svg."`
	Targets bool       `help:"Measure the targets of the project, print them as a Markdown table, and nothing else."`

	memory.Flag
}

func (benchCmd) Help() string {
	return `Samples of all that is measured at a size are taken in turn, round by round, and the
state is set back before each. docs/bench.md says how to trust the figures.

Workloads: ` + workloadNames() + `.

Examples:

    crowd bench                              plaza at three sizes, 1 worker and all
    crowd bench plaza boids --agents 1e5 --workers 1,2,4
    crowd bench W2 W3/obstacles=1024 --baselines --plot cost.png
    crowd bench W2 --json > w2.json
    crowd bench W2 --out before.json
    crowd bench W2 --compare before.json
    crowd bench W2 --go - | benchstat -
    crowd bench --targets --quick`
}

func (c *benchCmd) Run(ctx context.Context, e *console.Console) error {
	note, err := c.jsonFile()
	if err != nil {
		return usage.Bad(err)
	}
	if c.Targets {
		return c.targets(ctx, e)
	}
	b, err := c.plan(ctx, e)
	if err != nil {
		return usage.Bad(err)
	}
	defer b.files.Discard()
	if note != "" {
		e.Log.Warn(note)
	}
	b.measure(ctx, e)
	if len(b.Results) == 0 {
		if b.Interrupted {
			return errors.New("interrupted before anything was measured")
		}
		return usage.Bad(errors.New(strings.Join(b.Notes, "; ")))
	}
	write, to := b.writeTable, e.Out
	switch {
	case c.JSON.on:
		write, to = b.writeJSON, e.Machine
	case c.Go == "-":
		write, to = b.writeGo, e.Machine
	}
	plot := func(to io.Writer) error { return writeBenchPlot(to, c.Plot, &b.benchFile) }
	// What one can't take is no reason to lose the others.
	err = cmp.Or(write(to), b.files.json.Fill(b.writeJSON), b.files.goLines.Fill(b.writeGo), b.files.plot.Fill(plot))
	if b.old != nil {
		err = cmp.Or(err, writeComparison(e.Out, c.Compare, b.old, &b.benchFile))
	}
	return err
}
