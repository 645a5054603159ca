package sense

import (
	"maps"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
)

// Keep keeps the obstacles that were copied, and how much is known of them, so that later searches look at as many
// corners as they would have.
func (r *Routes) Keep(a *frame.Archive) {
	keepShapes(a, &r.index, r.Obstacles.reach)
	radii := slices.Sorted(maps.Keys(r.graphs))
	a.Keep(&r.version, &r.portals, &radii)
	if a.Reading() {
		r.graphs, r.built = nil, false
		if err := r.portals.Check(); err != nil {
			a.Fail("%w", err)
		}
	}
	for _, radius := range radii {
		if checkBody(a, radius); a.Err() != nil {
			return
		}
		r.graph(radius).Keep(a)
	}
}

// KeepSearch keeps a search that is not over, after Routes.Keep.
func (r *Routes) KeepSearch(a *frame.Archive, s *RouteSearch) {
	from, to, radius, turns := s.from, s.to, s.radius, s.turns
	a.Keep(&from, &to, &radius, &turns)
	if !a.Reading() {
		return
	}
	if checkBody(a, radius); !vec.Finite(from) || !vec.Finite(to) {
		a.Fail("search is from %v to %v, want finite numbers", from, to)
	}
	if a.Err() == nil {
		r.Begin(s, from, to, radius)
		for s.turns < turns && !s.turn() {
		}
	}
}

// checkBody refuses a radius that no body has.
func checkBody(a *frame.Archive, radius float64) {
	if !(radius >= 0 && radius <= math.MaxFloat64) {
		a.Fail("radius of a body is %v m, want a finite number, 0 or more", radius)
	}
}
