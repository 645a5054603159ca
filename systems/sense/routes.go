package sense

import (
	"math"

	"github.com/8f878440/crowd/internal/route"
	"github.com/8f878440/crowd/internal/space"
	"gonum.org/v1/gonum/spatial/r2"
)

// Routes finds the shortest ways round obstacles. It looks at a copy of them, which Renew
// brings up to date, so that a search may take several steps.
type Routes struct {
	Obstacles *Obstacles // those to go round

	index   space.Index
	version uint64 // of the obstacles that were copied, counted from 1
	graphs  map[float64]*route.Graph
	search  RouteSearch
}

// RouteSearch is a search for a way, and memory for others after it.
type RouteSearch = route.Search

// Renew copies the obstacles if any has changed since the last time, and tells whether one had.
// Searches that are not over must begin again then.
func (r *Routes) Renew() bool {
	if r.version == r.Obstacles.version+1 {
		return false
	}
	r.version = r.Obstacles.version + 1
	r.index.Build(r.Obstacles.shapes, r.Obstacles.reach, 0)
	clear(r.graphs)
	return true
}

// Ready tells whether obstacles were copied before.
func (r *Routes) Ready() bool { return r.version > 0 }

// Begin begins a search for the way of a body with a radius, in m. Ways have room for a body
// that is up to 6 % wider, so that bodies which are nearly alike share what is known of the
// obstacles.
func (r *Routes) Begin(s *RouteSearch, from, to r2.Vec, radius float64) {
	radius = roundUp(radius)
	g := r.graphs[radius]
	if g == nil {
		if r.graphs == nil {
			r.graphs = map[float64]*route.Graph{}
		}
		g = &route.Graph{}
		g.Build(&r.index, radius)
		r.graphs[radius] = g
	}
	s.Begin(g, from, to)
}

// roundUp returns the next number that has four bits or less before zeros.
func roundUp(x float64) float64 {
	const rest = 1<<(52-4) - 1
	return math.Float64frombits((math.Float64bits(x) + rest) &^ rest)
}

// Find appends the points of the shortest way of a body from one place to another to a path,
// the last one included, and returns how long it is, in m; false if there is none. It is for
// one goroutine, and not for systems that run.
func (r *Routes) Find(from, to r2.Vec, radius float64, path []r2.Vec) (_ []r2.Vec, length float64, ok bool) {
	r.Renew()
	r.Begin(&r.search, from, to, radius)
	for !r.search.Go(math.MaxInt) {
	}
	return r.search.Path(path)
}
