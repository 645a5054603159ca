package view

import (
	"errors"
	"fmt"
	"time"

	"github.com/8f878440/crowd/world/scene"
)

// mostObstacles is how many there may be for a viewer to add one.
const mostObstacles = 100_000

// do does what a viewer asks for.
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
		s.paused, s.owed, s.seeking = a.On, 0, s.seeking && !a.On
		s.due = time.Now()
		s.meter.pause()
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

// changeAndNote changes the crowd, and notes that for when it is shown again.
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

// inputOf returns the input that a viewer asks for.
func (s *simulation) inputOf(a *asked) (in scene.Input, err error) {
	in = scene.Input{Do: a.Do, Name: a.Name, Value: a.Value, At: a.at, To: a.to, Radius: a.Radius, Door: a.Door, Open: a.On}
	switch a.Do {
	case scene.InputAdd:
		if s.solids.count >= mostObstacles {
			err = fmt.Errorf("there are %d obstacles, the view adds no more", s.solids.count)
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

// change changes the crowd.
func (s *simulation) change(in *scene.Input) error {
	switch in.Do {
	case scene.InputSet:
		return s.tune(in)
	case scene.InputGoal, scene.InputPointer:
	default:
		s.edited = true
	}
	return in.Apply(s.world)
}
