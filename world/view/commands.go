package view

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/8f878440/crowd/world/scene"
)

// Permissions.
const (
	canPause = "pause" // pause, and take single steps
	canPace  = "pace"  // set the speed
	canSeek  = "seek"  // seek to any step
	canEdit  = "edit"  // change obstacles, doors and agents' destinations
	canTune  = "tune"  // change parameters of the scene
	canStart = "start" // open or restart scenes, and move their pointer
)

var permissions = map[string]string{
	"pause": canPause, "step": canPause, "pace": canPace, "seek": canSeek,
	"goal": canEdit, "door": canEdit,
	"add": canEdit, "move": canEdit, "remove": canEdit, "set": canTune,
	"pointer": canStart, "restart": canStart, "seed": canStart, "agents": canStart, "scene": canStart, "cancel": canStart,
}

// allows reports whether viewers have a permission. Only the goroutine that steps the world may call allows,
// unless the permission is canStart.
func (s *simulation) allows(what string) bool {
	if s.locked {
		return false
	}
	switch what {
	case canPause:
		return s.steps != hostSteps
	case canPace:
		return s.steps == viewKeepsPace
	case canSeek:
		return s.steps == viewKeepsPace && s.scenes != nil
	case canTune:
		return s.scene != nil
	case canStart:
		return s.scenes != nil
	}
	return true
}

func (s *simulation) allowed() []string {
	all := []string{}
	for _, what := range []string{canPause, canPace, canSeek, canEdit, canTune, canStart} {
		if s.allows(what) {
			all = append(all, what)
		}
	}
	return all
}

func (s *simulation) check(a *asked) error {
	if what := permissions[a.Do]; what != "" && !s.allows(what) {
		return fmt.Errorf("%s: viewers may not do that here", a.Do)
	}
	return nil
}

// mostObstacles is the number at which viewers can no longer add obstacles.
const mostObstacles = 100_000

func (s *simulation) do(a ask) {
	if err := s.obey(a); err != nil {
		a.from.fail(err)
	}
	s.version++
}

func (s *simulation) obey(from ask) error {
	a := from.what
	if err := s.check(a); err != nil {
		return err
	}
	switch a.Do {
	case "pause":
		again := s.paused && !a.On && s.past != nil && s.past.film.ends(s.world.Clock.Tick)
		s.paused, s.owed, s.seeking = a.On, 0, s.seeking && !a.On
		s.due = time.Now()
		s.meter.since = time.Time{} // a rate across a pause is meaningless
		if again {
			return s.seek(0) // a film starts over
		}
	case "step":
		if s.paused {
			s.owed = min(s.owed+a.N, maxStepsAt)
		}
	case "pace":
		s.pace, s.due = a.X, time.Now()
	case "seek":
		return s.seek(uint64(a.Tick))
	case "pointer":
		if s.holder = nil; a.at != nil && s.scene != nil && s.scene.Pointer != nil {
			s.holder, s.point = from.from, *a.at
		}
	case "set", "add", "goal", "move", "remove", "door":
		return s.changeAndNote(a)
	}
	return nil
}

func (s *simulation) changeAndNote(a *asked) error {
	in, err := s.inputOf(a)
	if err != nil {
		return err
	}
	if err := s.change(&in); err != nil {
		return err
	}
	s.note(in)
	return nil
}

func (s *simulation) inputOf(a *asked) (in scene.Input, err error) {
	in = scene.Input{Do: a.Do, Name: a.Name, Value: a.Value, At: a.at, To: a.to, Radius: a.Radius, Corners: a.corners, Door: a.Door, Open: a.On}
	switch a.Do {
	case scene.InputAdd:
		if s.solids.count >= mostObstacles {
			err = fmt.Errorf("there are already %d obstacles, want at most %d in all", s.solids.count, mostObstacles)
		}
	case scene.InputGoal:
		if in.Agent = a.id; a.ID != nil && a.id == 0 {
			err = errors.New("agent 0 is gone")
		}
	case scene.InputMove, scene.InputRemove, scene.InputDoor:
		known := false
		if in.Obstacle, known = s.solids.byID[uint32(a.id)]; !known {
			err = fmt.Errorf("obstacle %d is gone", a.id)
		}
	}
	return in, err
}

func (s *simulation) change(in *scene.Input) error {
	switch in.Do {
	case scene.InputSet:
		return s.tune(in)
	case scene.InputGoal, scene.InputPointer:
	default:
		s.edited = true
		s.draw()
	}
	return in.Apply(s.world)
}

// order is a viewer's request for another crowd.
type order struct {
	by     *viewer
	since  time.Time
	scene  string  // empty means the present scene
	text   string  // the scene itself in TOML, if the viewer sends it
	agents int     // 0 means the scene's number
	seed   *uint64 // nil means the scene's seed

	opened atomic.Pointer[opened] // nil until the scene has been read
}

type opened struct {
	name   string
	agents int
}

// orderOf returns the order for a request. Unless the request is for a scene, the new order keeps the other
// settings of the previous one, which may be nil.
func orderOf(before *order, by *viewer, a *asked) *order {
	o := &order{by: by, since: time.Now()}
	if before != nil && a.Do != "scene" {
		o.scene, o.text, o.agents, o.seed = before.scene, before.text, before.agents, before.seed
	}
	switch a.Do {
	case "scene":
		o.scene, o.text, o.agents = a.Name, a.Text, a.N
		if a.Seed != "" {
			o.seed = &a.seed
		}
	case "agents":
		o.agents = a.N
	case "seed":
		o.seed = &a.seed
	}
	return o
}

func (o *order) message(now time.Time) *startingMessage {
	m := &startingMessage{Kind: "starting", By: o.by.number, Name: o.scene, Seconds: now.Sub(o.since).Seconds()}
	if known := o.opened.Load(); known != nil {
		m.Name, m.Agents = known.name, known.agents
	}
	return m
}

// open returns a crowd with the ordered scene, but without a world.
func (o *order) open(ctx context.Context, s *simulation) (*crowd, error) {
	c, name := s.copyScene(), o.scene
	if c.film != nil && name == "" && o.agents == 0 && o.seed == nil {
		name = c.name // show the recording again
	}
	c.film = nil
	if name != "" {
		sc, err := s.scenes.open(ctx, name, o.text)
		if err != nil {
			return nil, err
		}
		c = crowdOf(name, sc)
	}
	other := c.copied
	if o.seed != nil && *o.seed != c.scene.Seed {
		c.scene.Reseed(*o.seed)
		other = true
	}
	if o.agents > 0 && o.agents != c.scene.Agents() {
		c.scene.Resize(o.agents)
		other = true
	}
	if !other {
		c.film = s.filmOf(c.name)
	}
	n := c.scene.Agents()
	if n > MaxAgents {
		return nil, fmt.Errorf("%s has %d agents, but the view shows at most %d", c.name, n, MaxAgents)
	}
	o.opened.Store(&opened{c.name, n})
	return c, nil
}

type ask struct {
	from *viewer
	what *asked
}

// queue holds requests, so that viewers need not wait for a long step.
type queue struct {
	mu  sync.Mutex
	all []ask
}

const (
	mostAsks = 64                    // per viewer
	doFor    = 10 * time.Millisecond // longest time for requests between two steps
)

var errBusy = errors.New("request was dropped: the current step is slow, and too many requests are waiting")

// put adds a request, or replaces the viewer's newest one if that is obsolete.
func (q *queue) put(a ask) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	last, n := -1, 0
	for i := range q.all {
		if q.all[i].from == a.from {
			last, n = i, n+1
		}
	}
	switch {
	case last >= 0 && a.what.replaces(q.all[last].what):
		q.all[last] = a
	case n == mostAsks:
		return errBusy
	default:
		q.all = append(q.all, a)
	}
	return nil
}

func (a *asked) replaces(old *asked) bool {
	subject := subjectOf(a.Do, a.Name, a.id)
	return subject != nil && subject == subjectOf(old.Do, old.Name, old.id)
}

// subjectOf returns what a request or an input changes, or nil if it never becomes obsolete. A request
// becomes obsolete when a later one has the same subject.
func subjectOf(do, name string, obstacle any) any {
	switch do {
	case "pointer", "pace", "pause", "seek":
		return do
	case "set":
		return [2]any{do, name}
	case "move":
		return [2]any{do, obstacle}
	}
	return nil
}

func (q *queue) take() (a ask, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.all) == 0 {
		return ask{}, false
	}
	a = q.all[0]
	q.all = q.all[1:]
	return a, true
}

func (q *queue) waits() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.all) > 0
}

func (s *simulation) doAll() {
	for start := time.Now(); time.Since(start) < doFor; {
		a, ok := s.queue.take()
		if !ok {
			return
		}
		s.do(a)
	}
}
