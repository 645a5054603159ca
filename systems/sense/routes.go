package sense

import (
	"cmp"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/route"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Routes finds the shortest ways round obstacles and through portals. It looks at a copy of them, which Renew
// brings up to date, so that a search may take several steps.
type Routes struct {
	Obstacles *Obstacles // those to go round

	index   space.Index
	portals Portals
	version uint64 // of the obstacles that were copied, counted from 1
	graphs  map[float64]*route.Graph
	exact   route.Graph // of the radius that Reaches was asked for last
	exactly float64     // this radius; built reports whether there is one
	built   bool
	search  RouteSearch
}

// Renew copies the obstacles if any has changed since the last time, and reports whether one had.
// Searches that are not over must begin again then.
func (r *Routes) Renew() bool {
	if r.version == r.Obstacles.version+1 {
		return false
	}
	r.version, r.portals = r.Obstacles.version+1, r.Obstacles.portals
	shapes := slices.Clone(r.Obstacles.shapes) // in an order that is not that of rows
	slices.SortFunc(shapes, func(a, b space.Shape) int { return cmp.Compare(a.ID, b.ID) })
	r.index.Build(shapes, r.Obstacles.reach, 0)
	clear(r.graphs)
	r.built = false
	return true
}

// Begin begins a search for the way of a body with a radius, in m. Ways have room for a body
// that is up to 6 % wider, so that bodies which are nearly alike share what is known of the
// obstacles: see Room.
func (r *Routes) Begin(s *RouteSearch, from, to r2.Vec, radius float64) {
	radius = Room(radius)
	g := r.graphs[radius]
	if g == nil {
		if r.graphs == nil {
			r.graphs = map[float64]*route.Graph{}
		}
		g = &route.Graph{Bounds: r.Obstacles.Bounds}
		g.Build(&r.index, radius)
		r.graphs[radius] = g
	}
	s.begin(g, r.portals, from, to)
	s.begun = searchBegun{from, to, radius, len(g.Asked())}
}

// Room returns the radius of the widest body that the ways of a body with a radius have room for, in
// m: the next number that has four bits or less before zeros.
func Room(radius float64) float64 {
	const rest = 1<<(52-4) - 1
	return math.Float64frombits((math.Float64bits(radius) + rest) &^ rest)
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

// Reaches reports whether there is a way for a body with a radius, in m, from one place to
// another or to where it is within some meters of it: with no more room than the body needs.
// It is for one goroutine, and not for systems that run.
func (r *Routes) Reaches(from, to r2.Vec, radius, within float64) bool {
	r.Renew()
	from = r.Obstacles.inside(from)
	if in := r.Obstacles.inside(to); (in == to || vec.Norm(vec.Sub(in, to)) <= 0.99*within) && r.leads(from, in, radius) {
		return true
	}
	for _, to := range around(to, 0.99*within) {
		if within > 0 && r.Obstacles.inside(to) == to && r.leads(from, to, radius) {
			return true
		}
	}
	return false
}

// Place returns where a body goes that may stop within some meters of a place: there, or as near as the
// bounds of Obstacles allow, or if that is in an obstacle, to the one nearest to it of eight places around that has room for it. It goes by the
// obstacles that Renew copied.
func (r *Routes) Place(from, to r2.Vec, radius, within float64) r2.Vec {
	to = r.Obstacles.inside(to)
	if hit, near := r.index.Nearest(to, 0); !near || hit.Distance == 0 || !(within > 0) {
		return to
	}
	best, least := to, math.Inf(1)
	for _, p := range around(to, 0.99*within) {
		_, touches := r.index.Nearest(p, radius)
		if d := vec.Norm2(vec.Sub(p, from)); !touches && d < least && r.Obstacles.inside(p) == p {
			best, least = p, d
		}
	}
	return best
}

// leads reports whether there is a way to a place.
func (r *Routes) leads(from, to r2.Vec, radius float64) bool {
	if hit, near := r.index.Nearest(to, radius); near && hit.Distance < 0.999*radius {
		return false
	}
	if _, _, ok := r.Find(from, to, radius, nil); ok {
		return true
	}
	if !r.built || r.exactly != radius {
		r.exact.Bounds = r.Obstacles.Bounds
		r.exact.Build(&r.index, radius)
		r.built, r.exactly = true, radius
	}
	r.search.begin(&r.exact, r.portals, from, to)
	for !r.search.Go(math.MaxInt) {
	}
	_, _, ok := r.search.Path(nil)
	return ok
}

// around returns places on a circle.
func around(p r2.Vec, radius float64) (all [8]r2.Vec) {
	at := r2.Vec{X: radius}
	for i := range all {
		all[i] = vec.Add(p, at)
		at = vec.Scale(math.Sqrt2/2, r2.Vec{X: at.X - at.Y, Y: at.X + at.Y}) // an eighth of a turn
	}
	return all
}
