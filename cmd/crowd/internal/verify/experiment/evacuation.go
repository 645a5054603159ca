package experiment

import (
	"context"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// Evacuation is when people got out of a building, and where.
type Evacuation struct {
	Groups  []int     // of each person
	Out     []float64 // s, when each got out; NaN: it did not
	At      []r2.Vec  // m, where each was last
	Start   []float64 // s, when each was to start; 0: at once
	Moved   []float64 // s, when each began to move; NaN: it never did
	Mean    []float64 // of each area: people in it, on average over the time until half are out
	InWalls int       // steps in which the center of somebody is in an obstacle
}

// Evacuate runs a scene until all are out, for up to so many seconds, and counts who is in
// some areas.
func Evacuate(ctx context.Context, by scene.Model, s *scene.Scene, seconds float64, areas ...r2.Box) (Evacuation, error) {
	s.Dt, s.Steps = Dt, frames(seconds)
	n := s.Agents()
	e := Evacuation{Out: make([]float64, n), At: make([]r2.Vec, n), Start: make([]float64, n), Moved: make([]float64, n), Mean: make([]float64, len(areas))}
	for g := range s.Groups {
		for range s.Groups[g].Count {
			e.Groups = append(e.Groups, g)
		}
	}
	for i := range n {
		e.Out[i], e.Moved[i] = math.NaN(), math.NaN()
	}
	from, last := make([]r2.Vec, n), make([]int, n)
	agents := generic.NewFilter2[c.Agent, c.Position]()
	frame, counted := 0, 0
	var free ecs.ID
	stats, err := steps(ctx, by, s, scene.Options{Measure: true}, func(w *world.World) {
		if frame == 0 {
			free = ecs.ComponentID[c.FreeSpeed](w.ECS)
		}
		frame++
		early := w.Left() < n/2
		if early {
			counted++
		}
		query := agents.Query(w.ECS)
		for query.Next() {
			a, p := query.Get()
			i := a.ID - 1
			if last[i] == 0 {
				from[i] = p.Vec
				if query.Has(free) {
					e.Start[i] = (*c.FreeSpeed)(query.Query.Get(free)).Start
				}
			}
			last[i], e.At[i] = frame, p.Vec
			const moved = 0.01 // m
			if math.IsNaN(e.Moved[i]) && r2.Norm(r2.Sub(p.Vec, from[i])) > moved {
				e.Moved[i] = w.Clock.Time
			}
			for k, area := range areas {
				if early && Inside(area, p.Vec) {
					e.Mean[k]++
				}
			}
		}
	})
	for i := range n {
		if last[i] < frame {
			e.Out[i] = float64(last[i]) * Dt
		}
	}
	for k := range e.Mean {
		e.Mean[k] /= float64(max(counted, 1))
	}
	e.InWalls = stats.ObstacleCollisions.CentersInside
	return e, err
}

// All returns when the last one got out, in seconds; NaN if not all did.
func (e *Evacuation) All() (last float64) {
	for _, t := range e.Out {
		last = max(last, t) // which is NaN if one is
	}
	return last
}

// Left returns how many got out.
func (e *Evacuation) Left() (n int) {
	for _, t := range e.Out {
		if !math.IsNaN(t) {
			n++
		}
	}
	return n
}

// By returns how many of a group, or of all if that is below zero, got out within 2 m of a
// place.
func (e *Evacuation) By(group int, place r2.Vec) (n int) {
	const near = 2
	for i, t := range e.Out {
		if (group < 0 || e.Groups[i] == group) && !math.IsNaN(t) && r2.Norm(r2.Sub(e.At[i], place)) < near {
			n++
		}
	}
	return n
}
