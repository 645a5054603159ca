package systems

import (
	"encoding/json"
	"fmt"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// Routes is the resource that holds the routes of all agents with Route. It is saved with a world, so
// a restored crowd continues bit for bit.
type Routes struct {
	epoch   uint64 // number of changes to obstacles
	all     []plannedRoute
	spare   []uint32 // numbers of free routes
	portals sense.Portals
}

type plannedRoute struct {
	owner  uint64 // ID of the agent
	used   bool
	seen   uint64    // last step in which the agent was alive
	epoch  uint64    // Routes.epoch when the route was found
	room   float64   // m, maximum radius of the body
	points []r2.Vec  // m; empty if there is no route
	rest   []float64 // m, from each point to the last
	hops   []uint32  // indexes of points from which a portal leads to the next point
}

type savedRoutes struct {
	Epoch uint64
	Ways  []savedRoute // indexed by number; free routes are empty
	Spare []uint32
}

type savedRoute struct {
	Owner, Epoch uint64
	Room         float64
	Points       []r2.Vec
}

// MarshalJSON returns all routes as JSON.
func (w *Routes) MarshalJSON() ([]byte, error) {
	saved := savedRoutes{Epoch: w.epoch, Ways: make([]savedRoute, len(w.all)), Spare: w.spare}
	for i := range w.all {
		if x := &w.all[i]; x.used {
			saved.Ways[i] = savedRoute{x.owner, x.epoch, x.room, x.points}
		}
	}
	return json.Marshal(saved)
}

// UnmarshalJSON replaces all routes with those that MarshalJSON encoded. If it fails, the routes are
// unchanged.
func (w *Routes) UnmarshalJSON(data []byte) error {
	var saved savedRoutes
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	all := make([]plannedRoute, len(saved.Ways))
	for i, x := range saved.Ways {
		all[i] = plannedRoute{owner: x.Owner, used: true, epoch: x.Epoch, room: x.Room, points: x.Points}
		all[i].measure(nil)
	}
	for _, k := range saved.Spare {
		if int(k) >= len(all) || !all[k].used {
			return fmt.Errorf("free route %d is listed twice or is not among the %d routes", k, len(all))
		}
		all[k].used = false
	}
	*w = Routes{epoch: saved.Epoch, all: all, spare: saved.Spare}
	return nil
}

// Len returns the number of routes, including those that no agent has anymore.
func (w *Routes) Len() int { return len(w.all) }

// Keep saves or restores all routes.
func (w *Routes) Keep(a *frame.Archive) {
	type plain struct {
		owner, seen, epoch uint64
		room               float64
		used               bool
		points             uint32
	}
	all, points := make([]plain, len(w.all)), []r2.Vec(nil)
	for i, x := range w.all {
		all[i] = plain{x.owner, x.seen, x.epoch, x.room, x.used, uint32(len(x.points))}
		points = append(points, x.points...)
	}
	a.Keep(&w.epoch, &all, &points, &w.spare, &w.portals)
	if !a.Reading() || a.Err() != nil {
		return
	}
	w.all = make([]plannedRoute, len(all))
	for i, x := range all {
		if int(x.points) > len(points) {
			a.Fail("route %d has %d points, want at most %d", i, x.points, len(points))
			return
		}
		w.all[i] = plannedRoute{owner: x.owner, used: x.used, seen: x.seen, epoch: x.epoch, room: x.room, points: slices.Clone(points[:x.points])}
		w.all[i].measure(w.portals)
		points = points[x.points:]
	}
	for _, k := range w.spare {
		if int(k) >= len(w.all) || w.all[k].used {
			a.Fail("free list contains route %d of %d, which is missing or in use", k, len(w.all))
			return
		}
	}
}

// Join appends the routes of other, from another world. Do not use other afterward. Join marks them as
// outdated, so all but those set by a host are searched for again. The parameter owners maps old IDs of
// agents to new ones. The caller must add the previous Len to each Route.Way above 0 of the other world's
// agents.
func (w *Routes) Join(other *Routes, owners map[uint64]uint64) {
	first := uint32(len(w.all))
	for _, x := range other.all {
		if id, ok := owners[x.owner]; ok {
			x.owner = id
		}
		x.epoch = w.epoch - 1
		x.measure(w.portals)
		w.all = append(w.all, x)
	}
	for _, k := range other.spare {
		w.spare = append(w.spare, first+k)
	}
}

// Of returns the remaining points of an agent's route, in meters. There are none if there is no route. They are
// valid until the next step.
func (w *Routes) Of(id uint64, r *c.Route) []r2.Vec {
	if x := w.of(id, r); x != nil {
		return x.points[min(int(r.Next), len(x.points)):]
	}
	return nil
}

// Set copies the given points, in meters, and makes them an agent's route until Clear is called. If there are
// no points, Set clears the route.
func (w *Routes) Set(id uint64, r *c.Route, points []r2.Vec) {
	w.Clear(id, r)
	if len(points) == 0 {
		return
	}
	x := w.add(id, r)
	x.points = append(x.points[:0], points...)
	x.measure(w.portals)
	r.Next, r.State = 0, c.RouteGiven
}

// Clear drops an agent's route. The next step searches for a new one.
func (w *Routes) Clear(id uint64, r *c.Route) {
	if w.of(id, r) != nil {
		w.free(r.Way - 1)
	}
	r.Way, r.Next, r.State = 0, 0, c.RouteUnknown
}

func (w *Routes) of(id uint64, r *c.Route) *plannedRoute {
	if k := int(r.Way) - 1; k >= 0 && k < len(w.all) && w.all[k].used && w.all[k].owner == id {
		return &w.all[k]
	}
	return nil
}

// add gives an agent a free or new route, whose points may be outdated.
func (w *Routes) add(id uint64, r *c.Route) *plannedRoute {
	if len(w.spare) == 0 {
		w.all = append(w.all, plannedRoute{})
		w.spare = append(w.spare, uint32(len(w.all)-1))
	}
	k := w.spare[len(w.spare)-1]
	w.spare = w.spare[:len(w.spare)-1]
	w.all[k].owner, w.all[k].used, r.Way = id, true, k+1
	return &w.all[k]
}

func (w *Routes) free(k uint32) {
	w.all[k].used = false
	w.spare = append(w.spare, k)
}

func (w *Routes) sweep(step uint64) {
	for k := range w.all {
		if x := &w.all[k]; x.used && x.seen != step {
			w.free(uint32(k))
		}
	}
}

// suits reports whether a body fits a route, and is not so much slimmer that it might find a shorter one.
func (x *plannedRoute) suits(radius float64) bool {
	return !(radius > x.room || sense.Room(radius) < sense.Room(x.room))
}

func (w *Routes) through(portals sense.Portals) {
	if slices.Equal(w.portals, portals) {
		return
	}
	w.portals = portals
	for i := range w.all {
		w.all[i].measure(portals)
	}
}

func (x *plannedRoute) measure(portals sense.Portals) {
	x.rest, x.hops = column.Resize(x.rest, len(x.points)), x.hops[:0]
	if n := len(x.rest); n > 0 {
		x.rest[n-1] = 0
	}
	for i := len(x.points) - 2; i >= 0; i-- {
		length := vec.Norm(vec.Sub(x.points[i+1], x.points[i]))
		if p, ok := portals.Joins(x.points[i], x.points[i+1]); ok {
			length = portals[p].Length
			x.hops = append(x.hops, uint32(i))
		}
		x.rest[i] = x.rest[i+1] + length
	}
}
