package world

import (
	"context"
	"errors"
	"sync"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// World is a crowd that is ready to run. Its methods are for one goroutine,
// except Spawn and Remove, which systems may call in the middle of a step.
type World struct {
	ECS       *ecs.World         // where the agents live
	Clock     *systems.Clock     // Dt may be changed between steps
	Obstacles *systems.Obstacles // read-only snapshot, as of the start of the last step
	Frame     *systems.Frame     // of all systems

	config   Config
	scan     *systems.ThreatScan
	arrivals *systems.Arrivals
	contacts *systems.Contacts
	measure  *systems.Frame
	hash     *systems.Hash
	hasher   *systems.Frame

	goal, target ecs.ID
	paths        systems.Paths
	polygons     systems.Polygons

	mu       sync.Mutex // guards what follows; systems may spawn and remove while they run
	nextID   uint64
	spawns   []spawn
	removals []ecs.Entity

	counts Stats
}

// New returns a crowd in a world of its own.
func New(config Config) (*World, error) {
	// Initial capacity applies to every archetype: small, because there are many.
	w := ecs.NewWorld(64)
	return Attach(&w, config)
}

// Attach returns a crowd in the world of a host. It adds the resources
// systems.Clock, systems.Paths and systems.Polygons where they are missing.
func Attach(ecsWorld *ecs.World, config Config) (*World, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	w := &World{ECS: ecsWorld, config: config, nextID: 1}
	w.Clock = resource(ecsWorld, &systems.Clock{})
	w.Clock.Dt = config.Dt
	w.goal, w.target = ecs.ComponentID[c.Goal](ecsWorld), ecs.ComponentID[c.Target](ecsWorld)
	resource(ecsWorld, &w.paths)
	resource(ecsWorld, &w.polygons)

	w.Obstacles = &systems.Obstacles{}
	w.scan = &systems.ThreatScan{Obstacles: w.Obstacles, Mode: config.Scan}
	w.arrivals = &systems.Arrivals{}
	list := append(append([]any{}, config.Sense...),
		// sense
		&systems.Follow{}, w.Obstacles,
		// steer
		&systems.Itinerary{}, &systems.PathFollowing{}, &systems.KinematicSeek{}, &systems.Seek{}, &systems.Flee{},
		&systems.Arrival{}, &systems.OpposingArrival{Faithful: config.FaithfulArrivals},
		&systems.DampedArrival{Faithful: config.FaithfulArrivals}, &systems.SmoothArrival{},
		w.scan, &systems.Avoidance{Outward: config.AvoidOutward},
		&systems.TurnTowards{}, &systems.TurnAway{},
	)
	list = append(list, config.Steer...)
	list = append(list,
		// move
		&systems.Integration{Hold: config.Hold}, &systems.Drive{},
		&systems.Facing{Faithful: config.FaithfulFacing},
		&systems.Bounds{Mode: config.Bounds, Box: config.Box},
		// observe
		w.arrivals,
	)
	w.Frame = w.frame(list...)
	w.Frame.Profile = config.Profile
	w.hash = &systems.Hash{}
	w.hasher = w.frame(w.hash)
	w.Frame.Initialize(w.ECS)
	w.hasher.Initialize(w.ECS)
	if config.Measure {
		w.contacts = &systems.Contacts{Obstacles: w.Obstacles}
		w.measure = w.frame(w.contacts)
		w.measure.Initialize(w.ECS)
	}
	return w, nil
}

// frame returns a frame of systems with the workers of the configuration.
func (w *World) frame(list ...any) *systems.Frame {
	f := systems.NewFrame(list...)
	f.Workers, f.BatchRows = w.config.Workers, w.config.BatchRows
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

// Close ends the workers and takes the systems out of the world. Agents stay
// where they are.
func (w *World) Close() {
	w.Frame.Finalize(w.ECS)
	w.hasher.Finalize(w.ECS)
	if w.measure != nil {
		w.measure.Finalize(w.ECS)
	}
}

// Step does one step of Clock.Dt: the systems, then what was asked for while
// they ran (arrivals, removals, spawns), then the measuring. The error is of
// spawns that were asked for during the step and could not be done.
func (w *World) Step() error {
	start := time.Now()
	w.Frame.Update(w.ECS)
	w.Clock.Advance()
	for _, a := range w.arrivals.List() {
		w.arrived(a)
	}
	err := w.flush()
	w.counts.Steps++
	w.counts.StepTime = time.Since(start)
	if w.measure != nil {
		w.measure.Update(w.ECS)
	}
	return err
}

// arrived does what is to be done about an agent that arrived.
func (w *World) arrived(a systems.Arrived) {
	w.counts.Arrived++
	if a.Visit == 0 {
		w.counts.ArrivedOnce++
	}
	w.counts.arrivalTime += a.Took
	if w.config.OnArrived != nil {
		w.config.OnArrived(w, a)
	}
	if a.Remove {
		w.Remove(a.Entity)
	}
}

// Retarget gives an agent a new Target, and lets the way there begin now for
// its Goal. It does nothing for an entity that is dead or has neither.
func (w *World) Retarget(e ecs.Entity, target r2.Vec) {
	if !w.ECS.Alive(e) {
		return
	}
	if w.ECS.Has(e, w.target) {
		(*c.Target)(w.ECS.Get(e, w.target)).Vec = target
	}
	if w.ECS.Has(e, w.goal) {
		g := (*c.Goal)(w.ECS.Get(e, w.goal))
		g.Inside, g.Since = false, w.Clock.Time
	}
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
