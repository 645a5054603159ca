package frame

import (
	"context"
	"fmt"
	"runtime/pprof"
	"runtime/trace"
	"time"
)

// label is the key under which a CPU profile tells the systems apart.
const label = "crowd_system"

// labels are the contexts that stand for systems in profiles.
type labels struct {
	base    context.Context   // between systems
	systems []context.Context // by place
}

// SetLabels makes every goroutine of the frame carry the pprof label
// crowd_system=name while a system runs, beside the labels of ctx, so that
//
//	go tool pprof -tagfocus=crowd_system=ThreatScan cpu.pprof
//
// shows that system alone and -tags adds all of them up. While an execution trace is
// taken each Sense, Update and Observe is a region of the system's name as well,
// and so is Run in one batch in 64. Before this call, and after RemoveLabels, there
// is neither, and it costs nothing.
//
// A goroutine's own labels cannot be read, and so not given back: after
// Frame.Update the caller has those of ctx. Call it between two steps.
func (f *Frame) SetLabels(ctx context.Context) {
	f.labels = &labels{base: ctx}
	for _, s := range f.systems {
		f.labels.systems = append(f.labels.systems, pprof.WithLabels(ctx, pprof.Labels(label, NameOf(s))))
	}
}

// RemoveLabels ends what SetLabels began, for each worker in the next step that it
// takes part in. Call it between two steps.
func (f *Frame) RemoveLabels() { f.labels = nil }

// label gives the goroutine the label of a system.
func (f *Frame) label(place int) {
	if f.labels != nil {
		pprof.SetGoroutineLabels(f.labels.systems[place])
	}
}

// unlabel takes the label of a system off the goroutine.
func (f *Frame) unlabel() {
	if f.labels != nil {
		pprof.SetGoroutineLabels(f.labels.base)
	}
}

// strip takes off a parked worker's goroutine what labels it had before
// RemoveLabels. Worker 0 is the caller's, whose labels are the caller's.
func (f *Frame) strip(w *worker) {
	if w.labeled && f.labels == nil && w.Worker > 0 {
		pprof.SetGoroutineLabels(context.Background())
	}
	w.labeled = f.labels != nil
}

// watched is a system at work that is looked at.
type watched struct {
	start  time.Time
	region *trace.Region
}

// begin labels the goroutine with a system, and begins its region and its time
// as far as they are asked for.
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

// end ends what begin began, and returns the time in between, 0 if times are not
// kept.
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

// Accumulator turns pictures that take any time into steps of one length, so that a game
// does the same on slow machines and on fast ones:
//
//	for range steps.Due(seconds) { // since the last picture
//		f.Step(&w, steps.Dt)
//	}
//
// Source: Fiedler 2004, "Fix Your Timestep!".
type Accumulator struct {
	Dt   float64 // s, length of a step, above 0
	Most int     // steps for one picture, after which the rest of its time is dropped; 0: 8

	left float64 // s, that are not yet a step
}

// Due adds the time that a picture took and returns how many steps are due. Time that is
// negative or NaN counts as none.
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

// Alpha returns how much of a step is left over, from 0 to 1, by which to draw agents between
// where they were before the last step and where they are.
func (a *Accumulator) Alpha() float64 { return a.left / a.Dt }
