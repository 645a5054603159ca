package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Paths is the resource that holds the waypoints of all paths, in meters.
type Paths [][]r2.Vec

// PathFollowing sets each agent's Target to the waypoints of its path, one after another. An agent within
// Path.Reached of its waypoint goes on to the next one; if Reached is 0, it never does. If Path.Loop is true,
// the first waypoint follows the last. With an arrival behavior, the agent slows down at each waypoint. An
// agent keeps its Target if its path does not exist.
//
// Reads Position and the resource Paths. Writes Path, and Target or, if present, Destination.
//
// Source: "XNA Series, Modular AI", FollowPath. In Reynolds 1999, "path following", agents keep near the
// lines between the waypoints instead.
type PathFollowing struct {
	pos    frame.In[c.Position]
	path   frame.Out[c.Path]
	target frame.Out[c.Target]
	dest   frame.Out[c.Destination]
	paths  Paths
}

func (s *PathFollowing) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	n.Write(&s.path, &s.target)
	n.InFrame("the resource Paths")
	n.Optional(&s.dest)
	n.Once()
}

func (s *PathFollowing) Sense(w *ecs.World) { s.paths = *frame.Resource[Paths](w) }

func (s *PathFollowing) Run(b *frame.Batch) {
	pos, path, target, dest := s.pos.Of(b), s.path.Of(b), s.target.Of(b), s.dest.Of(b)
	for i := range pos {
		if p := &path[i]; int(p.Index) < len(s.paths) && len(s.paths[p.Index]) > 0 {
			send(target, dest, i, followPath(p, pos[i].Vec, s.paths[p.Index]))
		}
	}
}

func followPath(path *c.Path, p r2.Vec, way []r2.Vec) r2.Vec {
	last := uint32(len(way) - 1)
	path.Next = min(path.Next, last)
	if path.Reached > 0 && isAt(way[path.Next], p, path.Reached) {
		switch {
		case path.Next < last:
			path.Next++
		case path.Loop:
			path.Next = 0
		}
	}
	return way[path.Next]
}

var pathEntry = catalog.Of(catalog.Entry{
	Name: "path", Text: "go to the waypoints of a path, one after another",
	Source: `"XNA Series, Modular AI", FollowPath; after Reynolds 1999, "path following"`,
	Needs:  []any{c.Target{}},
	System: func(catalog.Options) any { return &PathFollowing{} }, Phase: catalog.Steer,
	Does: catalog.SetsTarget, Laws: catalog.AllLaws,
	Doing: "following a path",
}, func(b *c.Path) []catalog.Param {
	return []catalog.Param{
		catalog.Count("index", &b.Index, "index of the path in the scene, from 0").Or(uint32(0)).Of("paths"),
		catalog.Count("next", &b.Next, "index of the first waypoint, from 0").Or(uint32(0)),
		catalog.Number("reached", &b.Reached, "m", "distance at which a waypoint counts as reached"),
		catalog.Switch("loop", &b.Loop, "start again after the last waypoint instead of staying there"),
	}
})

// PathStatus is an agent's progress on its path.
type PathStatus struct {
	Remaining   float64 // m, to the end of the path; in a straight line if Reached or Waiting, or if no Route or FlowField leads the agent; +Inf if Unreachable
	Reached     bool    // within the radius of the Goal; false without a Goal
	Waiting     bool    // the path or flow field has not been computed yet; the agent goes straight, or along its old path
	Unreachable bool    // there is no path
}

// PathStatusOf returns an agent's progress on its path: that of its Route, FlowField or BoundaryFollowing, or
// else the straight line to its Target. It returns false if the agent is dead or has no Position or Target,
// and panics if the frame is not initialized. With an Itinerary, the path leads to the next stop, and Reached
// is true after the last stop. Call PathStatusOf between steps; it takes about a microsecond.
//
// Costs of quickest paths (sense.FlowField.Every) and of areas (sense.FlowField.Costs) count as meters.
func PathStatusOf(f *frame.Frame, w *ecs.World, e ecs.Entity) (status PathStatus, ok bool) {
	if !f.Initialized() {
		panic("crowd: PathStatusOf of a frame before Initialize")
	}
	if !w.Alive(e) {
		return PathStatus{}, false
	}
	at, placed := componentOf[c.Position](f, w, e)
	target, goes := componentOf[c.Target](f, w, e)
	if !placed || !goes {
		return PathStatus{}, false
	}
	goal, _ := componentOf[c.Goal](f, w, e)
	to := target.Vec
	dest, routed := componentOf[c.Destination](f, w, e)
	if routed {
		to = dest.Vec
	}
	straight := vec.Norm(vec.Sub(to, at.Vec))
	status.Remaining = straight
	if flow, is := componentOf[c.FlowField](f, w, e); is {
		status.along(f, flow.Index, at.Vec)
	} else if r, is := componentOf[c.Route](f, w, e); is && !dest.Direct {
		id := c.IDOf(nil, e)
		if agent, has := componentOf[c.Agent](f, w, e); has {
			id = agent.ID
		}
		status.route(frame.Resource[Routes](w).of(id, &r), &r, at.Vec, to)
	} else if b, is := componentOf[c.BoundaryFollowing](f, w, e); is && !dest.Direct {
		status.Unreachable = b.Memory.State == c.BoundaryUnreachable
	}
	switch {
	case goal.Inside:
		status = PathStatus{Remaining: straight, Reached: true}
	case status.Unreachable:
		status.Remaining = math.Inf(1)
	}
	return status, true
}

func (s *PathStatus) along(f *frame.Frame, field uint32, at r2.Vec) {
	follows, ok := frame.Find[*FlowFieldFollowing](f)
	if s.Waiting = !ok || int(field) >= follows.fields.Len(); s.Waiting {
		return
	}
	s.Remaining, _ = follows.fields.Read(field, at)
	s.Unreachable = !(s.Remaining <= math.MaxFloat64)
}

// route sets the status. The route x is nil if there is none yet.
func (s *PathStatus) route(x *plannedRoute, r *c.Route, at, to r2.Vec) {
	known := r.State == c.RouteGiven || (r.State == c.RouteFound || r.State == c.RouteNone) && near(r.To, to, at)
	if s.Waiting = x == nil || !known; s.Waiting {
		return
	}
	if s.Unreachable = r.State == c.RouteNone; !s.Unreachable {
		next := min(int(r.Next), len(x.points)-1)
		s.Remaining = vec.Norm(vec.Sub(x.points[next], at)) + x.rest[next]
	}
}

// componentOf also finds the bound component that replaces T. The entity must be alive.
func componentOf[T any](f *frame.Frame, w *ecs.World, e ecs.Entity) (component T, ok bool) {
	source, ok := column.FindIn[T](f.Bindings(), w)
	if !ok {
		return component, false
	}
	return column.At[T](w, &source, e)
}
