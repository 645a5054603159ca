package engine

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"time"
)

// Progress is how far a sweep is.
type Progress struct {
	Points  int64   `json:"runs"`
	Done    int64   `json:"done"`    // with a row
	Failed  int64   `json:"failed"`  // of these, rows that tell of a failure
	Dead    int64   `json:"dead"`    // given up
	Handed  int64   `json:"handed"`  // handed out, at least once
	Workers int     `json:"workers"` // seen of late
	Rate    float64 `json:"rate"`    // points a second, of late
	Left    float64 `json:"left"`    // seconds to the end at this rate; 0: unknown, or none
	Waiting string  `json:"waiting,omitempty"`
	Ended   bool    `json:"ended"`
}

// Worker is a sign of life of a worker.
type Worker struct {
	ID      string  `json:"id"`
	Machine string  `json:"machine"`
	Build   string  `json:"build"`
	Threads int     `json:"threads"`
	Done    int64   `json:"done"`
	Failed  int64   `json:"failed"`
	Rate    float64 `json:"rate"` // points a second, of late
	Points  []int64 `json:"runs"` // at work
}

// beat is how often workers and the sweep give signs of life.
const beat = time.Second

// sight are the workers that gave signs of life.
type sight struct {
	mu   sync.Mutex
	last map[string]time.Time
	past window
}

// window tells how fast a count grows, of late.
type window struct {
	counts []int64
	times  []time.Time
}

// rate returns how much a count grows a second, now that it has a value.
func (w *window) rate(count int64) float64 {
	now := time.Now()
	if n := len(w.times); n == 0 || now.Sub(w.times[n-1]) >= beat/2 {
		w.counts, w.times = append(w.counts, count), append(w.times, now)
	}
	if len(w.times) > 60 {
		w.counts, w.times = w.counts[1:], w.times[1:]
	}
	took := now.Sub(w.times[0]).Seconds()
	if took <= 0 {
		return 0
	}
	return float64(count-w.counts[0]) / took
}

func (s *sight) rate(done int64) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.past.rate(done)
}

func (s *sight) saw(w Worker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		s.last = map[string]time.Time{}
	}
	s.last[w.ID] = time.Now()
}

// count returns how many workers are alive, and forgets the others.
func (s *sight) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, at := range s.last {
		if time.Since(at) > 5*beat {
			delete(s.last, id)
		}
	}
	return len(s.last)
}

// Progress tells how far the sweep is, and what it waits for.
func (s *Sweep) Progress() Progress {
	s.mu.Lock()
	p := Progress{Points: s.m.Points, Done: s.done, Failed: s.failed, Dead: int64(len(s.dead)), Handed: s.published}
	s.mu.Unlock()
	p.Workers = s.sight.count()
	p.Rate = s.sight.rate(p.Done)
	if p.Rate > 0 {
		p.Left = float64(p.Points-p.Done-p.Dead) / p.Rate
	}
	switch {
	case s.isComplete():
	case s.link.away() != nil:
		p.Waiting = fmt.Sprintf("the server: %v", s.link.away())
	case p.Workers == 0:
		p.Waiting = "workers"
	}
	return p
}

// report publishes the progress until the sweep ends, and keeps it in the folder.
func (s *Sweep) report() {
	for n := 0; sleep(s.ctx, beat); n++ {
		s.tell(false)
		if n%keptEvery == 0 {
			s.keepProgress()
		}
	}
}

// keptEvery is how many beats there are from one time that the progress is kept to the next.
const keptEvery = 5

// keepProgress writes how far the sweep is into the folder, for those who ask when it does not run.
func (s *Sweep) keepProgress() {
	p := s.Progress()
	p.Ended, p.Waiting, p.Workers, p.Left = s.isComplete(), "", 0, 0
	b, _ := json.Marshal(p)
	_ = replace(filepath.Join(s.o.Folder, progressFile), append(b, '\n')) // the disk may be full
}

func (s *Sweep) tell(ended bool) {
	p := s.Progress()
	p.Ended = ended
	b, _ := json.Marshal(p)
	_ = s.link.Publish(s.name.subject(progress), b)
}
