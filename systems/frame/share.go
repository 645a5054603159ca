package frame

import (
	"slices"
	"time"

	"github.com/8f878440/crowd/internal/pool"
	"github.com/mlange-42/arche/ecs"
)

const (
	leastRows   = 2048                  // fewer rows a worker never wake it
	worthWaking = 50 * time.Microsecond // of work, or a worker comes too late: waking takes some 20 µs
	mostBatches = 16                    // that a worker takes at once
	fetchAhead  = 2                     // batches: with ten rows in each archetype one is too few
	sampleEvery = 64                    // batches of which one is timed; in a smaller pass, one
)

// worker is what one goroutine keeps during a step.
type worker struct {
	Batch
	samples []sample
	count   WorkerStats
	running *member  // at work, or the last one
	labeled bool     // its goroutine carries labels
	_       [64]byte // workers write on lines of their own
}

// run takes all rows through a pass.
func (f *Frame) run(w *ecs.World, p *pass, clock Clock) {
	p.query = w.Query(&p.filter)
	defer p.query.Close() // unlocks the world, on a panic too
	rows, batches := p.load(w, f.batchRows)
	f.stats.Rows = max(f.stats.Rows, rows)
	for i := range f.workers {
		b := &f.workers[i].Batch
		b.Clock, b.Worker, b.skipped = clock, i, 0
	}
	if batches == 0 {
		return
	}
	f.current = p
	workers := f.workersFor(p, rows, batches)
	most := f.mostWorkers(rows, batches)
	p.allot(most)
	for i := range f.workers[:most] {
		if w := &f.workers[i]; w.samples == nil {
			w.samples = make([]sample, len(f.systems))
		}
	}
	learns := len(f.workers) > 1 && rows >= 2*leastRows // or else they are never shared
	took := f.inParts(p, clock.Dt == 0, func() (took time.Duration) {
		f.next.Store(0)
		if !learns {
			f.pool.Run(workers, f.task)
			return 0
		}
		start := time.Now()
		f.pool.Run(workers, f.task)
		return time.Since(start)
	})
	if learns {
		p.learn(rows, workers, took)
	}
	p.store()
}

// workersFor returns how many workers are to share the rows.
func (f *Frame) workersFor(p *pass, rows, batches int) int {
	share := f.ShareRows
	if share == 0 {
		share = max(leastRows, int(float64(worthWaking)/p.perRow))
	}
	return max(1, min(len(f.workers), rows/share, batches))
}

// mostWorkers returns how many workers there may be, whatever is learned of the time that rows
// take: memory for more is not needed until the crowd grows.
func (f *Frame) mostWorkers(rows, batches int) int {
	share := f.ShareRows
	if share == 0 {
		share = leastRows
	}
	return max(1, min(len(f.workers), rows/share, batches))
}

// usualRow is the time in nanoseconds that a row takes until it is known.
const usualRow = 12.

// learn takes note of the time that a pass took, with all its workers: an average
// of all steps, in which each counts for seven eighths of the next. That a step was
// interrupted by other programs is soon forgotten.
func (p *pass) learn(rows, workers int, took time.Duration) {
	now := max(0.1, float64(took)*float64(workers)/float64(rows))
	p.perRow += float64((min(now, float64(2*p.perRow)) - p.perRow) / 8)
}

// take returns the next batches for a worker, none if first is total. It takes
// several while many are left, because neighbors in memory are read faster by
// one worker, and fewer and fewer towards the end: where some rows cost a
// hundred times as much as others, the other workers have most of what is left.
func (f *Frame) take(total int) (first, end int) {
	for {
		first = int(f.next.Load())
		if first >= total {
			return total, total
		}
		n := max(1, min((total-first)/(16*len(f.workers)), mostBatches))
		if f.next.CompareAndSwap(int64(first), int64(first+n)) {
			return first, first + n
		}
	}
}

// work takes batches through the current pass until none is left.
func (f *Frame) work(id int) {
	p, w := f.current, &f.workers[id]
	defer w.blame()
	start := f.now()
	total := p.batches[len(p.batches)-1]
	watch := -1 // no batch, or the first of those to look at: another one in each step
	every := min(sampleEvery, total)
	if f.Profile || f.labels != nil {
		watch = int(f.stats.Steps % uint64(every))
	}
	run := 0
	for {
		first, end := f.take(total)
		if first == end || f.Interrupted() {
			break
		}
		w.count.Batches += end - first
		for i := first; i < end; i++ {
			if f.Interrupted() {
				break
			}
			var lo, hi int
			run, lo, hi = p.rowsOf(i, run, f.batchRows)
			members := p.loaded[run].part
			if len(members) == 0 {
				continue
			}
			p.set(&w.Batch, run, lo, hi)
			w.count.Rows += w.Len()
			if i+fetchAhead < end {
				p.fetchFirst(i+fetchAhead, run, f.batchRows)
			}
			if i%every == watch {
				f.watch(w, p, members)
				continue
			}
			for _, k := range members {
				m := p.members[k]
				w.running = m
				f.label(m.place)
				m.system.Run(&w.Batch)
			}
		}
	}
	f.lap(&w.count.Busy, start)
	f.unlabel()
	f.strip(w)
}

// Panic is how a panic in a system's Run comes to the caller of Update: an error with the name
// of the system, the value, and the stack of the worker.
type Panic = pool.Panic

// blame raises a panic again with the system that was at work.
func (w *worker) blame() {
	if value := recover(); value != nil {
		p := pool.PanicOf(value)
		if w.running != nil && p.System == "" {
			p.System = w.running.name
		}
		panic(p)
	}
}

// watch takes the batch of a worker through its systems, and looks at each of
// them.
func (f *Frame) watch(w *worker, p *pass, members []int) {
	for _, k := range members {
		m := p.members[k]
		w.running = m
		t := f.begin(m.place)
		m.system.Run(&w.Batch)
		took := f.end(t)
		if f.Profile {
			w.samples[m.place].took += took
			if !m.partial {
				w.samples[m.place].rows += w.Len()
			}
		}
	}
}

// Stats is what a frame counted since Initialize. The times are there only if
// Frame.Profile is set.
type Stats struct {
	Steps   uint64
	Rows    int    // rows of the last step
	Skipped uint64 // rows that were left alone because a number in them was not finite
	Systems []SystemStats
	Workers []WorkerStats

	Took      time.Duration // real time of all steps; it has the next three parts
	Sensing   time.Duration // by Sense
	Running   time.Duration // from the first Run or Update to the last
	Observing time.Duration // by Observe
}

// SystemStats is what one system cost.
type SystemStats struct {
	Name    string
	Rows    int           // rows that Run went over, all steps together; with Frame.Profile
	Samples int           // of those, rows that were timed
	Took    time.Duration // by those rows, on whichever worker
	Alone   time.Duration // in Sense, Update and Observe, all steps together
}

// WorkerStats is what one worker did, all steps together.
type WorkerStats struct {
	Batches int
	Rows    int           // rows of these batches
	Busy    time.Duration // with them
}

// PerRow returns how many nanoseconds the system spends on a row in Run.
func (s *SystemStats) PerRow() float64 {
	if s.Samples == 0 {
		return 0
	}
	return float64(s.Took.Nanoseconds()) / float64(s.Samples)
}

// Stats returns what the frame counted.
func (f *Frame) Stats() Stats {
	s := f.stats
	s.Systems = slices.Clone(f.stats.Systems)
	s.Workers = slices.Clone(f.stats.Workers)
	return s
}

// sample is what a worker measured of one system in a step.
type sample struct {
	took time.Duration
	rows int
}

// collect adds what the workers counted in a pass to the statistics.
func (f *Frame) collect(p *pass) {
	if f.Profile {
		for i := range p.runs {
			for _, k := range p.loaded[i].members {
				if m := p.members[k]; !m.partial {
					f.stats.Systems[m.place].Rows += p.runs[i].Rows
				}
			}
		}
	}
	for i := range f.workers {
		w := &f.workers[i]
		f.stats.Skipped += w.skipped
		f.stats.Workers[i] = w.count
		for _, m := range p.members {
			if w.samples == nil { // it has not worked yet
				break
			}
			s, measured := &f.stats.Systems[m.place], &w.samples[m.place]
			s.Took += measured.took
			s.Samples += measured.rows
			*measured = sample{}
		}
	}
}

// now returns the time if times are kept.
func (f *Frame) now() (t time.Time) {
	if f.Profile {
		t = time.Now()
	}
	return t
}

// lap adds the time since the given one, and returns the time now, if times are
// kept.
func (f *Frame) lap(to *time.Duration, since time.Time) time.Time {
	if since.IsZero() {
		return since
	}
	now := time.Now()
	*to += now.Sub(since)
	return now
}
