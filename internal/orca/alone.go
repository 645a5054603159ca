package orca

import (
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Agent is an agent that chooses alone: see Alone.
type Agent struct {
	ID        uint64
	Position  r2.Vec  // m
	Velocity  r2.Vec  // m/s, in the last step
	Preferred r2.Vec  // m/s
	Radius    float64 // m
	MaxSpeed  float64 // m/s
	Way       r2.Vec  // preferred direction in the last step: a unit vector, or zero if unknown
	Rule
}

// Other is another agent to avoid.
type Other struct {
	ID       uint64
	Position r2.Vec  // m
	Velocity r2.Vec  // m/s, in the last step
	Radius   float64 // m
	Way      r2.Vec  // as in Agent
	Share    float64 // the agent's share of the avoidance
}

// Alone chooses the velocity of one agent among others and walls.
type Alone struct {
	Solver
	crowd  Crowd
	others []uint32
	shares []float64
	edges  []*Edge
}

// Velocity returns the velocity of the agent in the next step of dt seconds, no faster than MaxSpeed, and
// whether it lies in all half-planes. If others limit the agent equally, the first in the list counts.
func (s *Alone) Velocity(a *Agent, others []Other, walls []Edge, dt float64) (v r2.Vec, feasible bool) {
	s.Set(a, others, walls, dt)
	s.HalfPlanes()
	return s.Choose(0, 1)
}

// Set fills the block with one agent, a, among the given others and walls, for a step of dt seconds.
func (s *Alone) Set(a *Agent, others []Other, walls []Edge, dt float64) {
	x := &s.crowd
	for _, column := range [...]*[]float64{&x.X, &x.Y, &x.VX, &x.VY, &x.Radius, &x.DirX, &x.DirY} {
		*column = (*column)[:0]
	}
	x.ID, s.others, s.shares, s.edges = x.ID[:0], s.others[:0], s.shares[:0], s.edges[:0]
	x.add(&Other{a.ID, a.Position, a.Velocity, a.Radius, a.Way, 0})
	for i := range others {
		x.add(&others[i])
		s.others, s.shares = append(s.others, uint32(i+1)), append(s.shares, others[i].Share)
	}
	for i := range walls {
		s.edges = append(s.edges, &walls[i])
	}
	s.Reset(x, dt)
	s.Add(0, s.others, s.shares)
	s.Follow(0, &a.Rule, a.MaxSpeed)
	s.AvoidWalls(0, s.edges)
	s.Prefer(0, vec.Truncate(a.Preferred, max(a.MaxSpeed, 0)), a.Keep)
}

func (c *Crowd) add(k *Other) {
	c.X, c.Y, c.VX, c.VY = append(c.X, k.Position.X), append(c.Y, k.Position.Y), append(c.VX, k.Velocity.X), append(c.VY, k.Velocity.Y)
	c.Radius, c.DirX, c.DirY, c.ID = append(c.Radius, k.Radius), append(c.DirX, k.Way.X), append(c.DirY, k.Way.Y), append(c.ID, k.ID)
}
