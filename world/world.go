// Package world is a crowd that is ready to run: an arche world with all
// systems in a frame, spawning in batches, stepping, arrival, hashing.
//
// New makes a world of its own, Attach joins the world of a host. A host that
// wants only some of the systems, or its own order, makes a frame.Frame
// instead.
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

// World is a crowd that is ready to run. Its methods are for one goroutine,
// except Spawn and Remove, which systems may call in the middle of a step.
type World struct {
	ECS       *ecs.World       // where the agents live
	Clock     *frame.Clock     // Dt may be changed between steps
	Obstacles *sense.Obstacles // read-only snapshot, as of the start of the last step
	// Neighbors is the snapshot of all agents as of the start of the last step. It
	// is empty unless some agent looks at others, or Always is set.
	Neighbors *sense.Neighbors
	routes    *sense.Routes // of Unreachable; nil: not asked for
	Fields    *sense.Fields // the ways to the goals of sense.FlowFields, from every place
	Frame     *frame.Frame  // of all systems

	config    Config
	types     column.Bindings
	behaviors []catalog.Entry // ours, and those of the host
	hosts     []stretch       // of the frame: Config.Sense and Config.Steer
	scan      *systems.ThreatScan
	arrivals  *systems.Arrivals
	portals   *systems.Portals
	measures  *measures // nil without Config.Measure
	hash      *measure.Hash
	hasher    *frame.Frame
	trace     *stepTrace  // nil until Explain is asked
	before    *checkpoint // of the next step, or of the last; nil: none
	final     *Stats      // of a world that was taken back to a checkpoint

	attachment *Attachment // says the next id
	newcomers  bool        // agents that are not measured yet

	fullPolygons int // rows of the polygons, from the first on, that are in use
	sources      []*Source
	saved        []sourceState // of sources that are added after Restore, the next one first

	mu       sync.Mutex // guards what follows; systems may spawn and remove while they run
	spawns   []spawn
	removals []ecs.Entity

	counts Stats
}

// New returns a crowd in a world of its own.
func New(config Config) (*World, error) {
	// Initial capacity applies to every archetype: small, because there are many.
	w := ecs.NewWorld(16)
	return Attach(&w, config)
}

// Attach returns a crowd in the world of a host. It adds the resources Attachment,
// and frame.Clock, Paths, Itineraries, TrackedEntities, Zones, Polygons and Portals, where they are
// missing; a host's Clock keeps its Dt. Step advances the Clock, so the host must
// not.
//
// Agents that are there already keep their ids, and those of Spawn go on after the
// highest. It is an error if two of them have the same, or if another crowd is
// attached to the world and not closed: all would move twice in a step.
func Attach(ecsWorld *ecs.World, config Config) (*World, error) {
	if ecsWorld == nil {
		return nil, errors.New("cannot attach: the world is nil")
	}
	if err := config.Validate(); err != nil {
		return nil, err
	}
	config.Measure = config.measures()
	w := &World{ECS: ecsWorld, config: config, newcomers: true}
	w.types, _ = column.NewBindings(config.Bind...) // they are valid
	for _, component := range []any{c.Agent{}, c.Position{}, c.Obstacle{}, c.Target{}, c.Goal{}} {
		w.idOf(component) // registers what is looked for also while the world is locked
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

// frame returns a frame of systems with the workers of the configuration.
func (w *World) frame(list ...any) *frame.Frame {
	f := frame.New(list...)
	f.Workers, f.BatchRows = w.config.Workers, w.config.BatchRows
	if err := f.Bind(w.config.Bind...); err != nil {
		panic(err) // Validate would have said so
	}
	return f
}

// resource returns the resource of type T in the world, which is r where there
// was none.
func resource[T any](w *ecs.World, r *T) *T {
	id := ecs.ResourceID[T](w)
	if !w.Resources().Has(id) {
		w.Resources().Add(id, r)
	}
	return w.Resources().Get(id).(*T)
}

// Close ends the workers and takes the systems out of the world, so that another
// crowd can be attached to it. Agents stay where they are.
func (w *World) Close() {
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

// SetLabels labels the systems of the world in CPU profiles and traces, those
// that measure and hash too, until remove is called: see [frame.Frame.SetLabels].
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

// Step does one step of Clock.Dt: the systems, then the measuring, then what was
// asked for while the systems ran (arrivals, removals, spawns). With a Dt of 0 it is a
// pause: the state stays as it is, and Stats do not count the step. The error is of
// spawns that were asked for during the step and could not be done, or
// ErrInterrupted.
func (w *World) Step() error {
	if w.ECS.IsLocked() {
		panic("crowd: Step of a locked world: close the query over it first")
	}
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
	w.measures.taken(w.portals.List())
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
		err = errors.Join(err, w.comeAll())
	}
	w.counts.Steps++
	w.counts.StepTime = took + time.Since(start)
	if w.before != nil {
		w.before.fresh = false
	}
	return err
}

// pause does a step of no length. The frame takes its snapshots, and a host's Exclusives
// run, whose spawns and removals are done.
func (w *World) pause() error {
	w.Frame.Update(w.ECS)
	if w.Frame.Interrupted() {
		return w.undo()
	}
	return w.flush()
}

// allArrived does what follows the arrivals, and returns whether
// that came to its end. No agent leaves before.
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

// arrived does what follows the arrival of an agent.
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

// SetDestination gives an agent a new Target, and Destination if it has one, and lets the way there begin now for
// its Goal; a way that was set by hand ends. It does nothing for an entity that is dead or has neither.
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

// Restart puts an agent to another place with another velocity, as if it had just
// been spawned there: its itinerary begins again, and so does its way to the
// goal. It does nothing for an entity that is dead.
func (w *World) Restart(e ecs.Entity, at, velocity r2.Vec) {
	if !w.ECS.Alive(e) {
		return
	}
	edit(w, e, func(p *c.Position) { p.Vec = at })
	edit(w, e, func(v *c.Velocity) { v.Vec = velocity })
	edit(w, e, func(f *c.Steering) { f.Vec = r2.Vec{} })
	w.measures.jump(e, at)
	edit(w, e, func(it *c.Itinerary) { it.Next, it.Since, it.Done = 0, w.Clock.Time, false })
	edit(w, e, func(g *c.Goal) { g.Inside, g.Since = false, w.Clock.Time })
}

// Touching returns the obstacles that the body of an agent overlaps after the last
// step, at most four, and how many they are. A world without Config.Measure knows none.
func (in Inspector) Touching(e ecs.Entity) (obstacles [4]ecs.Entity, n int) {
	w := in.world
	return w.measures.touching(e)
}

// Run does n steps, or fewer if the context ends. It stops between two steps,
// with everything consistent, and then returns the context's error.
func (w *World) Run(ctx context.Context, n int) error {
	var errs []error
	for range n {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(errs, err)...)
		}
		if err := w.Step(); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Hash returns a sum over the state of all agents: the bits of Position,
// Velocity and Heading, mixed with the agent's id. Equal crowds have equal
// hashes, whatever their order, the number of workers and the machine.
func (w *World) Hash() uint64 {
	w.hasher.Update(w.ECS)
	return w.hash.Sum()
}

// look returns a component of a living entity, and whether it has it. A host's type
// may stand in its place.
func look[T any](w *World, e ecs.Entity) (T, bool) { return lookIn[T](w.ECS, w.types, e) }

func lookIn[T any](w *ecs.World, types column.Bindings, e ecs.Entity) (T, bool) {
	source, ok := column.FindIn[T](types, w)
	if !ok {
		var zero T
		return zero, false
	}
	return column.At[T](w, &source, e)
}

// edit changes a component of a living entity, and returns whether it has it. A
// host's type may stand in its place.
func edit[T any](w *World, e ecs.Entity, change func(*T)) bool {
	source, ok := column.FindIn[T](w.types, w.ECS)
	return ok && column.Edit(w.ECS, &source, e, change)
}

// idOf returns the id of the type of one of our components, or of what is bound in
// its place.
func (w *World) idOf(component any) ecs.ID {
	return ecs.TypeID(w.ECS, w.types.HostType(reflect.TypeOf(component)))
}

// ErrInterrupted is the error of a Step that Interrupt ended before it was whole,
// or did not let begin.
var ErrInterrupted = errors.New("step interrupted")

// Interrupt ends the step that runs as soon as it can, and lets no other begin:
// Step returns ErrInterrupted from then on, and so does Spawn, whose agents are
// then half made. It may be called from any goroutine.
//
// After Checkpoint what there is to see is then as before the step. Otherwise the
// state is between two steps, and the error says so. A step that was as good as
// done is done, and is the last one.
func (w *World) Interrupt() {
	w.Frame.Interrupt()
	if w.measures != nil {
		w.measures.frame.Interrupt()
	}
}

// Checkpoint lets Interrupt end the next step without a loss: it takes a copy of
// where agents are and where they are going, of the Clock and of Stats. That takes
// about as long as to write 64 bytes an agent, so it is for steps that are likely
// to take long. The memory is kept for the next one: see DropCheckpoint.
//
// After a step that was ended Position, Velocity, Heading, Target and Flee are as
// before it, and so are Hash, Stats and the Clock; other components are not. It
// cannot be undone that a host's own system spawned or removed entities in the step.
func (w *World) Checkpoint() {
	if w.before == nil {
		w.before = newCheckpoint(w)
	}
	w.before.take(w)
}

// undo takes what there is to see back to the checkpoint, if there is one, and
// returns why the step is not whole.
func (w *World) undo() error {
	if w.before != nil && w.before.fresh && w.before.restore(w) {
		return ErrInterrupted
	}
	return fmt.Errorf("%w: the state is between two steps", ErrInterrupted)
}

// DropCheckpoint gives back the memory of the last checkpoint.
func (w *World) DropCheckpoint() { w.before = nil }

// running is one of the systems of a crowd's frame that are not of a host's lists.
type running struct {
	system any
	entry  *catalog.Entry // the behavior that it carries out; nil: none
}

// stretch is a part of a list.
type stretch struct{ first, n int }

// run returns new systems that carry out all behaviors, with what they work with and
// what moves agents: those that run before Config.Steer, and those that run after.
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

// hold returns what keeps agents in the box and off obstacles, when they have moved.
func (c *Config) hold(obstacles *sense.Obstacles) []running {
	slide, bounds := &systems.Slide{Obstacles: obstacles, Box: c.Box}, &systems.Bounds{Mode: c.Bounds, Box: c.Box}
	switch c.Bounds {
	case systems.BoundsWrap: // an agent that goes out at one side has not gone all the way to the other
		slide.Box = r2.Box{}
		return []running{{system: slide}, {system: bounds}}
	case systems.BoundsNone, systems.BoundsFaithful:
		slide.Box = r2.Box{}
	}
	return []running{{system: bounds}, {system: slide}}
}

// listOf returns the systems alone, for the list of a frame.
func listOf(all []running) (list []any) {
	for _, r := range all {
		list = append(list, r.system)
	}
	return list
}

// find returns the system of type T.
func find[T any](all []running) (system T) {
	for _, r := range all {
		if s, ok := r.system.(T); ok {
			return s
		}
	}
	return system
}
