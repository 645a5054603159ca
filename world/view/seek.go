package view

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// seek goes to a step: back to a state that was kept, and from there as fast as possible. A step
// that was never done is simulated.
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

// rewind lets the crowd be as it was at a moment.
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
	s.past.goTo(m)
	s.out = m.out
	s.newWorld()
	s.meter = meter{since: s.meter.since}
	s.tuned = true // as it was then
	s.repeat()
	s.list()
	return nil
}

// repeat does again what was done by hand at the step that is shown.
func (s *simulation) repeat() {
	for p, now := s.past, s.world.Clock.Tick; p != nil && p.next < len(p.inputs) && p.inputs[p.next].tick == now; p.next++ {
		if err := s.change(&p.inputs[p.next].Input); err != nil { // it could be done then
			s.fail(fmt.Errorf("what was done by hand at step %d cannot be done again: %w", now, err))
		}
	}
}

// arrive goes no further if what is shown is the step that was asked for.
func (s *simulation) arrive() {
	if s.seeking && s.world.Clock.Tick >= s.goal {
		s.seeking, s.due = false, time.Now()
	}
}

// note notes what was done by hand.
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

// lead leads the pointer of the scene to where a viewer holds it in the step that begins.
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

// remember notes that a step was done.
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
		if f := p.film; f != nil && s.world.Clock.Tick == f.at(f.until).tick && f.until == f.recording.Steps() && !s.seeking {
			s.paused, s.owed = true, 0 // what comes now was never recorded
		}
	} else {
		s.writeStep()
	}
	s.arrive()
}

// timelineMessage tells which steps can be shown.
type timelineMessage struct {
	First uint64  `json:"first"`
	Last  uint64  `json:"last"`
	From  float64 `json:"from"` // s, the time of the first
	To    float64 `json:"to"`   // s
}

// timeline returns what viewers are told of the past; nil: it is not kept.
func (s *simulation) timeline() *timelineMessage {
	if s.past == nil {
		return nil
	}
	first, last := s.past.moments[0], s.past.last
	return &timelineMessage{first.tick, last.tick, first.time, last.time}
}
