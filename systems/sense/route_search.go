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

// Routes finds shortest paths around obstacles and through portals. It searches a copy of both, so a search
// may take several steps. Renew updates the copy.
type Routes struct {
	Obstacles *Obstacles

	index   space.Index
	portals Portals
	version uint64                   // 1 + version of the copied obstacles; 0 means no copy
	graphs  map[float64]*route.Graph // by rounded radius
	exact   route.Graph              // for a radius that is not rounded; valid only if built is true
	exactly float64                  // m, radius of exact
	built   bool
	search  RouteSearch
}

// Renew copies the obstacles and portals if any have changed since the last copy, and reports whether it did
// so. After a new copy, searches in progress must start again.
func (r *Routes) Renew() bool {
	if r.version == r.Obstacles.version+1 {
		return false
	}
	r.version, r.portals = r.Obstacles.version+1, r.Obstacles.portals
	shapes := slices.Clone(r.Obstacles.shapes) // sorted, because the order of rows must not matter
	slices.SortFunc(shapes, func(a, b space.Shape) int { return cmp.Compare(a.ID, b.ID) })
	r.index.Build(shapes, r.Obstacles.reach, 0)
	clear(r.graphs)
	r.built = false
	return true
}

// Begin starts s, a search for the shortest path of a body with the given radius, in m. Paths have room for
// bodies up to 1/16 wider, so that bodies of nearly equal size share a graph: see Room.
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

// Room returns the radius, in m, for which paths have room: the given radius, rounded up to five significant
// bits.
func Room(radius float64) float64 {
	const rest = 1<<(52-4) - 1
	return math.Float64frombits((math.Float64bits(radius) + rest) &^ rest)
}

// Find appends the points of the shortest path of a body with the given radius, in m, to a list, without the
// start. It returns the list and the path's length in m, or the same list, +Inf and false if there is no path.
// Find calls Renew. Call it from one goroutine, while no systems run.
func (r *Routes) Find(from, to r2.Vec, radius float64, path []r2.Vec) (_ []r2.Vec, length float64, ok bool) {
	r.Renew()
	r.Begin(&r.search, from, to, radius)
	for !r.search.Go(math.MaxInt) {
	}
	return r.search.Path(path)
}

// Reaches reports whether a body with exactly the given radius has a path to a position or to one of nine
// points at most 0.99·within from it: the nearest one in the Bounds of Obstacles, and eight around the
// position. If the start is outside the Bounds, the path starts at the nearest point inside. All lengths are
// in m. Reaches calls Renew. Call it from one goroutine, while no systems run.
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

// Place returns the destination of a body that heads for a position: the nearest point in the Bounds of
// Obstacles. If that point is in an obstacle, Place tries eight points around it, at a distance of
// 0.99·within. Of those with room for the body, it returns the one nearest to the start, if there is one. All
// lengths are in m. Place uses the copy that Renew made.
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

func around(p r2.Vec, radius float64) (all [8]r2.Vec) {
	at := r2.Vec{X: radius}
	for i := range all {
		all[i] = vec.Add(p, at)
		at = vec.Scale(math.Sqrt2/2, r2.Vec{X: at.X - at.Y, Y: at.X + at.Y}) // an eighth of a turn
	}
	return all
}

// RouteSearch is a search for a path: see Routes.Begin. It can be reused.
//
// With portals, it is an A* search over the portals, from exits to entrances, with straight lines as bounds.
// The path between two portals is searched only when that path is the most promising one (Lazy A*: Cohen,
// Phillips, Likhachev, 2015).
type RouteSearch struct {
	Looks int // about the number of corners tested and, if there are portals, 10 more for each leg

	begun   searchBegun
	graph   *route.Graph
	portals Portals
	walk    route.Search // for a leg or, if there are no portals, the whole path

	from, to r2.Vec
	least    []float64 // m, lower bounds on the path from each portal's exit to the goal
	open     []leg
	reached  []leg // leg by which each portal and, as the last element, the goal is reached; to is -1 until then
	points   []r2.Vec
	walking  bool // the first leg of open is being searched
	over     bool
}

type searchBegun struct {
	from, to r2.Vec
	radius   float64 // m
	known    int     // corners expanded before the search
}

// leg is a part of a path, from one portal to the next or to the goal.
type leg struct {
	from, to    int     // portals; -1 is the start, and the number of portals is the goal
	length      float64 // m, from the start to the exit of the portal; a lower bound until known
	known       bool
	first, last int // the leg's points
}

const looksOfLeg = 10

// Room returns the radius for which the search has room, in m: see the function Room.
func (s *RouteSearch) Room() float64 { return s.begun.radius }

func (s *RouteSearch) begin(g *route.Graph, portals Portals, from, to r2.Vec) {
	s.graph, s.portals, s.Looks = g, portals, 0
	if len(portals) == 0 {
		s.walk.Begin(g, from, to)
		return
	}
	s.from, s.to = from, to
	s.open, s.points, s.walking, s.over = s.open[:0], s.points[:0], false, false
	s.reached = s.reached[:0]
	for range len(portals) + 1 {
		s.reached = append(s.reached, leg{to: -1})
	}
	s.bounds()
	s.set(leg{to: -1})
}

// bounds sets least by Dijkstra's algorithm over straight lines.
func (s *RouteSearch) bounds() {
	s.least = s.least[:0]
	for i := range s.portals {
		s.least = append(s.least, vec.Norm(vec.Sub(s.to, s.portals[i].exit())))
	}
	done := 0.
	for range s.portals {
		next := math.Inf(1)
		for _, d := range s.least {
			if d > done && d < next {
				next = d
			}
		}
		for k, d := range s.least {
			if d != next {
				continue
			}
			for i := range s.portals {
				if via := vec.Norm(vec.Sub(s.portals[k].entrance(), s.portals[i].exit())) + s.portals[k].Length + d; via < s.least[i] {
					s.least[i] = via
				}
			}
		}
		done = next
	}
}

// place returns the exit of a portal, or the start for -1.
func (s *RouteSearch) place(after int) r2.Vec {
	if after < 0 {
		return s.from
	}
	return s.portals[after].exit()
}

// end returns the end of a leg to a portal or the goal, and the portal's length, which is 0 for the goal.
func (s *RouteSearch) end(to int) (r2.Vec, float64) {
	if to == len(s.portals) {
		return s.to, 0
	}
	return s.portals[to].entrance(), s.portals[to].Length
}

// set opens the legs from the end of a leg to the goal and to all portals not yet reached.
func (s *RouteSearch) set(x leg) {
	at := s.place(x.to)
	for to := range s.reached {
		if s.reached[to].to < 0 && to != x.to {
			end, more := s.end(to)
			s.open = append(s.open, leg{from: x.to, to: to, length: x.length + vec.Norm(vec.Sub(end, at)) + more})
		}
	}
}

func (s *RouteSearch) bound(x *leg) float64 {
	if x.to == len(s.portals) {
		return x.length
	}
	return x.length + s.least[x.to]
}

func (s *RouteSearch) next() {
	best := 0
	for i := range s.open {
		if s.bound(&s.open[i]) < s.bound(&s.open[best]) {
			best = i
		}
	}
	s.open[0], s.open[best] = s.open[best], s.open[0]
}

func (s *RouteSearch) drop() {
	last := len(s.open) - 1
	s.open[0] = s.open[last]
	s.open = s.open[:last]
}

// Go continues a search until it is over or Looks has grown by the given number, and reports whether the
// search is over. Looks may grow further, by the tests for one corner and around the start, or by 10.
func (s *RouteSearch) Go(looks int) (over bool) {
	if len(s.portals) == 0 {
		over = s.walk.Go(looks)
		s.Looks = s.walk.Looks
		return over
	}
	left := looks
	for !s.over {
		if left <= 0 {
			return false
		}
		if s.walking {
			before := s.walk.Looks
			found := s.walk.Go(left)
			left -= s.walk.Looks - before
			s.Looks += s.walk.Looks - before
			if !found {
				return false
			}
			s.found()
			continue
		}
		if len(s.open) == 0 {
			s.over = true
			break
		}
		s.next()
		x := s.open[0]
		switch {
		case s.reached[x.to].to >= 0:
			s.drop()
		case !x.known:
			end, _ := s.end(x.to)
			s.walk.Begin(s.graph, s.place(x.from), end)
			s.walking = true
			left -= looksOfLeg
			s.Looks += looksOfLeg
		default:
			s.reached[x.to] = x
			s.drop()
			if s.over = x.to == len(s.portals); !s.over {
				s.set(x)
			}
		}
	}
	return true
}

// found records the path of the searched leg, or drops the leg if it has no path.
func (s *RouteSearch) found() {
	s.walking = false
	x := &s.open[0]
	first := len(s.points)
	points, length, ok := s.walk.Path(s.points)
	if !ok {
		s.drop()
		return
	}
	s.points = points
	before := 0.
	if x.from >= 0 {
		before = s.reached[x.from].length
	}
	_, more := s.end(x.to)
	*x = leg{from: x.from, to: x.to, length: before + length + more, known: true, first: first, last: len(points)}
}

// Path appends the points of the path found to a list, without the start but with the end and the exits of
// portals. It returns the list and the length in m, or the same list, +Inf and false if no path was found.
func (s *RouteSearch) Path(path []r2.Vec) (_ []r2.Vec, length float64, ok bool) {
	if len(s.portals) == 0 {
		return s.walk.Path(path)
	}
	goal := s.reached[len(s.portals)]
	if goal.to < 0 {
		return path, math.Inf(1), false
	}
	first := len(path)
	for x := goal; ; x = s.reached[x.from] { // backward from the goal
		for i := x.last - 1; i >= x.first; i-- {
			path = append(path, s.points[i])
		}
		if x.from < 0 {
			break
		}
		path = append(path, s.portals[x.from].exit())
	}
	slices.Reverse(path[first:])
	return path, goal.length, true
}
