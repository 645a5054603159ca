package view

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// census counts the agents of a world, once.
type census struct {
	agents int
	bodies int     // of them, those with a radius
	radii  float64 // m, of all bodies together
	box    r2.Box  // m, of all places

	agent  frame.In[c.Agent]
	vel    frame.In[c.Velocity]
	pos    frame.In[c.Position]
	radius frame.In[c.Radius]
}

// takeCensus counts the agents of a world.
func takeCensus(w *world.World) *census {
	all := &census{box: nobody}
	f := frame.New(all)
	f.Workers = 1 // a sum has the same bits each time
	if err := f.Bind(w.Config().Bind...); err != nil {
		panic(err) // the world has bound them
	}
	f.Initialize(w.ECS)
	defer f.Finalize(w.ECS)
	f.Update(w.ECS)
	return all
}

// nobody is the box of no places.
var nobody = r2.Box{Min: r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, Max: r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}}

func (s *census) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	n.Optional(&s.agent, &s.vel, &s.radius)
	frame.Without[c.Obstacle](n)
}

func (s *census) Run(b *frame.Batch) {
	if s.agent.Of(b) == nil && s.vel.Of(b) == nil {
		return
	}
	pos, radius := s.pos.Of(b), s.radius.Of(b)
	s.agents += len(pos)
	for i := range pos {
		if finite(pos[i].Vec) {
			s.box = including(s.box, pos[i].Vec, 0)
		}
		if radius != nil && radius[i].Meters > 0 && radius[i].Meters <= math.MaxFloat64 {
			s.radii += radius[i].Meters
			s.bodies++
		}
	}
}

// around returns a box with room about all agents and obstacles.
func (s *census) around(w *world.World) r2.Box {
	all := s.box
	w.EachObstacle(func(o world.ObstacleShape) {
		for _, p := range append(o.Corners, o.A, o.B) {
			all = including(all, p, o.Radius)
		}
	})
	if !finite(all.Min) || !finite(all.Max) {
		all = r2.Box{}
	}
	size := all.Size()
	room := max(0.1*max(size.X, size.Y), 1)
	return r2.Box{Min: r2.Sub(all.Min, r2.Vec{X: room, Y: room}), Max: r2.Add(all.Max, r2.Vec{X: room, Y: room})}
}

// including returns a box with a disc in it.
func including(b r2.Box, at r2.Vec, radius float64) r2.Box {
	return r2.Box{
		Min: r2.Vec{X: min(b.Min.X, at.X-radius), Y: min(b.Min.Y, at.Y-radius)},
		Max: r2.Vec{X: max(b.Max.X, at.X+radius), Y: max(b.Max.Y, at.Y+radius)},
	}
}
