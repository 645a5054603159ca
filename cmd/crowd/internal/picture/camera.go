package picture

import (
	"fmt"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// PictureOf returns what there is to see of a world.
func PictureOf(w *world.World) *Crowd {
	crowd := &Crowd{}
	cam := newPlain(w)
	cam.takeAgents(crowd)
	cam.takeObstacles(crowd)
	return crowd
}

// A camera takes what there is to see of a world.
type Camera struct {
	scene        *scene.Scene
	world        *world.World
	agents       *generic.Filter8[c.Position, c.Velocity, c.Agent, c.Radius, c.Heading, c.Target, c.Limits, c.Flee]
	obstacles    *generic.Filter2[c.Position, c.Obstacle]
	destinations generic.Map[c.Destination]
	fields       generic.Map[c.FlowField]
	doors        generic.Map[c.Door]
	paths        []Path
	view         r2.Box
	part         string // how much of the scene that is
	groups       []string
	firsts       []uint64 // the id of the first agent of each group
	led          []int    // the group that follows each field of the scene
	wakes        *wakes
	field        *fieldShot // nil: none is shown
	ids          []uint64   // of the agents that were taken last
}

// NoteStep takes note of a step, for the trails.
func (cam *Camera) NoteStep() { cam.wakes.step() }

// PathsOf returns the paths of a scene. A path is closed if somebody follows it round
// and round.
func PathsOf(s *scene.Scene) (all []Path) {
	for i, way := range s.Paths {
		all = append(all, Path{Points: way, Loop: s.Loops(i)})
	}
	return all
}

// grown returns a box with every side moved outwards by d.
func grown(b r2.Box, d float64) r2.Box {
	v := r2.Vec{X: d, Y: d}
	return r2.Box{Min: r2.Sub(b.Min, v), Max: r2.Add(b.Max, v)}
}

// newPlain returns a camera that knows nothing of a scene.
func newPlain(w *world.World) *Camera {
	return &Camera{
		world: w,
		agents: generic.NewFilter8[c.Position, c.Velocity, c.Agent, c.Radius, c.Heading, c.Target, c.Limits, c.Flee]().
			Optional(generic.T6[c.Agent, c.Radius, c.Heading, c.Target, c.Limits, c.Flee]()...).Without(generic.T[c.Obstacle]()),
		obstacles:    generic.NewFilter2[c.Position, c.Obstacle](),
		destinations: generic.NewMap[c.Destination](w.ECS), fields: generic.NewMap[c.FlowField](w.ECS), doors: generic.NewMap[c.Door](w.ECS),
	}
}

// Take notes into crowd, whose memory is used again, what there is to see after
// a step.
func (cam *Camera) Take(crowd *Crowd, step int) {
	cam.takeAgents(crowd)
	cam.takeObstacles(crowd)
	cam.takeGoals(crowd)
	cam.takePortals(crowd)
	cam.takeZones(crowd)
	cam.takeField(crowd)
	s := cam.scene
	crowd.Title, crowd.View, crowd.Groups, crowd.Paths = s.Name, cam.view, cam.groups, cam.paths
	crowd.About = cli.Shorten(s.Text, 200) + cam.part
	when := fmt.Sprintf("%.1f s", cam.world.Clock.Time)
	if s.Dt > LongStep {
		when = fmt.Sprintf("step %d", step)
	}
	crowd.Pixels, crowd.Frames = s.InPixels(), s.Dt == 1
	there := cli.Plural(s.Agents(), "agent")
	if n := len(crowd.Agents); n < s.Agents() { // others have left, or not come
		there = fmt.Sprintf("%s of %s", cli.Thousands(n), there)
	}
	crowd.Caption = fmt.Sprintf("%s, %s, seed %d", there, when, s.Seed)
	near := grown(cam.view, cam.wakes.reach(crowd.MaxSpeed*s.Dt))
	crowd.Wakes = cam.wakes.all(crowd.Wakes[:0], crowd.Agents, cam.ids, near)
}

// LongStep is the length of a step in seconds from which on it is a frame.
const LongStep = 0.1
