package view

import (
	"fmt"
	"io"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
	"github.com/8f878440/crowd/world/scene"
)

// film is a recording that is shown.
type film struct {
	recording *replay.Recording
	first     frameTime // the beginning
	times     []float64 // s, of the ends of steps, and of the beginning
	states    bool      // this version can read them
	until     int       // the last step that is as it was recorded: later ones are other ones
}

// filmOf returns what was recorded of a scene, as it was opened; nil: nothing.
func (s *simulation) filmOf(name string) *film {
	if s.recording == nil || name != s.accompanied {
		return nil
	}
	return &film{recording: s.recording}
}

// build makes the world of a scene, as it was when the recording began. A state that another version saved
// may be unreadable: then it is that of the scene. The nil film just builds.
func (f *film) build(s *scene.Scene, o scene.Options) (*world.World, error) {
	if f == nil {
		return s.Build(o)
	}
	_, state, err := f.recording.State(0)
	if err != nil {
		return nil, err
	}
	w, err := s.Resume(o, state)
	if f.states = err == nil; !f.states {
		w, err = s.Build(o)
	}
	if err == nil {
		f.first, f.until = frameTimeOf(w), f.recording.Steps()
	}
	return w, err
}

// fill fills a past with what was recorded.
func (f *film) fill(p *past) {
	r, now := f.recording, p.base.Clone()
	f.times = []float64{f.first.time}
	for step := 1; step <= r.Steps(); step++ {
		for _, in := range r.Inputs(step) {
			read, err := scene.ReadInput(in.Name, in.Data)
			if err != nil {
				continue // which shows as a step that differs
			}
			p.inputs = append(p.inputs, inputAt{f.first.tick + uint64(step-1), read})
			if read.Do == scene.InputSet {
				_ = now.Set(read.Name, read.Value) // it was allowed then
			}
		}
		f.times = append(f.times, f.times[step-1]+now.Dt)
	}
	for _, step := range r.Saved() {
		if f.states {
			state := func() (io.Reader, error) {
				_, in, err := r.State(step)
				return in, err
			}
			p.moments = append(p.moments, moment{frameTime: f.at(step), state: state})
		}
	}
	p.last = f.at(r.Steps())
}

// at returns a step of the recording.
func (f *film) at(step int) frameTime {
	return frameTime{f.first.tick + uint64(step), f.times[step]}
}

// parts notes that what comes after a step is not what was recorded. The nil film has no steps.
func (f *film) parts(tick uint64) {
	if f != nil {
		f.until = min(f.until, int(tick-f.first.tick))
	}
}

// compare tells viewers if the step that was done differs from the recorded one.
func (s *simulation) compare() {
	f := s.past.film
	if f == nil {
		return
	}
	step := int(s.world.Clock.Tick - f.first.tick)
	if step > f.until {
		return
	}
	if got, want := s.world.Hash(), f.recording.Hash(step); got != want {
		f.until = step - 1
		s.fail(fmt.Errorf("step %d is not as it was recorded: its hash is %016x, and was %016x", step, got, want))
	}
}
