// Package world runs crowds: it sets up an arche world with all systems, spawns agents, steps the
// world, and measures, explains, saves and hashes it. To run only some of the systems, or to run them
// in another order, use a frame.Frame.
package world

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// World is a crowd. Its methods are not safe for concurrent use, except that any goroutine may call
// Interrupt, and systems may call Spawn, SpawnBy and Remove during a step.
type World struct {
	ECS       *ecs.World       // holds the agents
	Clock     *frame.Clock     // Dt may change between steps
	Obstacles *sense.Obstacles // read-only snapshot from the start of the last step
	// Neighbors is the snapshot of all agents from the start of the last step. It is empty unless an
	// agent looks at other agents, or Neighbors.Always is set.
	Neighbors *sense.Neighbors
	routes    *sense.Routes // for CannotArrive; nil before its first call
	Fields    *sense.Fields // the computed sense.FlowFields
	Frame     *frame.Frame  // all systems except measurements

	config    Config
	types     column.Bindings
	behaviors []catalog.Entry // built-in, then the host's
	hosts     []stretch       // positions of Config.Sense and Config.Steer in the frame
	scan      *systems.ThreatScan
	arrivals  *systems.Arrivals
	portals   *systems.Portals
	measures  *measures // nil without Config.Measure
	hash      *measure.Hash
	hasher    *frame.Frame
	trace     *stepTrace  // nil before the first Explain
	before    *checkpoint // taken before the next or the last step; may be nil
	final     *Stats      // of the restored checkpoint; may be nil

	attachment *Attachment
	closed     bool
	newcomers  bool // some agents are not measured yet

	fullPolygons int // number of leading rows of Polygons that are known to be in use
	sources      []*Source
	saved        []sourceState // for the sources added after Restore, in order

	mu       sync.Mutex // guards spawns and removals
	spawns   []spawn
	removals []ecs.Entity

	counts Stats
}

// New returns a crowd in a new world, or the error from Config.Validate.
func New(config Config) (*World, error) {
	w := ecs.NewWorld(16)
	return Attach(&w, config)
}

// Attach returns a crowd in the world of a host. It adds missing resources: Attachment, frame.Clock,
// systems.Paths, systems.Itineraries, systems.TrackedEntities, systems.Zones, systems.Routes,
// sense.Polygons, sense.Portals and sense.FlowFields. An existing Clock keeps its Dt. Step advances the
// Clock, so the host must not. Existing agents keep their IDs; Spawn continues after the highest.
//
// Attach returns an error if ecsWorld is nil, if config is invalid, if agents share an ID, if an ID is
// the largest uint64, or if the world already has a crowd that has not been closed. It panics if the
// systems of Config.Sense and Config.Steer cannot work as listed: see frame.New and
// frame.Frame.Initialize.
func Attach(ecsWorld *ecs.World, config Config) (*World, error) {
	if ecsWorld == nil {
		return nil, errors.New("cannot attach: the world is nil")
	}
	if err := config.Validate(); err != nil {
		return nil, err
	}
	config.Measure = config.measures()
	w := &World{ECS: ecsWorld, config: config, newcomers: true}
	w.types, _ = column.NewBindings(config.Bind...) // validated above
	for _, component := range []any{c.Agent{}, c.Position{}, c.Obstacle{}, c.Target{}, c.Goal{}} {
		w.idOf(component) // registers types that are queried while the world is locked
	}
	if err := w.attach(); err != nil {
		return nil, fmt.Errorf("cannot attach: %w", err)
	}
	w.Clock = resource(ecsWorld, &frame.Clock{Dt: config.Dt})
	resource(ecsWorld, &systems.Paths{})
	resource(ecsWorld, &systems.Itineraries{})
	resource(ecsWorld, &systems.TrackedEntities{})
	resource(ecsWorld, &systems.Zones{})
	resource(ecsWorld, &sense.Polygons{})
	resource(ecsWorld, &sense.Portals{})

	w.Obstacles, w.Neighbors = &sense.Obstacles{Bounds: config.held()}, &sense.Neighbors{Wrap: config.wrap()}
	w.Fields = &sense.Fields{Obstacles: w.Obstacles}
	w.behaviors = config.behaviors()
	before, after := config.run(w.Obstacles, w.Neighbors, w.Fields)
	w.hosts = []stretch{{0, len(config.Sense)}, {len(config.Sense) + len(before), len(config.Steer)}}
	w.Frame = w.frame(slices.Concat(config.Sense, listOf(before), config.Steer, listOf(after))...)
	w.scan, w.arrivals = find[*systems.ThreatScan](before), find[*systems.Arrivals](after)
	w.portals = find[*systems.Portals](after)
	w.Frame.Profile = config.Profile
	w.hash = &measure.Hash{}
	w.hasher = w.frame(w.hash)
	w.Frame.Initialize(w.ECS)
	w.hasher.Initialize(w.ECS)
	if config.Measure {
		w.measures = newMeasures(w)
	}
	w.attachment.crowd = w
	return w, nil
}

func (w *World) frame(list ...any) *frame.Frame {
	f := frame.New(list...)
	f.Workers, f.BatchRows = w.config.Workers, w.config.BatchRows
	if err := f.Bind(w.config.Bind...); err != nil {
		panic(err) // Validate has checked the bindings
	}
	return f
}

func resource[T any](w *ecs.World, r *T) *T {
	id := ecs.ResourceID[T](w)
	if !w.Resources().Has(id) {
		w.Resources().Add(id, r)
	}
	return w.Resources().Get(id).(*T)
}

// Close stops the workers and detaches the crowd, so that another can be attached. The agents stay in the
// world.
func (w *World) Close() {
	w.closed = true
	if w.attachment.crowd == w {
		w.attachment.crowd = nil
	}
	w.Frame.Finalize(w.ECS)
	w.hasher.Finalize(w.ECS)
	if w.trace != nil {
		w.trace.frame.Finalize(w.ECS)
	}
	if w.measures != nil {
		w.measures.frame.Finalize(w.ECS)
	}
}

func (w *World) mustBeIdle(method string) {
	switch {
	case w.closed:
		panic("crowd: " + method + " called after Close")
	case w.ECS.IsLocked():
		panic("crowd: " + method + " called on a locked world: close the open query first")
	}
}

// SetLabels labels all systems in CPU profiles and traces until remove is called: see
// [frame.Frame.SetLabels].
func (w *World) SetLabels(ctx context.Context) (remove func()) {
	frames := []*frame.Frame{w.Frame, w.hasher}
	if w.measures != nil {
		frames = append(frames, w.measures.frame)
	}
	for _, f := range frames {
		f.SetLabels(ctx)
	}
	return func() {
		for _, f := range frames {
			f.RemoveLabels()
		}
	}
}

// Step advances the world by Clock.Dt. It runs the systems and measurements, and then handles arrivals,
// pending removals and spawns, and sources. A Dt of 0 is a pause: agents do not move, sources spawn
// nothing, and Stats does not count the step. Step returns errors from spawns, or an error that is or
// wraps ErrInterrupted. It panics if the world is locked or Clock.Dt is invalid.
func (w *World) Step() error {
	w.mustBeIdle("Step")
	if w.Frame.Interrupted() {
		return ErrInterrupted
	}
	if w.Clock.Dt == 0 {
		return w.pause()
	}
	w.measures.begin(w)
	if w.Frame.Interrupted() {
		return w.undo()
	}
	start := time.Now()
	w.Frame.Update(w.ECS)
	took := time.Since(start)
	for _, x := range w.portals.List() {
		w.measures.jump(x.Entity, x.To)
	}
	w.measures.update(w)
	if w.Frame.Interrupted() {
		return w.undo()
	}
	start = time.Now()
	w.Clock.Advance()
	if !w.allArrived() {
		return w.undo()
	}
	err := w.flush()
	if len(w.sources) > 0 {
		err = errors.Join(err, w.spawnAllDue())
	}
	w.counts.Steps++
	w.counts.StepTime = took + time.Since(start)
	if w.before != nil {
		w.before.fresh = false
	}
	return err
}

func (w *World) pause() error {
	w.Frame.Update(w.ECS)
	if w.Frame.Interrupted() {
		return w.undo()
	}
	return w.flush()
}

// allArrived handles arrivals and returns true. If interrupted, it returns false without removing agents.
func (w *World) allArrived() bool {
	list := w.arrivals.List()
	for _, a := range list {
		if w.Frame.Interrupted() {
			return false
		}
		w.arrived(a)
	}
	for _, a := range list {
		if a.Remove {
			w.counts.Departed++
			w.Remove(a.Entity)
		}
	}
	return true
}

func (w *World) arrived(a systems.Arrived) {
	w.counts.Arrived++
	if a.Visit == 0 {
		w.counts.ArrivedOnce++
	}
	w.counts.arrivalTime += a.Took
	w.measures.arrived(a)
	if w.config.OnArrived != nil {
		w.config.OnArrived(w, a)
	}
}

// SetDestination sets the Target and the Destination of an agent to target, in m. It also restarts the
// agent's trip to its Goal and drops a route that a host has set. It ignores missing components and does
// nothing if the entity is dead.
func (w *World) SetDestination(e ecs.Entity, target r2.Vec) {
	if !w.ECS.Alive(e) {
		return
	}
	edit(w, e, func(t *c.Target) { t.Vec = target })
	edit(w, e, func(d *c.Destination) { d.Vec = target })
	edit(w, e, func(r *c.Route) {
		if r.State == c.RouteGiven {
			resource(w.ECS, &systems.Routes{}).Clear(w.ID(e), r)
		}
	})
	edit(w, e, func(g *c.Goal) { g.Inside, g.Since = false, w.Clock.Time })
}

// Restart moves an agent to a place, in m, and sets its velocity, in m/s. It also clears the agent's Steering
// and restarts its Itinerary and its trip to its Goal. An agent that has stopped short of a CrowdedGoal heads
// for that goal again. Measurements ignore the move. Restart does nothing if the entity is dead.
func (w *World) Restart(e ecs.Entity, at, velocity r2.Vec) {
	if !w.ECS.Alive(e) {
		return
	}
	edit(w, e, func(p *c.Position) { p.Vec = at })
	edit(w, e, func(v *c.Velocity) { v.Vec = velocity })
	edit(w, e, func(f *c.Steering) { f.Vec = r2.Vec{} })
	w.measures.jump(e, at)
	edit(w, e, func(it *c.Itinerary) { it.Next, it.Since, it.Done = 0, w.Clock.Time, false })
	edit(w, e, func(x *c.CrowdedGoal) {
		if x.Settled && w.destination(e) == x.Place { // not if a host has just sent it elsewhere
			w.SetDestination(e, x.Goal)
		}
		x.Settled, x.Nearest = false, 0
	})
	edit(w, e, func(g *c.Goal) { g.Inside, g.Since = false, w.Clock.Time })
}

func (w *World) destination(e ecs.Entity) r2.Vec {
	if d, ok := look[c.Destination](w, e); ok {
		return d.Vec
	}
	t, _ := look[c.Target](w, e)
	return t.Vec
}

// Touching returns up to four obstacles that an agent overlapped by more than 1 mm after the last step,
// and their number n. Without Config.Measure, it returns none.
func (in Inspector) Touching(e ecs.Entity) (obstacles [4]ecs.Entity, n int) {
	if m := in.world.measures; m != nil {
		return m.obstacleCollisions.Touching(e)
	}
	return obstacles, 0
}

// Run runs n steps and returns their errors, joined by errors.Join. It ends early on ErrInterrupted. If ctx
// is done, Run stops before the next step and adds ctx.Err().
func (w *World) Run(ctx context.Context, n int) error {
	var errs []error
	for range n {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(errs, err)...)
		}
		err := w.Step()
		if err != nil {
			errs = append(errs, err)
		}
		if errors.Is(err, ErrInterrupted) {
			break
		}
	}
	return errors.Join(errs...)
}

// Hash returns a hash of the bits of Position, Velocity, Heading and ID of all agents. It does not
// depend on the order of rows, the number of workers or the machine.
func (w *World) Hash() uint64 {
	w.hasher.Update(w.ECS)
	return w.hash.Sum()
}

// look returns component T of a living entity, even if the entity has the host's type that is bound to T, and
// reports whether it has either.
func look[T any](w *World, e ecs.Entity) (component T, ok bool) {
	source, ok := column.FindIn[T](w.types, w.ECS)
	if !ok {
		return component, false
	}
	return column.At[T](w.ECS, &source, e)
}

func has[T any](w *World, e ecs.Entity) bool {
	_, is := look[T](w, e)
	return is
}

// edit changes the component that look returns, and reports whether the entity has it.
func edit[T any](w *World, e ecs.Entity, change func(*T)) bool {
	source, ok := column.FindIn[T](w.types, w.ECS)
	return ok && column.Edit(w.ECS, &source, e, change)
}

func (w *World) idOf(component any) ecs.ID {
	return ecs.TypeID(w.ECS, w.types.HostType(reflect.TypeOf(component)))
}

// ErrInterrupted is the error from a Step or Spawn that Interrupt stopped or prevented.
var ErrInterrupted = errors.New("step interrupted")

// Interrupt stops the current step as soon as possible. From then on, Step and Spawn return ErrInterrupted.
// An interrupted Spawn may leave incomplete agents.
//
// The step is undone if Checkpoint has copied the state since the previous step, and that state can be
// restored. Otherwise some agents may have moved and others not, as Step's error then says. A step that
// has almost finished is completed.
func (w *World) Interrupt() {
	w.Frame.Interrupt()
	if w.measures != nil {
		w.measures.frame.Interrupt()
	}
}

// Checkpoint copies Position, Velocity, Heading, Target, Flee, the Clock and Stats, so that Interrupt can
// undo the next step. It writes up to 96 bytes per agent, so use it only before steps that may be slow.
//
// Undoing a step restores the copied values, and thus the Hash; other components may have changed.
// Afterward, Stats returns the copied counts, and Save returns an error. If a host's system has added
// or removed entities with a Position during the step, the step cannot be undone.
func (w *World) Checkpoint() {
	if w.before == nil {
		w.before = newCheckpoint(w)
	}
	w.before.take(w)
}

func (w *World) undo() error {
	if w.before != nil && w.before.fresh && w.before.restore(w) {
		return ErrInterrupted
	}
	return fmt.Errorf("%w: some agents may have moved and others not", ErrInterrupted)
}

// DropCheckpoint releases the memory of the last checkpoint.
func (w *World) DropCheckpoint() { w.before = nil }

// running is a system of the frame that is not from Config.Sense or Config.Steer.
type running struct {
	system any
	entry  *catalog.Entry // its behavior; nil means none
}

type stretch struct{ first, n int }

func (c *Config) run(obstacles *sense.Obstacles, neighbors *sense.Neighbors, fields *sense.Fields) (before, after []running) {
	phases := make([][]running, catalog.Observe+1)
	options := catalog.Options{c.settings(), obstacles, neighbors, fields}
	if c.Planner != nil {
		options = append(options, c.Planner)
	}
	for _, e := range c.behaviors() {
		if e.System != nil {
			phases[e.Phase] = append(phases[e.Phase], running{e.System(options), &e})
		}
	}
	before = slices.Concat(phases[catalog.Prepare],
		[]running{{system: &systems.Doors{}}, {system: obstacles}, {system: neighbors}, {system: &systems.PreviousPosition{}}},
		phases[catalog.Steer])
	after = slices.Concat(phases[catalog.Choose],
		[]running{{system: &systems.Integration{Hold: c.Hold}}},
		phases[catalog.Move], c.hold(obstacles), []running{{system: &systems.Portals{Obstacles: obstacles}}},
		phases[catalog.Observe])
	return c.combined(before), after
}

// hold returns the systems that keep agents in the box and off obstacles.
func (c *Config) hold(obstacles *sense.Obstacles) []running {
	slide, bounds := &systems.Slide{Obstacles: obstacles, Box: c.Box}, &systems.Bounds{Mode: c.Bounds, Box: c.Box}
	switch c.Bounds {
	case systems.BoundsWrap: // slide first: wrapping is not a movement across the box
		slide.Box = r2.Box{}
		return []running{{system: slide}, {system: bounds}}
	case systems.BoundsNone, systems.BoundsFaithful:
		slide.Box = r2.Box{}
	}
	return []running{{system: bounds}, {system: slide}}
}

func listOf(all []running) (list []any) {
	for _, r := range all {
		list = append(list, r.system)
	}
	return list
}

func find[T any](all []running) (system T) {
	for _, r := range all {
		if s, ok := r.system.(T); ok {
			return s
		}
	}
	return system
}
