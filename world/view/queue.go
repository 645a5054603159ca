package view

import (
	"errors"
	"sync"
	"time"
)

// ask is what a viewer asks of the simulation.
type ask struct {
	from *viewer
	what *asked
}

// queue holds what viewers ask until the simulation comes to it, between two steps.
// Those may take long; nobody waits for them to be heard.
type queue struct {
	mu  sync.Mutex
	all []ask
}

const (
	mostAsks = 64                    // of one viewer
	doFor    = 10 * time.Millisecond // what is asked, between two steps
)

var errBusy = errors.New("too much waits for the step that runs, which takes long: this was not done")

// put adds what a viewer asks, or replaces what it asked last by it, if that is
// about the same thing.
func (q *queue) put(a ask) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	last, n := -1, 0
	for i := range q.all {
		if q.all[i].from == a.from {
			last, n = i, n+1
		}
	}
	switch {
	case last >= 0 && a.what.replaces(q.all[last].what):
		q.all[last] = a
	case n == mostAsks:
		return errBusy
	default:
		q.all = append(q.all, a)
	}
	return nil
}

// replaces reports whether only the newer one of two messages counts.
func (a *asked) replaces(old *asked) bool {
	if a.Do != old.Do {
		return false
	}
	switch a.Do {
	case "pointer", "pace", "pause", "seek":
		return true
	case "set":
		return a.Name == old.Name
	case "move":
		return a.id == old.id
	}
	return false
}

// take returns what was asked first.
func (q *queue) take() (a ask, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.all) == 0 {
		return ask{}, false
	}
	a = q.all[0]
	q.all = q.all[1:]
	return a, true
}

// waits reports whether there is something to do.
func (q *queue) waits() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.all) > 0
}

// doAll does what viewers ask for, for a while.
func (s *simulation) doAll() {
	for start := time.Now(); time.Since(start) < doFor; {
		a, ok := s.queue.take()
		if !ok {
			return
		}
		s.do(a)
	}
}
