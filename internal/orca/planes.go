package orca

import (
	"github.com/8f878440/crowd/internal/kernel"
	"gonum.org/v1/gonum/spatial/r2"
)

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

// Neighbors are the others of an agent that was added, in columns.
type Neighbors struct {
	DX, DY []float64 // m, the way there
	UX, UY []float64 // m/s, the agent's velocity, less the other's
	Reach  []float64 // m, the distance at which they touch

	rank, of []float64
	crowd    *Others
	id       uint64
}

// Neighbors returns the others of agent i. They are valid until the next agent is added.
func (s *Solver) Neighbors(i int) Neighbors {
	c, p := &s.choices[i], &s.pairs
	return Neighbors{
		p.dx[c.from:c.to], p.dy[c.from:c.to], p.ux[c.from:c.to], p.uy[c.from:c.to], p.reach[c.from:c.to],
		p.rank[c.from:c.to], p.of[c.from:c.to], s.others, c.id,
	}
}

// ID returns that of the k-th other.
func (n *Neighbors) ID(k int) uint64 { return n.crowd.ID[uint32(n.of[k])] }

// Way returns that of the k-th other.
func (n *Neighbors) Way(k int) r2.Vec {
	of := uint32(n.of[k])
	return r2.Vec{X: n.crowd.WayX[of], Y: n.crowd.WayY[of]}
}

// Behind reports whether the agent is behind the k-th other, and both prefer about the same direction.
func (n *Neighbors) Behind(k int) bool {
	return n.rank[k] == kernel.Behind || n.rank[k] == kernel.Level && n.id > n.ID(k)
}

// Share returns the index in the crowd of the k-th other of agent i, and the agent's share of the avoidance.
func (s *Solver) Share(i, k int) (of uint32, share float64) {
	at := s.choices[i].from + k
	return uint32(s.pairs.of[at]), s.pairs.share[at]
}

// Keep removes from the others of the agent that was added last those for which keep returns false.
func (s *Solver) Keep(keep func(of uint32) bool) {
	c, p := &s.choices[len(s.choices)-1], &s.pairs
	to := c.from
	for i := c.from; i < c.to; i++ {
		if keep(uint32(p.of[i])) {
			p.move(i, to)
			to++
		}
	}
	c.to, s.prefer[len(s.prefer)-1].To = to, to
}

// Avoid limits the others of agent i to the nearest, at most that many.
func (s *Solver) Avoid(i, most int) {
	if c := &s.choices[i]; c.to-c.from > most {
		c.to = s.pairs.keepNearest(c.from, c.to, most, s.ids)
		s.prefer[i].To = c.to
	}
}

// Blocked reports whether walls forbid a velocity to agent i.
func (s *Solver) Blocked(i int, v r2.Vec) bool {
	c := &s.choices[i]
	return blocked(s.planes[c.first:c.fixed], v, c.limit)
}
