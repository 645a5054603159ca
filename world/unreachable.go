package world

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Unreachable is an agent that can never arrive at its Goal, whatever it does.
type Unreachable struct {
	Entity ecs.Entity
	ID     uint64
	Reason string // such as "a body of radius 0.5 m has no way from (0, 1) to its goal at (9, 1)"
}

// Unreachable looks at the agents with a Goal that have never arrived, at n of them with the
// lowest ids at most, and returns those that never can from where they are: obstacles as they
// were in the last step leave no room for their bodies, or their itinerary has no end. It finds a
// way for each of the others, and is not for every step; it stops early when ctx is done.
func (w *World) Unreachable(ctx context.Context, n int) (all []Unreachable) {
	f := ecs.All(w.idOf(c.Position{}), w.idOf(c.Target{}), w.idOf(c.Goal{}))
	var late []Unreachable
	for q := w.ECS.Query(&f); q.Next(); {
		e := q.Entity()
		if goal, _ := look[c.Goal](w, e); goal.Visits == 0 {
			late = append(late, Unreachable{Entity: e, ID: w.ID(e)})
		}
	}
	slices.SortFunc(late, func(a, b Unreachable) int { return cmp.Compare(a.ID, b.ID) })
	if w.routes == nil {
		w.routes = &sense.Routes{Obstacles: w.Obstacles}
	}
	for _, u := range late[:min(len(late), n)] {
		if ctx.Err() != nil {
			break
		}
		if u.Reason = w.unreachable(w.routes, u.Entity); u.Reason != "" {
			all = append(all, u)
		}
	}
	return all
}

// unreachable returns why an agent can't arrive; nothing if it can.
func (w *World) unreachable(routes *sense.Routes, e ecs.Entity) string {
	goal, _ := look[c.Goal](w, e)
	at, _ := look[c.Position](w, e)
	body, _ := look[c.Radius](w, e)
	if f, follows := look[c.FlowField](w, e); follows {
		return w.noWayOut(routes, f.Index, at.Vec, body.Meters, goal.Radius)
	}
	target, _ := look[c.Target](w, e)
	to := target.Vec
	if d, ok := look[c.Destination](w, e); ok {
		to = d.Vec
	}
	it, ok := look[c.Itinerary](w, e)
	if !ok {
		return noWay(routes, at.Vec, to, body.Meters, goal.Radius)
	}
	stops := *resource(w.ECS, &systems.Itineraries{})
	if int(it.Index) >= len(stops) {
		return ""
	}
	from := at.Vec
	for i, stop := range stops[it.Index] {
		if uint32(i) < it.Next {
			continue
		}
		if reason := stop.Endless(); reason != "" {
			return fmt.Sprintf("stop %d of its itinerary %s", i, reason)
		}
		to, ok := stop.Place(from)
		if !ok || stop.Duration > 0 {
			continue
		}
		within := it.Reached
		if stop.Kind == systems.StopBox {
			within = 0
		}
		if reason := noWay(routes, from, to, body.Meters, within); reason != "" {
			return reason
		}
		from = to
	}
	return ""
}

// noWayOut returns why there is no way to any goal of a field; nothing if there is one.
func (w *World) noWayOut(routes *sense.Routes, field uint32, from r2.Vec, radius, within float64) string {
	all := *resource(w.ECS, &sense.FlowFields{})
	if int(field) >= len(all) {
		return fmt.Sprintf("it follows field %d, and there are %d", field, len(all))
	}
	goals, reason := all[field].Goals, ""
	for _, g := range goals {
		middle := r2.Vec{X: g.Min.X + float64((g.Max.X-g.Min.X)/2), Y: g.Min.Y + float64((g.Max.Y-g.Min.Y)/2)}
		for _, to := range []r2.Vec{vec.Clamp(from, g), middle, g.Min, {X: g.Max.X, Y: g.Min.Y}, g.Max, {X: g.Min.X, Y: g.Max.Y}} {
			if reason = noWay(routes, from, to, radius, within); reason == "" {
				return ""
			}
			if g.Min == g.Max {
				break
			}
		}
	}
	if len(goals) == 1 && goals[0].Min == goals[0].Max {
		return reason
	}
	return fmt.Sprintf("a body of radius %.4g m has no way from (%.4g, %.4g) to any goal of field %d", radius, from.X, from.Y, field)
}

// noWay returns why there is no way from one place to another; nothing if there is one.
func noWay(routes *sense.Routes, from, to r2.Vec, radius, within float64) string {
	if !vec.Finite(from) || !vec.Finite(to) || routes.Reaches(from, to, radius, within) {
		return ""
	}
	place := func(p r2.Vec) string { return fmt.Sprintf("(%.4g, %.4g)", p.X, p.Y) }
	if hit, near := routes.Obstacles.Nearest(to, radius); near && hit.Distance < radius {
		if hit.Distance <= 0 {
			return "its goal at " + place(to) + " is inside an obstacle"
		}
		return fmt.Sprintf("its goal at %s is %.4g m from an obstacle, and its body has a radius of %.4g m", place(to), hit.Distance, radius)
	}
	if hit, near := routes.Obstacles.Nearest(from, 0); near && hit.Distance < 0 {
		return "it starts inside an obstacle, at " + place(from)
	}
	return fmt.Sprintf("a body of radius %.4g m has no way from %s to its goal at %s", radius, place(from), place(to))
}
