package engine

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// held are the points that a worker has.
type held struct {
	mu  sync.Mutex
	all map[*holding]struct{}
}

type holding struct {
	index int64
	m     jetstream.Msg
	end   time.Time // after which nobody is told that it is at work; zero: never
}

func (h *held) add(index int64, m jetstream.Msg) *holding {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all == nil {
		h.all = map[*holding]struct{}{}
	}
	one := &holding{index: index, m: m}
	h.all[one] = struct{}{}
	return one
}

func (h *held) remove(one *holding) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.all, one)
}

func (h *held) until(one *holding, end time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	one.end = end
}

// signal tells the server of all points that they are at work, until the worker ends.
func (w *worker) signal(ctx context.Context) {
	for sleep(ctx, w.consumer.CachedInfo().Config.AckWait/4) {
		w.held.mu.Lock()
		for h := range w.held.all {
			if h.end.IsZero() || time.Now().Before(h.end) {
				_ = h.m.InProgress()
			}
		}
		w.held.mu.Unlock()
	}
}

// beat gives signs of life until the worker ends.
func (w *worker) beat(ctx context.Context) {
	var past window
	for {
		life := Worker{ID: w.id, Machine: w.machine, Build: w.o.Build, Threads: w.o.Threads, Done: w.done.Load(), Failed: w.failed.Load()}
		life.Rate = past.rate(life.Done)
		w.held.mu.Lock()
		for h := range w.held.all {
			life.Points = append(life.Points, h.index)
		}
		w.held.mu.Unlock()
		b, _ := json.Marshal(life)
		_ = w.link.Publish(w.name.subject(workers)+"."+w.id, b)
		if !sleep(ctx, beat) {
			return
		}
	}
}
