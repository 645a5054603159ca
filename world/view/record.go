package view

import (
	"fmt"

	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// Recorder records the steps of a crowd, and what viewers do to it: a *replay.Recorder, or what a host puts around
// one. Its methods are called by the goroutine that steps.
type Recorder interface {
	Input(name string, value any) error
	Stepped() error
	Back(w *world.World, step int) error
	Close() error
}

// recordWriter is a recording that is being written.
type recordWriter struct {
	to    Recorder
	world *world.World // that it goes on with
	from  uint64       // the tick at which it began
	step  int          // that was the last
}

// beginRecord begins a recording of the crowd that runs, if that is asked for.
func (s *simulation) beginRecord() error {
	if s.scenes == nil || s.scenes.Record == nil || s.film != nil {
		return nil
	}
	to, err := s.scenes.Record(s.scene, s.world)
	if err != nil {
		return fmt.Errorf("nothing is recorded: %w", err)
	}
	s.record = &recordWriter{to: to, world: s.world, from: s.world.Clock.Tick}
	return nil
}

// endRecord ends the recording that is being written.
func (s *simulation) endRecord() error {
	if s.record == nil {
		return nil
	}
	err := s.record.to.Close()
	s.record = nil
	return err
}

// written ends the recording on an error, and tells viewers.
func (s *simulation) written(err error) {
	if err != nil {
		s.fail(fmt.Errorf("nothing more is recorded: %w", err))
		_ = s.endRecord()
	}
}

// writeOn lets the recording go on from the step that is shown: all that came after it is void.
func (s *simulation) writeOn() {
	r := s.record
	if r == nil {
		return
	}
	step := int(s.world.Clock.Tick - r.from)
	if r.world == s.world && r.step == step {
		return
	}
	err := r.to.Back(s.world, step)
	r.world, r.step = s.world, step
	for _, in := range s.past.at(s.world.Clock.Tick) {
		if err == nil {
			err = r.to.Input(in.Do, in)
		}
	}
	s.written(err)
}

// write writes what was done by hand.
func (s *simulation) write(in scene.Input) {
	s.writeOn()
	if s.record != nil {
		s.written(s.record.to.Input(in.Do, in))
	}
}

// writeStep writes a step that was done for the first time.
func (s *simulation) writeStep() {
	if s.record != nil {
		s.record.step++
		s.written(s.record.to.Stepped())
	}
}
