package view

import (
	"fmt"
	"io"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/replay"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// Beside is a second crowd, such as recorded people, that the view draws among the agents. It follows the
// world's clock, but is not part of the world.
type Beside struct {
	Name   string // of the recording
	People int
	Radius float64 // m
	Box    r2.Box  // m, bounds over all times
	End    float64 // s on the world's clock; a scene that ends by itself continues until then

	// At calls show with the position and direction of each person present at time t, in s on the world's
	// clock. A zero direction means that the person stands still. At must be fast and deterministic.
	At func(t float64, show func(at, ahead r2.Vec))
}

type besideMessage struct {
	Name   string     `json:"name"`
	People int        `json:"people"`
	Radius float64    `json:"radius"`
	Box    [4]float64 `json:"box"`
}

func (b *Beside) message() *besideMessage {
	if b == nil {
		return nil
	}
	return &besideMessage{b.Name, b.People, b.Radius, corners(b.Box)}
}

func (b *Beside) count(t float64) *int {
	if b == nil {
		return nil
	}
	n := 0
	b.At(t, func(_, _ r2.Vec) { n++ })
	return &n
}

func (b *Beside) goesOn(t float64) bool { return b != nil && t < b.End }

type walker struct{ at, ahead r2.Vec }

func (s *simulation) captureBeside(to *snapshot) {
	to.beside = to.beside[:0]
	if to.layers&layerBeside != 0 {
		s.beside.At(to.time, func(at, ahead r2.Vec) { to.beside = append(to.beside, walker{at, ahead}) })
	}
}

func (f *frames) beside(s *snapshot, box r2.Box, full func() bool) {
	for _, w := range s.beside {
		if !inside(box, w.at) {
			continue
		}
		if full() {
			return
		}
		f.points(box.Min, w.at)
		f.points(r2.Vec{}, w.ahead)
	}
}

type film struct {
	recording *replay.Recording
	first     frameTime // start of the recording
	times     []float64 // s, at the start and after each step
	states    bool      // this version can read the saved states
	until     int       // last step that can match the recording
}

func (s *simulation) filmOf(name string) *film {
	if s.recording == nil || name != s.accompanied {
		return nil
	}
	return &film{recording: s.recording}
}

// build returns the world in its state at the start of the recording. If f is nil, or this version cannot
// read that state, build returns the scene's initial world.
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

func (f *film) fill(p *past) {
	r, now := f.recording, p.base.Clone()
	f.times = []float64{f.first.time}
	for step := 1; step <= r.Steps(); step++ {
		for _, in := range r.Inputs(step) {
			read, err := scene.ReadInput(in.Name, in.Data)
			if err != nil {
				continue // compare reports the difference
			}
			p.inputs = append(p.inputs, inputAt{f.first.tick + uint64(step-1), read})
			if read.Do == scene.InputSet {
				_ = now.Set(read.Name, read.Value) // the value was valid when recorded
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

func (f *film) at(step int) frameTime {
	return frameTime{f.first.tick + uint64(step), f.times[step]}
}

// ends reports whether tick is the last step of the recording and all steps matched. f may be nil.
func (f *film) ends(tick uint64) bool {
	return f != nil && f.until == f.recording.Steps() && tick == f.at(f.until).tick
}

// parts records that steps after tick may differ from the recording. f may be nil.
func (f *film) parts(tick uint64) {
	if f != nil {
		f.until = min(f.until, int(tick-f.first.tick))
	}
}

// compare reports to viewers the first difference from the recording.
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
		s.fail(fmt.Errorf("step %d differs from the recording: hash %016x, want %016x", step, got, want))
	}
}
