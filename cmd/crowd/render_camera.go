package main

import (
	"fmt"

	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/picture"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// A camera takes what there is to see of a world.
type camera struct {
	scene     *scene.Scene
	world     *world.World
	agents    *generic.Filter8[c.Position, c.Velocity, c.Agent, c.Radius, c.Heading, c.Target, c.Limits, c.Flee]
	obstacles *generic.Filter2[c.Position, c.Obstacle]
	paths     []picture.Path
	view      r2.Box
	groups    []string
	firsts    []uint64 // the id of the first agent of each group
	wakes     *wakes
	ids       []uint64 // of the agents that were taken last
}

// newCamera returns a camera as the command line asks for. The error says which
// trails are too long.
func (command *renderCmd) newCamera(s *scene.Scene, w *world.World) (*camera, error) {
	cam := newCamera(w)
	cam.scene, cam.view, cam.paths = s, s.Box, pathsOf(s)
	if size := s.Box.Size(); size.X > 0 && size.Y > 0 {
		// Bodies at the edge are to be seen whole.
		cam.view = grown(s.Box, 0.01*max(size.X, size.Y))
	} else {
		cam.view = cam.fit()
	}
	if v := command.View; len(v) == 4 {
		cam.view = r2.Box{Min: r2.Vec{X: v[0], Y: v[1]}, Max: r2.Vec{X: v[2], Y: v[3]}}
	}
	first := uint64(1)
	for i := range s.Groups {
		g := &s.Groups[i]
		name := g.Name
		if name == "" {
			name = fmt.Sprintf("group %d", i+1)
		}
		cam.groups, cam.firsts = append(cam.groups, name), append(cam.firsts, first)
		first += uint64(g.Count)
	}
	var err error
	cam.wakes, err = newWakes(w, command.Trails.steps(s.Dt), s.Agents())
	return cam, err
}

// pathsOf returns the paths of a scene. A path is closed if somebody follows it round
// and round.
func pathsOf(s *scene.Scene) (all []picture.Path) {
	for i, way := range s.Paths {
		all = append(all, picture.Path{Points: way, Loop: s.Loops(i)})
	}
	return all
}

// fit returns a view of where all agents are, and of their targets and waypoints or
// how far on the way there the steps of the scene take them. It is no narrower than a quarter
// of its length.
func (cam *camera) fit() r2.Box {
	crowd := &picture.Crowd{}
	cam.takeAgents(crowd)
	cam.takeObstacles(crowd)
	view := picture.Fit(crowd)
	near := grown(view, crowd.MaxSpeed*cam.scene.Dt*float64(cam.scene.Steps))
	places, reached := crowd.Targets, []r2.Vec(nil)
	for i := range cam.paths {
		places = append(places, cam.paths[i].Points...)
	}
	for _, t := range places {
		reached = append(reached, r2.Vec{
			X: min(max(t.X, near.Min.X), near.Max.X), Y: min(max(t.Y, near.Min.Y), near.Max.Y)})
	}
	crowd.Trails = [][]r2.Vec{reached}
	view = picture.Fit(crowd)
	size, middle := view.Size(), view.Center()
	half := r2.Vec{X: max(size.X, size.Y/4) / 2, Y: max(size.Y, size.X/4) / 2}
	return r2.Box{Min: r2.Sub(middle, half), Max: r2.Add(middle, half)}
}

// grown returns a box with every side moved outwards by d.
func grown(b r2.Box, d float64) r2.Box {
	v := r2.Vec{X: d, Y: d}
	return r2.Box{Min: r2.Sub(b.Min, v), Max: r2.Add(b.Max, v)}
}

// newCamera returns a camera that knows nothing of a scene.
func newCamera(w *world.World) *camera {
	return &camera{
		world: w,
		agents: generic.NewFilter8[c.Position, c.Velocity, c.Agent, c.Radius, c.Heading, c.Target, c.Limits, c.Flee]().
			Optional(generic.T6[c.Agent, c.Radius, c.Heading, c.Target, c.Limits, c.Flee]()...).Without(generic.T[c.Obstacle]()),
		obstacles: generic.NewFilter2[c.Position, c.Obstacle](),
	}
}

// take notes into crowd, whose memory is used again, what there is to see after
// a step.
func (cam *camera) take(crowd *picture.Crowd, step int) {
	cam.takeAgents(crowd)
	cam.takeObstacles(crowd)
	s := cam.scene
	crowd.Title, crowd.View, crowd.Groups, crowd.Paths = s.Name, cam.view, cam.groups, cam.paths
	when := fmt.Sprintf("%.1f s", cam.world.Clock.Time)
	if s.Dt > longStep {
		when = fmt.Sprintf("step %d", step)
	}
	crowd.Pixels = s.Dt == 1
	crowd.Caption = fmt.Sprintf("%s, %s, seed %d", numbers.Plural(s.Agents(), "agent"), when, s.Seed)
	near := grown(cam.view, cam.wakes.reach(crowd.MaxSpeed*s.Dt))
	crowd.Wakes = cam.wakes.all(crowd.Wakes[:0], crowd.Agents, cam.ids, near)
}

func (cam *camera) takeAgents(crowd *picture.Crowd) {
	agents := crowd.Agents[:0]
	cam.ids = cam.ids[:0]
	targets, dangers := crowd.Targets[:0], crowd.Dangers[:0]
	query := cam.agents.Query(cam.world.ECS)
	for query.Next() {
		pos, vel, agent, radius, heading, target, limits, flee := query.Get()
		id := uint64(0)
		a := picture.Agent{Position: pos.Vec, Speed: r2.Norm(vel.Vec), Heading: vel.Vec}
		if agent != nil {
			id, a.Group = agent.ID, cam.groupOf(agent.ID)
		}
		if radius != nil {
			a.Radius = radius.Meters
		}
		if heading != nil {
			a.Heading = heading.Vec
		}
		if target != nil {
			targets = append(targets, target.Vec)
		}
		if flee != nil {
			dangers = append(dangers, flee.From)
		}
		if limits != nil {
			crowd.MaxSpeed = max(crowd.MaxSpeed, limits.MaxSpeed)
		}
		agents, cam.ids = append(agents, a), append(cam.ids, id)
	}
	crowd.Agents, crowd.Targets, crowd.Dangers = agents, targets, dangers
}

// groupOf returns the group of an agent.
func (cam *camera) groupOf(id uint64) int {
	for i := len(cam.firsts) - 1; i > 0; i-- {
		if id >= cam.firsts[i] {
			return i
		}
	}
	return 0
}

func (cam *camera) takeObstacles(crowd *picture.Crowd) {
	crowd.Obstacles = crowd.Obstacles[:0]
	rings := *ecs.GetResource[systems.Polygons](cam.world.ECS)
	query := cam.obstacles.Query(cam.world.ECS)
	for query.Next() {
		pos, o := query.Get()
		shape := picture.Obstacle{A: pos.Vec, B: r2.Add(pos.Vec, o.Span), Radius: o.Radius}
		if k := int(o.Polygon) - 1; k >= 0 && k < len(rings) {
			for _, corner := range rings[k] {
				shape.Ring = append(shape.Ring, r2.Add(pos.Vec, corner))
			}
		}
		crowd.Obstacles = append(crowd.Obstacles, shape)
	}
}
