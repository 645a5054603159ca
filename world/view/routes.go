package view

import (
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// routes are the ways that agents are on, by the places of the agents.
type routes struct {
	who    []router
	ends   []uint32 // where in points the way of the place ends, which begins where the one before does
	points []r2.Vec // m
}

// router is an agent that is on a way; the zero value is none.
type router struct {
	entity ecs.Entity
	field  bool // which a field leads
}

const mostRoutePoints = 200_000 // of a snapshot

// grow makes room for n places, if routes are wanted.
func (r *routes) grow(n int, wanted bool) {
	if !wanted {
		*r = routes{}
		return
	}
	if len(r.who) < n {
		r.who, r.ends = make([]router, n), make([]uint32, n)
	}
	clear(r.who)
}

// captureRoutes takes the ways of all agents that found one, and of those chosen ones that follow
// a field.
func (s *simulation) captureRoutes(to *snapshot, chosen []uint64) {
	r := &to.routes
	if r.who == nil {
		return
	}
	wants := map[uint64]bool{}
	for _, id := range chosen {
		wants[id] = true
	}
	r.points = r.points[:0]
	for place, id := range to.ids {
		who := r.who[place]
		if id != 0 && !who.entity.IsZero() && (wants[id] || !who.field && len(r.points) < mostRoutePoints) {
			r.points = append(r.points, s.world.Way(who.entity)...)
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
	if s.routes.who == nil {
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
