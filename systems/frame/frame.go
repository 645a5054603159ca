// Package frame runs systems over the rows of an arche world in steps. Results are bitwise equal for any
// number of workers.
//
// In a step, each Sensor first reads the world. Then batches of rows, each of one archetype, pass through
// every System that matches them, in the order of the list. Finally, each Observer runs. Between Systems, an
// Exclusive has the world to itself, and a TwoPhase uses all agents at once.
//
//	f := frame.New(
//		&sense.Obstacles{},                                              // sense
//		&systems.Arrival{}, &systems.ThreatScan{}, &systems.Avoidance{}, // steer
//		&systems.Integration{},                                          // move
//	)
//	f.Initialize(&world)
//	defer f.Finalize(&world)
//	for {
//		f.Step(&world, 1./60)
//	}
//
// A System declares in its Needs the columns that it reads and writes, and the systems that it must follow or
// precede.
package frame

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/pool"
	"github.com/mlange-42/arche/ecs"
)

// System is a behavior that processes every agent separately. Run reads the agent's row and read-only
// snapshots, and writes only the agent's row. Workers call Run concurrently for different batches, so Run
// must not change fields: use Needs.Scratch instead.
type System interface {
	Needs(*Needs)
	Run(*Batch)
}

// Sensor is a system that reads the world at the start of a step, before anything moves.
type Sensor interface{ Sense(*ecs.World) }

// Exclusive is a host's system that has the world to itself: all systems before it in the list have finished,
// and none after it has started. It may read and write everything.
type Exclusive interface{ Update(*ecs.World) }

// Observer is a system that runs at the end of a step, when the world is not locked. It may read and write
// everything.
type Observer interface{ Observe(*ecs.World) }

// Frame runs a list of systems in order as one step: first each Sensor, then Systems and Exclusives, then
// each Observer.
//
// A step of length 0 is a pause, which changes no results: Systems that write columns do not run, but
// everything else does.
//
// Results do not depend on the order of rows, on Workers or on BatchRows. A Frame has the methods of
// arche-model's System. A step does not allocate once the frame has seen all archetypes.
type Frame struct {
	Workers   int  // maximum number of goroutines per step; 0 means runtime.GOMAXPROCS
	BatchRows int  // maximum number of rows per batch; 0 means 128
	Profile   bool // measure times for Stats, in one batch out of 64

	systems   []any
	bound     column.Bindings
	stages    []stage
	sensers   []timed[Sensor]
	observers []timed[Observer]
	pool      pool.Pool
	world     *ecs.World
	clockID   ecs.ResID
	last      Clock  // of the last step that was not a pause
	stalled   int    // consecutive steps in which the Clock stood still
	moves     uint64 // see Moves
	workers   []worker
	batchRows int
	current   *pass
	next      atomic.Int64
	task      func(int)
	ShareRows int // minimum number of rows per worker; 0 means a number based on the measured cost of a row
	labels    *labels
	traced    ecs.Entity // see Trace
	stats     Stats

	interrupted atomic.Bool
}

// stage is a pass or an Exclusive.
type stage struct {
	pass   *pass
	serial timed[Exclusive]
}

type timed[T any] struct {
	system T
	place  int
	moves  bool // a host's system, which may add, move and remove rows
}

// defaultBatchRows, chosen by benchmark, lets a batch's columns fit in the first-level cache.
const defaultBatchRows = 128

// New returns a frame that runs the given systems in order. Each must be at least one of System, Sensor,
// Exclusive, Observer and Attacher. New panics for any other value, for a value that is both a System and an
// Exclusive, and for a pointer that is listed twice, unless its struct has no fields.
func New(systems ...any) *Frame {
	f := &Frame{systems: systems, bound: column.Bindings{}}
	for i, s := range systems {
		_, a := s.(System)
		_, b := s.(Sensor)
		_, c := s.(Exclusive)
		_, d := s.(Observer)
		_, e := s.(Attacher)
		if !a && !b && !c && !d && !e {
			panic(fmt.Sprintf("crowd: system %d, a %T, is not a System, Sensor, Exclusive, Observer or Attacher: try a pointer to it", i, s))
		}
		if a && c {
			panic(fmt.Sprintf("crowd: system %d, a %T, is both a System and an Exclusive", i, s))
		}
	}
	checkOnce(systems)
	return f
}

// Attacher is a system that prepares itself in Initialize: Attach looks up resources, finds snapshots of the
// frame (see Find), or attaches a Walk. Finalize calls Detach, which undoes Attach.
type Attacher interface {
	Attach(f *Frame, w *ecs.World)
	Detach(w *ecs.World)
}

// Initialize registers what the systems need in a world. It panics if the frame is already initialized, or if
// the systems cannot work as listed: if their order is wrong, a snapshot is missing, or a column is not
// declared. The message names the systems and a remedy.
func (f *Frame) Initialize(w *ecs.World) {
	if f.workers != nil {
		panic("crowd: Initialize called on an initialized frame: call Finalize first")
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
	f.last, f.stalled = Clock{}, 0
	f.world = w
	f.workers = make([]worker, workers)
	f.task = f.work
	f.clockID = ecs.ResourceID[Clock](w)
	f.stats = Stats{Workers: make([]WorkerStats, workers)}
	for i, s := range f.systems {
		f.stats.Systems = append(f.stats.Systems, SystemStats{Name: NameOf(s)})
		if s, ok := s.(Sensor); ok {
			f.sensers = append(f.sensers, timed[Sensor]{s, i, !ours(s)})
		}
		if s, ok := s.(Observer); ok {
			f.observers = append(f.observers, timed[Observer]{system: s, place: i})
		}
		if s, ok := s.(Exclusive); ok {
			f.stages = append(f.stages, stage{serial: timed[Exclusive]{system: s, place: i}})
		}
		if s, ok := s.(System); ok {
			f.lastPass().enter(s, i)
		}
	}
	f.checkOrder()
	for p := range f.passes {
		p.attach(w, f.bound)
	}
	for _, s := range f.systems {
		if s, ok := s.(Attacher); ok {
			s.Attach(f, w)
		}
	}
	for p := range f.passes {
		for _, part := range p.parts {
			part.Attach(f, w)
		}
	}
}

func (f *Frame) passes(yield func(*pass) bool) {
	for _, st := range f.stages {
		if st.pass != nil && !yield(st.pass) {
			return
		}
	}
}

// lastPass returns the last stage's pass. It first adds a stage if there is none, or the last one is an
// Exclusive.
func (f *Frame) lastPass() *pass {
	if n := len(f.stages); n > 0 && f.stages[n-1].pass != nil {
		return f.stages[n-1].pass
	}
	p := &pass{frame: f, workers: len(f.workers), perRow: usualRow}
	f.stages = append(f.stages, stage{pass: p})
	return p
}

// Finalize releases what Initialize registered, and stops the workers. It panics if w is not the world of
// Initialize. It does nothing if the frame is not initialized.
func (f *Frame) Finalize(w *ecs.World) {
	if f.workers == nil {
		return
	}
	f.checkWorld("Finalize", w)
	for p := range f.passes {
		for _, part := range p.parts {
			part.Detach(w)
		}
	}
	for p := range f.passes {
		p.detach(w)
	}
	for _, s := range f.systems {
		if s, ok := s.(Attacher); ok {
			s.Detach(w)
		}
	}
	f.pool.Close()
	f.stages, f.sensers, f.observers, f.workers, f.world = nil, nil, nil, nil, nil
}

func (f *Frame) checkWorld(call string, w *ecs.World) {
	if w != f.world {
		panic("crowd: " + call + " called with a different world than Initialize")
	}
}

func (f *Frame) checkReady(w *ecs.World) {
	if f.workers == nil {
		panic("crowd: Update called before Initialize")
	}
	f.checkWorld("Update", w)
}

// Step performs a step of dt seconds, and advances the world's Clock if the step was not interrupted. It
// panics if dt is negative or not finite. If several frames share a step, first set Clock.Dt and call Update
// on the others.
func (f *Frame) Step(w *ecs.World, dt float64) {
	f.checkReady(w)
	checkDt(dt)
	ClockOf(w).Dt = dt
	f.Update(w)
	if !f.Interrupted() {
		ClockOf(w).Advance()
	}
}

// Stalled returns the number of consecutive steps, except pauses, in which the Clock has stood still because
// Clock.Advance was not called. The first step of a Clock that starts at 0 counts until the second begins.
func (f *Frame) Stalled() int { return f.stalled }

// Update performs one step of Clock.Dt seconds, but does not advance the Clock: see Step. It returns early
// after Interrupt. It panics if the frame is not initialized, if w is not the world of Initialize, or if
// Clock.Dt is invalid.
func (f *Frame) Update(w *ecs.World) {
	f.checkReady(w)
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
		if s.moves {
			f.moves++
		}
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
		f.moves++
		st.serial.system.Update(w)
		f.stats.Systems[st.serial.place].Alone += f.end(t)
	}
	from = f.lap(&f.stats.Running, from)
	f.moves++ // by Observe, or by the host after the step
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

// Clock is the resource that holds the length of a step. Frame.Step sets Dt and advances the clock. A loop
// that calls Frame.Update must do both.
type Clock struct {
	Dt   float64 // s, length of this step, finite; 0 means a pause
	Time float64 // s, at the start of this step
	Tick uint64  // steps before this one, except pauses
}

// Advance advances the clock by one step. It does nothing in a pause.
func (c *Clock) Advance() {
	if c.Dt != 0 {
		c.Time += c.Dt
		c.Tick++
	}
}

// ClockOf returns the clock of a world, and adds one with a Dt of 1/60 s if there is none. It panics if Dt is
// invalid.
func ClockOf(w *ecs.World) *Clock { return clockIn(w, ecs.ResourceID[Clock](w)) }

func clockIn(w *ecs.World, id ecs.ResID) *Clock {
	if !w.Resources().Has(id) {
		w.Resources().Add(id, &Clock{Dt: 1. / 60})
	}
	clock := w.Resources().Get(id).(*Clock)
	checkDt(clock.Dt)
	return clock
}

func checkDt(dt float64) {
	if !(dt >= 0) || math.IsInf(dt, 1) {
		panic(fmt.Sprintf("crowd: Clock.Dt is %v, want a finite number of seconds, 0 or more", dt))
	}
}

// Resource returns the resource of type T of a world. It adds an empty one if there is none, because
// libraries that save worlds expect a value for every registered resource.
func Resource[T any](w *ecs.World) *T {
	id := ecs.ResourceID[T](w)
	if !w.Resources().Has(id) {
		w.Resources().Add(id, new(T))
	}
	return w.Resources().Get(id).(*T)
}

// Find returns the first system of type T in the list of a frame, and whether there is one.
func Find[T any](f *Frame) (system T, ok bool) {
	for _, s := range f.systems {
		if system, ok = s.(T); ok {
			return system, true
		}
	}
	return system, false
}

// Systems returns a copy of the list of systems.
func (f *Frame) Systems() []any { return slices.Clone(f.systems) }

// NumWorkers returns the maximum number of workers in a step, or 0 if the frame is not initialized.
func (f *Frame) NumWorkers() int { return len(f.workers) }

// Initialized reports whether the frame is between Initialize and Finalize.
func (f *Frame) Initialized() bool { return f.workers != nil }

// Share calls the function task concurrently for each worker from 0 to n-1, and waits for all calls. It
// limits n to the range from 1 to NumWorkers. Worker 0 is the caller's goroutine. Call Share only in Sense,
// Update, Observe and Resolve. Long tasks should check Interrupted.
func (f *Frame) Share(n int, task func(worker int)) { f.pool.Run(min(n, len(f.workers)), task) }

// Moves returns a number that grows whenever a host may add, move or remove rows in a step: before Update,
// before the first Observe, and before Sense by systems from outside this module.
func (f *Frame) Moves() uint64 { return f.moves }

// ours reports whether a system belongs to a package of this module whose Sensors move no rows.
func ours(system any) bool {
	t := reflect.TypeOf(system)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name, inModule := strings.CutPrefix(t.PkgPath(), strings.TrimSuffix(reflect.TypeFor[Frame]().PkgPath(), "systems/frame"))
	return inModule && slices.Contains([]string{"systems", "systems/sense", "systems/measure", "world/scene"}, name)
}

// Bindings returns the host types bound in place of types of this module.
func (f *Frame) Bindings() Bindings { return f.bound }

// Interrupt ends the running step after the batches and queries in progress. Update then leaves the world in
// the middle of a step: some rows have moved, and others have not. Any goroutine may call Interrupt at any
// time after Initialize. Only another Initialize undoes it.
func (f *Frame) Interrupt() { f.interrupted.Store(true) }

// Interrupted reports whether Interrupt was called. Long-running systems may check it and return early.
func (f *Frame) Interrupted() bool { return f.interrupted.Load() }

// Archive saves or restores the state of a system: see [Keeper]. A Keeper uses these methods:
//
//	Keep(values ...any)               // pointers to bools, numbers, strings, entities, and arrays, slices and structs of these
//	Reading() bool                    // reports whether the archive is restoring
//	Fail(format string, args ...any)  // rejects the data that was read
//	Err() error                       // the first error
type Archive = archive.Archive

// Keeper is a system with state beyond components and resources. Keep passes this state to the archive, in
// the same order for saving and restoring. After restoring, Keep recomputes derived state. A world calls Keep
// between steps, in world.World.Save and world.World.Restore. The state must not depend on Workers.
type Keeper interface{ Keep(*Archive) }

// Keep saves or restores the counters of the frame and the state of each Keeper. It omits times, and the
// counters of each system and worker.
func (f *Frame) Keep(a *Archive) {
	a.Block("frame.Frame", func() { a.Keep(&f.stats.Steps, &f.stats.Rows, &f.stats.Skipped) })
	for _, s := range f.systems {
		if k, ok := s.(Keeper); ok {
			a.Block(NameOf(s), func() { k.Keep(a) })
		}
	}
}

// ID returns the ID of the agent in row i, as components.IDOf does. The parameter agents is the batch's
// column of Agent, or nil if there is none.
func (b *Batch) ID(agents []c.Agent, i int) uint64 {
	if agents != nil {
		return agents[i].ID
	}
	return c.IDOf(nil, b.Entity(i))
}

// HashFloat returns a random number in [0, 1) that depends only on its arguments: the seed of the crowd, the
// ID of the agent, a counter such as a tick, and the use of the number.
func HashFloat(seed, agent, count, use uint64) float64 {
	h := hash.Mix(hash.Mix(hash.Mix(hash.Mix(seed)^agent)^count) ^ use)
	return float64(h>>11) * 0x1p-53
}
