package frame

import (
	"math"
	"slices"
	"time"

	"github.com/8f878440/crowd/internal/pool"
	"github.com/mlange-42/arche/ecs"
)

const (
	leastRows   = 2048                  // minimum number of rows per worker, if Frame.ShareRows is 0
	worthWaking = 50 * time.Microsecond // minimum work per worker, because waking a worker takes about 20 µs
	mostBatches = 16                    // maximum number of batches that a worker takes at a time
	fetchAhead  = 2                     // batches prefetched ahead; one is too few for archetypes of ten rows
	sampleEvery = 64                    // one batch out of this many is timed, but at least one per pass
)

type worker struct {
	Batch
	samples []sample
	count   WorkerStats
	running *member  // the member that is running or ran last
	labeled bool     // the worker's goroutine carries labels
	_       [64]byte // keeps workers on separate cache lines
}

func (f *Frame) run(w *ecs.World, p *pass, clock Clock) {
	p.query = w.Query(&p.filter)
	defer p.query.Close() // even on a panic
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
	workers := f.workersFor(p.perRow, rows, batches)
	most := f.workersFor(math.Inf(1), rows, batches) // only a growing crowd needs memory for more workers
	p.allot(most)
	for i := range f.workers[:most] {
		if w := &f.workers[i]; w.samples == nil {
			w.samples = make([]sample, len(f.systems))
		}
	}
	learns := len(f.workers) > 1 && rows >= 2*leastRows // otherwise perRow has no effect
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

// workersFor returns the number of workers for a pass over rows that take perRow ns each.
func (f *Frame) workersFor(perRow float64, rows, batches int) int {
	share := f.ShareRows
	if share == 0 {
		share = max(leastRows, int(float64(worthWaking)/perRow))
	}
	return max(1, min(len(f.workers), rows/share, batches))
}

// usualRow is the assumed time per row, in ns, until it is measured.
const usualRow = 12.

// learn updates the average CPU time per row, with a weight of 7/8 for the past. A time counts as at most
// twice the average, so an interruption by another program has no lasting effect.
func (p *pass) learn(rows, workers int, took time.Duration) {
	now := max(0.1, float64(took)*float64(workers)/float64(rows))
	p.perRow += float64((min(now, float64(2*p.perRow)) - p.perRow) / 8)
}

// take returns the batches that a worker processes next, or an empty range. While many are left, it takes
// several, because adjacent memory is faster to read. Toward the end, it takes fewer, so that workers finish
// at about the same time.
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

func (f *Frame) work(id int) {
	p, w := f.current, &f.workers[id]
	defer w.blame()
	start := f.now()
	total := p.batches[len(p.batches)-1]
	watch := -1 // first batch to observe, a different one in each step; -1 means none
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

// Panic is the value with which Update panics if a system's Run panics: an error with the name of the system,
// the original value, and the worker's stack.
type Panic = pool.Panic

// blame adds the name of the running system to a panic.
func (w *worker) blame() {
	if value := recover(); value != nil {
		p := pool.PanicOf(value)
		if w.running != nil && p.System == "" {
			p.System = w.running.name
		}
		panic(p)
	}
}

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

// Stats holds the counters of a frame since Initialize. Times are measured only with Frame.Profile.
type Stats struct {
	Steps   uint64 // except pauses
	Rows    int    // rows of the last step, in the pass with the most rows
	Skipped uint64 // rows left unchanged because of invalid numbers: see Batch.Skip
	Systems []SystemStats
	Workers []WorkerStats

	Took      time.Duration // wall time of all steps, including the three times below
	Sensing   time.Duration // in Sense
	Running   time.Duration // from the first Run or Update to the last
	Observing time.Duration // in Observe
}

// SystemStats is the cost of one system.
type SystemStats struct {
	Name    string
	Rows    int           // rows that the system works on, over all steps and pauses; only with Frame.Profile
	Samples int           // rows that were timed
	Took    time.Duration // time of Run for the timed rows, summed over workers
	Alone   time.Duration // time in Sense, Update, Resolve and Observe
}

// WorkerStats is the work of one worker in all steps.
type WorkerStats struct {
	Batches int
	Rows    int           // rows of these batches on which systems ran
	Busy    time.Duration // time spent on these batches
}

// PerRow returns the time of Run per row, in ns, or 0 without samples.
func (s *SystemStats) PerRow() float64 {
	if s.Samples == 0 {
		return 0
	}
	return float64(s.Took.Nanoseconds()) / float64(s.Samples)
}

// Stats returns a copy of the counters.
func (f *Frame) Stats() Stats {
	s := f.stats
	s.Systems = slices.Clone(f.stats.Systems)
	s.Workers = slices.Clone(f.stats.Workers)
	return s
}

type sample struct {
	took time.Duration
	rows int
}

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
			if w.samples == nil {
				break
			}
			s, measured := &f.stats.Systems[m.place], &w.samples[m.place]
			s.Took += measured.took
			s.Samples += measured.rows
			*measured = sample{}
		}
	}
}

func (f *Frame) now() (t time.Time) {
	if f.Profile {
		t = time.Now()
	}
	return t
}

// lap adds the time since a given time to a counter, and returns the current time. If times are not measured,
// lap adds nothing and returns the zero time.
func (f *Frame) lap(to *time.Duration, since time.Time) time.Time {
	if since.IsZero() {
		return since
	}
	now := time.Now()
	*to += now.Sub(since)
	return now
}
