package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/8f878440/crowd/benchmarks"
	"golang.org/x/term"
)

// targets measures and prints the targets of the project. They cannot be stopped
// half-way, so an interruption leaves them behind.
func (c *benchCmd) targets(ctx context.Context, e *env) error {
	if len(c.Names) > 0 {
		return badInput{fmt.Errorf("--targets knows what to measure: leave out %s", strings.Join(c.Names, " "))}
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
