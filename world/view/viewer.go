package view

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"gonum.org/v1/gonum/spatial/r2"
)

// Limits of one viewer.
const (
	maxViewers  = 32
	maxInFlight = 4   // frames asked for and not yet sent
	perSecond   = 400 // messages
	burst       = 800 // messages at once

	startsPerSecond = 1 // of worlds
	startsAtOnce    = 8

	mostErrors = 8 // kept for a viewer that does not listen
)

// Reasons to close a connection, of RFC 6455.
const (
	policyViolation = 1008
	tryAgainLater   = 1013
)

// delays are how long a viewer may take.
type delays struct {
	speak time.Duration // to say something after it came
	take  time.Duration // to take a message, and to answer whether it is still there
	rest  time.Duration // between two questions whether it is
}

// or fills in what is 0 by the patience of Options.
func (d delays) or(patience time.Duration) delays {
	return delays{cmp.Or(d.speak, patience, 10*time.Second), cmp.Or(d.take, patience, 15*time.Second), cmp.Or(d.rest, patience, 15*time.Second)}
}

// viewer is one browser that looks on.
type viewer struct {
	sim    *simulation
	conn   Conn
	number uint64      // among all that came
	end    func()      // sends it away
	spoke  atomic.Bool // it has said something

	// Read by the simulation.
	seeing      atomic.Bool               // it has asked for a frame
	waiting     atomic.Bool               // for a newer snapshot
	selected    atomic.Uint64             // id of the agent that it wants explained; 0: none
	field       atomic.Pointer[fieldShot] // the newest of the one that it wants to see; nil: none
	sees        atomic.Pointer[sees]
	explained   uint64    // version of the state; the simulation's
	explainedAt time.Time // the simulation's

	mu      sync.Mutex
	wish    wish
	wished  bool // something changed, so that even an old snapshot makes a new frame
	credits int  // frames that it waits for
	posts   map[string][]byte
	errors  []string
	rung    chan struct{} // something of the above changed

	messages, starts bucket // that it may still send
}

// bucket holds how many of something are allowed at this moment: it fills by some
// a second, up to a burst.
type bucket struct {
	left, perSecond, burst float64
	filled                 time.Time
}

// take takes one, if there is one.
func (b *bucket) take(now time.Time) bool {
	b.left = min(b.left+now.Sub(b.filled).Seconds()*b.perSecond, b.burst)
	b.filled = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}

func newViewer(sim *simulation, conn Conn) *viewer {
	return &viewer{
		sim: sim, conn: conn, posts: map[string][]byte{}, rung: make(chan struct{}, 1), end: func() {},
		messages: bucket{burst, perSecond, burst, time.Now()}, starts: bucket{startsAtOnce, startsPerSecond, startsAtOnce, time.Now()},
	}
}

// ring wakes the writing goroutine.
func (v *viewer) ring() {
	select {
	case v.rung <- struct{}{}:
	default:
	}
}

// post puts a message where the writer finds it, in place of an older one of the
// same kind that was not sent yet.
func (v *viewer) post(kind string, data []byte) {
	v.mu.Lock()
	v.posts[kind] = data
	v.mu.Unlock()
	v.ring()
}

// fail tells the viewer what could not be done.
func (v *viewer) fail(err error) {
	v.mu.Lock()
	if len(v.errors) < mostErrors {
		v.errors = append(v.errors, err.Error())
	}
	v.mu.Unlock()
	v.ring()
}

// serve talks with the viewer until it goes or the context ends.
func (v *viewer) serve(ctx context.Context, hello helloMessage) {
	ctx, v.end = context.WithCancel(ctx)
	defer v.end()
	if !v.sim.join(v) {
		v.conn.Close(tryAgainLater, "too many viewers")
		return
	}
	defer v.sim.leave(v)
	hello.Viewer = v.number
	go func() {
		defer v.end()
		v.write(ctx, encode(hello))
	}()
	v.read(ctx)
}

// errFlood ends a viewer that sends too much.
var errFlood = errors.New("too many messages")

// read takes messages until the connection ends.
func (v *viewer) read(ctx context.Context) {
	for {
		data, err := v.conn.Read(ctx)
		if err != nil {
			return
		}
		if err := v.hear(data); err != nil {
			v.conn.Close(policyViolation, err.Error())
			return
		}
	}
}

// hear does what a message asks for, or hands it on to the simulation.
func (v *viewer) hear(data []byte) error {
	now := time.Now()
	if !v.messages.take(now) {
		return errFlood
	}
	a, err := parse(data)
	if err != nil {
		v.fail(err)
		return nil
	}
	v.spoke.Store(true)
	switch a.Do {
	case "next":
		v.next(a.wish)
	case "select":
		v.choose(a)
	case "file":
		if text, err := v.sim.file(); err != nil {
			v.fail(err)
		} else {
			v.post("file", encode(fileMessage{"file", text}))
		}
	case "restart", "seed", "agents", "scene", "cancel":
		if err := v.sim.check(a); err != nil {
			v.fail(err)
			return nil
		}
		if a.Do != "cancel" && !v.starts.take(now) {
			v.fail(errors.New("too many starts at once, wait a moment"))
			return nil
		}
		v.sim.builder.hear(v, a)
	default:
		if err := v.sim.queue.put(ask{v, a}); err != nil {
			v.fail(err)
		}
		v.sim.poke()
	}
	return nil
}

// next notes that the viewer waits for a frame.
func (v *viewer) next(w wish) {
	v.mu.Lock()
	v.wished = v.wished || w != v.wish
	more := w.layers != v.wish.layers || w.color != v.wish.color || w.layers&(layerCells|layerNeighbors) != 0 && w.view != v.wish.view || w.field != v.wish.field
	v.wish = w
	v.credits = min(v.credits+1, maxInFlight)
	v.mu.Unlock()
	v.seeing.Store(true)
	if more {
		v.sim.touch()
	}
	v.ring()
}

// wants returns what the viewer wants of a snapshot.
func (v *viewer) wants() (r2.Box, layers, color) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.wish.window(), v.wish.layers, v.wish.color
}

// shows notes what the selected agent sees, for a frame even of an old snapshot.
func (v *viewer) shows(s *sees) {
	v.sees.Store(s)
	v.mu.Lock()
	v.wished = v.wished || v.wish.layers&layerNeighbors != 0
	v.mu.Unlock()
}

// choose selects an agent.
func (v *viewer) choose(a *asked) {
	id := a.id
	if a.at != nil {
		shot, _ := v.sim.shots.take()
		if shot != nil {
			id = shot.choose(*a.at, a.Within, a.Dot, v.selected.Load())
		}
		v.sim.shots.give(shot)
	}
	v.selected.Store(id)
	v.mu.Lock()
	v.wished = true
	v.mu.Unlock()
	if id == 0 {
		v.post("agent", encode(agentMessage{Kind: "agent"}))
	}
	v.sim.touch()
	v.ring()
}

// write sends what there is to send until the connection ends.
func (v *viewer) write(ctx context.Context, hello []byte) {
	if v.send(ctx, hello, false) != nil {
		return
	}
	v.post("scene", v.sim.current.Load().scene)
	var f frames
	var sent, build, solids = uint64(0), uint32(0), uint32(0)
	var field *fieldShot
	alive, spoken := time.NewTicker(v.sim.delays.rest), time.NewTimer(v.sim.delays.speak)
	defer alive.Stop()
	defer spoken.Stop()
	for {
		if v.sendPosts(ctx) != nil {
			return
		}
		shot, newer := v.sim.shots.take()
		v.mu.Lock()
		w, ready := v.wish, v.credits > 0 && shot != nil && (shot.version != sent || shot.build != build || v.wished)
		if ready {
			v.credits--
			v.wished = false
		}
		v.waiting.Store(v.credits > 0 || ready)
		v.mu.Unlock()
		if ready {
			if shot.build != build {
				f = frames{} // the memory of a large crowd must not outlive it
			}
			sent, build = shot.version, shot.build
			frame := f.frame(shot, w, v.selected.Load(), v.sees.Load())
			v.sim.shots.give(shot)
			v.sim.poke()
			if now := v.sim.current.Load().solids; now.version != solids {
				if v.send(ctx, now.message, true) != nil {
					return
				}
				solids = now.version
			}
			if now := v.field.Load(); now != field && now != nil {
				if v.send(ctx, now.message, true) != nil {
					return
				}
				field = now
			}
			if v.send(ctx, frame, true) != nil {
				return
			}
			continue
		}
		v.sim.shots.give(shot)
		if v.waiting.Load() {
			v.sim.poke()
		} else {
			newer = nil // nothing is asked for
		}
		select {
		case <-ctx.Done():
			return
		case <-v.rung:
		case <-newer:
		case <-spoken.C:
			if !v.spoke.Load() {
				return
			}
		case <-alive.C:
			if v.ping(ctx) != nil {
				return
			}
		}
	}
}

// sendPosts sends the messages that are due, in a fixed order.
func (v *viewer) sendPosts(ctx context.Context) error {
	for _, kind := range []string{"starting", "scene", "stats", "agent", "file"} {
		v.mu.Lock()
		data := v.posts[kind]
		delete(v.posts, kind)
		v.mu.Unlock()
		if data != nil {
			if err := v.send(ctx, data, false); err != nil {
				return err
			}
		}
	}
	v.mu.Lock()
	failed := v.errors
	v.errors = nil
	v.mu.Unlock()
	for _, text := range failed {
		if err := v.send(ctx, encode(errorMessage{"error", text}), false); err != nil {
			return err
		}
	}
	return nil
}

func (v *viewer) send(ctx context.Context, data []byte, binary bool) error {
	ctx, cancel := context.WithTimeout(ctx, v.sim.delays.take)
	defer cancel()
	return v.conn.Write(ctx, data, binary)
}

func (v *viewer) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, v.sim.delays.take)
	defer cancel()
	return v.conn.Ping(ctx)
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

// join lets a viewer in, if there is room. It is for the viewers' goroutines, and
// so is leave.
func (s *simulation) join(v *viewer) (ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.viewers) == maxViewers && !s.makeRoom() {
		return false
	}
	s.joined++
	v.number = s.joined
	s.viewers[v] = true
	s.poke()
	return true
}

// makeRoom sends away the viewer that has been silent for longest of those that
// never said anything.
func (s *simulation) makeRoom() (ok bool) {
	var silent *viewer
	for v := range s.viewers {
		if !v.spoke.Load() && (silent == nil || v.number < silent.number) {
			silent = v
		}
	}
	if silent == nil {
		return false
	}
	delete(s.viewers, silent)
	silent.end()
	return true
}

func (s *simulation) leave(v *viewer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.viewers, v)
}
