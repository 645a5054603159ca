package engine

import (
	"context"
	"fmt"
	"time"
)

const (
	ahead     = 50 * time.Millisecond // a worker has points for so long before it needs them
	mostAhead = 64                    // points for each thread
	maxBring  = 1 << 20               // bytes of rows at a time
)

// result is what came of a point.
type result struct {
	Row
	err error
}

// thread does points one after another.
func (w *worker) thread(ctx context.Context) {
	for {
		w.idle.Add(1)
		w.poke()
		var index int64
		select {
		case index = <-w.queue:
			w.idle.Add(-1)
			w.poke()
		case <-ctx.Done():
			return
		}
		h := w.held.begin(index, w.m.MaxSeconds)
		if h == nil {
			continue // it was given back
		}
		r := result{Row: Row{Index: index}}
		start := time.Now()
		r.Data, r.Failed, r.err = w.limited(ctx, index)
		w.held.finish(h, time.Since(start))
		switch {
		case r.err == nil && len(r.Data) > maxRow:
			r.err = fmt.Errorf("its row has %d bytes, want at most %d", len(r.Data), maxRow)
		case isUnable(r.err):
			w.give(r.err)
			return
		}
		if r.err != nil && ctx.Err() != nil {
			return // it was interrupted, which is no try
		}
		w.results <- r
	}
}

// limited runs a point within its time.
func (w *worker) limited(ctx context.Context, index int64) ([]byte, bool, error) {
	if w.m.MaxSeconds > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(w.m.MaxSeconds*float64(time.Second)))
		defer cancel()
	}
	return w.run(ctx, index)
}

// poke makes the worker look whether it needs points.
func (w *worker) poke() {
	select {
	case w.room <- struct{}{}:
	default:
	}
}

// fetch asks for points when threads are idle, or soon will be.
func (w *worker) fetch(ctx context.Context) {
	for ctx.Err() == nil {
		spare := w.held.spare(w.o.Threads)
		n := int(w.idle.Load()) + spare - len(w.queue)
		if n <= 0 || len(w.queue) > spare/2 {
			select {
			case <-w.room:
			case <-ctx.Done():
			}
			continue
		}
		var a answer
		err := w.ask(ctx, "/life", w.life(min(n, maxTake)), &a)
		if w.ends(a, err) {
			return
		}
		w.held.add(a.Points, time.Now())
		for _, index := range a.Points {
			select {
			case w.queue <- index:
			case <-ctx.Done():
				return
			}
		}
	}
}

// deliver brings results to the server, as many at a time as there are.
func (w *worker) deliver(ctx context.Context) {
	for r := range w.results {
		b, size := bringing{Worker: w.id, Machine: w.machine}, 0
		var all []int64
		for more := true; more; {
			all = append(all, r.Index)
			if size += len(r.Data); r.err != nil {
				b.Failed = append(b.Failed, Dead{Index: r.Index, Error: r.err.Error()})
			} else {
				b.Rows = append(b.Rows, r.Row)
			}
			if r.err != nil || r.Failed {
				w.failed.Add(1)
			}
			more = false
			if size < maxBring && len(all) < maxTake {
				select {
				case r, more = <-w.results:
				default:
				}
			}
		}
		var a answer
		err := w.ask(ctx, "/done", b, &a)
		if err == nil {
			w.done.Add(int64(len(b.Rows)))
			w.held.remove(all)
		}
		w.ends(a, err)
	}
}

// beat gives signs of life until the worker ends.
func (w *worker) beat(ctx context.Context) {
	for {
		var a answer
		err := w.ask(ctx, "/life", w.life(0), &a)
		if w.ends(a, err) || !sleep(ctx, w.beats) {
			return
		}
	}
}

// life returns a sign of life that wants so many points.
func (w *worker) life(want int) life {
	l := life{Worker: Worker{ID: w.id, Machine: w.machine, Build: w.o.Build, Threads: w.o.Threads, Done: w.done.Load(), Failed: w.failed.Load()}, Want: want}
	w.held.report(&l, time.Now())
	return l
}
