package view

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// How often things are done, at most.
const (
	publishEvery = 8 * time.Millisecond
	explainEvery = 100 * time.Millisecond
	statsEvery   = 250 * time.Millisecond
	listEvery    = 50 * time.Millisecond  // all obstacles are sent when one is edited
	backlog      = 100 * time.Millisecond // a simulation that is later than that does not catch up
)

// A scene whose steps are longer than longStep is one of the tutorials, whose step
// is a frame: it shows so many a second.
const (
	longStep        = 0.1 // s
	framesPerSecond = 60
)

// simulation is the crowd that all viewers look at. Its goroutine owns all that
// is not said to be shared.
type simulation struct {
	open    Open
	fit     func(*scene.Scene, *world.World) r2.Box
	admit   func(*scene.Scene, scene.Options) error // nil: all
	workers int
	delays  delays // of the viewers

	*crowd          // that runs
	build   uint32  // its number
	fresh   bool    // nobody has seen it
	holder  *viewer // who holds the pointer; nil: nobody
	point   r2.Vec  // where
	paused  bool
	owed    int // steps that were asked for while paused
	pace    float64
	due     time.Time // of the next step
	version uint64    // of the state; grows with all that can be seen
	shown   uint64    // version of the newest snapshot
	last    time.Time // when that was made
	solids  *solids
	edited  bool // the obstacles changed since solids
	listed  time.Time
	tuned   bool // a parameter changed since it was told
	found   map[uint64]ecs.Entity
	meter   meter

	// Shared with the viewers.
	shelf   *shelf
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

// newSimulation makes the world of a scene that viewers know by a name.
func newSimulation(o *Options) (*simulation, error) {
	sim := &simulation{
		open: o.Open, fit: o.Fit, admit: o.Admit, workers: o.Workers, delays: o.delays.orUsual(), pace: 1, shelf: newShelf(),
		wake: make(chan struct{}, 1), viewers: map[*viewer]bool{},
	}
	sim.builder = newBuilder(sim)
	first := crowdOf(o.Name, o.Scene)
	ctx := o.Context
	if ctx == nil {
		ctx = context.Background()
	}
	if err := sim.fill(ctx, first); err != nil {
		return nil, err
	}
	sim.show(first)
	return sim, nil
}

// show lets a crowd take the place of the one that runs.
func (s *simulation) show(next *crowd) {
	if s.crowd != nil {
		if s.name != next.name {
			s.holder = nil
		}
		s.close()
	}
	s.replace(next)
	s.owed = 0
	s.build++
	s.fresh = true
	s.version++
	s.due = time.Now()
	s.found = map[uint64]ecs.Entity{}
	s.meter = meter{}
	s.shelf.forget()
	if s.solids != nil {
		s.solids.ids = nil // entities of another world
	}
	s.list()
	s.announce()
}

// close ends the world that runs.
func (s *simulation) close() { s.crowd.close() }

// list lists the obstacles anew.
func (s *simulation) list() {
	version := uint32(1)
	if s.solids != nil {
		version = s.solids.version + 1
	}
	s.solids, s.edited = solidsOf(s.world, version, s.solids), false
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

// run simulates until the context ends, while somebody looks.
func (s *simulation) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		select {
		case next := <-s.builder.ready:
			s.show(next)
		default:
		}
		s.doAll()
		if s.again.Swap(false) {
			s.version++
		}
		looking, seeing, waiting, holding := false, false, false, false
		s.each(func(v *viewer) {
			looking, seeing = true, seeing || v.seeing.Load()
			waiting = waiting || v.waiting.Load()
			holding = holding || v == s.holder
		})
		if !holding {
			s.holder = nil // who held the pointer is gone
		}
		now := time.Now()
		if s.fresh && seeing {
			s.publish(now) // before the first step, which may take long
			s.fresh = false
		}
		running := seeing && (!s.paused || s.owed > 0)
		if running && !now.Before(s.due) {
			s.step()
			s.keepPace(now)
			now = time.Now()
		}
		if s.edited && now.Sub(s.listed) >= listEvery {
			s.listed = now
			s.list()
		}
		if waiting && s.version != s.shown && now.Sub(s.last) >= publishEvery {
			s.publish(now)
		}
		if looking {
			s.tell(now)
		}

		pause := s.wait(now, running, looking, waiting)
		if pause <= 0 {
			continue
		}
		timer.Reset(pause)
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-s.wake:
		case next := <-s.builder.ready:
			s.show(next)
		}
	}
}

// wait returns how long there is nothing to do.
func (s *simulation) wait(now time.Time, running, looking, waiting bool) time.Duration {
	pause := time.Hour
	if looking {
		pause = statsEvery
	}
	if running {
		pause = min(pause, s.due.Sub(now))
	}
	if s.queue.waits() {
		return 0
	}
	if s.edited {
		pause = min(pause, max(listEvery-now.Sub(s.listed), 0))
	}
	if waiting && s.version != s.shown {
		pause = min(pause, max(publishEvery-now.Sub(s.last), time.Millisecond))
	}
	return pause
}

// keepPace sets when the next step is due.
func (s *simulation) keepPace(now time.Time) {
	if s.owed > 0 {
		s.owed--
		return
	}
	if s.pace == 0 {
		s.due = now
		return
	}
	rate := 1 / s.scene.Dt
	if s.scene.Dt > longStep {
		rate = framesPerSecond
	}
	s.due = s.due.Add(time.Duration(float64(time.Second) / (rate * s.pace)))
	if now.Sub(s.due) > backlog {
		s.due = now
	}
}

// step does one step. An error pauses, so that it is seen once.
func (s *simulation) step() {
	err := s.world.Step()
	if errors.Is(err, world.ErrInterrupted) {
		return // another crowd comes, or all ends
	}
	if err != nil {
		s.paused, s.owed = true, 0
		s.each(func(v *viewer) { v.fail(err) })
	}
	s.meter.stepped(s.world)
	s.version++
}

// tell sends figures and explanations to those who are due for them.
func (s *simulation) tell(now time.Time) {
	if m := s.meter.read(now, s); m != nil {
		if s.tuned {
			s.announce()
		}
		data := encode(m)
		s.each(func(v *viewer) { v.post("stats", data) })
	}
	s.mu.Lock()
	all := make([]*viewer, 0, 8)
	for v := range s.viewers {
		if v.selected.Load() != 0 && v.explained != s.version && now.Sub(v.explainedAt) >= explainEvery {
			all = append(all, v)
		}
	}
	s.mu.Unlock()
	for _, v := range all {
		v.explained, v.explainedAt = s.version, now
		id := v.selected.Load()
		m := s.explain(id)
		v.shows(seesOf(id, m.Explanation))
		v.post("agent", encode(m))
	}
}

// explain says what the next step will do to an agent.
func (s *simulation) explain(id uint64) *agentMessage {
	m := &agentMessage{Kind: "agent", ID: strconv.FormatUint(id, 10)}
	e, known := s.found[id]
	if !known {
		e, known = s.world.Entity(id)
		if len(s.found) > 1000 {
			clear(s.found)
		}
		s.found[id] = e
	}
	if !known || !s.world.ECS.Alive(e) {
		return m
	}
	explanation, err := s.world.Explain(e)
	if err == nil {
		m.Alive, m.Explanation = true, explanation
	}
	return m
}
