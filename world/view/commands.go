package view

import (
	"fmt"
	"time"

	c "github.com/8f878440/crowd/components"
	"gonum.org/v1/gonum/spatial/r2"
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
		s.edited = true
		return s.add(a)
	case "goal":
		return s.send(a)
	case "move", "remove", "door":
		return s.edit(a)
	}
	return nil
}

// add puts a circle, a wall or a door into the world.
func (s *simulation) add(a *asked) (err error) {
	switch {
	case a.Door:
		_, err = s.world.AddDoor(*a.at, *a.to, a.Radius, c.Door{})
	case a.to != nil:
		_, err = s.world.AddObstacle(*a.at, c.Obstacle{Span: r2.Sub(*a.to, *a.at), Radius: a.Radius})
	default:
		_, err = s.world.AddObstacle(*a.at, c.Obstacle{Radius: a.Radius})
	}
	return err
}

// send lets an agent, or all, go somewhere.
func (s *simulation) send(a *asked) error {
	if a.ID == nil {
		return s.world.SendAll(*a.at)
	}
	e, known := s.world.Entity(a.id)
	if !known {
		return fmt.Errorf("agent %d is gone", a.id)
	}
	if err := s.world.Send(e, *a.at); err != nil {
		return fmt.Errorf("agent %d goes nowhere: it has no target", a.id)
	}
	return nil
}

// edit moves or removes an obstacle, or opens or closes a door.
func (s *simulation) edit(a *asked) error {
	e, known := s.solids.byID[uint32(a.id)]
	if !known || !s.world.ECS.Alive(e) {
		return fmt.Errorf("obstacle %d is gone", a.id)
	}
	s.edited = true
	switch a.Do {
	case "remove":
		return s.world.RemoveObstacle(e)
	case "door":
		if s.world.SetDoor(e, a.On) != nil {
			return fmt.Errorf("obstacle %d is no door", a.id)
		}
		return nil
	}
	return s.world.MoveObstacle(e, *a.at)
}
