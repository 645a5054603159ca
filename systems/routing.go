package systems

import (
	"cmp"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// defaultLooks, the default of Looks, is one to four milliseconds of work. firstLooks, for the first step, is
// one to three seconds, because a crowd without routes would walk into walls.
const defaultLooks, firstLooks = 50_000, 50_000_000

// Planner finds the routes of Routing on a host's navigation mesh, grid or road map.
type Planner interface {
	// Plan finds a route for a body with the given radius, in m, and reports whether there is one. It appends
	// the points of the route to path, including the destination and optionally the start, and returns the
	// result. Routing calls Plan at the end of a step, from one goroutine. It calls Plan again for an agent
	// that does not see its next point, or if its destination or radius has changed. The same arguments must
	// give the same result until Changed reports true.
	Plan(from, to r2.Vec, radius float64, path []r2.Vec) (_ []r2.Vec, ok bool)
	// Changed reports whether routes may have changed since the last call to Changed. If so, all routes
	// except those of Routes.Set are planned again, but not in the first step of a restored world.
	Changed() bool
}

// Costs of a Planner's route, and of the test for a straight one, in corners and links.
const (
	plannerLooks  = 1000
	straightLooks = 10
)

// Routing finds the shortest path around obstacles and through portals for each agent with Route. It keeps
// the Target in the direction of the route's next point, and as far away as the remaining route is long. So
// agents slow down only at the end. An agent passes a point when it crosses the bisector of the two segments
// that meet there.
//
// Routing searches for a route at the end of a step if obstacles or portals have changed, or if a Destination
// has moved by more than a tenth of its distance. It also does so if an agent is wider than its route allows,
// is slimmer by more than 3% to 6%, does not see the next point, or was in an obstacle and had no route. A
// step visits about Looks corners and links. The remaining agents wait, in order of ID: those without a route
// go straight, and the others keep theirs. If the Destination is in an obstacle, the agent stops within
// Goal.Radius of the Destination if there is room.
//
// Reads Position, Destination, Obstacles and, if present, Radius, Goal and Agent. Writes Route, Target, and
// the resource Routes.
//
// Source: Lozano-Pérez & Wesley 1979, "An algorithm for planning collision-free paths among polyhedral
// obstacles"; Hart, Nilsson, Raphael 1968 (A*).
type Routing struct {
	Obstacles *sense.Obstacles // of an earlier frame; nil means those of the same frame
	Looks     int              // corners and links per step; 0 means 50,000, and 50 million in the first step. A Planner's route counts as 1,000
	Planner   Planner          // nil means shortest paths around Obstacles

	routes  sense.Routes
	ways    *Routes
	rows    frame.Walk
	asking  routeRequests
	begun   bool // Changed has been called
	search  sense.RouteSearch
	going   bool   // a search is in progress
	goingID uint64 // ID of its agent
	goingTo r2.Vec // m, destination
	left    bool   // some agents had to wait
	looks   int    // corners and links that this step may visit
	looked  int    // corners and links visited in the last step

	pos    frame.In[c.Position]
	dest   frame.In[c.Destination]
	agent  frame.In[c.Agent]
	radius frame.In[c.Radius]
	route  frame.Out[c.Route]
	target frame.Out[c.Target]
}

func (s *Routing) Attach(f *frame.Frame, w *ecs.World) {
	s.routes.Obstacles = sense.ObstaclesOf(f, s, s.Obstacles)
	s.asking.Routing = s
	s.rows.Attach(f, w, &s.asking)
	frame.Resource[Routes](w)
}

func (s *Routing) Detach(w *ecs.World) {
	s.rows.Detach(w)
	s.routes, s.search = sense.Routes{}, sense.RouteSearch{} // the obstacles of the next world may have the same version
	s.begun, s.left, s.going = false, false, false
}

type routeRequests struct {
	*Routing
	pos    frame.In[c.Position]
	dest   frame.In[c.Destination]
	agent  frame.In[c.Agent]
	radius frame.In[c.Radius]
	goal   frame.In[c.Goal]
	route  frame.Out[c.Route]
	list   []routeRequest
	rows   int
}

type routeRequest struct {
	later  bool // goes after the others, because a search for this destination has ended before
	id     uint64
	at, to r2.Vec
	radius float64 // m, with clearance
	within float64 // m, distance from the destination at which the agent may stop
	route  *c.Route
}

func (s *routeRequests) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.dest)
	n.Optional(&s.agent, &s.radius, &s.goal)
	n.Write(&s.route)
}

func (s *routeRequests) Run(b *frame.Batch) {
	pos, dest, agent, goal := s.pos.Of(b), s.dest.Of(b), s.agent.Of(b), s.goal.Of(b)
	radius, route := s.radius.Of(b), s.route.Of(b)
	for i := range pos {
		s.rows++
		r, to, x := &route[i], dest[i].Vec, s.ways.of(b.ID(agent, i), &route[i])
		if x == nil {
			r.Way, r.State = 0, c.RouteUnknown
		} else {
			x.seen = b.Tick
		}
		if r.State == c.RouteGiven || dest[i].Direct || !vec.Finite(pos[i].Vec) || !vec.Finite(to) {
			continue
		}
		has := (r.State == c.RouteFound || r.State == c.RouteNone) && near(r.To, to, pos[i].Vec)
		again := r.State == c.RouteNone && len(x.points) > 0 && x.points[0] != pos[i].Vec && (b.Tick+b.ID(agent, i))%looksEvery == 0
		body := r.Clearance
		if radius != nil {
			body += radius[i].Meters
		}
		if has && !again && x.epoch == s.ways.epoch && x.suits(body) {
			continue
		}
		within := 0.
		if goal != nil {
			within = goal[i].Radius
		}
		s.list = append(s.list, routeRequest{has, b.ID(agent, i), pos[i].Vec, to, body, within, r})
	}
}

// near reports whether a destination has moved by at most a tenth of its distance from p.
func near(old, new, p r2.Vec) bool {
	return old == new || vec.Norm2(vec.Sub(old, new)) <= 0.01*vec.Norm2(vec.Sub(new, p))
}

func (s *Routing) Sense(w *ecs.World) {
	s.ways = frame.Resource[Routes](w)
	s.ways.through(s.routes.Obstacles.Portals())
}

// Observe finds routes, within the limit per step, and frees those of dead agents.
func (s *Routing) Observe(w *ecs.World) {
	s.looked = 0
	if frame.ClockOf(w).Dt == 0 || s.rows.Count(w) == 0 && len(s.ways.all) == len(s.ways.spare) {
		return // a pause, or no agent needs a route
	}
	first := !s.begun
	s.begun = true
	changed := s.routes.Renew
	if s.Planner != nil {
		changed = s.Planner.Changed
	}
	if !s.left && changed() && !(first && s.ways.epoch > 0) { // the first step after a restore keeps the routes
		s.ways.epoch++
		s.going = false
	}
	s.asking.list, s.asking.rows = s.asking.list[:0], 0
	s.looks = s.Looks
	if s.looks <= 0 {
		s.looks = defaultLooks
		if first {
			s.looks = firstLooks
		}
	}
	s.rows.RunThen(w, s.find)
	if live := len(s.ways.all) - len(s.ways.spare); live > s.asking.rows {
		s.ways.sweep(frame.ClockOf(w).Tick)
	}
}

// Looked returns the number of corners and links visited in the last step. A new search counts as 10 more,
// and a Planner's route as 1,000. The number may exceed Looks by the last corner or route.
func (s *Routing) Looked() int { return s.looked }

func (s *Routing) find() {
	list := s.asking.list
	slices.SortFunc(list, func(a, b routeRequest) int {
		if a.later != b.later {
			if b.later {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.id, b.id)
	})
	if k := slices.IndexFunc(list, func(r routeRequest) bool { return s.continues(&r) }); k > 0 {
		list[0], list[k] = list[k], list[0]
	}
	done := 0
	for done < len(list) && s.looked < s.looks && s.findOne(&list[done], s.looks-s.looked) {
		done++
	}
	s.left = done < len(list)
}

func (s *Routing) findOne(r *routeRequest, looks int) (over bool) {
	if s.Planner != nil {
		s.looked += plannerLooks
		x := s.routeOf(r)
		points, ok := s.Planner.Plan(r.at, r.to, r.radius, append(x.points[:0], r.at))
		x.room = r.radius
		s.found(r, x, points, ok)
		return true
	}
	before := 0
	if s.continues(r) {
		before = s.search.Looks
	} else {
		s.routes.Begin(&s.search, r.at, s.routes.Place(r.at, r.to, r.radius, r.within), r.radius)
		s.going, s.goingID, s.goingTo = true, r.id, r.to
		s.looked += straightLooks
	}
	over = s.search.Go(looks)
	if s.looked += s.search.Looks - before; !over {
		return false
	}
	s.going = false
	x := s.routeOf(r)
	x.room = sense.Room(r.radius)
	points, _, ok := s.search.Path(append(x.points[:0], r.at))
	s.found(r, x, points, ok)
	return true
}

// Keep saves or restores the state of the search.
func (s *Routing) Keep(a *frame.Archive) {
	a.Keep(&s.begun, &s.left, &s.going, &s.goingID, &s.goingTo)
	search := &s.search
	if !s.going {
		search = nil
	}
	s.routes.Keep(a, search)
}

func (s *Routing) continues(r *routeRequest) bool {
	return s.going && r.id == s.goingID && r.to == s.goingTo && s.search.Room() == sense.Room(r.radius)
}

func (s *Routing) routeOf(r *routeRequest) *plannedRoute {
	if x := s.ways.of(r.id, r.route); x != nil {
		return x
	}
	return s.ways.add(r.id, r.route)
}

func (s *Routing) found(r *routeRequest, x *plannedRoute, points []r2.Vec, ok bool) {
	x.epoch = s.ways.epoch
	r.route.To, r.route.Next, r.route.State = r.to, 1, c.RouteFound
	if !ok {
		points, r.route.Next, r.route.State = points[:0], 0, c.RouteNone
		if hit, near := s.routes.Obstacles.Nearest(r.at, r.radius); near && !(hit.Distance > 0.001*r.radius) { // an obstacle may push the agent out
			points, r.route.Next = append(points, r.at), 1
		}
	}
	x.points = points
	x.measure(s.ways.portals)
}

func (s *Routing) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.dest)
	n.Optional(&s.agent, &s.radius)
	n.Write(&s.route, &s.target)
	n.InFrame("the resource Routes")
	n.Once()
}

// looksEvery is the number of steps between checks of an agent's route.
const looksEvery = 16

func (s *Routing) Run(b *frame.Batch) {
	pos, dest, agent, radius := s.pos.Of(b), s.dest.Of(b), s.agent.Of(b), s.radius.Of(b)
	route, target := s.route.Of(b), s.target.Of(b)
	for i := range pos {
		r, p := &route[i], pos[i].Vec
		x := s.ways.of(b.ID(agent, i), r)
		if target[i].Vec = dest[i].Vec; x == nil || dest[i].Direct || r.State == c.RouteNone {
			continue
		}
		r.Next = x.pass(p, r.Next, s.ways.portals)
		if (b.Tick+b.ID(agent, i))%looksEvery == 0 && r.State == c.RouteFound {
			body := r.Clearance
			if radius != nil {
				body += radius[i].Meters
			}
			s.look(x, r, p, body)
		}
		if last := len(x.points) - 1; r.State == c.RouteGiven || int(r.Next) < last || x.points[last] != r.To {
			target[i].Vec = x.target(p, r.Next)
		}
	}
}

// pass returns the index of the first point, at index next or later, that an agent at p has not passed, or
// the index of the last point. An agent that has come out of a portal has passed the point where the portal
// begins.
func (x *plannedRoute) pass(p r2.Vec, next uint32, portals sense.Portals) uint32 {
	for last := uint32(len(x.points) - 1); next < last; next++ {
		at := x.points[next]
		if slices.Contains(x.hops, next) {
			k, ok := portals.Joins(at, x.points[next+1])
			if to := &portals[k].To; !ok || !isAt(vec.Clamp(p, *to), p, 0) {
				break
			}
			continue
		}
		to := vec.Unit(vec.Sub(x.points[next+1], at))
		from := to
		if next > 0 {
			from = vec.Unit(vec.Sub(at, x.points[next-1]))
		}
		if vec.Dot(vec.Sub(p, at), vec.Add(from, to)) < 0 {
			break
		}
	}
	return min(next, uint32(len(x.points)-1))
}

// look marks the route as lost if a body of half the radius cannot move straight to the next point.
// Otherwise it skips the next point while the body can move straight to the one after it, except at
// portals.
func (s *Routing) look(x *plannedRoute, r *c.Route, p r2.Vec, body float64) {
	if !s.sees(p, x.points[r.Next], 0.5*body) {
		r.State = c.RouteLost
		return
	}
	if hit, near := s.routes.Obstacles.Nearest(p, body); near { // an agent pressed against a wall sees past its corner
		body = max(0.99*hit.Distance, 0)
	}
	for int(r.Next)+1 < len(x.points) && !slices.Contains(x.hops, r.Next) && s.sees(p, x.points[r.Next+1], body) {
		r.Next++
	}
}

func (s *Routing) sees(from, to r2.Vec, body float64) bool {
	way := vec.Sub(to, from)
	length := vec.Norm(way)
	if length == 0 {
		return true
	}
	_, hit := s.routes.Obstacles.Sweep(from, vec.Scale(1/length, way), length, body)
	return !hit
}

func (x *plannedRoute) target(p r2.Vec, next uint32) r2.Vec {
	to := vec.Sub(x.points[next], p)
	if d := vec.Norm(to); d > 0 && x.rest[next] > 0 {
		return vec.AddScaled(p, (d+x.rest[next])/d, to)
	}
	return x.points[next]
}

var routeEntry = catalog.Of(catalog.Entry{
	Name: "route", Text: "find the shortest path around obstacles to the destination",
	Source: `Lozano-Pérez & Wesley 1979; A* of Hart, Nilsson, Raphael 1968`,
	Needs:  []any{c.Target{}, c.Destination{}},
	System: func(o catalog.Options) any {
		return &Routing{Obstacles: catalog.Get[*sense.Obstacles](o), Planner: catalog.Get[Planner](o)}
	}, Phase: catalog.Steer,
	Does:    catalog.SetsTarget | catalog.FindsWay | catalog.SeesObstacles,
	State:   "the points of each route, in the resource Routes",
	Laws:    catalog.Translation | catalog.Mirror | catalog.Finite | catalog.NoAllocation, // round corners have fixed tangents
	Special: true,
	Doing:   "finding its way",
}, func(b *c.Route) []catalog.Param {
	return []catalog.Param{
		catalog.Number("clearance", &b.Clearance, "m", "minimum distance kept between obstacles and the body").Or(0.),
	}
})
