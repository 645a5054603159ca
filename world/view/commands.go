package view

import (
	"fmt"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/mlange-42/arche/ecs"
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
		if s.holder = nil; a.at != nil {
			s.holder, s.point = from.from, *a.at
		}
	case "set", "add", "goal", "move", "remove", "door":
		return s.changeAndNote(a)
	}
	return nil
}

// changeAndNote changes the crowd, and notes that for when it is shown again.
func (s *simulation) changeAndNote(a *asked) error {
	in := change{what: a}
	switch a.Do {
	case "add":
		if s.solids.count >= mostObstacles {
			return fmt.Errorf("there are %d obstacles, the view adds no more", s.solids.count)
		}
	case "move", "remove", "door":
		known := false
		if in.entity, known = s.solids.byID[uint32(a.id)]; !known || !s.world.ECS.Alive(in.entity) {
			return fmt.Errorf("obstacle %d is gone", a.id)
		}
	}
	if err := s.change(&in); err != nil {
		return err
	}
	s.note(in)
	return nil
}

// change changes the crowd.
func (s *simulation) change(in *change) error {
	switch in.what.Do {
	case "set":
		return s.tune(in.what)
	case "goal":
		return s.send(in.what)
	}
	s.edited = true
	if in.what.Do == "add" {
		return s.add(in.what)
	}
	return s.edit(in.what, in.entity)
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
func (s *simulation) edit(a *asked, e ecs.Entity) error {
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
