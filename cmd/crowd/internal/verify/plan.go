package verify

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/world/scene"
)

// plan is experiments that are to be carried out.
type plan struct {
	suite string      // whose experiments are planned
	model scene.Model // by which people walk in them
	runs  []planned
}

// planned is one run of an experiment.
type planned struct {
	suite string
	model scene.Model
	run   func(context.Context) error
}

// repeat plans an experiment with the seeds from 1, and returns where its results will be.
func repeat[T any](p *plan, seeds int, run func(ctx context.Context, by scene.Model, seed uint64) (T, error)) []T {
	results, by := make([]T, seeds), p.model
	for i := range results {
		p.runs = append(p.runs, planned{p.suite, by, func(ctx context.Context) (err error) {
			results[i], err = run(ctx, by, uint64(i+1))
			return err
		}})
	}
	return results
}

// carryOut runs the plan, as many at a time as there are processors, and shows how far it
// is. It ends at the first error.
func (p *plan) carryOut(ctx context.Context, e *cli.Console, machine bool) error {
	inner, stop := context.WithCancel(ctx)
	defer stop()
	bar := e.Progress("verify", len(p.runs), "run", machine)
	defer bar.Done()
	var (
		mu         sync.Mutex
		next, done int
		first      error
		workers    sync.WaitGroup
	)
	take := func() (run planned, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(p.runs) || first != nil {
			return run, false
		}
		next++
		return p.runs[next-1], true
	}
	work := func() {
		for run, ok := take(); ok; run, ok = take() {
			err := run.run(inner)
			mu.Lock()
			if err != nil && first == nil {
				first = fmt.Errorf("%s by %s: %w", run.suite, run.model, err)
				stop()
			}
			done++
			bar.At(fmt.Sprintf("%s by %s", run.suite, run.model), done)
			mu.Unlock()
		}
	}
	for range min(runtime.GOMAXPROCS(0), len(p.runs)) {
		workers.Go(work)
	}
	workers.Wait()
	return cmp.Or(ctx.Err(), first)
}
