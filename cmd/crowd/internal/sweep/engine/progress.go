package engine

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Progress is how far a sweep is.
type Progress struct {
	Points  int64   `json:"runs"`
	Done    int64   `json:"done"`    // with a row
	Failed  int64   `json:"failed"`  // of these, rows of runs that failed
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

// window measures how fast a count grows, of late.
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

// Progress returns how far the sweep is, and what it waits for.
func (s *Sweep) Progress() Progress { return s.status().Progress }

// status returns how far the sweep is, and the workers that gave signs of life of late.
func (s *Sweep) status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.book
	p := Progress{Points: b.points, Done: b.done, Failed: b.failed, Dead: b.dead, Ended: s.isComplete(), Rate: s.past.rate(b.done)}
	p.Handed = min(b.points, max(b.next, b.done+b.dead+int64(len(b.leases))))
	who := []Worker{}
	for _, m := range b.members {
		if m.Threads > 0 && time.Since(m.seen) < 5*beat {
			who = append(who, m.Worker)
		}
	}
	slices.SortFunc(who, func(a, b Worker) int { return strings.Compare(a.Machine+a.ID, b.Machine+b.ID) })
	p.Workers = len(who)
	if p.Rate > 0 {
		p.Left = float64(p.Points-p.Done-p.Dead) / p.Rate
	}
	if !p.Ended && len(who) == 0 {
		p.Waiting = "workers"
	}
	return Status{p, !p.Ended, who}
}

// keepProgress writes how far the sweep is into the folder, for a status when it does not run.
func (s *Sweep) keepProgress() {
	p := s.Progress()
	p.Waiting, p.Workers, p.Left = "", 0, 0
	b, _ := json.Marshal(p)
	_ = replace(filepath.Join(s.o.Folder, progressFile), append(b, '\n')) // the disk may be full
}
