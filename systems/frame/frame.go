package frame

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/pool"
	"github.com/mlange-42/arche/ecs"
)

// System is a behavior that treats every agent by itself: Run reads the
// agent's own row and read-only snapshots, and writes the agent's own row and
// nothing else. Run is called for many batches at the same time, so fields must
// not change in it; memory for each worker is had by Needs.Scratch.
type System interface {
	Needs(*Needs)
	Run(*Batch)
}

// Sensor is a system that looks at the world at the start of a step, before
// anything moves. It may read everything.
type Sensor interface{ Sense(*ecs.World) }

// Exclusive is a host's system with the world to itself. In the list of a frame it
// is a barrier: all before it is done, and nothing after it has begun. It may
// read and write everything.
type Exclusive interface{ Update(*ecs.World) }

// Observer is a system that looks at the world at the end of a step, when the
// world is no longer locked. It may read and write everything.
type Observer interface{ Observe(*ecs.World) }

// Frame runs a list of systems, in their order, as one step: first every
// Sensor, then the systems and the serial ones, then every Observer. Rows are
// cut into batches, and a batch goes through all systems up to the next
// barrier while it is warm.
//
// A step of length 0 is a pause: systems that write columns do not run in it, so that a
// run with pauses has the bits of one without. Snapshots are taken, and a host's
// Exclusives run.
//
// What a step does depends neither on the order of the rows nor on Workers or
// BatchRows. A Frame has the shape of arche-model's System: Initialize, Update,
// Finalize. A step allocates nothing once the frame has seen all archetypes.
type Frame struct {
	Workers   int  // goroutines that share a step; 0: one for each processor
	BatchRows int  // rows of a batch; 0: 128
	Profile   bool // keep times, of one batch in 64, for Stats

	// Snapshots is another frame, maybe over another world, whose snapshots the
	// systems of this one look into where it has none itself; nil: none. Initialize
	// that one first.
	Snapshots *Frame

	systems   []any
	bound     column.Bindings
	stages    []stage
	sensers   []timed[Sensor]
	observers []timed[Observer]
	pool      pool.Pool
	world     *ecs.World // of Initialize
	clockID   ecs.ResID
	last      Clock // of the last step, pauses aside
	stalled   int   // steps in which the Clock stood, up to the last one
	workers   []worker
	batchRows int
	current   *pass
	next      atomic.Int64
	task      func(int)
	ShareRows int     // rows that are worth waking a worker for; 0: by what they cost
	labels    *labels // nil: none
	stats     Stats

	interrupted atomic.Bool
}

// stage is one part of a step between barriers: a pass, or a serial system.
type stage struct {
	pass   *pass
	serial timed[Exclusive]
}

// timed is a system that runs by itself, and its place in Stats.Systems.
type timed[T any] struct {
	system T
	place  int
}

// defaultBatchRows is by benchmark: a batch's columns stay in the first-level cache.
const defaultBatchRows = 128

// NewFrame returns a frame of systems. Each must be a System, a Sensor, a
// Exclusive, an Observer or an Attacher, or several of these; anything else panics,
// and so does a system that is twice in the list.
func New(systems ...any) *Frame {
	f := &Frame{systems: systems, bound: column.Bindings{}}
	for i, s := range systems {
		_, a := s.(System)
		_, b := s.(Sensor)
		_, c := s.(Exclusive)
		_, d := s.(Observer)
		_, e := s.(Attacher)
		if !a && !b && !c && !d && !e {
			panic(fmt.Sprintf("crowd: system %d, a %T, is no System, Sensor, Exclusive, Observer or Attacher (a pointer to it may be)", i, s))
		}
		if a && c {
			panic(fmt.Sprintf("crowd: system %d, a %T, is both a System and an Exclusive", i, s))
		}
	}
	checkOnce(systems)
	return f
}

// Attacher is a system that gets ready in Initialize of its frame: it looks up
// resources, finds snapshots of the frame (see Find), or attaches a Walk. Detach,
// in Finalize, gives all of that back.
type Attacher interface {
	Attach(f *Frame, w *ecs.World)
	Detach(w *ecs.World)
}

// Initialize registers what the systems need in a world. It panics for systems that
// can't work as they are listed, with their names and what to do: one that comes
// after what needs it, such as ThreatScan after Avoidance; one that lacks the
// snapshot that it looks into; one with a column that it does not declare.
func (f *Frame) Initialize(w *ecs.World) {
	if f.workers != nil {
		panic("crowd: Initialize of a frame that was initialized before; call Finalize first")
	}
	workers := f.Workers
	f.batchRows = f.BatchRows
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if f.batchRows <= 0 {
		f.batchRows = defaultBatchRows
	}
	f.interrupted.Store(false)
	f.world = w
	f.workers = make([]worker, workers)
	f.task = f.work
	f.clockID = ecs.ResourceID[Clock](w)
	f.stats = Stats{Workers: make([]WorkerStats, workers)}
	for i, s := range f.systems {
		f.stats.Systems = append(f.stats.Systems, SystemStats{Name: NameOf(s)})
		if s, ok := s.(Sensor); ok {
			f.sensers = append(f.sensers, timed[Sensor]{s, i})
		}
		if s, ok := s.(Observer); ok {
			f.observers = append(f.observers, timed[Observer]{s, i})
		}
		if s, ok := s.(Exclusive); ok {
			f.stages = append(f.stages, stage{serial: timed[Exclusive]{s, i}})
		}
		if s, ok := s.(System); ok {
			f.lastPass().enter(s, i)
		}
	}
	f.checkOrder()
	for _, st := range f.stages {
		if st.pass != nil {
			st.pass.attach(w, f.bound)
		}
	}
	for _, s := range f.systems {
		if s, ok := s.(Attacher); ok {
			s.Attach(f, w)
		}
	}
	for p := range f.parts {
		p.Attach(f, w)
	}
}

// parts visits those that systems have declared.
func (f *Frame) parts(yield func(Attacher) bool) {
	for _, st := range f.stages {
		if st.pass == nil {
			continue
		}
		for _, p := range st.pass.parts {
			if !yield(p) {
				return
			}
		}
	}
}

// lastPass returns the pass at the end of the stages, a new one after a barrier.
func (f *Frame) lastPass() *pass {
	if n := len(f.stages); n > 0 && f.stages[n-1].pass != nil {
		return f.stages[n-1].pass
	}
	p := &pass{frame: f, workers: len(f.workers), perRow: usualRow}
	f.stages = append(f.stages, stage{pass: p})
	return p
}

// Finalize gives back what Initialize took, and ends the workers. It does
// nothing for a frame that is not initialized.
func (f *Frame) Finalize(w *ecs.World) {
	if f.workers == nil {
		return
	}
	f.checkWorld("Finalize", w)
	for p := range f.parts {
		p.Detach(w)
	}
	for _, st := range f.stages {
		if st.pass != nil {
			st.pass.detach(w)
		}
	}
	for _, s := range f.systems {
		if s, ok := s.(Attacher); ok {
			s.Detach(w)
		}
	}
	f.pool.Close()
	f.stages, f.sensers, f.observers, f.workers, f.world = nil, nil, nil, nil, nil
}

// checkWorld panics for another world than that of Initialize.
func (f *Frame) checkWorld(call string, w *ecs.World) {
	if w != f.world {
		panic("crowd: " + call + " with another world than that of Initialize")
	}
}

// Step does one step of dt seconds and moves the world's Clock on. Where several frames
// share a step, the others do theirs by Update before.
func (f *Frame) Step(w *ecs.World, dt float64) {
	ClockOf(w).Dt = dt
	f.Update(w)
	if !f.Interrupted() {
		ClockOf(w).Advance()
	}
}

// Stalled returns for how many steps the Clock has stood, pauses aside, because nothing
// calls Clock.Advance after Update.
func (f *Frame) Stalled() int { return f.stalled }

// Update does one step of the length that the world's Clock says, or a part of it
// after Interrupt. It leaves the Clock to the caller: see Step.
func (f *Frame) Update(w *ecs.World) {
	if f.workers == nil {
		panic("crowd: Update of a frame before Initialize")
	}
	f.checkWorld("Update", w)
	clock := clockIn(w, f.clockID)
	if clock.Dt != 0 {
		f.stats.Steps++
		if f.stalled++; clock.Tick != f.last.Tick || clock.Time != f.last.Time {
			f.stalled = 0
		}
		f.last = *clock
	}
	f.stats.Rows = 0
	if f.labels != nil {
		defer f.unlabel()
	}
	start := f.now()
	from := start
	for _, s := range f.sensers {
		if f.Interrupted() {
			return
		}
		t := f.begin(s.place)
		s.system.Sense(w)
		f.stats.Systems[s.place].Alone += f.end(t)
	}
	from = f.lap(&f.stats.Sensing, from)
	for i := range f.stages {
		st := &f.stages[i]
		if f.Interrupted() {
			return
		}
		if st.pass != nil {
			f.run(w, st.pass, *clock)
			f.collect(st.pass)
			continue
		}
		t := f.begin(st.serial.place)
		st.serial.system.Update(w)
		f.stats.Systems[st.serial.place].Alone += f.end(t)
	}
	from = f.lap(&f.stats.Running, from)
	for _, s := range f.observers {
		if f.Interrupted() {
			return
		}
		t := f.begin(s.place)
		s.system.Observe(w)
		f.stats.Systems[s.place].Alone += f.end(t)
	}
	f.lap(&f.stats.Observing, from)
	f.lap(&f.stats.Took, start)
}
