package report

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"github.com/HdrHistogram/hdrhistogram-go"
)

// Perf describes where the time of the steps went, for -v. Times are means per step, except SystemPerf.NsRow.
type Perf struct {
	SensingNs   float64        `json:"sensing_ns"`
	RunningNs   float64        `json:"running_ns"`
	ObservingNs float64        `json:"observing_ns"`
	Systems     []SystemPerf   `json:"systems"`
	Workers     []WorkerPerf   `json:"workers"`
	Scan        *scanPerf      `json:"scan"`
	Obstacles   *obstaclesPerf `json:"obstacles"`
}

// SystemPerf is the cost of one system. Ns is Rows × NsRow + AloneNs, where AloneNs is the time of work that
// is not done row by row. Share is the fraction of the time of all systems.
type SystemPerf struct {
	Name    string  `json:"name"`
	Share   float64 `json:"share"`
	Ns      float64 `json:"ns"`
	NsRow   float64 `json:"ns_per_row"`
	Rows    float64 `json:"rows"`
	AloneNs float64 `json:"alone_ns"`
}

// WorkerPerf is the work of one worker: its share of all rows, the fraction of RunningNs for which it was
// busy, and its batches per step.
type WorkerPerf struct {
	Rows    float64 `json:"rows_share"`
	Busy    float64 `json:"busy_share"`
	Batches float64 `json:"batches"`
}

// scanPerf counts, per step, the agents that look for obstacles, and those that see a threat.
type scanPerf struct {
	Looked  float64 `json:"looked"`
	Threats float64 `json:"threats"`
}

type obstaclesPerf struct {
	Obstacles int     `json:"obstacles"`
	Pieces    int     `json:"pieces"`
	Grids     int     `json:"grids"`
	Slots     int     `json:"slots"`
	Taken     int     `json:"taken_slots"`
	Mean      float64 `json:"entries_mean"`
	Longest   int     `json:"entries_max"`
}

// PerfOf returns where the time went in the steps that this process ran. Scan covers all steps of the run.
// Call PerfOf after Fill.
func (r *Report) PerfOf(w *world.World) *Perf {
	st := w.Stats()
	f := &st.Frame
	p := &Perf{Systems: []SystemPerf{}, Workers: []WorkerPerf{}}
	if r.timed == 0 {
		return p
	}
	steps := float64(r.timed)
	mean := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / steps }
	p.SensingNs, p.RunningNs, p.ObservingNs = mean(f.Sensing), mean(f.Running), mean(f.Observing)
	p.Systems = systemsPerf(f, steps)
	rows := 0
	for _, one := range f.Workers {
		rows += one.Rows
	}
	for _, one := range f.Workers {
		p.Workers = append(p.Workers, WorkerPerf{
			Rows:    float64(one.Rows) / float64(max(rows, 1)),
			Busy:    float64(one.Busy) / float64(max(f.Running, 1)),
			Batches: float64(one.Batches) / steps,
		})
	}
	if st.Looked > 0 {
		all := float64(f.Steps) // including those before the run was resumed
		p.Scan = &scanPerf{float64(st.Looked) / all, float64(st.Threats) / all}
	}
	if o := w.Obstacles.Occupancy(); o.Shapes > 0 {
		p.Obstacles = &obstaclesPerf{o.Shapes, o.Pieces, o.Grids, o.Slots, o.Taken, o.Mean(), o.Longest}
	}
	return p
}

// systemsPerf returns the costs of the systems that did work, the most expensive first.
func systemsPerf(f *frame.Stats, steps float64) []SystemPerf {
	all, total := []SystemPerf{}, 0.
	for i := range f.Systems {
		s := &f.Systems[i]
		one := SystemPerf{
			Name: s.Name, NsRow: s.PerRow(), Rows: float64(s.Rows) / steps,
			AloneNs: float64(s.Alone.Nanoseconds()) / steps,
		}
		one.Ns = one.NsRow*one.Rows + one.AloneNs
		if one.Ns > 0 || s.Rows > 0 {
			all = append(all, one)
			total += one.Ns
		}
	}
	for i := range all {
		all[i].Share = all[i].Ns / max(total, math.SmallestNonzeroFloat64) // total may be 0 after few steps
	}
	slices.SortStableFunc(all, func(a, b SystemPerf) int { return cmp.Compare(b.Ns, a.Ns) })
	return all
}

// write writes p in place of the rows of Report.writeSystems and the row about threats.
func (p *Perf) write(row cli.Row) {
	for i, s := range p.Systems {
		name := cli.NameIf(i == 0, "systems")
		switch {
		case s.Ns == 0:
			row(name, "%s, %s per step, not timed: too few steps", s.Name, cli.Plural(int(s.Rows), "agent"))
		case s.Share < 0.0005:
		case s.Rows == 0:
			row(name, "%4.1f%%  %s, %s per step", 100*s.Share, s.Name, cli.Duration(int64(s.AloneNs)))
		case s.AloneNs < s.Ns/100:
			row(name, "%4.1f%%  %s, %.2f ns per agent, %s per step", 100*s.Share, s.Name, s.NsRow, cli.Plural(int(s.Rows), "agent"))
		default:
			row(name, "%4.1f%%  %s, %.2f ns per agent, %s per step, plus %s per step", 100*s.Share, s.Name,
				s.NsRow, cli.Plural(int(s.Rows), "agent"), cli.Duration(int64(s.AloneNs)))
		}
	}
	row("parts", "sensing %s, running %s, observing %s per step, without the measurements of this report", cli.Duration(int64(p.SensingNs)), cli.Duration(int64(p.RunningNs)), cli.Duration(int64(p.ObservingNs)))
	for i, one := range p.Workers {
		row(cli.NameIf(i == 0, "workers"), "%d: %.1f%% of the rows in %.4g batches per step, busy for %.0f%% of the running time", i, 100*one.Rows, one.Batches, 100*one.Busy)
	}
	if s := p.Scan; s != nil {
		row("under threat", "%.1f%% of the agents: %s of the %s that look for obstacles in a step", 100*s.Threats/s.Looked, cli.Thousands(int(s.Threats)), cli.Thousands(int(s.Looked)))
	}
	if o := p.Obstacles; o != nil {
		row("index", "%s in %s and %s, %s slots, %s of them taken, with %.3g entries on average, at most %d",
			cli.Plural(o.Obstacles, "obstacle"), cli.Plural(o.Pieces, "piece"), cli.Plural(o.Grids, "grid"), cli.Thousands(o.Slots), cli.Thousands(o.Taken), o.Mean, o.Longest)
	}
}

const longestStep = 24 * time.Hour // longer steps count as this

// StepTimes is a histogram of step times, of constant size.
type StepTimes struct {
	counts *hdrhistogram.Histogram // in nanoseconds
	total  time.Duration
}

// NewStepTimes returns an empty histogram with three significant digits.
func NewStepTimes() *StepTimes {
	return &StepTimes{counts: hdrhistogram.New(1, longestStep.Nanoseconds(), 3)}
}

// Add counts a step.
func (t *StepTimes) Add(took time.Duration) {
	t.total += took
	_ = t.counts.RecordValue(min(max(took, 1), longestStep).Nanoseconds()) // fails only for values outside the scale
}

// Seconds returns the total time.
func (t *StepTimes) Seconds() float64 { return t.total.Seconds() }

func (t *StepTimes) steps() int { return int(t.counts.TotalCount()) }

// quantile returns a percentile of the n step times, in nanoseconds: element ⌊n·share/100⌋ of their ascending
// list, counted from 0.
func (t *StepTimes) quantile(share int) int64 {
	n := t.steps()
	return t.counts.ValueAtQuantile(100 * float64(n*share/100+1) / float64(n))
}
