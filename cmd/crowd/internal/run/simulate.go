package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// grace is how long a file that should end may take until it is left behind.
const grace = 10 * time.Second

// score runs a file, and says what became of it.
func (b *batch) score(ctx context.Context, e *cli.Console, file string) ScoreRow {
	row := ScoreRow{File: filepath.ToSlash(file)}
	fileCtx, cancel := ctx, func() {}
	if b.Timeout > 0 {
		fileCtx, cancel = context.WithTimeout(ctx, b.Timeout)
	}
	defer cancel()
	result, err := cli.Guard(fileCtx, grace, func() (ScoreRow, error) { return b.simulate(fileCtx, e, file) })
	row.Report, row.Warnings, row.CannotArrive, row.Reasons = result.Report, result.Warnings, result.CannotArrive, result.Reasons
	var early cli.Interruption
	late := fileCtx.Err() != nil && ctx.Err() == nil
	switch {
	case errors.As(err, &early) && late:
		row.Error, row.failed = fmt.Sprintf("timed out after %v, %s", b.Timeout, early.While), true
	case errors.As(err, &early):
		row.Error = early.Error()
	case err != nil:
		row.Error, row.failed = err.Error(), !errors.As(err, new(cli.UsageError))
	case row.Interrupted && late:
		row.Error, row.failed = fmt.Sprintf("timed out after %v, stepping: %d steps", b.Timeout, row.Steps), true
	}
	return row
}

// simulate runs a file to its end. An error that is the file's own is a cli.UsageError.
func (b *batch) simulate(ctx context.Context, e *cli.Console, file string) (row ScoreRow, err error) {
	if ctx.Err() != nil {
		return row, cli.BadUsage(errors.New("interrupted before it began"))
	}
	s, err := scene.Open(file, scene.OpenOptions{Lenient: b.Lenient, Model: b.Model, Context: ctx})
	if err != nil {
		return row, cli.BadUsage(cli.While(ctx, err, "reading "+file))
	}
	row.Warnings = s.Warnings
	if n := s.Agents(); n > b.MaxAgents {
		return row, cli.BadUsage(fmt.Errorf("%s: %d agents, want at most %d (--max-agents)", file, n, b.MaxAgents))
	}
	if err := b.Places.AddTo(s); err != nil {
		return row, cli.BadUsage(fmt.Errorf("%s: %w", file, err))
	}
	if b.Steps != nil {
		s.Steps = *b.Steps
	}
	options := scene.Options{Workers: 1, Measure: true, Safety: b.Safety, Profile: true}
	release, err := b.room.Take(ctx, func(taken uint64) error { return b.Admit(s, options, taken) }, s.Memory(options))
	if err != nil {
		return row, cli.BadUsage(fmt.Errorf("%s: %w", file, cli.While(ctx, err, "waiting for memory")))
	}
	defer release()
	w, r, err := Prepare(ctx, s, options, e.Args)
	if err != nil {
		return row, cli.BadUsage(fmt.Errorf("%s: %w", file, err))
	}
	defer w.Close()
	if err := Run(ctx, s, w, r, true, nil); err != nil {
		return row, err
	}
	if _, err := json.Marshal(r); err != nil { // one number that is not finite would spoil the whole array
		return row, fmt.Errorf("%s: %w", file, err)
	}
	if row.Report = r; !r.Interrupted {
		row.CannotArrive, row.Reasons = cannotArrive(ctx, w)
	}
	return row, nil
}

// cannotArrive returns how many agents can't arrive of those that have not arrived by the end, and
// why, for some of them. Of those who have a way in time it looks at the first thousand.
func cannotArrive(ctx context.Context, w *world.World) (n int, reasons []string) {
	defer report.OpenDoors(w)()
	reason := map[uint64]string{}
	for _, u := range w.Unreachable(ctx, 1000) {
		reason[u.ID] = u.Reason
	}
	tooFar(w, reason)
	var all []report.Stuck
	for _, id := range slices.Sorted(maps.Keys(reason)) {
		all = append(all, report.Stuck{ID: id, Reason: reason[id]})
	}
	return len(all), report.StuckReasons(all)
}

// tooFar adds the agents that would not get straight to their goals in the time of the run, if they
// began where they are.
func tooFar(w *world.World, reason map[uint64]string) {
	if w.Config().Bounds == systems.BoundsWrap {
		return // ways go on across the edges
	}
	mapper := generic.NewMap4[c.Position, c.Target, c.Limits, c.Goal](w.ECS)
	ids := []ecs.ID{ecs.ComponentID[c.Position](w.ECS), ecs.ComponentID[c.Target](w.ECS), ecs.ComponentID[c.Limits](w.ECS), ecs.ComponentID[c.Goal](w.ECS)}
	f := ecs.All(ids...).Without(ecs.ComponentID[c.Itinerary](w.ECS), ecs.ComponentID[c.Follow](w.ECS))
	for q := w.ECS.Query(&f); q.Next(); {
		at, to, limits, goal := mapper.Get(q.Entity())
		far, reach := r2.Norm(r2.Sub(to.Vec, at.Vec)), limits.MaxSpeed*w.Clock.Time
		if id := w.ID(q.Entity()); goal.Visits == 0 && far-goal.Radius > reach && reason[id] == "" {
			reason[id] = fmt.Sprintf("its goal is %.4g m away, and at %.4g m/s it gets %.4g m in the %.4g s of the run", far, limits.MaxSpeed, reach, w.Clock.Time)
		}
	}
}
