// Package frame runs systems over the rows of an arche world in steps: in batches, on
// several workers, with the same bits whatever their number.
//
// A step senses, runs and observes. First every Sensor takes its read-only snapshot
// of the world. Then batches of rows, each of one archetype, go through every System
// that wants them, in the order of the list. At the end every Observer looks at the
// result. An Exclusive has the world to itself in between, and a TwoPhase needs all
// agents at once in the middle.
//
//	f := frame.New(
//		&sense.Obstacles{},                                             // sense
//		&systems.Arrival{}, &systems.ThreatScan{}, &systems.Avoidance{}, // steer
//		&systems.Integration{},                                         // move
//	)
//	f.Initialize(&world)
//	defer f.Finalize(&world)
//	for {
//		f.Step(&world, 1./60)
//	}
//
// A System says in its Needs which columns it reads and writes, and what it comes
// after. The rules of package systems use nothing but what this package exports, so
// that a host's own systems can do all that they do.
package frame

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/hash"
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
	ShareRows int        // rows that are worth waking a worker for; 0: by what they cost
	labels    *labels    // nil: none
	traced    ecs.Entity // of Trace
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

// New returns a frame that runs the given systems in order. Each must be a System, a Sensor, an
// Exclusive, an Observer or an Attacher, or several of these; anything else panics, and so does
// a system that is twice in the list.
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

// Clock is the resource that says how long a step is. Frame.Step sets Dt and advances
// it; a loop that calls Frame.Update does so itself.
type Clock struct {
	Dt   float64 // s, length of this step, finite; may differ from step to step; 0: a pause
	Time float64 // s, at the beginning of this step
	Tick uint64  // how many steps went before, pauses aside
}

// Advance moves the clock on by one step; in a pause it stands.
func (c *Clock) Advance() {
	if c.Dt != 0 {
		c.Time += c.Dt
		c.Tick++
	}
}

// ClockOf returns the clock of a world. A world without one is given one of 60
// steps a second. It panics if the length of the step is not allowed.
func ClockOf(w *ecs.World) *Clock { return clockIn(w, ecs.ResourceID[Clock](w)) }

// clockIn is ClockOf with the id of the resource.
func clockIn(w *ecs.World, id ecs.ResID) *Clock {
	if !w.Resources().Has(id) {
		w.Resources().Add(id, &Clock{Dt: 1. / 60})
	}
	clock := w.Resources().Get(id).(*Clock)
	if !(clock.Dt >= 0) || math.IsInf(clock.Dt, 1) {
		panic(fmt.Sprintf("crowd: Clock.Dt is %v, want a finite number of seconds, 0 or more", clock.Dt))
	}
	return clock
}

// Resource returns the resource of type T in a world, which it adds, empty, where
// it is missing: what is registered has a value, as libraries that save worlds
// expect.
func Resource[T any](w *ecs.World) *T {
	id := ecs.ResourceID[T](w)
	if !w.Resources().Has(id) {
		w.Resources().Add(id, new(T))
	}
	return w.Resources().Get(id).(*T)
}

// Find returns the first system of type T in the list of a frame, such as the
// snapshot *Obstacles, and whether there is one.
func Find[T any](f *Frame) (system T, ok bool) {
	for _, s := range f.systems {
		if system, ok = s.(T); ok {
			return system, true
		}
	}
	return system, false
}

// Systems returns the list of the frame.
func (f *Frame) Systems() []any { return slices.Clone(f.systems) }

// NumWorkers returns how many workers share a step, 0 if the frame is not
// initialized.
func (f *Frame) NumWorkers() int { return len(f.workers) }

// Initialized reports whether the frame is between Initialize and Finalize.
func (f *Frame) Initialized() bool { return f.workers != nil }

// Share calls task once for each of the workers from 0 up to, but not including, n,
// at the same time, and returns when all are done; n is at most NumWorkers. Worker 0
// is the caller's goroutine. It is for Sense, Update, Observe and Resolve; a task asks
// Interrupted from time to time.
func (f *Frame) Share(n int, task func(worker int)) { f.pool.Run(min(n, len(f.workers)), task) }

// Bindings returns which types of a host stand in for ours.
func (f *Frame) Bindings() Bindings { return f.bound }

// Interrupt ends the step that runs as soon as it can, after the batches and the
// look-ups that the workers are at, and lets no other begin. Update then returns
// early, and leaves the rows between two steps: some have moved, others have not.
// It may be called from any goroutine, at any time after Initialize; Initialize
// forgets it.
func (f *Frame) Interrupt() { f.interrupted.Store(true) }

// Interrupted reports whether Interrupt was called. A host's own system that takes
// long may ask, and return early.
func (f *Frame) Interrupted() bool { return f.interrupted.Load() }

// Archive writes what a system keeps, or reads it: see [Keeper]. Its methods for that:
//
//	Keep(values ...any)               // by pointers: bools, numbers, strings, entities, and arrays, slices and structs of these
//	Reading() bool                    // whether it reads
//	Fail(format string, args ...any)  // refuses what it read
//	Err() error                       // the first error
type Archive = archive.Archive

// Keeper is a system that keeps something from one step to the next outside of components
// and resources. Keep names it, in the same order for both directions; after reading it
// brings up to date what follows from it. A world calls it between two steps, with the frame
// initialized: World.Save to write, World.Restore to read. What it keeps must not depend on
// Workers.
type Keeper interface{ Keep(*Archive) }

// Keep writes what the frame has counted and what its systems keep, or reads it: a block for
// the frame, and one for each Keeper. Times are left out, and what each worker did.
func (f *Frame) Keep(a *Archive) {
	a.Block("frame.Frame", func() { a.Keep(&f.stats.Steps, &f.stats.Rows, &f.stats.Skipped) })
	for _, s := range f.systems {
		if k, ok := s.(Keeper); ok {
			a.Block(NameOf(s), func() { k.Keep(a) })
		}
	}
}

// ID returns the id of the agent in row i, as components.IDOf does. Agents is the
// column of Agent in the batch, nil where that is optional and the batch lacks it.
func (b *Batch) ID(agents []c.Agent, i int) uint64 {
	if agents != nil {
		return agents[i].ID
	}
	return b.entityID(i)
}

func (b *Batch) entityID(i int) uint64 { return c.IDOf(nil, b.Entity(i)) }

// HashFloat returns a random number in [0, 1) that is a hash of its arguments: the
// seed of the crowd, the id of the agent, a count such as a tick or a visit,
// and the use the number is put to, so that two uses do not draw the same. It
// does not depend on what was drawn before, where, or in which order.
func HashFloat(seed, agent, count, use uint64) float64 {
	h := hash.Mix(hash.Mix(hash.Mix(hash.Mix(seed)^agent)^count) ^ use)
	return float64(h>>11) * 0x1p-53
}
