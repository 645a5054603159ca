package scene

import (
	"fmt"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
)

// sighted returns stops as the world has them, with sightings in place of agents
// that are not there yet.
func (s *crowd) sighted(w *world.World, stops []systems.Stop) []systems.Stop {
	if !slices.ContainsFunc(stops, func(stop systems.Stop) bool { return stop.GoesBy() }) {
		return stops
	}
	stops = slices.Clone(stops)
	for i := range stops {
		if !stops[i].GoesBy() {
			continue
		}
		id := uint64(stops[i].Other)
		if _, ok := s.seen[id]; !ok {
			s.seen[id] = w.AddSighting(ecs.Entity{})
		}
		stops[i].Other = s.seen[id]
	}
	return stops
}

// show names the agents that stops go by, once they are there.
func (s *crowd) show(w *world.World, r *world.Rows) {
	if len(s.seen) == 0 {
		return
	}
	for i, a := range world.Column[c.Agent](r) {
		if index, ok := s.seen[a.ID]; ok {
			w.SetSighting(index, r.Entity(i))
		}
	}
}

// stops reports stops that go by an agent that the scene does not have.
func (g *Group) stops(s *Scene, add func(is bool, key, format string, args ...any)) {
	n := s.Agents()
	for i, stops := range g.Itineraries {
		for k, stop := range stops {
			add(stop.GoesBy() && (stop.Other < 1 || int(stop.Other) > n), fmt.Sprintf(".itineraries[%d][%d].agent", i, k),
				"is %d, want 1 to %d, the number of an agent", stop.Other, n)
		}
	}
}
