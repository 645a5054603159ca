package view

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Steering is a system that notes the force on every agent in the middle of a step,
// after the behaviors and before it is used up, for the layer of that name. Put one at
// the end of Config.Steer of a world, and the same into Options. It reads Steering,
// Limits and Mass, and changes nothing. What is spawned shows from the next look on.
type Steering struct {
	to []r2.Vec // m/s², by place

	steer frame.In[c.Steering]
	limit frame.In[c.Limits]
	mass  frame.In[c.Mass]

	entities frame.Scratch[[]ecs.Entity] // of a batch
}

// grow makes room for n places.
func (s *Steering) grow(n int) {
	if n > len(s.to) {
		s.to = append(s.to, make([]r2.Vec, n-len(s.to))...)
	}
}

func (s *Steering) Needs(n *frame.Needs) {
	n.Read(&s.steer)
	n.Optional(&s.limit, &s.mass)
	n.Scratch(&s.entities)
}

func (s *Steering) Run(b *frame.Batch) {
	steer, limits, mass := s.steer.Of(b), s.limit.Of(b), s.mass.Of(b)
	entities := s.entities.Of(b)
	*entities = entitiesOf(b, *entities)
	for i, e := range *entities {
		k := placeOf(e)
		if k >= len(s.to) {
			continue
		}
		force := steer[i].Vec
		if n := math.Sqrt(r2.Norm2(force)); limits != nil && n > limits[i].MaxForce {
			force = r2.Scale(limits[i].MaxForce/n, force)
		}
		if mass != nil {
			force = r2.Scale(1/mass[i].Kilograms, force)
		}
		s.to[k] = force
	}
}
