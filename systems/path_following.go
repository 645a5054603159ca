package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Paths is the resource that holds the waypoints, in meters, of every path that
// agents follow.
type Paths [][]r2.Vec

// PathFollowing makes one waypoint after another the Target of each agent. A
// waypoint is left when the agent is within Path.Reached of it; together with
// an arrival the agent slows down at every stop. An agent whose path does not
// exist keeps its Target.
//
// Reads Position and the resource Paths. Writes Path, and Target, or
// Destination if there is one.
// Source: Reynolds 1999, "path following"; "XNA Series, Modular AI",
// FollowPath.
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

// Sense looks up the path table.
func (s *PathFollowing) Sense(w *ecs.World) { s.paths = *frame.Resource[Paths](w) }

func (s *PathFollowing) Run(b *frame.Batch) {
	pos, path, target, dest := s.pos.Of(b), s.path.Of(b), s.target.Of(b), s.dest.Of(b)
	for i := range pos {
		if p := &path[i]; int(p.Index) < len(s.paths) && len(s.paths[p.Index]) > 0 {
			send(target, dest, i, followPath(p, pos[i].Vec, s.paths[p.Index]))
		}
	}
}

// followPath moves on to the next waypoint if the present one is reached, and
// returns the waypoint to go to.
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
	Name: "path", Text: "go to one waypoint of a path after another",
	Source: `Reynolds 1999, "path following"; "XNA Series, Modular AI", FollowPath`,
	Needs:  []any{c.Target{}},
	System: func(catalog.Options) any { return &PathFollowing{} }, Phase: catalog.Steer,
	Does: catalog.SetsTarget, Laws: catalog.AllLaws,
	Doing: "following a path",
}, func(b *c.Path) []catalog.Param {
	return []catalog.Param{
		catalog.Count("index", &b.Index, "which of the scene's paths, counted from 0").Or(uint32(0)).Of("paths"),
		catalog.Count("next", &b.Next, "the waypoint to begin with, counted from 0").Or(uint32(0)),
		catalog.Number("reached", &b.Reached, "m", "a waypoint is left when it is within this distance"),
		catalog.Switch("loop", &b.Loop, "begin again after the last waypoint; otherwise stay there"),
	}
})
