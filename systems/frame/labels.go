package frame

import (
	"context"
	"fmt"
	"runtime/pprof"
	"runtime/trace"
	"time"
)

const label = "crowd_system"

type labels struct {
	base    context.Context   // outside systems
	systems []context.Context // by index
}

// SetLabels makes every goroutine of the frame carry the pprof label crowd_system=name while a system runs,
// in addition to the labels of ctx. Then
//
//	go tool pprof -tagfocus=crowd_system=ThreatScan cpu.pprof
//
// shows only that system, and -tags shows the total of each system. In execution traces, each Sense, Update,
// Resolve and Observe is a region with the system's name, and so is Run in one batch out of 64. Before
// SetLabels and after RemoveLabels, labels and regions cost nothing.
//
// A goroutine's labels cannot be read and restored, so the caller of Frame.Update has the labels of ctx
// afterward. Call SetLabels between steps.
func (f *Frame) SetLabels(ctx context.Context) {
	f.labels = &labels{base: ctx}
	for _, s := range f.systems {
		f.labels.systems = append(f.labels.systems, pprof.WithLabels(ctx, pprof.Labels(label, NameOf(s))))
	}
}

// RemoveLabels undoes SetLabels. Each worker loses its labels in its next step, but the caller's goroutine
// keeps those of ctx. Call RemoveLabels between steps.
func (f *Frame) RemoveLabels() { f.labels = nil }

func (f *Frame) label(place int) {
	if f.labels != nil {
		pprof.SetGoroutineLabels(f.labels.systems[place])
	}
}

func (f *Frame) unlabel() {
	if f.labels != nil {
		pprof.SetGoroutineLabels(f.labels.base)
	}
}

// strip removes labels when the worker first works after RemoveLabels. Worker 0 is the caller's goroutine.
func (f *Frame) strip(w *worker) {
	if w.labeled && f.labels == nil && w.Worker > 0 {
		pprof.SetGoroutineLabels(context.Background())
	}
	w.labeled = f.labels != nil
}

type watched struct {
	start  time.Time
	region *trace.Region
}

func (f *Frame) begin(place int) (t watched) {
	if f.labels != nil {
		ctx := f.labels.systems[place]
		pprof.SetGoroutineLabels(ctx)
		if trace.IsEnabled() {
			t.region = trace.StartRegion(ctx, f.stats.Systems[place].Name)
		}
	}
	t.start = f.now()
	return t
}

// end returns the time since begin, or 0 if times are not measured.
func (f *Frame) end(t watched) (took time.Duration) {
	if !t.start.IsZero() {
		took = time.Since(t.start)
	}
	if t.region != nil {
		t.region.End()
	}
	f.unlabel()
	return took
}

// Accumulator converts the durations of rendered frames into steps of equal length, so that a game behaves
// the same on slow and fast machines:
//
//	for range steps.Due(seconds) { // since the last frame
//		f.Step(&w, steps.Dt)
//	}
//
// Source: Fiedler, "Fix Your Timestep!", 2004.
type Accumulator struct {
	Dt   float64 // s, above 0
	Most int     // maximum number of steps per call to Due, beyond which time is dropped; 0 means 8

	left float64 // s, less than a step
}

// Due adds the duration of a rendered frame and returns the number of steps due. A negative or NaN duration
// counts as zero. Due panics if Dt is not above 0.
func (a *Accumulator) Due(seconds float64) int {
	if !(a.Dt > 0) {
		panic(fmt.Sprintf("crowd: Accumulator.Dt is %v, want a number of seconds above 0", a.Dt))
	}
	most := a.Most
	if most <= 0 {
		most = 8
	}
	if seconds > 0 {
		a.left += seconds
	}
	if a.left >= float64(a.Dt*float64(most+1)) {
		a.left = 0
		return most
	}
	n := int(a.left / a.Dt)
	a.left = max(0, a.left-float64(a.Dt*float64(n)))
	return n
}

// Alpha returns the fraction of a step that is left over, from 0 to 1, for drawing agents between their last
// two positions.
func (a *Accumulator) Alpha() float64 { return a.left / a.Dt }
