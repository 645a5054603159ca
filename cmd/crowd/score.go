package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/interrupt"
	"github.com/8f878440/crowd/cmd/crowd/internal/measurements"
	"github.com/8f878440/crowd/cmd/crowd/internal/memory"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/simulation"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
	"github.com/8f878440/crowd/world/scene"
)

// scoreCmd runs many files, each for itself.
type scoreCmd struct {
	Files []string `arg:"" name:"file" help:"Files, folders of files, or names of built-in scenes."`

	Workers   int           `placeholder:"N" help:"Files that run at a time, each with one worker (default: one for each processor)."`
	Timeout   time.Duration `default:"10m" help:"Longest that reading, building and running a file may take, in real time; 0 for any time."`
	MaxAgents int           `placeholder:"N" default:"${maxagents}" help:"Do not run files with more agents."`
	Steps     *int          `placeholder:"N" help:"Number of steps (default: that of each file)."`
	Lenient   bool          `help:"Skip unknown elements of files with a warning."`
	Model     scene.Model   `placeholder:"NAME" default:"${model}" help:"How agents of SteerBench and UMANS files steer: ${models}. Other scenes have behaviors of their own."`
	Safety    bool          `default:"true" negatable:"" help:"Count collisions of agents with one another as well."`

	measurements.Flags
	memory.Flag

	JSON bool `name:"json" xor:"format" help:"Print an array of run reports as JSON, and nothing else."`
	CSV  bool `name:"csv" xor:"format" help:"Print a line a file as CSV, and nothing else."`

	room *room // the memory that files share
}

func (scoreCmd) Help() string {
	return `Files in folders are those with names that end with .xml, .toml, .xml.gz or
.toml.gz. Rows are sorted by path. A file that cannot be read or run has a row that
says why; the exit code is 1 if one of them failed in its run, took longer than
--timeout, or crashed.

Examples:

    crowd score plaza evacuation
    crowd score seek flee arrival --csv --workers 1
    crowd score SCENARIOS --json --timeout 1m`
}

func (c *scoreCmd) Run(ctx context.Context, e *console.Console) error {
	if err := c.check(e); err != nil {
		return usage.Bad(err)
	}
	files, parts, err := findScenes(c.Files)
	if err != nil {
		return usage.Bad(err)
	}
	if len(parts) > 0 {
		e.Log.Info(fmt.Sprintf("left out %d files that are parts of scenes: %s", len(parts), strings.Join(parts, ", ")))
	}
	c.room = &room{}
	rows := c.scoreAll(ctx, e, files)
	switch {
	case c.JSON:
		err = output.WriteJSON(e.Machine, rows)
	case c.CSV:
		err = writeScoreCSV(e.Machine, rows)
	default:
		err = writeScoreTable(e.Out, rows)
	}
	failed := 0
	for i := range rows {
		if rows[i].failed {
			failed++
		}
	}
	if failed > 0 {
		err = errors.Join(err, fmt.Errorf("%d of %d files failed", failed, len(rows)))
	}
	return err
}

func (c *scoreCmd) check(e *console.Console) error {
	switch {
	case e.Given["workers"] && c.Workers < 1:
		return fmt.Errorf("--workers is %d, want 1 or more", c.Workers)
	case c.Timeout < 0:
		return fmt.Errorf("--timeout is %v, want 0 or more", c.Timeout)
	case c.MaxAgents < 1:
		return fmt.Errorf("--max-agents is %d, want 1 or more", c.MaxAgents)
	case c.Steps != nil && (*c.Steps < 1 || *c.Steps > simulation.MaxSteps):
		return fmt.Errorf("--steps is %d, want 1 to %d", *c.Steps, simulation.MaxSteps)
	}
	return nil
}

// scoreAll runs the files, several at a time, and returns a row for each.
func (c *scoreCmd) scoreAll(ctx context.Context, e *console.Console, files []string) []scoreRow {
	workers := c.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	rows := make([]scoreRow, len(files))
	next, done := make(chan int, len(files)), make(chan struct{})
	for i := range files {
		next <- i
	}
	close(next)
	for range workers {
		go func() {
			for i := range next {
				rows[i] = c.score(ctx, e, files[i])
				done <- struct{}{}
			}
		}()
	}
	bar := e.Progress(fmt.Sprintf("%s files", numbers.Thousands(len(files))), len(files), "file", c.JSON || c.CSV)
	defer bar.Done()
	for i := range files {
		<-done
		bar.Set(i + 1)
	}
	return rows
}

// grace is how long a file that should end may take until it is left behind.
const grace = 10 * time.Second

// score runs a file, and says what became of it.
func (c *scoreCmd) score(ctx context.Context, e *console.Console, file string) scoreRow {
	row := scoreRow{File: filepath.ToSlash(file), NeedsPlanning: needsPlanning(file)}
	fileCtx, cancel := ctx, func() {}
	if c.Timeout > 0 {
		fileCtx, cancel = context.WithTimeout(ctx, c.Timeout)
	}
	defer cancel()
	result, err := guard(fileCtx, grace, func() (scoreRow, error) { return c.simulate(fileCtx, e, file) })
	row.Report, row.Warnings = result.Report, result.Warnings
	var early interrupt.Error
	late := fileCtx.Err() != nil && ctx.Err() == nil
	switch {
	case errors.As(err, &early) && late:
		row.Error, row.failed = fmt.Sprintf("timed out after %v, %s", c.Timeout, early.While), true
	case errors.As(err, &early):
		row.Error = early.Error()
	case err != nil:
		row.Error, row.failed = err.Error(), !errors.As(err, new(usage.Error))
	case row.Interrupted && late:
		row.Error, row.failed = fmt.Sprintf("timed out after %v, stepping: %d steps", c.Timeout, row.Steps), true
	}
	return row
}

// simulate runs a file to its end. An error that is the file's own is a badInput.
func (c *scoreCmd) simulate(ctx context.Context, e *console.Console, file string) (row scoreRow, err error) {
	if ctx.Err() != nil {
		return row, usage.Bad(errors.New("interrupted before it began"))
	}
	s, err := scene.Open(file, scene.OpenOptions{Lenient: c.Lenient, Model: c.Model, Context: ctx})
	if err != nil {
		return row, usage.Bad(interrupt.While(ctx, err, "reading "+file))
	}
	row.Warnings = s.Warnings
	if n := s.Agents(); n > c.MaxAgents {
		return row, usage.Bad(fmt.Errorf("%s: %d agents, want at most %d (--max-agents)", file, n, c.MaxAgents))
	}
	if err := c.Flags.AddTo(s); err != nil {
		return row, usage.Bad(fmt.Errorf("%s: %w", file, err))
	}
	if c.Steps != nil {
		s.Steps = *c.Steps
	}
	options := scene.Options{Workers: 1, Measure: true, Safety: c.Safety, Profile: true}
	release, err := c.room.take(ctx, func(taken uint64) error { return c.Admit(s, options, taken) }, s.Memory(options))
	if err != nil {
		return row, usage.Bad(fmt.Errorf("%s: %w", file, interrupt.While(ctx, err, "waiting for memory")))
	}
	defer release()
	w, r, err := simulation.Prepare(ctx, s, options, e.Args)
	if err != nil {
		return row, usage.Bad(fmt.Errorf("%s: %w", file, err))
	}
	defer w.Close()
	if err := simulation.Run(ctx, s, w, r, nil); err != nil {
		return row, err
	}
	if _, err := json.Marshal(r); err != nil { // one number that is not finite would spoil the whole array
		return row, fmt.Errorf("%s: %w", file, err)
	}
	row.Report = r
	return row, nil
}

// guard returns what run returns. If run panics that is an error, and if it
// neither returns within the grace time after the context ended it is left
// behind, and that is an error too.
func guard[T any](ctx context.Context, grace time.Duration, run func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r.err = fmt.Errorf("panic: %v, %s", p, panicPlace(debug.Stack()))
			}
			done <- r
		}()
		r.value, r.err = run()
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.value, r.err
	case <-time.After(grace):
		return *new(T), fmt.Errorf("does not end: %v, and %v more", context.Cause(ctx), grace)
	}
}

// panicPlace returns the file and line of a panic from the stack of the deferred
// function that recovered it.
func panicPlace(stack []byte) string {
	_, after, _ := strings.Cut(string(stack), "\npanic(")
	for line := range strings.Lines(after) {
		line = strings.TrimSpace(line)
		if place, _, ok := strings.Cut(line, " +0x"); ok && !strings.Contains(place, "/runtime/") {
			return place
		}
	}
	return "nobody knows where"
}
