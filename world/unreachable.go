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

// Unreachable is an agent that can never arrive at its Goal.
type Unreachable struct {
	Entity ecs.Entity
	ID     uint64
	Reason string // such as "a body of radius 0.5 m has no path from (0, 1) to its goal at (9, 1)"
}

// Unreachable checks up to n agents that are not at their Goal, lowest IDs first. It returns the
// agents that can never arrive from their positions, because the obstacles of the last step leave no
// path for their bodies, or because their itinerary has no end. It plans a path for every agent that
// it checks, which is too slow for every step. It stops early when ctx is done.
func (in Inspector) Unreachable(ctx context.Context, n int) (all []Unreachable) {
	w := in.world
	f := ecs.All(w.idOf(c.Position{}), w.idOf(c.Target{}), w.idOf(c.Goal{}))
	var late []Unreachable
	for q := w.ECS.Query(&f); q.Next(); {
		e := q.Entity()
		if goal, _ := look[c.Goal](w, e); !goal.Inside {
			late = append(late, Unreachable{Entity: e, ID: w.ID(e)})
		}
	}
	slices.SortFunc(late, func(a, b Unreachable) int { return cmp.Compare(a.ID, b.ID) })
	for _, u := range late[:max(0, min(len(late), n))] {
		if ctx.Err() != nil {
			break
		}
		if u.Reason = in.CannotArrive(u.Entity); u.Reason != "" {
			all = append(all, u)
		}
	}
	return all
}

// CannotArrive returns the reason why an agent can never arrive at its Goal; see Unreachable. It
// returns the empty string if the agent can arrive, is at its Goal, lacks Goal or Target, or is dead.
// It ignores other agents.
func (in Inspector) CannotArrive(e ecs.Entity) string {
	w := in.world
	if !w.ECS.Alive(e) {
		return ""
	}
	goal, is := look[c.Goal](w, e)
	if _, goes := look[c.Target](w, e); !is || !goes || goal.Inside {
		return ""
	}
	if w.routes == nil {
		w.routes = &sense.Routes{Obstacles: w.Obstacles}
	}
	routes := w.routes
	at, _ := look[c.Position](w, e)
	body, _ := look[c.Radius](w, e)
	if f, follows := look[c.FlowField](w, e); follows {
		return w.noWayToGoals(routes, f.Index, at.Vec, body.Meters, goal.Radius)
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
		if stop.Kind == systems.StopBox {
			into, reason := wayInto(routes, from, stop.Box, body.Meters, 0)
			if reason != "" {
				return reason
			}
			from = into
			continue
		}
		if reason := noWay(routes, from, to, body.Meters, it.Reached); reason != "" {
			return reason
		}
		from = routes.Place(from, to, body.Meters, it.Reached)
	}
	return ""
}

// noWayToGoals returns the reason why no path leads to any goal of a field, or "" if a path exists.
func (w *World) noWayToGoals(routes *sense.Routes, field uint32, from r2.Vec, radius, within float64) string {
	all := *resource(w.ECS, &sense.FlowFields{})
	if int(field) >= len(all) {
		return fmt.Sprintf("it follows field %d, but the world has %d fields", field, len(all))
	}
	goals, reason := all[field].Goals, ""
	for _, g := range goals {
		if _, reason = wayInto(routes, from, g, radius, within); reason == "" {
			return ""
		}
	}
	if len(goals) == 1 && goals[0].Min == goals[0].Max {
		return reason
	}
	return fmt.Sprintf("a body of radius %.4g m has no path from (%.4g, %.4g) to any goal of field %d", radius, from.X, from.Y, field)
}

// wayInto returns a place in a box to which a body finds a path up to the distance within, or the reason
// why it finds none to the nearest place in the box.
func wayInto(routes *sense.Routes, from r2.Vec, box r2.Box, radius, within float64) (to r2.Vec, why string) {
	for i, to := range placesIn(box, from, radius, routes.Obstacles) {
		reason := noWay(routes, from, to, radius, within)
		if reason == "" {
			return to, ""
		}
		if i == 0 {
			why = reason
		}
	}
	return from, why
}

// placesIn returns places in a box to try: the nearest one, the middle and the corners. If a body
// fits at none of these, placesIn adds the grid points where it fits.
func placesIn(g r2.Box, from r2.Vec, radius float64, obstacles *sense.Obstacles) []r2.Vec {
	if g.Min == g.Max {
		return []r2.Vec{g.Min}
	}
	const parts = 8 // per side
	at := func(i, k int) r2.Vec {
		return r2.Vec{X: g.Min.X + float64((g.Max.X-g.Min.X)*float64(i)/parts), Y: g.Min.Y + float64((g.Max.Y-g.Min.Y)*float64(k)/parts)}
	}
	blocked := func(p r2.Vec) bool {
		hit, near := obstacles.Nearest(p, radius)
		return near && hit.Distance < radius
	}
	places := []r2.Vec{vec.Clamp(from, g), at(parts/2, parts/2), g.Min, at(parts, 0), g.Max, at(0, parts)}
	if slices.ContainsFunc(places, func(p r2.Vec) bool { return !blocked(p) }) {
		return places
	}
	for i := range parts + 1 {
		for k := range parts + 1 {
			if p := at(i, k); !blocked(p) {
				places = append(places, p)
			}
		}
	}
	return places
}

// noWay returns the reason why no path leads from one place to another, or "" if a path exists or a
// place is not finite.
func noWay(routes *sense.Routes, from, to r2.Vec, radius, within float64) string {
	if !vec.Finite(from) || !vec.Finite(to) || routes.Reaches(from, to, radius, within) {
		return ""
	}
	place := func(p r2.Vec) string { return fmt.Sprintf("(%.4g, %.4g)", p.X, p.Y) }
	if b := routes.Obstacles.Bounds; b != (r2.Box{}) {
		if d := vec.Norm(vec.Sub(to, vec.Clamp(to, b))); d > within {
			return fmt.Sprintf("its goal at %s is %.4g m outside the box that holds it", place(to), d)
		}
	}
	if hit, near := routes.Obstacles.Nearest(to, radius); near && hit.Distance < radius {
		if hit.Distance <= 0 {
			return "its goal at " + place(to) + " is inside an obstacle"
		}
		return fmt.Sprintf("its goal at %s is %.4g m from an obstacle, and its body has a radius of %.4g m", place(to), hit.Distance, radius)
	}
	if hit, near := routes.Obstacles.Nearest(from, 0); near && hit.Distance < 0 {
		return "it starts inside an obstacle, at " + place(from)
	}
	return fmt.Sprintf("a body of radius %.4g m has no path from %s to its goal at %s", radius, place(from), place(to))
}
