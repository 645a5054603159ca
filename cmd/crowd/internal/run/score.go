package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/report"
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// Batch runs many scenes, several at a time, with one worker each.
type Batch struct {
	Files []string // files, folders, or names of built-in scenes

	Workers int           // files at a time; 0 means one per processor
	Timeout time.Duration // wall-clock limit per file; 0 means none
	Steps   *int          // nil means those of the file
	Lenient bool          // as in scene.OpenOptions
	Model   scene.Model   // as in scene.OpenOptions
	Safety  bool          // count collisions

	report.Places
	cli.MemoryFlag

	JSON, CSV bool // neither means a table

	room cli.MemoryRoom // shared by the files
}

func (b *Batch) check(e *cli.Console) error {
	switch {
	case b.Timeout < 0:
		return fmt.Errorf("--timeout is %v, want 0 or more", b.Timeout)
	case b.Steps != nil && (*b.Steps < 1 || *b.Steps > MaxSteps):
		return fmt.Errorf("--steps is %d, want 1 to %d", *b.Steps, MaxSteps)
	}
	return e.Given.CheckWorkers(b.Workers)
}

// Run runs the scenes and writes the results. It returns an error if a run failed, but not for an invalid
// file.
func (b *Batch) Run(ctx context.Context, e *cli.Console) error {
	if err := b.check(e); err != nil {
		return cli.BadUsage(err)
	}
	files, parts, err := findScenes(b.Files)
	if err != nil {
		return cli.BadUsage(err)
	}
	if len(parts) > 0 {
		e.Log.Info("skipped files that are only parts of scenes: " + strings.Join(parts, ", "))
	}
	rows := b.scoreAll(ctx, e, files)
	switch {
	case b.JSON:
		err = output.WriteJSON(e.Machine, rows)
	case b.CSV:
		err = writeCSV(e.Machine, rows)
	default:
		err = writeTable(e.Out, rows)
	}
	failed := 0
	for i := range rows {
		if rows[i].failed {
			failed++
		}
	}
	if failed > 0 {
		err = errors.Join(err, fmt.Errorf("%d of %s failed", failed, cli.Plural(len(rows), "file")))
	}
	return err
}

func (b *Batch) scoreAll(ctx context.Context, e *cli.Console, files []string) []ScoreRow {
	workers := b.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	rows := make([]ScoreRow, len(files))
	next, done := make(chan int, len(files)), make(chan struct{})
	for i := range files {
		next <- i
	}
	close(next)
	for range workers {
		go func() {
			for i := range next {
				rows[i] = b.score(ctx, e, files[i])
				done <- struct{}{}
			}
		}()
	}
	bar := e.Progress(cli.Plural(len(files), "file"), len(files), "file", b.JSON || b.CSV)
	defer bar.Done()
	for i := range files {
		<-done
		bar.Set(i + 1)
	}
	return rows
}

// grace is how long the run of a file may take to stop before it is abandoned.
const grace = 10 * time.Second

func (b *Batch) score(ctx context.Context, e *cli.Console, file string) ScoreRow {
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
		row.Error, row.failed = fmt.Sprintf("timed out after %v, interrupted after %s", b.Timeout, cli.Plural(row.Steps, "step")), true
	}
	return row
}

// simulate runs a file. Errors before the first step are cli.UsageErrors.
func (b *Batch) simulate(ctx context.Context, e *cli.Console, file string) (row ScoreRow, err error) {
	if err := ctx.Err(); err != nil {
		return row, cli.BadUsage(cli.While(ctx, err, "waiting to start"))
	}
	s, err := scene.Open(file, scene.OpenOptions{Lenient: b.Lenient, Model: b.Model, Context: ctx})
	if err != nil {
		return row, cli.BadUsage(cli.While(ctx, err, "reading "+file))
	}
	row.Warnings = s.Warnings
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
	w, r, err := Prepare(ctx, s, options, e.Args, nil)
	if err != nil {
		return row, cli.BadUsage(fmt.Errorf("%s: %w", file, err))
	}
	defer w.Close()
	far := tooFar(w, float64(s.Steps)*s.Dt)
	if err := Run(ctx, s, w, r, true, nil); err != nil {
		return row, err
	}
	if _, err := json.Marshal(r); err != nil { // a number that is not finite would break the JSON of all files
		return row, fmt.Errorf("%s: %w", file, err)
	}
	if row.Report = r; !r.Interrupted {
		row.CannotArrive, row.Reasons = cannotArrive(ctx, w, far)
	}
	return row, nil
}

// cannotArrive returns how many agents can never arrive, with reasons for some. It asks
// world.Inspector.Unreachable about at most 1,000 agents, and adds those of far, by ID, that have not arrived.
// It treats doors that will open later as open.
func cannotArrive(ctx context.Context, w *world.World, far map[uint64]string) (n int, reasons []string) {
	defer report.OpenDoors(w)()
	reason := map[uint64]string{}
	f := ecs.All(ecs.ComponentID[c.Goal](w.ECS))
	for q := w.ECS.Query(&f); q.Next(); {
		id, goal := w.ID(q.Entity()), (*c.Goal)(q.Get(ecs.ComponentID[c.Goal](w.ECS)))
		if text, ok := far[id]; ok && goal.Visits == 0 {
			reason[id] = text
		}
	}
	for _, u := range w.Inspect().Unreachable(ctx, 1000) {
		reason[u.ID] = u.Reason
	}
	var all []report.Stuck
	for _, id := range slices.Sorted(maps.Keys(reason)) {
		all = append(all, report.Stuck{ID: id, Reason: reason[id]})
	}
	return len(all), report.StuckReasons(all)
}

// tooFar returns the agents whose goals are farther than they can walk in a run of the given time, in s, with
// reasons. It skips agents with a Target that may not be the goal: those that follow agents, paths, fields or
// itineraries.
func tooFar(w *world.World, time float64) map[uint64]string {
	if w.Config().Bounds == systems.BoundsWrap || len(w.Inspect().Portals()) > 0 {
		return nil // there may be shorter paths
	}
	faster := 1.
	for _, z := range w.Inspect().Zones() {
		faster *= max(1, z.Speed, z.SpeedUp)
	}
	reason := map[uint64]string{}
	mapper := generic.NewMap5[c.Position, c.Target, c.Limits, c.Goal, c.Destination](w.ECS)
	ids := []ecs.ID{ecs.ComponentID[c.Position](w.ECS), ecs.ComponentID[c.Target](w.ECS), ecs.ComponentID[c.Limits](w.ECS), ecs.ComponentID[c.Goal](w.ECS)}
	f := ecs.All(ids...).Without(ecs.ComponentID[c.Itinerary](w.ECS), ecs.ComponentID[c.Follow](w.ECS), ecs.ComponentID[c.Path](w.ECS), ecs.ComponentID[c.FlowField](w.ECS))
	for q := w.ECS.Query(&f); q.Next(); {
		at, target, limits, goal, dest := mapper.Get(q.Entity())
		to := target.Vec
		if dest != nil {
			to = dest.Vec
		}
		if far, reach := r2.Norm(r2.Sub(to, at.Vec)), limits.MaxSpeed*faster*time; far-goal.Radius > reach {
			reason[w.ID(q.Entity())] = fmt.Sprintf("its goal is %.4g m away, and at %.4g m/s it covers %.4g m in the %.4g s of the run", far, limits.MaxSpeed, reach, time)
		}
	}
	return reason
}

// totals holds sums over files. Times are weighted by arrivals or agent-steps.
type totals struct {
	files, errors            int
	agents, steps            int
	arrived, goals, arrivals int
	obstacles, inside        int
	collisions               *int // nil means not counted
	arrivalTime, ns, work    float64
}

func (t *totals) add(r *ScoreRow) {
	t.files++
	if r.Error != "" {
		t.errors++
	}
	if r.Report == nil {
		return
	}
	t.agents += r.Agents
	t.steps += r.Steps
	t.arrived += r.ArrivedAgents
	t.goals += r.ArrivedAgents + r.TimedOut
	t.obstacles += r.ObstacleCollisions
	t.inside += r.CentersInside
	if r.Collisions != nil {
		sum := *r.Collisions
		if t.collisions != nil {
			sum += *t.collisions
		}
		t.collisions = &sum
	}
	if r.MeanArrivalTime != nil {
		t.arrivals += r.Arrived
		t.arrivalTime += float64(r.Arrived) * *r.MeanArrivalTime
	}
	work := float64(r.Agents) * float64(r.Steps)
	t.work += work
	t.ns += work * r.NsPerAgentStep
}

func (t *totals) cells() string {
	collisions := "–"
	if t.collisions != nil {
		collisions = cli.Thousands(*t.collisions)
	}
	return strings.Join([]string{
		cli.Thousands(t.agents), cli.Thousands(t.steps), ratio("%.1f", 100*float64(t.arrived), float64(t.goals)),
		cli.Thousands(t.obstacles), collisions, ratio("%.1f", t.arrivalTime, float64(t.arrivals)),
		cli.Thousands(t.inside), ratio("%.1f", t.ns, t.work),
	}, "\t")
}

func ratio(format string, a, b float64) string {
	if b == 0 {
		return "–"
	}
	return fmt.Sprintf(format, a/b)
}
