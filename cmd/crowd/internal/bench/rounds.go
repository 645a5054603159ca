package bench

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/memory"
	"github.com/8f878440/crowd/cmd/crowd/internal/quantile"
)

// session measures cases, and holds what came out. Warmup and Repeats of File say
// how.
type session struct {
	File
	cases     []benchCase
	workers   []int
	steps     int           // of a sample; 0: what takes atLeast
	atLeast   time.Duration // that a sample lasts
	baselines bool
	old       *File // to compare with; nil: none
	yardstick yardstick
	files     files

	stop atomic.Bool // set when it is to end
}

// contender is one who does a case at a size, and what came out.
type contender struct {
	Result
	*subject // while a round lasts
	open     func() (*subject, error)
	place    int       // among those who do the same
	mallocs  []float64 // a step, by sample
	failed   bool
}

// measure measures all cases at all sizes, until the context ends. Every round goes
// over all of them, and makes them anew: so the samples of each are spread over
// the whole time, and show how much the machine's speed varies meanwhile.
func (b *session) measure(ctx context.Context, e *console.Console) {
	defer context.AfterFunc(ctx, func() { b.stop.Store(true) })()
	var groups [][]*contender
	for i := range b.cases {
		for _, agents := range b.cases[i].sizes {
			groups = append(groups, b.contenders(&b.cases[i], agents))
		}
	}
	bar := e.Progress("measuring", b.Repeats*len(groups), "sample", true)
	defer bar.Done()
	for round := range b.Repeats {
		for i, group := range groups {
			if ctx.Err() == nil {
				b.round(group)
			}
			bar.Set(round*len(groups) + i + 1)
		}
	}
	for _, group := range groups {
		b.conclude(group)
	}
	b.Interrupted = ctx.Err() != nil
}

// round takes a sample of each of those who do a case at a size.
func (b *session) round(all []*contender) {
	var ready []*contender
	defer func() {
		for _, k := range ready {
			k.close()
			k.subject = nil
		}
	}()
	for _, k := range all {
		if !k.failed && !b.stop.Load() && b.prepare(k) {
			ready = append(ready, k)
		}
	}
	if b.stop.Load() {
		return
	}
	if len(ready) > 0 && ready[0].Steps == 0 {
		b.chooseSteps(ready, b.stepsNeeded)
	}
	for _, k := range ready {
		if !b.stop.Load() {
			b.take(k)
		}
	}
	slices.Reverse(all) // so that nobody always comes after the same one
}

// prepare opens the subject of a contender, and notes why if it can't.
func (b *session) prepare(k *contender) bool {
	before := memory.InUse()
	sub, err := k.open()
	if err == nil {
		if err = sub.reset(); err == nil {
			_, _, err = b.sample(sub, 1) // buffers grow to their size
		}
		if err != nil {
			sub.close()
		}
	}
	if err != nil {
		k.failed = true
		b.note(k, err)
		return false
	}
	k.subject, k.Input = sub, sub.input()
	if k.BytesPerAgent == 0 {
		k.BytesPerAgent = max(0, float64(memory.InUse())-float64(before)) / float64(k.Agents)
	}
	return true
}

// contenders returns all who do a case.
func (b *session) contenders(c *benchCase, agents int) []*contender {
	var all []*contender
	enter := func(by string, workers int) {
		all = append(all, &contender{
			place:  len(all),
			Result: Result{Name: c.name, By: by, Agents: agents, Workers: workers},
			open:   func() (*subject, error) { return c.open(by, agents, workers) },
		})
	}
	for _, workers := range b.workers {
		enter("crowd", workers)
	}
	if b.baselines {
		for _, by := range c.others {
			enter(by, 1)
		}
	}
	return all
}

// note notes why somebody was not measured.
func (b *session) note(k *contender, err error) {
	if err != errStopped {
		b.Notes = append(b.Notes, fmt.Sprintf("not measured: %s: %v", k.Label(), err))
	}
}

// conclude makes results of the samples.
func (b *session) conclude(all []*contender) {
	var one []float64 // samples of one worker
	slices.SortStableFunc(all, func(a, b *contender) int { return a.place - b.place })
	for _, k := range all {
		if k.By == "crowd" && k.Workers == 1 {
			one = k.Samples
		}
	}
	for _, k := range all {
		if len(k.Samples) == 0 {
			continue
		}
		r := k.Result
		r.Summarize()
		r.AllocsPerStep = quantile.Of(k.mallocs, 0.5)
		if k.By == "crowd" && len(one) > 0 {
			ratios := make([]float64, min(len(one), len(k.Samples)))
			for i := range ratios {
				ratios[i] = one[i] / k.Samples[i]
			}
			speedUp := quantile.Of(ratios, 0.5)
			r.SpeedUp = &speedUp
		}
		b.Results = append(b.Results, r)
	}
}
