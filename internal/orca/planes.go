package orca

import "gonum.org/v1/gonum/spatial/r2"

// Kind is what a half-plane is about.
type Kind int

const (
	OfWall     Kind = iota // an edge that the agent could run into; never violated
	OfGap                  // the own share of the gap to another one, see Agent.Firm; never violated
	OfTouching             // an edge that the body is in
	OfBody                 // another body
)

// Plane is a half-plane that limits an agent's choice: it leaves the velocities v
// with Normal·v ≥ Least.
type Plane struct {
	Normal r2.Vec  // unit vector
	Least  float64 // m/s
	Kind   Kind
}

// Planes returns the half-planes of the last answer of Choose that leave out any velocity
// within the greatest speed, and Aim what that was to be nearest to: the preferred
// velocity within the greatest speed, turned to the side if somebody was in the way.
func (s *Solver) Planes() []Plane {
	c := s.last
	if c == nil {
		return nil
	}
	var list []Plane
	s.program.open(c, s)
	s.open = c
	for i := range s.program.len() {
		h, kind := s.program.plane(i), OfBody
		switch i += c.first; {
		case i < c.fixed:
			kind = OfWall
		case i < c.hard:
			kind = OfGap
		case i < c.end:
			kind = OfTouching
		}
		if kind != OfBody || h.c > -c.limit {
			list = append(list, Plane{h.n, h.c, kind})
		}
	}
	return list
}

// Aim is described at Planes.
func (s *Solver) Aim() r2.Vec { return s.aim }
