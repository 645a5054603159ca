package world

import (
	"fmt"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// AddFlowField adds a copy of a field to the resource FlowFields and returns its index, for
// components.FlowField. Agents can follow the field from the next step on. AddFlowField returns the
// error of sense.FlowField.Check.
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
// field, each with a bounded amount of work. Agents follow the old field until Fields.UpToDate returns true.
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

// SendGroup sends agents to a place, in m. Call it between two steps. Agents with Radius, Solid and ORCA
// come to rest there without overlaps, whatever their sizes and their order of arrival; an agent that is
// shut in by others at rest never arrives. SendGroup calls SetDestination for each agent, resets its
// CrowdedGoal, and adds missing components: a Goal with the radius of the body, and CrowdedGoal{Share: 1,
// Patience: 1}. If the largest agent does not fit at the place because of an obstacle or the edge of a
// Config.Box that holds agents, SendGroup looks for a nearby place where that agent fits. It also changes
// the goal of all other agents that follow the FlowField of a member: to send part of a group, give that
// part its own field, or a Route.
//
// If the place is not finite, or an entity is dead or has no Target, SendGroup returns an error and
// changes nothing. If the FlowField of a member does not exist, it returns an error after some changes.
func (w *World) SendGroup(members []ecs.Entity, to r2.Vec) error {
	if err := checkFinite("goal", to); err != nil {
		return err
	}
	widest := 0.
	for _, e := range members {
		if !w.ECS.Alive(e) {
			return fmt.Errorf("cannot send entity %d: it is dead", e.ID())
		}
		if _, is := look[c.Target](w, e); !is {
			return fmt.Errorf("cannot send entity %d: it has no Target", e.ID())
		}
		radius, _ := look[c.Radius](w, e)
		widest = max(widest, radius.Meters)
	}
	w.Obstacles.Sense(w.ECS) // before the first step, there are no obstacles yet
	to = w.nearestRoom(to, widest)
	for _, e := range members {
		radius, _ := look[c.Radius](w, e)
		if _, is := look[c.Goal](w, e); !is {
			systems.AddBound(w.Frame, w.ECS, e, c.Goal{Radius: radius.Meters})
		}
		if _, is := look[c.CrowdedGoal](w, e); !is {
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

// nearestRoom returns the place to, moved up to 16 times if a body there would overlap an obstacle or an
// edge that holds agents. The result may still overlap one.
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

// Path returns the points that are still ahead on an agent's path, in m, up to the last: along its
// FlowField, for up to 4,000 cells, or, without one, on its Route. Path returns nil if the agent has
// neither or is dead, or if there is no path.
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

// compute computes a field that was added after the last step.
func (w *World) compute(field uint32) {
	if all := *resource(w.ECS, &sense.FlowFields{}); int(field) >= w.Fields.Len() && int(field) < len(all) {
		w.Obstacles.Sense(w.ECS)
		w.Fields.Set(all)
	}
}

// FieldGrid returns a copy of a field as agents currently see it or, if it was added after the last
// step, as they will see it in the next step. It returns false if there is no field with this index.
func (in Inspector) FieldGrid(field uint32) (sense.FieldGrid, bool) {
	w := in.world
	w.compute(field)
	return w.Fields.Grid(field)
}
