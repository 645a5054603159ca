package orca

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Sightlines tell which others walls hide from one agent.
type Sightlines struct {
	at     r2.Vec
	radius float64
	far    float64 // m, up to which walls count
	clear  float64 // m², no wall is so near
	walls  []*Edge
}

// Look prepares for the others of an agent. Walls count as far as its Sight, and those that it
// avoids.
func (s *Sightlines) Look(a *Agent, walls []*Edge, dt float64) {
	*s = Sightlines{at: a.Position, radius: a.Radius, far: a.farWalls(dt), clear: math.Inf(1), walls: walls}
	for _, w := range walls {
		s.clear = min(s.clear, w.distance2(s.at))
	}
}

// WallReach returns how far from the agent's center walls matter to it, in m.
func (a *Agent) WallReach(dt float64) float64 { return a.Radius + a.farWalls(dt) }

// farWalls is WallReach from the agent's surface.
func (a *Agent) farWalls(dt float64) float64 {
	return max(float64(a.MaxSpeed*max(a.ObstacleHorizon, dt)), a.Sight)
}

// distance2 returns the square of the distance of a point from the middle of a wall.
func (e *Edge) distance2(p r2.Vec) float64 { return vec.Norm2(e.from(p)) }

// Hides reports whether walls hide another body: neither its middle nor its left or right side is in
// sight of the agent's own.
func (s *Sightlines) Hides(other r2.Vec, radius float64) bool {
	to := vec.Sub(other, s.at)
	if vec.Norm2(to) < s.clear || !s.between(s.at, other) {
		return false
	}
	left := vec.Unit(vec.Left(to))
	return s.between(vec.AddScaled(s.at, s.radius, left), vec.AddScaled(other, radius, left)) &&
		s.between(vec.AddScaled(s.at, -s.radius, left), vec.AddScaled(other, -radius, left))
}

// between reports whether the straight line from one point to another crosses a wall.
func (s *Sightlines) between(from, to r2.Vec) bool {
	for _, w := range s.walls {
		a, b := vec.Sub(from, w.A), vec.Sub(to, w.A)
		here, there := vec.Cross(w.along, a), vec.Cross(w.along, b)
		if (here > 0) == (there > 0) {
			continue
		}
		way := vec.Sub(b, a)
		if (vec.Cross(way, a) > 0) == (vec.Cross(way, vec.Sub(from, w.B)) > 0) {
			continue // it passes beyond an end of the wall
		}
		if float64(vec.Norm(way)*math.Abs(here)) <= float64(s.far*math.Abs(there-here)) {
			return true
		}
	}
	return false
}
