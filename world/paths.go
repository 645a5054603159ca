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

// AddFlowField adds a copy of f to the resource FlowFields and returns its index, for
// components.FlowField. Agents can follow it from the next step on. AddFlowField returns any error from
// sense.FlowField.Check.
func (w *World) AddFlowField(f sense.FlowField) (uint32, error) {
	if err := f.Check(); err != nil {
		return 0, err
	}
	all := resource(w.ECS, &sense.FlowFields{})
	f.Goals, f.Costs = slices.Clone(f.Goals), slices.Clone(f.Costs)
	*all = append(*all, f)
	return uint32(len(*all) - 1), nil
}

// SetFlowField replaces a field with a copy of f. Call it between two steps. The next steps recompute the
// field, with bounded work per step; agents follow the old field until Fields.UpToDate returns true.
// SetFlowField returns an error if there is no such field, or if f is invalid.
func (w *World) SetFlowField(field uint32, f sense.FlowField) error {
	all := *resource(w.ECS, &sense.FlowFields{})
	if int(field) >= len(all) {
		return fmt.Errorf("field is %d, want less than %d, the number of fields", field, len(all))
	}
	if err := f.Check(); err != nil {
		return err
	}
	f.Goals, f.Costs = slices.Clone(f.Goals), slices.Clone(f.Costs)
	all[field] = f
	return nil
}

// SetGoals replaces only the goals of a field, in m: see SetFlowField.
func (w *World) SetGoals(field uint32, goals []r2.Box) error {
	var f sense.FlowField
	if all := *resource(w.ECS, &sense.FlowFields{}); int(field) < len(all) {
		f = all[field]
	}
	f.Goals = goals
	return w.SetFlowField(field, f)
}

// SendGroup sends agents to a place, in m. Call it between two steps. It calls SetDestination for each
// agent, resets its CrowdedGoal, and adds missing components: a Goal with the radius of the body, and
// CrowdedGoal{Share: 1, Patience: 1}. If an obstacle or the edge of a Config.Box that holds agents
// leaves no room for the largest agent, SendGroup looks for a nearby place with room.
//
// Agents with Radius, Solid and ORCA come to rest without overlaps, whatever their sizes and order of
// arrival. An agent shut in by others at rest never arrives. All agents that follow the FlowField of a member
// get the new goal: to send part of a group, give that part its own field, or a Route.
//
// SendGroup returns an error and changes nothing if the place is not finite, or if an entity is dead or
// has no Target. If the FlowField of a member does not exist, it returns an error after some changes.
// It panics if the world is locked.
func (w *World) SendGroup(members []ecs.Entity, to r2.Vec) error {
	w.mustBeIdle("SendGroup")
	if err := checkFinite("goal", to); err != nil {
		return err
	}
	widest := 0.
	for _, e := range members {
		if !w.ECS.Alive(e) {
			return fmt.Errorf("cannot send entity %d: it is dead", e.ID())
		}
		if !has[c.Target](w, e) {
			return fmt.Errorf("cannot send entity %d: it has no Target", e.ID())
		}
		radius, _ := look[c.Radius](w, e)
		widest = max(widest, radius.Meters)
	}
	w.Obstacles.Sense(w.ECS) // before the first step, there are no obstacles yet
	to = w.nearestRoom(to, widest)
	for _, e := range members {
		radius, _ := look[c.Radius](w, e)
		if !has[c.Goal](w, e) {
			systems.AddBound(w.Frame, w.ECS, e, c.Goal{Radius: radius.Meters})
		}
		if !has[c.CrowdedGoal](w, e) {
			systems.AddBound(w.Frame, w.ECS, e, c.CrowdedGoal{Share: 1, Patience: 1})
		}
		w.SetDestination(e, to)
		edit(w, e, func(x *c.CrowdedGoal) { x.Settled, x.Nearest = false, 0 })
		if f, follows := look[c.FlowField](w, e); follows {
			if err := w.SetGoals(f.Index, []r2.Box{{Min: to, Max: to}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// nearestRoom returns a place near the given one, away from obstacles and from edges that hold agents.
// A body there may still overlap an obstacle.
func (w *World) nearestRoom(to r2.Vec, radius float64) r2.Vec {
	edge := r2.Vec{X: radius, Y: radius}
	inner := r2.Box{Min: vec.Add(w.config.Box.Min, edge), Max: vec.Sub(w.config.Box.Max, edge)}
	const tries = 16 // moving out of an obstacle may lead into another one
	for range tries {
		if w.config.Bounds != systems.BoundsNone && w.config.Bounds != systems.BoundsWrap && inner.Min.X <= inner.Max.X && inner.Min.Y <= inner.Max.Y {
			to = vec.Clamp(to, inner)
		}
		hit, touches := w.Obstacles.Nearest(to, radius)
		if !touches {
			break
		}
		const apart = 1.001
		to = vec.AddScaled(hit.Contact, apart*radius, hit.Normal)
	}
	return to
}

// Path returns the points still ahead on an agent's path, in m. The path follows the agent's FlowField,
// for up to 4,000 cells, or else its Route. Path returns nil if there is no path, or if the agent is
// dead.
func (in Inspector) Path(e ecs.Entity) []r2.Vec {
	w := in.world
	if !w.ECS.Alive(e) {
		return nil
	}
	if f, follows := look[c.FlowField](w, e); follows {
		at, _ := look[c.Position](w, e)
		w.compute(f.Index)
		return w.Fields.Path(f.Index, at.Vec)
	}
	if r, is := look[c.Route](w, e); is {
		return slices.Clone(resource(w.ECS, &systems.Routes{}).Of(w.ID(e), &r))
	}
	return nil
}

func (w *World) compute(field uint32) {
	if all := *resource(w.ECS, &sense.FlowFields{}); int(field) >= w.Fields.Len() && int(field) < len(all) {
		w.Obstacles.Sense(w.ECS)
		w.Fields.Set(all)
	}
}

// FieldGrid returns a copy of a field as agents see it, and reports whether there is such a field. A new
// field is as agents will see it in the next step.
func (in Inspector) FieldGrid(field uint32) (sense.FieldGrid, bool) {
	w := in.world
	w.compute(field)
	return w.Fields.Grid(field)
}

// Unreachable is an agent that can never arrive at its Goal.
type Unreachable struct {
	Entity ecs.Entity
	ID     uint64
	Reason string // such as "a body of radius 0.5 m has no path from (0, 1) to its goal at (9, 1)"
}

// Unreachable checks up to n agents that are not at their Goal, lowest IDs first. It returns those that
// can never arrive: the bounds or the obstacles of the last step leave no path for their bodies, their
// itinerary has no end, or their flow field is missing. Unreachable plans a path for each agent, so it is too
// slow for every step. It stops early when ctx is done.
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

// CannotArrive returns the reason why an agent can never arrive at its Goal. It returns "" if the agent can
// arrive, is there, lacks Goal or Target, or is dead. Other agents are ignored. See Unreachable.
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
	it, ok := look[c.Itinerary](w, e)
	if !ok {
		return noWay(routes, at.Vec, w.destination(e), body.Meters, goal.Radius)
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

func (w *World) noWayToGoals(routes *sense.Routes, field uint32, from r2.Vec, radius, within float64) string {
	all := *resource(w.ECS, &sense.FlowFields{})
	if int(field) >= len(all) {
		return fmt.Sprintf("it follows field %d, but the number of fields is %d", field, len(all))
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

// placesIn returns the corners and the center of a box, and its point nearest to where the agent comes
// from. If a body fits at none of these, it adds points of a grid.
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

// noWay returns the reason why there is no path, or "" if there is one or a place is not finite.
func noWay(routes *sense.Routes, from, to r2.Vec, radius, within float64) string {
	if !vec.Finite(from) || !vec.Finite(to) || routes.Reaches(from, to, radius, within) {
		return ""
	}
	place := func(p r2.Vec) string { return fmt.Sprintf("(%.4g, %.4g)", p.X, p.Y) }
	if b := routes.Obstacles.Bounds; b != (r2.Box{}) {
		if d := vec.Norm(vec.Sub(to, vec.Clamp(to, b))); d > within {
			return fmt.Sprintf("its goal at %s is %.4g m outside the box that agents cannot leave", place(to), d)
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
