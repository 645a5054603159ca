package view

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/8f878440/crowd/world/replay"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// simulation is the crowd that all viewers see. The goroutine that steps the world owns all fields not marked
// as shared.
type simulation struct {
	scenes *Scenes // to choose from; may be nil
	locked bool    // viewers may not change anything
	delays delays

	accompanied string            // name of the scene to which company and recording belong
	company     *Beside           // second crowd; may be nil
	recording   *replay.Recording // may be nil

	*crowd
	build   uint32
	fresh   bool    // no viewer has been shown this crowd yet
	holder  *viewer // viewer that holds the pointer; may be nil
	point   r2.Vec
	past    *past         // may be nil
	record  *recordWriter // may be nil
	seeking bool
	goal    uint64 // step at which the seek ends
	steps   int    // hostSteps, viewSteps or viewKeepsPace
	tick    uint64 // of the host's last step
	paused  bool
	out     float64 // s, when the last agent left a scene that ends; 0 means not yet
	owed    int     // steps requested while paused
	pace    float64
	due     time.Time // when the next step is due
	version uint64    // of the state, increased by every visible change
	shown   uint64    // version of the newest snapshot
	last    time.Time // time of the newest snapshot
	solids  *solids
	fields  map[int]*fieldShot // wanted by viewers, by index
	edited  bool               // obstacles have changed since solids was made
	listed  time.Time
	tuned   bool // a parameter has changed since the last scene message
	kinds   int  // number of archetypes sent
	found   map[uint64]ecs.Entity
	meter   meter

	// Shared with viewers.
	shots   *snapshotPool
	queue   queue
	wake    chan struct{}
	again   atomic.Bool // a viewer wants a new snapshot of the same state
	current atomic.Pointer[announced]
	mu      sync.Mutex
	viewers map[*viewer]bool
	joined  uint64 // viewers that have ever joined

	// Shared with the builder.
	builder *builder
	tuning  tuning
}

// announced holds the messages for new viewers.
type announced struct {
	scene  []byte
	solids *solids
}

func newSimulation(scenes *Scenes, o *Options) *simulation {
	sim := &simulation{
		scenes: scenes, locked: o.ReadOnly, delays: o.delays.or(o.Patience), pace: 1, shots: newSnapshotPool(),
		wake: make(chan struct{}, 1), viewers: map[*viewer]bool{},
	}
	sim.builder = &builder{sim: sim, ready: make(chan *handover), other: make(chan struct{}, 1)}
	return sim
}

// show replaces the present crowd, if any. It returns errors from the recordings of both crowds.
func (s *simulation) show(next *crowd) error {
	err := s.endRecord()
	if s.crowd != nil {
		if s.edited {
			s.list() // next may get the latest edits
		}
		if s.name != next.name {
			s.holder = nil
		}
		s.close()
	}
	s.replace(next)
	s.owed = 0
	if s.out > 0 { // the end of the previous scene paused the simulation
		s.out, s.paused = 0, false
	}
	s.build++
	s.fresh = true
	s.due = time.Now()
	s.meter = meter{}
	s.shots.forget()
	if s.solids != nil {
		s.solids.ids = nil // they belong to another world
	}
	s.newWorld()
	s.trace()
	s.past, s.seeking = nil, false
	if s.own && (!s.locked || s.film != nil) {
		s.past = newPast(s.crowd, 0)
		s.repeat() // inputs at the start of a recording
	}
	err = errors.Join(err, s.beginRecord())
	s.list()
	s.announce()
	return err
}

func (s *simulation) newWorld() {
	s.found, s.fields = map[uint64]ecs.Entity{}, nil
	s.version++
}

// list lists the obstacles for viewers. If viewers have edited obstacles, list also updates those of the
// scene.
func (s *simulation) list() {
	before := s.solids
	s.solids, s.edited = solidsOf(s.world, before), false
	if s.drawn && s.scene != nil { // even if a seek went back to an earlier scene
		s.keepObstacles()
	}
	if s.solids == before {
		return
	}
	if now := s.current.Load(); now != nil {
		s.current.Store(&announced{now.scene, s.solids})
	}
	s.version++
}

// announce describes the present crowd to all viewers, present and future.
func (s *simulation) announce() {
	s.tuned = false
	now := &announced{encode(s.describe()), s.solids}
	s.current.Store(now)
	s.each(func(v *viewer) { v.post("scene", now.scene) })
}

func (s *simulation) poke() { signal(s.wake) }

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (s *simulation) touch() {
	s.again.Store(true)
	s.poke()
}

// builder builds the crowds that viewers order, one at a time, while the present crowd continues.
type builder struct {
	sim   *simulation
	ready chan *handover // to the simulation, between two steps
	other chan struct{}  // the order has changed

	mu    sync.Mutex
	order *order // nil means none
}

func (b *builder) hear(v *viewer, a *asked) {
	b.mu.Lock()
	if a.Do == "cancel" {
		b.order = nil
	} else {
		b.order = orderOf(b.order, v, a)
	}
	b.mu.Unlock()
	signal(b.other)
}

func (b *builder) now() *order {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.order
}

func (b *builder) forget(o *order) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.order == o {
		b.order = nil
	}
}

func (b *builder) run(ctx context.Context) {
	for ctx.Err() == nil {
		if o := b.now(); o != nil {
			b.carryOut(ctx, o)
			continue
		}
		select {
		case <-ctx.Done():
		case <-b.other:
		}
	}
}

type built struct {
	crowd *crowd
	err   error
}

// handover is a crowd for the simulation. The order ends before the crowd is shown, so a request from a
// viewer that sees the crowd makes a new order. The next order begins after the crowd is shown, and can copy
// the crowd's scene.
type handover struct {
	crowd *crowd
	order *order
	shown chan struct{} // closed when the crowd is shown
}

// carryOut builds the crowd of an order and hands it over, unless the order changes. It returns once the
// simulation owns the crowd, the build has failed or has been discarded, or session is done.
func (b *builder) carryOut(session context.Context, o *order) {
	ctx, cancel := context.WithCancel(session)
	defer cancel()
	finished := make(chan built, 1)
	go func() {
		c, err := b.sim.carryOut(ctx, o)
		finished <- built{c, err}
	}()
	b.tell()
	tick := time.NewTicker(statsEvery)
	defer tick.Stop()
	for {
		select {
		case <-session.Done(): // end without waiting for the build
			go func() { b.finish(ctx, o, <-finished) }()
			return
		case <-tick.C:
			b.tell()
		case <-b.other:
			if b.now() != o {
				cancel()
				b.tell()
			}
		case f := <-finished:
			b.finish(ctx, o, f)
			return
		}
	}
}

// finish hands over the crowd, or reports the error to the viewer. If the order has changed, it closes the
// crowd.
func (b *builder) finish(ctx context.Context, o *order, f built) {
	outdated := ctx.Err() != nil || b.now() != o
	switch {
	case outdated:
		if f.err == nil {
			f.crowd.close()
		}
		b.tell()
	case f.err == nil:
		b.sim.interrupt() // a step may be slow
		h := &handover{f.crowd, o, make(chan struct{})}
		select {
		case b.ready <- h:
			select {
			case <-h.shown:
			case <-ctx.Done():
			}
		case <-ctx.Done():
			f.crowd.close()
			b.forget(o)
		}
	default:
		b.forget(o)
		b.tell()
		o.by.fail(f.err)
	}
}

func (b *builder) tell() {
	m := &startingMessage{Kind: "starting", Over: true}
	if o := b.now(); o != nil {
		m = o.message(time.Now())
	}
	data := encode(m)
	b.sim.each(func(v *viewer) { v.post("starting", data) })
}

// publish takes a snapshot, unless viewers hold all snapshots.
func (s *simulation) publish(now time.Time) {
	to := s.shots.spare()
	if to == nil {
		return
	}
	var wanted layers
	var cells, pairs []r2.Box
	var chosen []uint64
	s.recorder.near.Always = false
	s.each(func(v *viewer) {
		box, layers, color := v.wants()
		wanted |= layers
		if color == byDensity || color == byContact {
			s.recorder.near.Always = true
		}
		if layers&layerCells != 0 {
			cells = append(cells, box)
		}
		if layers&layerRoutes != 0 {
			chosen = append(chosen, v.selected.Load())
		}
		if layers&layerNeighbors != 0 {
			pairs = append(pairs, box)
		}
	})
	if s.beside == nil {
		wanted &^= layerBeside
	}
	s.showFields()
	s.capture(to, wanted, cells, pairs)
	s.captureRoutes(to, chosen)
	s.shots.put(to)
	s.shown, s.last = s.version, now
}

// capture fills a snapshot, except its routes. It captures cells and pairs of neighbors in the given boxes.
func (s *simulation) capture(to *snapshot, wanted layers, cells, pairs []r2.Box) {
	places := placesOf(s.world)
	to.build, to.version, to.layers = s.build, s.version, wanted
	to.step, to.time = uint64(s.world.Clock.Tick), s.world.Clock.Time
	to.obstacles = s.solids.version
	to.grow(places)
	s.recorder.to = to
	s.frame.Update(s.world.ECS)
	seen := s.recorder.sum()
	to.agents, to.maxSpeed, to.maxRadius = seen.agents, seen.maxSpeed, seen.maxRadius
	to.pointer, to.hasPointer = scene.PointerOf(s.world)
	if s.steering != nil {
		s.steering.grow(places)
		copy(to.steering, s.steering.to)
	}
	s.captureBeside(to)
	to.captureCells(s.world.Obstacles, cells)
	to.capturePairs(s.world.Neighbors, pairs)
}
