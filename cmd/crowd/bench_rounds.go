package main

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// bench measures cases, and holds what came out. Warmup and Repeats of benchFile say
// how.
type bench struct {
	benchFile
	cases     []benchCase
	workers   []int
	steps     int           // of a sample; 0: what takes atLeast
	atLeast   time.Duration // that a sample lasts
	baselines bool
	old       *benchFile // to compare with; nil: none

	stop atomic.Bool // set when it is to end
}

// contender is a subject with its samples.
type contender struct {
	*subject
	benchResult
	mallocs []float64 // a step, by sample
	failed  bool
}

// measure measures all cases at all sizes, until the context ends.
func (b *bench) measure(ctx context.Context, e *env) {
	defer context.AfterFunc(ctx, func() { b.stop.Store(true) })()
	rounds := 0
	for i := range b.cases {
		rounds += len(b.cases[i].sizes) * b.Repeats
	}
	bar := newProgress(e, "measuring", rounds, "round", true)
	defer bar.done()
	done := 0
	for i := range b.cases {
		for _, agents := range b.cases[i].sizes {
			if ctx.Err() == nil {
				b.measureSize(&b.cases[i], agents, func(round int) { bar.set(done + round) })
			}
			done += b.Repeats
		}
	}
	b.Interrupted = ctx.Err() != nil
}

// measureSize measures a case at one size. It takes one sample of each contender
// after the other, round by round, so that what slows the machine down for a while
// hits them all.
func (b *bench) measureSize(c *benchCase, agents int, progress func(round int)) {
	all := b.contenders(c, agents)
	defer func() {
		for _, k := range all {
			k.close()
		}
	}()
	b.chooseSteps(all, b.stepsNeeded)
	for round := range b.Repeats {
		for _, k := range all {
			if !k.failed && !b.stop.Load() {
				b.take(k)
			}
		}
		slices.Reverse(all) // so that nobody always comes after the same one
		progress(round + 1)
	}
	if b.Repeats%2 == 1 {
		slices.Reverse(all)
	}
	b.conclude(all)
}

// contenders opens all who do a case.
func (b *bench) contenders(c *benchCase, agents int) []*contender {
	var all []*contender
	open := func(by string, workers int) {
		if b.stop.Load() {
			return
		}
		k := &contender{benchResult: benchResult{Name: c.name, By: by, Agents: agents, Workers: workers}}
		sub, err := c.open(by, agents, workers)
		if err == nil {
			before := heap()
			k.subject = sub
			if err = sub.reset(); err == nil {
				k.Input = sub.input()
				_, _, err = b.sample(sub, 1) // buffers grow to their size
				k.BytesPerAgent = max(0, float64(heap())-float64(before)) / float64(agents)
			}
		}
		if err != nil {
			b.note(k, err)
			if sub != nil {
				sub.close()
			}
			return
		}
		all = append(all, k)
	}
	for _, workers := range b.workers {
		open("crowd", workers)
	}
	if b.baselines {
		for _, by := range c.others {
			open(by, 1)
		}
	}
	return all
}

// note notes why somebody was not measured.
func (b *bench) note(k *contender, err error) {
	if err != errStopped {
		b.Notes = append(b.Notes, fmt.Sprintf("not measured: %s: %v", k.label(), err))
	}
}

// conclude makes results of the samples.
func (b *bench) conclude(all []*contender) {
	var one []float64 // samples of one worker
	for _, k := range all {
		if k.By == "crowd" && k.Workers == 1 {
			one = k.Samples
		}
	}
	for _, k := range all {
		if len(k.Samples) == 0 {
			continue
		}
		r := k.benchResult
		r.summarise()
		r.AllocsPerStep = quantile(k.mallocs, 0.5)
		if k.By == "crowd" && len(one) > 0 {
			ratios := make([]float64, min(len(one), len(k.Samples)))
			for i := range ratios {
				ratios[i] = one[i] / k.Samples[i]
			}
			speedUp := quantile(ratios, 0.5)
			r.SpeedUp = &speedUp
		}
		b.Results = append(b.Results, r)
	}
}
