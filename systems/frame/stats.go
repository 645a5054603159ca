package frame

import (
	"slices"
	"time"
)

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
