package space

import (
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Ray returns the agent whose body a ray from p along the unit vector dir hits first within length
// meters, and how far away; of those as far the one with the lowest ID. Bodies that p is in have
// distance 0. It leaves out the agent in place self, and those that are not on one of the layers.
func (x *Crowd) Ray(p, dir r2.Vec, length float64, self, layers uint32) (place uint32, distance float64, ok bool) {
	if !x.asks(p, length) || !vec.Finite(dir) {
		return 0, 0, false
	}
	place, distance = Nobody, min(length, farthest)
	var own ecs.Entity
	if self != Nobody {
		own = x.agents.entities[self] // which may be seen once more across an edge
	}
	try := func(i uint32) {
		t, hits := sweepCircle(x.agents.Position(i), p, dir, distance, x.agents.Radius[i])
		if hits && (t < distance || place == Nobody || x.before(int(i), int(place))) &&
			i != self && x.agents.Seen(i, layers) && (self == Nobody || x.agents.entities[i] != own) {
			place, distance = i, t
		}
	}
	visit := func(s stretch) bool {
		for i := s.lo; i < s.hi; i++ {
			try(i)
		}
		return true
	}
	const looks = 9 // cells and more around a stretch of the ray
	step := max(x.size, x.bulk)
	reach := step + x.bulk + float64(step/8)
	if _, good := x.patch(p, reach); !good || !(distance/(2*step)*looks < float64(x.Len())) {
		visit(stretch{0, uint32(x.Len())})
		return place, distance, place != Nobody
	}
	x.Large(vec.AddScaled(p, distance/2, dir), float64(distance/2*(1+rounding))+underflow, func(i uint32) bool {
		try(i)
		return true
	})
	for t := 0.; t <= distance; t += 2 * step {
		x.near(vec.AddScaled(p, t+step, dir), reach, visit)
	}
	return place, distance, place != Nobody
}
