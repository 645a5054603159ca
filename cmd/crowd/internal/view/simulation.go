package view

import (
	"context"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/8f878440/crowd/systems"
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
	backlog      = 100 * time.Millisecond // a simulation that is later than that does not catch up
)

// framesPerSecond is the natural rate of scenes whose step is one frame.
const framesPerSecond = 60

// simulation is the crowd that all viewers look at. Its goroutine owns all that
// is not said to be shared.
type simulation struct {
	open    func(name string) (*scene.Scene, error)
	workers int

	name    string       // by which viewers choose the scene
	scene   *scene.Scene // with their changes
	world   *world.World
	tap     *tap
	frame   *systems.Frame // of the tap
	push    *push
	build   uint32
	held    bool   // the pointer is in a viewer's hand
	point   r2.Vec // where
	paused  bool
	owed    int // steps that were asked for while paused
	pace    float64
	due     time.Time // of the next step
	version uint64    // of the state; grows with all that can be seen
	shown   uint64    // version of the newest snapshot
	last    time.Time // when that was made
	solids  *solids
	edited  bool // the obstacles changed since solids
	found   map[uint64]ecs.Entity
	meter   meter

	// Shared with the viewers.
	shelf   *shelf
	asks    chan ask
	wake    chan struct{}
	again   atomic.Bool // a snapshot is wanted of the same state
	current atomic.Pointer[announced]
	mu      sync.Mutex
	viewers map[*viewer]bool
}

// ask is what a viewer asks of the simulation.
type ask struct {
	from *viewer
	what *asked
}

// announced is what a viewer is told when it comes.
type announced struct {
	scene  []byte
	solids *solids
}

// newSimulation makes the world of a scene that viewers know by a name.
func newSimulation(open func(string) (*scene.Scene, error), name string, s *scene.Scene, workers int) (*simulation, error) {
	sim := &simulation{
		open: open, workers: workers, pace: 1, shelf: newShelf(),
		asks: make(chan ask, 64), wake: make(chan struct{}, 1), viewers: map[*viewer]bool{},
	}
	if err := sim.start(name, s); err != nil {
		return nil, err
	}
	return sim, nil
}

// start makes the world of a scene, and ends the one that ran before. When that
// fails the old one goes on.
func (s *simulation) start(name string, next *scene.Scene) error {
	s.held = s.held && s.name == name
	push := &push{to: make([]r2.Vec, next.Agents())}
	w, err := next.Build(scene.Options{
		Workers: s.workers, Measure: true, Profile: true, Steer: []any{push},
		Point: func() (r2.Vec, bool) { return s.point, s.held },
	})
	if err != nil {
		return err
	}
	s.close()
	s.name, s.scene, s.world, s.push = name, next, w, push
	s.tap = &tap{}
	s.frame = systems.NewFrame(s.tap)
	s.frame.Workers = s.workers
	s.frame.Initialize(w.ECS)
	s.build++
	s.version++
	s.due = time.Now()
	s.found = map[uint64]ecs.Entity{}
	s.meter = meter{}
	s.shelf.forget()
	s.list()
	s.capture(&snapshot{}, 0, nil) // names the archetypes
	s.announce()
	return nil
}

// close ends the world.
func (s *simulation) close() {
	if s.world == nil {
		return
	}
	s.frame.Finalize(s.world.ECS)
	s.world.Close()
}

// list lists the obstacles anew.
func (s *simulation) list() {
	version := uint32(1)
	if s.solids != nil {
		version = s.solids.version + 1
	}
	s.solids, s.edited = solidsOf(s.world, version), false
}

// announce tells all viewers what runs.
func (s *simulation) announce() {
	now := &announced{encode(s.describe()), s.solids}
	s.current.Store(now)
	s.each(func(v *viewer) { v.post("scene", now.scene) })
}

// each calls do for every viewer.
func (s *simulation) each(do func(*viewer)) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for v := range s.viewers {
		do(v)
	}
	return len(s.viewers)
}

// join and leave are for the viewers' goroutines.
func (s *simulation) join(v *viewer) (ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.viewers) == maxViewers {
		return false
	}
	s.viewers[v] = true
	s.poke()
	return true
}

func (s *simulation) leave(v *viewer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.viewers, v)
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
	defer s.close()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		for more := true; more; {
			select {
			case a := <-s.asks:
				s.do(a)
			default:
				more = false
			}
		}
		if s.again.Swap(false) {
			s.version++
		}
		looking, waiting := false, false
		s.each(func(v *viewer) {
			looking = true
			waiting = waiting || v.waiting.Load()
		})
		now := time.Now()
		running := looking && (!s.paused || s.owed > 0)
		if running && !now.Before(s.due) {
			s.step()
			s.keepPace(now)
			now = time.Now()
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
		case a := <-s.asks:
			s.do(a)
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
	if s.scene.Dt == 1 {
		rate = framesPerSecond
	}
	s.due = s.due.Add(time.Duration(float64(time.Second) / (rate * s.pace)))
	if now.Sub(s.due) > backlog {
		s.due = now
	}
}

// step does one step. An error pauses, so that it is seen once.
func (s *simulation) step() {
	if err := s.world.Step(); err != nil {
		s.paused = true
		s.each(func(v *viewer) { v.fail(err) })
	}
	s.meter.stepped(s.world)
	s.version++
}

// tell sends figures and explanations to those who are due for them.
func (s *simulation) tell(now time.Time) {
	if m := s.meter.read(now, s); m != nil {
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
		v.post("agent", encode(s.explain(id)))
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
