package view

import (
	"fmt"
	"time"

	c "github.com/8f878440/crowd/components"
)

// do does what a viewer asks for.
func (s *simulation) do(a ask) {
	if err := s.obey(a.what); err != nil {
		a.from.fail(err)
	}
	s.version++
}

func (s *simulation) obey(a *asked) error {
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
	case "restart":
		return s.start(s.name, s.scene)
	case "seed":
		next := s.scene.Clone()
		next.Seed = a.seed
		return s.start(s.name, next)
	case "agents":
		next := s.scene.Clone()
		next.Resize(a.N)
		return s.start(s.name, next)
	case "scene":
		next, err := s.open(a.Name)
		if err != nil {
			return err
		}
		if n := next.Agents(); n > MaxAgents {
			return fmt.Errorf("%s has %d agents, the view shows %d at most", a.Name, n, MaxAgents)
		}
		return s.start(a.Name, next)
	case "set":
		if err := s.scene.Tune(s.world, a.Name, a.Value); err != nil {
			return err
		}
		s.announce()
	case "pointer":
		if s.held = a.at != nil; s.held {
			s.point = *a.at
		}
	case "add":
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
