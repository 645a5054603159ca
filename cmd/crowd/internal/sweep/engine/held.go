package engine

import (
	"sync"
	"time"
)

// held are the points that a worker has: from the answer of the server that hands them out to the
// answer that it has their results.
type held struct {
	mu   sync.Mutex
	all  map[int64]*holding
	mean time.Duration // that a point took, of late
	past window
}

type holding struct {
	since time.Time // it waits since then
	begun bool
	ended bool      // its result goes to the server
	end   time.Time // after which its lease is not renewed; zero: never
}

func (h *held) add(points []int64, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all == nil {
		h.all = map[int64]*holding{}
	}
	for _, index := range points {
		h.all[index] = &holding{since: now}
	}
}

// begin notes that a point is at work; nil: the worker has it no more.
func (h *held) begin(index int64, seconds float64) *holding {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.all[index]
	if one == nil || one.begun {
		return nil
	}
	one.begun = true
	if seconds > 0 {
		one.end = time.Now().Add(time.Duration(seconds*float64(time.Second)) + beat) // then another worker may have it
	}
	return one
}

func (h *held) remove(points []int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, index := range points {
		delete(h.all, index)
	}
}

// report completes a sign of life. Points that have waited for a thread for longer than a beat
// go back.
func (h *held) report(l *life, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	l.Rate, l.Points = h.past.rate(l.Done), []int64{}
	for index, one := range h.all {
		switch {
		case !one.begun && now.Sub(one.since) > beat:
			l.Back = append(l.Back, index)
			delete(h.all, index)
		case !one.begun || one.ended:
			l.Waiting = append(l.Waiting, index)
		case one.end.IsZero() || now.Before(one.end):
			l.Points = append(l.Points, index)
		default:
			l.Late = append(l.Late, index)
		}
	}
}

// finish notes that a point has a result, and how long it took.
func (h *held) finish(one *holding, d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	one.ended = true
	h.mean += (d - h.mean) / 8
	h.mean = max(h.mean, d/8, 1)
}

// spare returns how many points should wait for so many threads.
func (h *held) spare(threads int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.mean == 0 {
		return 0
	}
	return threads * int(min(ahead/h.mean, mostAhead))
}
