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

// Limits on viewers; those after maxViewers apply to each viewer.
const (
	maxViewers  = 32
	maxInFlight = 4   // frames requested and not yet sent
	perSecond   = 400 // messages
	burst       = 800 // messages

	startsPerSecond = 1 // worlds that a viewer may start
	startsAtOnce    = 8

	mostErrors = 8 // kept for a viewer that reads no messages
)

// Status codes of WebSocket.
const (
	policyViolation = 1008 // RFC 6455
	tryAgainLater   = 1013 // IANA registry
)

// delays are the timeouts of a viewer.
type delays struct {
	speak time.Duration // for the first valid message
	take  time.Duration // for taking a message, and for answering a ping
	rest  time.Duration // between pings
}

// or returns d with Options.Patience in place of zeros or, if that is also 0, with defaults.
func (d delays) or(patience time.Duration) delays {
	return delays{cmp.Or(d.speak, patience, 10*time.Second), cmp.Or(d.take, patience, 15*time.Second), cmp.Or(d.rest, patience, 15*time.Second)}
}

type viewer struct {
	sim    *simulation
	conn   Conn
	number uint64      // among all viewers that ever connected
	end    func()      // disconnects the viewer
	spoke  atomic.Bool // has sent a valid message

	// Shared with the goroutine of the simulation.
	seeing      atomic.Bool               // has asked for a frame
	waiting     atomic.Bool               // waits for a newer snapshot
	selected    atomic.Uint64             // ID of the agent to explain; 0 means none
	field       atomic.Pointer[fieldShot] // newest message of the wanted field; nil means none
	sees        atomic.Pointer[sees]
	explained   uint64    // version of the state that was explained last; owned by the simulation
	explainedAt time.Time // owned by the simulation

	mu      sync.Mutex
	wish    wish
	wished  bool // a frame is needed, even of an old snapshot
	credits int  // frames requested
	posts   map[string][]byte
	errors  []string
	rung    chan struct{} // signals a change to the fields above

	messages, starts bucket // rate limits
}

type bucket struct {
	left, perSecond, burst float64
	filled                 time.Time
}

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

// change calls a function that changes the fields guarded by v.mu, and wakes the writer.
func (v *viewer) change(do func()) {
	v.mu.Lock()
	do()
	v.mu.Unlock()
	signal(v.rung)
}

// post queues a message, in place of any unsent one of the same kind.
func (v *viewer) post(kind string, data []byte) { v.change(func() { v.posts[kind] = data }) }

func (v *viewer) fail(err error) {
	v.change(func() {
		if len(v.errors) < mostErrors {
			v.errors = append(v.errors, err.Error())
		}
	})
}

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

var errFlood = errors.New("too many messages")

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

// hear handles a message. After an error, the viewer must be disconnected.
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

// next records that the viewer waits for a frame with the given wish.
func (v *viewer) next(w wish) {
	v.seeing.Store(true)
	more := false
	v.change(func() {
		v.wished = v.wished || w != v.wish
		more = w.layers != v.wish.layers || w.color != v.wish.color || w.layers&(layerCells|layerNeighbors) != 0 && w.view != v.wish.view || w.field != v.wish.field
		v.wish = w
		v.credits = min(v.credits+1, maxInFlight)
	})
	if more {
		v.sim.touch()
	}
}

func (v *viewer) wants() (r2.Box, layers, color) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.wish.window(), v.wish.layers, v.wish.color
}

// shows records what the selected agent sees, for the next frame.
func (v *viewer) shows(s *sees) {
	v.sees.Store(s)
	v.mu.Lock()
	v.wished = v.wished || v.wish.layers&layerNeighbors != 0
	v.mu.Unlock()
}

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
	if id == 0 {
		v.post("agent", encode(agentMessage{Kind: "agent"}))
	}
	v.change(func() { v.wished = true })
	v.sim.touch()
}

func (v *viewer) write(ctx context.Context, hello []byte) {
	if v.send(ctx, false, hello) != nil {
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
				f = frames{} // release the memory of a large crowd
			}
			sent, build = shot.version, shot.build
			frame := f.frame(shot, w, v.selected.Load(), v.sees.Load())
			v.sim.shots.give(shot)
			v.sim.poke()
			var all [][]byte
			if now := v.sim.current.Load().solids; now.version != solids {
				all, solids = append(all, now.message), now.version
			}
			if now := v.field.Load(); now != field && now != nil {
				all, field = append(all, now.message), now
			}
			if v.send(ctx, true, append(all, frame)...) != nil {
				return
			}
			continue
		}
		v.sim.shots.give(shot)
		if v.waiting.Load() {
			v.sim.poke()
		} else {
			newer = nil // without a request, ignore newer snapshots
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

func (v *viewer) sendPosts(ctx context.Context) error {
	var all [][]byte
	v.mu.Lock()
	for _, kind := range []string{"starting", "scene", "stats", "agent", "file"} {
		if data := v.posts[kind]; data != nil {
			all = append(all, data)
		}
	}
	for _, text := range v.errors {
		all = append(all, encode(errorMessage{"error", text}))
	}
	clear(v.posts)
	v.errors = nil
	v.mu.Unlock()
	return v.send(ctx, false, all...)
}

func (v *viewer) send(ctx context.Context, binary bool, all ...[]byte) (err error) {
	for i := 0; i < len(all) && err == nil; i++ {
		within, cancel := context.WithTimeout(ctx, v.sim.delays.take)
		err = v.conn.Write(within, all[i], binary)
		cancel()
	}
	return err
}

func (v *viewer) ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, v.sim.delays.take)
	defer cancel()
	return v.conn.Ping(ctx)
}

// each calls a function for each viewer, with s.mu held, and returns the number of viewers.
func (s *simulation) each(do func(*viewer)) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for v := range s.viewers {
		do(v)
	}
	return len(s.viewers)
}

// join adds a viewer, and reports whether there was room. Each viewer's own goroutine calls join.
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

// makeRoom disconnects the oldest viewer that has sent no valid message, and reports whether there was one.
// The caller must hold s.mu.
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
