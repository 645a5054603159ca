package view

import (
	"fmt"
	"time"

	c "github.com/8f878440/crowd/components"
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
		s.paused, s.owed = a.On, 0
		s.due = time.Now()
		s.meter.pause()
	case "step":
		if s.paused {
			s.owed = min(s.owed+a.N, maxStepsAt)
		}
	case "pace":
		s.pace, s.due = a.X, time.Now()
	case "set":
		return s.tune(a)
	case "pointer":
		if s.holder = nil; a.at != nil {
			s.holder, s.point = from.from, *a.at
		}
	case "add":
		if s.solids.count >= mostObstacles {
			return fmt.Errorf("there are %d obstacles, the view adds no more", s.solids.count)
		}
		_, err := s.world.AddObstacle(*a.at, c.Obstacle{Radius: a.Radius})
		s.edited = true
		return err
	case "move", "remove":
		return s.edit(a)
	}
	return nil
}

// edit moves or removes an obstacle.
func (s *simulation) edit(a *asked) error {
	e, known := s.solids.byID[uint32(a.id)]
	if !known || !s.world.ECS.Alive(e) {
		return fmt.Errorf("obstacle %d is gone", a.id)
	}
	s.edited = true
	if a.Do == "remove" {
		return s.world.RemoveObstacle(e)
	}
	return s.world.MoveObstacle(e, *a.at)
}
