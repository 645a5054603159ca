package main

import (
	"cmp"
	"slices"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
)

// perf is where the time of the steps went, for --perf. All times are means a
// step.
type perf struct {
	SensingNs   float64        `json:"sensing_ns"`
	RunningNs   float64        `json:"running_ns"`
	ObservingNs float64        `json:"observing_ns"`
	Systems     []systemPerf   `json:"systems"`
	Workers     []workerPerf   `json:"workers"`
	Scan        *scanPerf      `json:"scan"`
	Obstacles   *obstaclesPerf `json:"obstacles"`
}

// systemPerf is what one system cost.
type systemPerf struct {
	Name    string  `json:"name"`
	Share   float64 `json:"share"`
	Ns      float64 `json:"ns"`
	NsRow   float64 `json:"ns_per_row"`
	Rows    float64 `json:"rows"`
	AloneNs float64 `json:"alone_ns"`
}

// workerPerf is what one worker did.
type workerPerf struct {
	Rows    float64 `json:"rows_share"`
	Busy    float64 `json:"busy_share"`
	Batches float64 `json:"batches"`
}

// scanPerf is what agents saw that look for obstacles.
type scanPerf struct {
	Looked  float64 `json:"looked"`
	Threats float64 `json:"threats"`
}

// obstaclesPerf is how full the index of the obstacles is at the end.
type obstaclesPerf struct {
	Obstacles int     `json:"obstacles"`
	Pieces    int     `json:"pieces"`
	Grids     int     `json:"grids"`
	Slots     int     `json:"slots"`
	Taken     int     `json:"taken_slots"`
	Mean      float64 `json:"entries_mean"`
	Longest   int     `json:"entries_max"`
}

// perfOf returns where the time of a world's steps went. The shares are of the
// time of all workers together.
func perfOf(w *world.World) *perf {
	st := w.Stats()
	f := &st.Frame
	p := &perf{Systems: []systemPerf{}, Workers: []workerPerf{}}
	if f.Steps == 0 {
		return p
	}
	steps := float64(f.Steps)
	mean := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / steps }
	p.SensingNs, p.RunningNs, p.ObservingNs = mean(f.Sensing), mean(f.Running), mean(f.Observing)
	p.Systems = systemsPerf(f)
	rows := 0
	for _, one := range f.Workers {
		rows += one.Rows
	}
	for _, one := range f.Workers {
		p.Workers = append(p.Workers, workerPerf{
			Rows:    float64(one.Rows) / float64(max(rows, 1)),
			Busy:    float64(one.Busy) / float64(max(f.Running, 1)),
			Batches: float64(one.Batches) / steps,
		})
	}
	if st.Looked > 0 {
		p.Scan = &scanPerf{float64(st.Looked) / steps, float64(st.Threats) / steps}
	}
	if o := w.Obstacles.Occupancy(); o.Shapes > 0 {
		p.Obstacles = &obstaclesPerf{o.Shapes, o.Pieces, o.Grids, o.Slots, o.Taken, o.Mean(), o.Longest}
	}
	return p
}

// systemsPerf returns what the systems cost that did anything, the dearest first.
func systemsPerf(f *systems.Stats) []systemPerf {
	all, total := []systemPerf{}, 0.
	for i := range f.Systems {
		s, steps := &f.Systems[i], float64(f.Steps)
		one := systemPerf{
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
		all[i].Share = all[i].Ns / total
	}
	slices.SortStableFunc(all, func(a, b systemPerf) int { return cmp.Compare(b.Ns, a.Ns) })
	return all
}

// write writes it for people to read, in place of what else is said of systems
// and threats.
func (p *perf) write(row func(name, format string, args ...any)) {
	for i, s := range p.Systems {
		name := terminal.NameIf(i == 0, "systems")
		switch {
		case s.Ns == 0:
			row(name, "%s, %s agents a step, none of them timed in so few steps", s.Name, numbers.Thousands(int(s.Rows)))
		case s.Share < 0.0005:
		case s.Rows == 0:
			row(name, "%4.1f %%  %s, %s a step", 100*s.Share, s.Name, numbers.Duration(int64(s.AloneNs)))
		case s.AloneNs < s.Ns/100:
			row(name, "%4.1f %%  %s, %.2f ns of processor time an agent, %s agents a step", 100*s.Share, s.Name, s.NsRow, numbers.Thousands(int(s.Rows)))
		default:
			row(name, "%4.1f %%  %s, %.2f ns of processor time an agent, %s agents a step, and %s by itself", 100*s.Share, s.Name,
				s.NsRow, numbers.Thousands(int(s.Rows)), numbers.Duration(int64(s.AloneNs)))
		}
	}
	row("parts", "sensing %s, running %s, observing %s a step; what this report measures beside the steps is in none of it", numbers.Duration(int64(p.SensingNs)), numbers.Duration(int64(p.RunningNs)), numbers.Duration(int64(p.ObservingNs)))
	for i, one := range p.Workers {
		row(terminal.NameIf(i == 0, "workers"), "%d: %.1f %% of the rows in %.4g batches a step, busy %.0f %% of running", i, 100*one.Rows, one.Batches, 100*one.Busy)
	}
	if s := p.Scan; s != nil {
		row("under threat", "%.1f %% of the agents, %s of %s that look a step", 100*s.Threats/s.Looked, numbers.Thousands(int(s.Threats)), numbers.Thousands(int(s.Looked)))
	}
	if o := p.Obstacles; o != nil {
		row("index", "%s obstacles in %s and %s, %s slots, %s of them taken with %.3g entries on average and %d at most",
			numbers.Thousands(o.Obstacles), numbers.Plural(o.Pieces, "piece"), numbers.Plural(o.Grids, "grid"), numbers.Thousands(o.Slots), numbers.Thousands(o.Taken), o.Mean, o.Longest)
	}
}
