package bench

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
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

// measure measures all cases at all sizes, until the context ends. Every round goes
// over all of them, and makes them anew: so the samples of each are spread over
// the whole time, and show how much the machine's speed varies meanwhile.
func (b *session) measure(ctx context.Context, e *cli.Console) {
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
		r.AllocsPerStep = cli.Quantile(k.mallocs, 0.5)
		if k.By == "crowd" && len(one) > 0 {
			ratios := make([]float64, min(len(one), len(k.Samples)))
			for i := range ratios {
				ratios[i] = one[i] / k.Samples[i]
			}
			speedUp := cli.Quantile(ratios, 0.5)
			r.SpeedUp = &speedUp
		}
		b.Results = append(b.Results, r)
	}
}
