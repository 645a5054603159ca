package world

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Clearance is a place on a way, and how far obstacles are away from it.
type Clearance struct {
	At     r2.Vec  // m
	Radius float64 // m
}

// Corridor returns the corridor of an agent: the free space along its Way, as discs that follow one
// another at most step meters apart, each as large as obstacles allow, but no larger than widest. Who is
// pushed aside in it goes on to the next point of the way; who is pushed out of sight of that gets a new way.
// It returns nil where Way does, and at most 10,000 discs. It panics if step or widest is not above 0.
// Source: Geraerts 2010, "Planning short paths with clearance using explicit corridors".
func (w *World) Corridor(e ecs.Entity, step, widest float64) (discs []Clearance) {
	const most = 10_000
	if !(step > 0) || !(widest > 0) {
		panic("crowd: Corridor with a step or a width that is not above 0")
	}
	way := w.Way(e)
	if len(way) == 0 {
		return nil
	}
	at, _ := look[c.Position](w, e)
	from := at.Vec
	for _, to := range way {
		leg := vec.Sub(to, from)
		n := math.Ceil(vec.Norm(leg) / step)
		if _, hop := w.Obstacles.Portals().Joins(from, to); hop || !(n <= most) {
			n = 1
		}
		for i := range int(n) {
			p := vec.AddScaled(from, (float64(i)+1)/n, leg)
			room := widest
			if hit, near := w.Obstacles.Nearest(p, widest); near {
				room = max(hit.Distance, 0)
			}
			if discs = append(discs, Clearance{p, room}); len(discs) == most {
				return discs
			}
		}
		from = to
	}
	return discs
}
