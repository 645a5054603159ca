package picture

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// PictureOf returns the agents, targets, dangers, obstacles and doors of a world.
func PictureOf(w *world.World) *Crowd {
	crowd := &Crowd{}
	cam := newCamera(nil, w)
	cam.takeAgents(crowd)
	cam.takeObstacles(crowd)
	return crowd
}

// A Camera copies the visible state of a world into a Crowd.
type Camera struct {
	scene        *scene.Scene
	world        *world.World
	agents       *generic.Filter8[c.Position, c.Velocity, c.Agent, c.Radius, c.Heading, c.Target, c.Limits, c.Flee]
	destinations generic.Map[c.Destination]
	fields       generic.Map[c.FlowField]
	paths        []Path
	view         r2.Box
	part         string // added to the description, or ""
	groups       []string
	firsts       []uint64 // ID of the first agent of each group
	led          []int    // for each field of the scene, the group that follows it
	wakes        *wakes
	field        *fieldShot // may be nil
	ids          []uint64   // of the agents that takeAgents recorded last; 0 without components.Agent
}

// NoteStep records the agents for the wakes. After its first call, it must be called after every step.
func (cam *Camera) NoteStep() { cam.wakes.step() }

// newCamera returns a camera without a view. The scene may be nil.
func newCamera(s *scene.Scene, w *world.World) *Camera {
	cam := &Camera{
		scene: s, world: w,
		agents: generic.NewFilter8[c.Position, c.Velocity, c.Agent, c.Radius, c.Heading, c.Target, c.Limits, c.Flee]().
			Optional(generic.T6[c.Agent, c.Radius, c.Heading, c.Target, c.Limits, c.Flee]()...).Without(generic.T[c.Obstacle]()),
		destinations: generic.NewMap[c.Destination](w.ECS), fields: generic.NewMap[c.FlowField](w.ECS),
	}
	if s != nil {
		for i, points := range s.Paths {
			cam.paths = append(cam.paths, Path{Points: points, Loop: s.Loops(i)})
		}
	}
	return cam
}

// Take writes the state of the world into crowd, whose memory it reuses. It never lowers crowd.MaxSpeed, so
// the color scale of a film does not shrink. With steps longer than LongStep, the caption counts steps
// instead of seconds.
func (cam *Camera) Take(crowd *Crowd, step int) {
	cam.takeAgents(crowd)
	cam.takeObstacles(crowd)
	cam.takeGoals(crowd)
	crowd.Portals, crowd.Zones = cam.world.Inspect().Portals(), cam.world.Inspect().Zones()
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
	if n := len(crowd.Agents); n < s.Agents() {
		there = fmt.Sprintf("%s of %s", cli.Thousands(n), there)
	}
	crowd.Caption = fmt.Sprintf("%s, %s, seed %d", there, when, s.Seed)
	crowd.Widest = fmt.Sprintf("%s of %s, %.1f s, seed %d", cli.Thousands(s.Agents()), cli.Plural(s.Agents(), "agent"), s.Dt*float64(s.Steps), s.Seed)
	near := grow(cam.view, cam.wakes.reach(crowd.MaxSpeed*s.Dt))
	crowd.Wakes = cam.wakes.all(crowd.Wakes[:0], crowd.Agents, cam.ids, near)
}

// LongStep is the time step, in seconds, above which a step counts as a frame, as in scenes from tutorials.
const LongStep = 0.1

// ShowField makes Take record the flow field with the given index.
func (cam *Camera) ShowField(index uint32) { cam.field = &fieldShot{index: index} }

type fieldShot struct {
	index   uint32
	changes uint64
	taken   *Field
}

func (cam *Camera) takeField(crowd *Crowd) {
	shot := cam.field
	if shot == nil {
		return
	}
	if fields := cam.world.Fields; shot.taken == nil || shot.changes != fields.Changes() {
		if g, ok := cam.world.Inspect().FieldGrid(shot.index); ok {
			shot.taken = (*Field)(&g)
		}
		shot.changes = fields.Changes()
	}
	crowd.Field = shot.taken
}

// NewCamera returns a camera that shows view: x0, y0, x1, y1 in the scene's unit of length. A nil view means
// the scene's box with a margin or, without a box, a box that fits the crowd. The parameter trails is the
// number of steps that wakes cover; 0 means no wakes. NewCamera returns an error if there are too many agents
// for wakes.
func NewCamera(s *scene.Scene, w *world.World, view []float64, trails int) (*Camera, error) {
	cam := newCamera(s, w)
	if size := s.Box.Size(); size.X > 0 && size.Y > 0 {
		cam.view = grow(s.Box, 0.01*max(size.X, size.Y))
	} else {
		cam.view = cam.fit()
	}
	if len(view) == 4 {
		cam.view = r2.Box{Min: r2.Vec{X: view[0], Y: view[1]}, Max: r2.Vec{X: view[2], Y: view[3]}}
		cam.part = partOf(s, cam.view)
	}
	cam.firsts = s.FirstIDs()
	for i := range s.Groups {
		g := &s.Groups[i]
		cam.groups = append(cam.groups, cmp.Or(g.Name, fmt.Sprintf("group %d", i+1)))
		for range (&scene.Scene{Groups: s.Groups[i : i+1]}).FlowFields() {
			cam.led = append(cam.led, i)
		}
	}
	var err error
	cam.wakes, err = newWakes(w, trails, s.Agents())
	return cam, err
}

func partOf(s *scene.Scene, view r2.Box) string {
	if s.Box.Size() == (r2.Vec{}) || s.Box.Union(view) != s.Box || view == s.Box {
		return ""
	}
	unit, part, all := "m", view.Size(), s.Box.Size()
	if s.InPixels() {
		unit = "px"
	}
	size := func(v r2.Vec) string { return fmt.Sprintf("%.4g %s × %.4g %s", v.X, unit, v.Y, unit) }
	return fmt.Sprintf(" (here %s of %s)", size(part), size(all))
}

// FitScene returns a view that fits the crowd, for scenes without a box.
func FitScene(s *scene.Scene, w *world.World) r2.Box { return newCamera(s, w).fit() }

// fit returns a view of the agents and obstacles, and of the targets, waypoints and stops, clamped to the
// area that agents can reach. No side is shorter than a quarter of the other.
func (cam *Camera) fit() r2.Box {
	crowd := &Crowd{}
	cam.takeAgents(crowd)
	cam.takeObstacles(crowd)
	view := fitCrowd(crowd)
	near := grow(view, crowd.MaxSpeed*cam.scene.Dt*float64(cam.scene.Steps))
	places, reached := crowd.Targets, []r2.Vec(nil)
	for i := range cam.paths {
		places = append(places, cam.paths[i].Points...)
	}
	for i := range cam.scene.Groups {
		for _, stops := range cam.scene.Groups[i].Itineraries {
			for _, stop := range stops {
				switch stop.Kind {
				case systems.StopPlace:
					places = append(places, stop.At)
				case systems.StopBox:
					places = append(places, stop.Box.Center())
				}
			}
		}
	}
	for _, t := range places {
		reached = append(reached, r2.Vec{X: min(max(t.X, near.Min.X), near.Max.X), Y: min(max(t.Y, near.Min.Y), near.Max.Y)})
	}
	crowd.Trails = [][]r2.Vec{reached}
	view = fitCrowd(crowd)
	size, middle := view.Size(), view.Center()
	half := r2.Vec{X: max(size.X, size.Y/4) / 2, Y: max(size.Y, size.X/4) / 2}
	return r2.Box{Min: r2.Sub(middle, half), Max: r2.Add(middle, half)}
}

func (cam *Camera) takeAgents(crowd *Crowd) {
	agents := crowd.Agents[:0]
	cam.ids = cam.ids[:0]
	targets, dangers := crowd.Targets[:0], crowd.Dangers[:0]
	query := cam.agents.Query(cam.world.ECS)
	for query.Next() {
		pos, vel, agent, radius, heading, target, limits, flee := query.Get()
		id := uint64(0)
		a := Agent{Position: pos.Vec, Speed: r2.Norm(vel.Vec), Heading: vel.Vec}
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
			if to, ok := cam.goesTo(query.Entity(), target.Vec); ok {
				targets = append(targets, to)
			}
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

// goesTo returns an agent's destination or, without one, its target. The target of an agent with a
// destination is only the next point of a path. If the agent has no destination and follows a field, goesTo
// returns false.
func (cam *Camera) goesTo(e ecs.Entity, target r2.Vec) (r2.Vec, bool) {
	if cam.destinations.Has(e) {
		return cam.destinations.Get(e).Vec, true
	}
	return target, !cam.fields.Has(e)
}

// flowFields returns the flow fields of the world without adding the resource.
func (cam *Camera) flowFields() sense.FlowFields {
	w := cam.world.ECS
	for _, id := range ecs.ResourceIDs(w) {
		if fields, ok := w.Resources().Get(id).(*sense.FlowFields); ok {
			return *fields
		}
	}
	return nil
}

// takeGoals records the goals of flow fields: boxes in crowd.Goals, and points in crowd.Targets.
func (cam *Camera) takeGoals(crowd *Crowd) {
	crowd.Goals = crowd.Goals[:0]
	for field, f := range cam.flowFields() {
		for _, b := range f.Goals {
			if b.Min == b.Max {
				crowd.Targets = append(crowd.Targets, b.Min)
				continue
			}
			goal := Goal{Box: b}
			if field < len(cam.led) {
				goal.Group = cam.led[field]
			}
			if i := slices.IndexFunc(crowd.Goals, func(o Goal) bool { return o.Box == b }); i < 0 {
				crowd.Goals = append(crowd.Goals, goal)
			} else if crowd.Goals[i].Group != goal.Group {
				crowd.Goals[i].Group = -1
			}
		}
	}
}

func (cam *Camera) groupOf(id uint64) int {
	for i := len(cam.firsts) - 1; i > 0; i-- {
		if id >= cam.firsts[i] {
			return i
		}
	}
	return 0
}

func (cam *Camera) takeObstacles(crowd *Crowd) {
	crowd.Obstacles, crowd.Doors = crowd.Obstacles[:0], crowd.Doors[:0]
	cam.world.Inspect().EachObstacle(func(o world.ObstacleShape) {
		if o.Door != nil {
			crowd.Doors = append(crowd.Doors, Door{A: o.A, B: o.B, Radius: o.Radius, Open: o.Door.Open})
		}
		if o.Door == nil || !o.Door.Open {
			crowd.Obstacles = append(crowd.Obstacles, Obstacle{A: o.A, B: o.B, Radius: o.Radius, Ring: o.Corners})
		}
	})
}
