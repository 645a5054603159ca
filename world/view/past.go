package view

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sort"
	"time"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// Limits of what is kept of the past.
const (
	mostBytes   = 64 << 20 // of all moments
	mostMoments = 200
	mostInputs  = 200_000
	leastState  = 100 // bytes of an agent

	momentEvery = 1.0 // s between two moments at first, on the clock of the world
	savingShare = 20  // saving takes one part in so many of the time, at most
)

// past is what it takes to show any step again that a crowd has done: its state every so
// often, and what was done to it by hand. Between two states it is simulated again.
type past struct {
	base    *scene.Scene // as it was at the first moment
	moments []moment     // by rising ticks, one or more
	inputs  []inputAt    // by rising ticks
	next    int          // the first of the inputs that is not done yet to what is shown
	last    frameTime    // the latest step that was done
	every   uint64       // steps between two moments
	bytes   int          // of all moments
	rest    time.Time    // until when none is kept
	film    *film        // that it was read from; nil: none
}

// frameTime is a step, and the time at its end.
type frameTime struct {
	tick uint64
	time float64 // s
}

// moment is the state of a world at the end of a step, before anything was done to it by hand.
type moment struct {
	frameTime
	state func() (io.Reader, error)
	size  int     // bytes of the state that are in memory
	out   float64 // of the simulation
}

// inputAt is something that was done by hand at the end of a step.
type inputAt struct {
	tick uint64
	scene.Input
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
	if c.film == nil && c.agents > mostBytes/2/leastState {
		return nil // without trying, which takes long
	}
	every := uint64(framesPerSecond)
	if dt := c.world.Clock.Dt; dt <= longStep {
		every = max(uint64(momentEvery/dt+0.5), 1)
	}
	p := &past{base: c.scene.Clone(), every: every}
	p.last = frameTimeOf(c.world)
	if c.film != nil {
		p.film = c.film
		c.film.fill(p)
	}
	if len(p.moments) == 0 && p.keep(c.world, out) != nil {
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
	data, now := slices.Clone(r.Bytes()), frameTimeOf(w)
	state := func() (io.Reader, error) { return bytes.NewReader(data), nil }
	at := sort.Search(len(p.moments), func(i int) bool { return p.moments[i].tick > now.tick })
	p.moments = slices.Insert(p.moments, at, moment{now, state, len(data), out})
	for p.bytes += len(data); p.bytes > mostBytes || len(p.moments) > mostMoments; {
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
		p.bytes += p.moments[i].size
	}
	clear(p.moments[len(few):])
	p.moments = few
	p.every *= 2
}

// passed notes that a step was done, for the first time or again.
func (p *past) passed(w *world.World, out float64) {
	now := frameTimeOf(w)
	if now.tick > p.last.tick {
		p.last = now
	}
	if now.tick >= p.moments[p.before(now.tick)].tick+p.every && time.Now().After(p.rest) {
		_ = p.keep(w, out) // without it, more is simulated again
	}
}

// repeats reports whether something is known of what comes after a step.
func (p *past) repeats(tick uint64) bool {
	return p != nil && (tick < p.last.tick || p.next < len(p.inputs))
}

// note notes what is done by hand at a step. What came after that does not come any more.
func (p *past) note(what scene.Input, now frameTime) {
	p.inputs = p.inputs[:p.next]
	p.last = now
	for len(p.moments) > 1 && p.moments[len(p.moments)-1].tick > now.tick {
		p.bytes -= p.moments[len(p.moments)-1].size
		p.moments = slices.Delete(p.moments, len(p.moments)-1, len(p.moments))
	}
	in := inputAt{now.tick, what}
	if k := p.next - 1; k >= 0 && in.replaces(&p.inputs[k]) {
		p.inputs[k] = in
		return
	}
	p.inputs = append(p.inputs, in)
	p.next++
}

// replaces reports whether only the newer one of two inputs counts.
func (in *inputAt) replaces(old *inputAt) bool {
	if in.tick != old.tick || in.Do != old.Do {
		return false
	}
	switch in.Do {
	case scene.InputPointer:
		return true
	case scene.InputSet:
		return in.Name == old.Name
	case scene.InputMove:
		return in.Obstacle == old.Obstacle
	}
	return false
}

// at returns what was done at a step, as far as it was done to what is shown.
func (p *past) at(tick uint64) (all []scene.Input) {
	for i := range p.inputs[:p.next] {
		if in := &p.inputs[i]; in.tick == tick {
			all = append(all, in.Input)
		}
	}
	return all
}

// before returns the place of the newest moment that is not after a step; 0 if all are.
func (p *past) before(tick uint64) int {
	return max(sort.Search(len(p.moments), func(i int) bool { return p.moments[i].tick > tick })-1, 0)
}

// sceneAt returns the scene as it was at a moment.
func (p *past) sceneAt(m *moment) *scene.Scene {
	var all []scene.Input
	for i := range p.inputs[:p.inputsBefore(m.tick)] {
		all = append(all, p.inputs[i].Input)
	}
	return p.base.After(all)
}

// inputsBefore returns how many inputs came before the end of a step.
func (p *past) inputsBefore(tick uint64) int {
	return sort.Search(len(p.inputs), func(i int) bool { return p.inputs[i].tick >= tick })
}

// goTo makes a moment what is shown.
func (p *past) goTo(m *moment) { p.next = p.inputsBefore(m.tick) }
