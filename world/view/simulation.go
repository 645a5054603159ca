package view

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/8f878440/crowd/world/replay"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// simulation is the crowd that all viewers look at. Its goroutine, which steps the
// world, owns all that is not said to be shared.
type simulation struct {
	scenes *Scenes // that viewers choose from; nil: none
	locked bool    // viewers change nothing
	delays delays  // of the viewers

	accompanied string            // the name of the scene that has company
	company     *Beside           // nil: none has
	recording   *replay.Recording // of the same scene; nil: none

	*crowd                // that runs
	build   uint32        // its number
	fresh   bool          // nobody has seen it
	holder  *viewer       // who holds the pointer; nil: nobody
	point   r2.Vec        // where
	past    *past         // that can be shown again; nil: none is kept
	record  *recordWriter // that is being written; nil: none
	seeking bool          // a step is gone to
	goal    uint64        // which
	steps   int           // by whom: hostSteps and so on
	tick    uint64        // of the last step that a host did
	paused  bool
	out     float64 // s, when everyone was out of a scene that ends; 0: somebody is there
	owed    int     // steps that were asked for while paused
	pace    float64
	due     time.Time // of the next step
	version uint64    // of the state; grows with all that can be seen
	shown   uint64    // version of the newest snapshot
	last    time.Time // when that was made
	solids  *solids
	fields  map[int]*fieldShot // that somebody wants to see
	edited  bool               // the obstacles changed since solids
	listed  time.Time
	tuned   bool // a parameter changed since it was told
	kinds   int  // archetypes that were told of
	found   map[uint64]ecs.Entity
	meter   meter

	// Shared with the viewers.
	shots   *snapshotPool
	queue   queue
	wake    chan struct{}
	again   atomic.Bool // a snapshot is wanted of the same state
	current atomic.Pointer[announced]
	mu      sync.Mutex
	viewers map[*viewer]bool
	joined  uint64 // viewers since the start

	// Shared with the builder.
	builder *builder
	tuning  tuning
}

// announced is what a viewer is told when it comes.
type announced struct {
	scene  []byte
	solids *solids
}

// newSimulation returns a simulation that shows nothing yet.
func newSimulation(scenes *Scenes, o *Options) *simulation {
	sim := &simulation{
		scenes: scenes, locked: o.ReadOnly, delays: o.delays.or(o.Patience), pace: 1, shots: newSnapshotPool(),
		wake: make(chan struct{}, 1), viewers: map[*viewer]bool{},
	}
	sim.builder = newBuilder(sim)
	return sim
}

// show lets a crowd take the place of the one that runs. The error is of its recording.
func (s *simulation) show(next *crowd) error {
	err := s.endRecord()
	if s.crowd != nil {
		if s.name != next.name {
			s.holder = nil
		}
		s.close()
	}
	s.replace(next)
	s.owed = 0
	if s.out > 0 { // which has paused it
		s.out, s.paused = 0, false
	}
	s.build++
	s.fresh = true
	s.due = time.Now()
	s.meter = meter{}
	s.shots.forget()
	if s.solids != nil {
		s.solids.ids = nil // entities of another world
	}
	s.newWorld()
	s.past, s.seeking = nil, false
	if s.own && (!s.locked || s.film != nil) {
		s.past = newPast(s.crowd, 0)
		s.repeat() // what a recording begins with
	}
	err = errors.Join(err, s.beginRecord())
	s.list()
	s.announce()
	return err
}

// newWorld forgets what was found in the world before.
func (s *simulation) newWorld() {
	s.found, s.fields = map[uint64]ecs.Entity{}, nil
	s.version++
}

// close ends the world that runs.
func (s *simulation) close() { s.crowd.close() }

// list lists the obstacles anew.
func (s *simulation) list() {
	before := s.solids
	s.solids, s.edited = solidsOf(s.world, before), false
	if s.solids == before {
		return
	}
	if now := s.current.Load(); now != nil {
		s.current.Store(&announced{now.scene, s.solids})
	}
	s.version++
}

// announce tells all viewers what runs.
func (s *simulation) announce() {
	s.tuned = false
	now := &announced{encode(s.describe()), s.solids}
	s.current.Store(now)
	s.each(func(v *viewer) { v.post("scene", now.scene) })
}

// poke wakes the simulation if it waits.
func (s *simulation) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// touch asks for a snapshot, even of the same state.
func (s *simulation) touch() {
	s.again.Store(true)
	s.poke()
}
