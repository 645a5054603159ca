package view

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// routes are the ways that agents are on, by the places of the agents.
type routes struct {
	route  []c.Route // a Way of 0: none
	follow []uint32  // which field the agent follows, counted from 1; 0: none
	ends   []uint32  // where in points the way of the place ends, which begins where the one before does
	points []r2.Vec  // m
}

const mostRoutePoints = 200_000 // of a snapshot

// grow makes room for n places, if routes are wanted.
func (r *routes) grow(n int, wanted bool) {
	if !wanted {
		*r = routes{}
		return
	}
	if len(r.route) < n {
		r.route, r.follow, r.ends = make([]c.Route, n), make([]uint32, n), make([]uint32, n)
	}
	clear(r.route)
	clear(r.follow)
}

// note notes what row i, at some place, follows.
func (r *routes) note(place, i int, route []c.Route, field []c.FlowField) {
	if r.route == nil {
		return
	}
	if route != nil {
		r.route[place] = route[i]
	}
	if field != nil {
		r.follow[place] = field[i].Index + 1
	}
}

// captureRoutes takes the ways of all agents that have Route, and of those chosen ones that follow
// a field.
func (s *simulation) captureRoutes(to *snapshot, chosen []uint64) {
	r := &to.routes
	if r.route == nil {
		return
	}
	wants := map[uint64]bool{}
	for _, id := range chosen {
		wants[id] = true
	}
	id := ecs.ResourceID[systems.Ways](s.world.ECS)
	var ways *systems.Ways
	if s.world.ECS.Resources().Has(id) {
		ways = s.world.ECS.Resources().Get(id).(*systems.Ways)
	}
	r.points = r.points[:0]
	for place, id := range to.ids {
		switch {
		case id == 0:
		case wants[id] && r.follow[place] > 0:
			if int(r.follow[place]) > s.world.Fields.Len() { // before the first step
				s.world.FieldGrid(r.follow[place] - 1)
			}
			r.points = append(r.points, trace(s.world.Fields, r.follow[place]-1, to.pos[place])...)
		case ways != nil && (wants[id] || len(r.points) < mostRoutePoints):
			r.points = append(r.points, ways.Of(id, &r.route[place])...)
		}
		r.ends[place] = uint32(len(r.points))
	}
}

// of returns the points ahead of the agent at a place.
func (r *routes) of(place int) []r2.Vec {
	first := uint32(0)
	if place > 0 {
		first = r.ends[place-1]
	}
	return r.points[first:r.ends[place]]
}

// routes writes the ways of agents: first that of the selected one, then those of the others in
// the window.
func (f *frames) routes(s *snapshot, box r2.Box, selected uint64, full func() bool) {
	line := func(place int, own float64) (cut bool) {
		from := s.pos[place]
		for _, to := range s.routes.of(place) {
			if full() {
				return true
			}
			f.point(from, box.Min)
			f.point(to, box.Min)
			f.f32(own)
			from = to
		}
		return false
	}
	if s.routes.route == nil {
		return
	}
	for place, id := range s.ids {
		if id != 0 && id == selected && line(place, 1) {
			return
		}
	}
	for _, i := range f.shown {
		if s.ids[i] != selected && line(int(i), 0) {
			return
		}
	}
}
