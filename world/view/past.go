package view

import (
	"bytes"
	"errors"
	"slices"
	"sort"
	"time"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Limits of what is kept of the past.
const (
	mostBytes   = 64 << 20 // of all moments
	mostMoments = 200
	mostChanges = 200_000
	leastState  = 100 // bytes of an agent

	momentEvery = 1.0 // s between two moments at first, on the clock of the world
	savingShare = 20  // saving takes one part in so many of the time, at most
)

// past is what it takes to show any step again that a crowd has done: its state every so
// often, and what was done to it by hand. Between two states it is simulated again.
type past struct {
	base    *scene.Scene // as it was at the first moment
	moments []moment     // by rising ticks, one or more
	changes []change     // by rising ticks
	next    int          // the first of the changes that is not done yet to what is shown
	last    frameTime    // the latest step that was done
	hand    hand         // of what is shown
	every   uint64       // steps between two moments
	bytes   int          // of all moments
	rest    time.Time    // until when none is kept
}

// frameTime is a step, and the time at its end.
type frameTime struct {
	tick uint64
	time float64 // s
}

// moment is the state of a world at the end of a step, before anything was done to it by hand.
type moment struct {
	frameTime
	state []byte
	hand  hand
	out   float64 // of the simulation
}

// hand is where the pointer is held, if it is.
type hand struct {
	held bool
	at   r2.Vec // m
}

// change is something that was done by hand at the end of a step.
type change struct {
	tick   uint64
	what   *asked     // nil: the pointer was led or let go
	entity ecs.Entity // the obstacle that it is about, if it is about one
	hand   hand
}

// errLarge is of a state that takes too much room.
var errLarge = errors.New("the crowd is too large to go back")

// room is a buffer for one state.
type room struct{ bytes.Buffer }

func (r *room) Write(data []byte) (int, error) {
	if r.Len()+len(data) > mostBytes/2 {
		return 0, errLarge
	}
	return r.Buffer.Write(data)
}

// newPast begins to keep what becomes of a crowd from now on; nil if it is too large.
func newPast(c *crowd, out float64) *past {
	if c.agents > mostBytes/2/leastState {
		return nil // without trying, which takes long
	}
	every := uint64(framesPerSecond)
	if dt := c.world.Clock.Dt; dt <= longStep {
		every = max(uint64(momentEvery/dt+0.5), 1)
	}
	p := &past{base: c.scene.Clone(), every: every}
	p.last = frameTimeOf(c.world)
	if p.keep(c.world, out) != nil {
		return nil
	}
	return p
}

func frameTimeOf(w *world.World) frameTime { return frameTime{w.Clock.Tick, w.Clock.Time} }

// keep keeps the state of now.
func (p *past) keep(w *world.World, out float64) error {
	start := time.Now()
	var r room
	err := w.Save(&r)
	p.rest = time.Now().Add(savingShare * time.Since(start))
	if err != nil {
		return err
	}
	p.moments = append(p.moments, moment{frameTimeOf(w), slices.Clone(r.Bytes()), p.hand, out})
	for p.bytes += r.Len(); p.bytes > mostBytes || len(p.moments) > mostMoments; {
		p.thinOut()
	}
	return nil
}

// thinOut lets every second moment go.
func (p *past) thinOut() {
	few := p.moments[:0]
	p.bytes = 0
	for i := 0; i < len(p.moments); i += 2 {
		few = append(few, p.moments[i])
		p.bytes += len(p.moments[i].state)
	}
	clear(p.moments[len(few):])
	p.moments = few
	p.every *= 2
}

// ran notes that a step was done which was not done before.
func (p *past) ran(w *world.World, out float64) {
	p.last = frameTimeOf(w)
	if p.last.tick >= p.moments[len(p.moments)-1].tick+p.every && time.Now().After(p.rest) {
		_ = p.keep(w, out) // without it, more is simulated again
	}
}

// repeats tells whether something is known of what comes after a step.
func (p *past) repeats(tick uint64) bool { return tick < p.last.tick || p.next < len(p.changes) }

// note notes what is done by hand at a step. What came after that does not come any more.
func (p *past) note(in change, now frameTime) {
	p.changes = p.changes[:p.next]
	p.last = now
	for len(p.moments) > 1 && p.moments[len(p.moments)-1].tick > now.tick {
		p.bytes -= len(p.moments[len(p.moments)-1].state)
		p.moments = slices.Delete(p.moments, len(p.moments)-1, len(p.moments))
	}
	in.tick = now.tick
	if k := p.next - 1; k >= 0 && in.replaces(&p.changes[k]) {
		p.changes[k] = in
		return
	}
	p.changes = append(p.changes, in)
	p.next++
}

// replaces tells whether only the newer one of two changes counts.
func (in *change) replaces(old *change) bool {
	if in.tick != old.tick || in.what == nil || old.what == nil {
		return in.tick == old.tick && in.what == old.what
	}
	return in.what.replaces(old.what)
}

// before returns the place of the newest moment that is not after a step; 0 if all are.
func (p *past) before(tick uint64) int {
	return max(sort.Search(len(p.moments), func(i int) bool { return p.moments[i].tick > tick })-1, 0)
}

// sceneAt returns the scene as it was at a moment.
func (p *past) sceneAt(m *moment) *scene.Scene {
	sc := p.base.Clone()
	for i := range p.changes {
		if a := p.changes[i].what; p.changes[i].tick < m.tick && a != nil && a.Do == "set" {
			_ = sc.Set(a.Name, a.Value) // it was allowed then
		}
	}
	return sc
}

// goTo makes a moment what is shown.
func (p *past) goTo(m *moment) {
	p.hand = m.hand
	p.next = sort.Search(len(p.changes), func(i int) bool { return p.changes[i].tick >= m.tick })
}
