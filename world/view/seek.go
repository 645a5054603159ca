package view

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"time"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// seek begins a seek to a step, or to the start of the past if that is later. It restores the newest saved
// state up to that step, unless the present state is between that state and the step. From there, the view
// simulates as fast as possible. Without a past, seek can only go forward.
func (s *simulation) seek(tick uint64) error {
	now := s.world.Clock.Tick
	if s.past == nil && tick < now {
		return errors.New("seek: " + errLarge.Error())
	}
	if p := s.past; p != nil {
		tick = max(tick, p.moments[0].tick)
		if m := &p.moments[p.before(tick)]; tick < now || m.tick > now {
			if err := s.rewind(m); err != nil {
				return err
			}
		}
	}
	s.holder, s.owed = nil, 0
	s.seeking, s.goal = true, tick
	s.arrive()
	return nil
}

func (s *simulation) rewind(m *moment) error {
	state, err := m.state()
	if err != nil {
		return err
	}
	next := *s.crowd
	next.scene = s.past.sceneAt(m)
	w, err := next.scene.Resume(s.options(context.Background(), &next), state)
	if err != nil {
		return err
	}
	next.world = w
	next.look()
	s.close()
	s.tuning.mu.Lock()
	s.crowd = &next
	s.tuning.mu.Unlock()
	s.past.next = s.past.inputsBefore(m.tick)
	s.out = m.out
	s.newWorld()
	s.meter = meter{since: s.meter.since}
	s.tuned = true // parameters have the values of that step
	s.repeat()
	s.list()
	return nil
}

// repeat applies the recorded inputs of the present step again.
func (s *simulation) repeat() {
	for p, now := s.past, s.world.Clock.Tick; p != nil && p.next < len(p.inputs) && p.inputs[p.next].tick == now; p.next++ {
		if err := s.change(&p.inputs[p.next].Input); err != nil {
			s.fail(fmt.Errorf("step %d: cannot apply an input again: %w", now, err))
		}
	}
}

func (s *simulation) arrive() {
	if s.seeking && s.world.Clock.Tick >= s.goal {
		s.seeking, s.due = false, time.Now()
	}
}

// note records an input, and ends a seek. If there are too many inputs, the past starts anew.
func (s *simulation) note(in scene.Input) {
	s.seeking = false
	s.write(in)
	if s.past == nil {
		return
	}
	s.past.film.parts(s.world.Clock.Tick)
	if s.past.note(in, frameTimeOf(s.world)); len(s.past.inputs) > mostInputs {
		s.film = nil
		s.past = newPast(s.crowd, s.out)
	}
}

// lead moves the scene's pointer to where a viewer holds it, or releases it.
func (s *simulation) lead() {
	if s.seeking || s.scenes == nil || s.holder == nil && s.past.repeats(s.world.Clock.Tick) {
		return
	}
	in := scene.Input{Do: scene.InputPointer}
	if s.holder != nil {
		in.At = &r2.Vec{X: s.point.X, Y: s.point.Y}
	}
	before := scene.HeldAt(s.world)
	if (in.At == nil) == (before == nil) && (before == nil || *in.At == *before) {
		return
	}
	if err := in.Apply(s.world); err == nil {
		s.note(in)
	}
}

// remember records that a step was performed, and pauses at the end of a film.
func (s *simulation) remember() {
	if p := s.past; p != nil {
		fresh := s.world.Clock.Tick > p.last.tick
		s.compare()
		p.passed(s.world, s.out)
		if fresh {
			s.writeStep()
		} else {
			s.repeat()
		}
		if p.film.ends(s.world.Clock.Tick) && !s.seeking {
			s.paused, s.owed = true, 0
		}
	} else {
		s.writeStep()
	}
	s.arrive()
}

type timelineMessage struct {
	First uint64   `json:"first"`
	Last  uint64   `json:"last"`
	From  float64  `json:"from"`  // s, time of First
	To    float64  `json:"to"`    // s, time of Last
	Edits []uint64 `json:"edits"` // steps with inputs other than the pointer's
}

func (s *simulation) timeline() *timelineMessage {
	if s.past == nil {
		return nil
	}
	first, last := s.past.moments[0], s.past.last
	m := &timelineMessage{first.tick, last.tick, first.time, last.time, []uint64{}}
	for i := range s.past.inputs {
		if in := &s.past.inputs[i]; in.Do != scene.InputPointer && (len(m.Edits) == 0 || in.tick > m.Edits[len(m.Edits)-1]+(m.Last-m.First)/mostMarks) {
			m.Edits = append(m.Edits, in.tick)
		}
	}
	return m
}

// mostMarks limits the number of edits marked on the timeline.
const mostMarks = 200

// Limits of the past.
const (
	mostBytes   = 64 << 20 // all moments together
	mostMoments = 200
	mostInputs  = 200_000
	leastState  = 100 // minimum bytes per agent in a saved state

	momentEvery = 1.0 // s on the world's clock between moments, at first
	savingShare = 20  // saving takes at most 1/savingShare of the time
)

// past holds what is needed to simulate any step again: all inputs, and states saved at intervals.
type past struct {
	base    *scene.Scene // at the start of the past
	moments []moment     // in ascending order of tick; at least one
	inputs  []inputAt    // in ascending order of tick
	next    int          // index of the first input not yet applied
	last    frameTime    // latest step performed
	every   uint64       // minimum number of steps from a moment to the next one saved
	bytes   int
	rest    time.Time // earliest time to save the next state
	film    *film     // may be nil
}

// frameTime is a step, and the time at its end.
type frameTime struct {
	tick uint64
	time float64 // s
}

// moment is the state at the end of a step, before later inputs.
type moment struct {
	frameTime
	state func() (io.Reader, error)
	size  int     // bytes in memory
	out   float64 // s, value of simulation.out
}

// inputAt is an input, and the step after which it was applied.
type inputAt struct {
	tick uint64
	scene.Input
}

var errLarge = errors.New("the crowd is too large to go back")

// room is a buffer of limited size for one state.
type room struct{ bytes.Buffer }

func (r *room) Write(data []byte) (int, error) {
	if r.Len()+len(data) > mostBytes/2 {
		return 0, errLarge
	}
	return r.Buffer.Write(data)
}

// newPast returns a past that contains the present state, or nil if the crowd is too large or cannot be
// saved.
func newPast(c *crowd, out float64) *past {
	if c.film == nil && c.agents > mostBytes/2/leastState {
		return nil // even the attempt would be slow
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

// keep saves the present state. While there are too many states, or they are too large, it drops every second
// one.
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

// passed records that a step, new or repeated, was performed, and saves the state if it is time.
func (p *past) passed(w *world.World, out float64) {
	now := frameTimeOf(w)
	if now.tick > p.last.tick {
		p.last = now
	}
	if now.tick >= p.moments[p.before(now.tick)].tick+p.every && time.Now().After(p.rest) {
		_ = p.keep(w, out) // without this state, seeks simulate more steps
	}
}

// repeats reports whether the view knows what follows a step.
func (p *past) repeats(tick uint64) bool {
	return p != nil && (tick < p.last.tick || p.next < len(p.inputs))
}

// note records an input, and drops everything known about later steps. The input replaces the previous one if
// that is obsolete and belongs to the same step.
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

func (in *inputAt) replaces(old *inputAt) bool {
	subject := subjectOf(in.Do, in.Name, in.Obstacle)
	return in.tick == old.tick && subject != nil && subject == subjectOf(old.Do, old.Name, old.Obstacle)
}

// at returns those inputs of a step that have already been applied.
func (p *past) at(tick uint64) (all []scene.Input) {
	for i := range p.inputs[:p.next] {
		if in := &p.inputs[i]; in.tick == tick {
			all = append(all, in.Input)
		}
	}
	return all
}

// before returns the index of the newest moment up to a step, or 0.
func (p *past) before(tick uint64) int {
	return max(sort.Search(len(p.moments), func(i int) bool { return p.moments[i].tick > tick })-1, 0)
}

func (p *past) sceneAt(m *moment) *scene.Scene {
	var all []scene.Input
	for i := range p.inputs[:p.inputsBefore(m.tick)] {
		all = append(all, p.inputs[i].Input)
	}
	return p.base.After(all)
}

func (p *past) inputsBefore(tick uint64) int {
	return sort.Search(len(p.inputs), func(i int) bool { return p.inputs[i].tick >= tick })
}
