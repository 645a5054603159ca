package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/8f878440/crowd/benchmarks"
	"golang.org/x/term"
)

// targets measures and prints the targets of the project. They cannot be stopped
// half-way, so an interruption leaves them behind.
func (c *benchCmd) targets(ctx context.Context, e *env) error {
	if extra := c.besideTargets(e); len(extra) > 0 {
		return badInput{fmt.Errorf("--targets knows what to measure, and prints a table: leave out %s", strings.Join(extra, " "))}
	}
	done := make(chan []benchmarks.Target, 1)
	progress := func(string) {}
	if term.IsTerminal(int(e.err.Fd())) {
		progress = func(text string) { e.log.Info(text) }
	}
	go func() { done <- benchmarks.Targets(c.Quick, progress) }()
	select {
	case targets := <-done:
		return benchmarks.WriteTargets(e.out, targets)
	case <-ctx.Done():
		return errors.New("interrupted: the targets are measured together or not at all")
	}
}

// besideTargets returns what the command line has that --targets has no use for.
func (c *benchCmd) besideTargets(e *env) []string {
	extra := slices.Clone(c.Names)
	for _, flag := range []struct {
		name string
		set  bool
	}{
		{"--agents", len(c.Agents) > 0}, {"--workers", len(c.Workers) > 0}, {"--steps", c.Steps != nil}, {"--warmup", e.given["warmup"]}, {"--repeats", c.Repeats != nil},
		{"--baselines", c.Baselines}, {"--json", c.JSON.on}, {"--out", c.Out != ""}, {"--go", c.Go != ""}, {"--compare", c.Compare != ""}, {"--plot", c.Plot != ""},
	} {
		if flag.set {
			extra = append(extra, flag.name)
		}
	}
	return extra
}
