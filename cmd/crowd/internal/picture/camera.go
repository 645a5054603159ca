package picture

import (
	"fmt"

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

// PictureOf returns a picture of a world.
func PictureOf(w *world.World) *Crowd {
	crowd := &Crowd{}
	cam := newPlain(w)
	cam.takeAgents(crowd)
	cam.takeObstacles(crowd)
	return crowd
}

// A camera captures the visible state of a world.
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
	part         string // how much of the scene it shows
	groups       []string
	firsts       []uint64 // ID of the first agent of each group
	led          []int    // group that follows each field of the scene
	wakes        *wakes
	field        *fieldShot // may be nil
	ids          []uint64   // of the agents that were taken last
}

// NoteStep records a step, for the trails.
func (cam *Camera) NoteStep() { cam.wakes.step() }

// PathsOf returns the paths of a scene. A path is closed if agents repeat it.
func PathsOf(s *scene.Scene) (all []Path) {
	for i, way := range s.Paths {
		all = append(all, Path{Points: way, Loop: s.Loops(i)})
	}
	return all
}

// grown returns a box with every side moved outward by d.
func grown(b r2.Box, d float64) r2.Box {
	v := r2.Vec{X: d, Y: d}
	return r2.Box{Min: r2.Sub(b.Min, v), Max: r2.Add(b.Max, v)}
}

// newPlain returns a camera without a scene.
func newPlain(w *world.World) *Camera {
	return &Camera{
		world: w,
		agents: generic.NewFilter8[c.Position, c.Velocity, c.Agent, c.Radius, c.Heading, c.Target, c.Limits, c.Flee]().
			Optional(generic.T6[c.Agent, c.Radius, c.Heading, c.Target, c.Limits, c.Flee]()...).Without(generic.T[c.Obstacle]()),
		obstacles:    generic.NewFilter2[c.Position, c.Obstacle](),
		destinations: generic.NewMap[c.Destination](w.ECS), fields: generic.NewMap[c.FlowField](w.ECS), doors: generic.NewMap[c.Door](w.ECS),
	}
}

// Take captures the state after a step in crowd, reusing its memory.
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
	if n := len(crowd.Agents); n < s.Agents() { // others have left, or are yet to come
		there = fmt.Sprintf("%s of %s", cli.Thousands(n), there)
	}
	crowd.Caption = fmt.Sprintf("%s, %s, seed %d", there, when, s.Seed)
	crowd.Widest = fmt.Sprintf("%s of %s, %.1f s, seed %d", cli.Thousands(s.Agents()), cli.Plural(s.Agents(), "agent"), s.Dt*float64(s.Steps), s.Seed)
	near := grown(cam.view, cam.wakes.reach(crowd.MaxSpeed*s.Dt))
	crowd.Wakes = cam.wakes.all(crowd.Wakes[:0], crowd.Agents, cam.ids, near)
}

// LongStep is the length of a step in seconds from which on a step is a frame.
const LongStep = 0.1

// ShowField makes pictures show a field of the world.
func (cam *Camera) ShowField(index uint32) { cam.field = &fieldShot{index: index} }

// fieldShot is a captured field, captured again when it changes.
type fieldShot struct {
	index   uint32
	changes uint64
	taken   *Field
}

// takeField captures the field to show.
func (cam *Camera) takeField(crowd *Crowd) {
	shot := cam.field
	if shot == nil {
		return
	}
	if fields := cam.world.Fields; shot.taken == nil || shot.changes != fields.Changes() {
		if g, ok := cam.world.Inspect().FieldGrid(shot.index); ok {
			shot.taken = &Field{Min: g.Min, Cell: g.Cell, Columns: g.Columns, Rows: g.Rows, Distances: g.Distances, Slowed: g.Slowed}
		}
		shot.changes = fields.Changes()
	}
	crowd.Field = shot.taken
}

// NewCamera returns a camera for the crowd of a scene. It shows all of it, or the area between two
// corners: x0, y0, x1, y1. Trails cover a number of steps; the error reports that they are too
// long.
func NewCamera(s *scene.Scene, w *world.World, view []float64, trails int) (*Camera, error) {
	cam := newPlain(w)
	cam.scene, cam.view, cam.paths = s, s.Box, PathsOf(s)
	if size := s.Box.Size(); size.X > 0 && size.Y > 0 {
		// Show bodies at the edge entirely.
		cam.view = grown(s.Box, 0.01*max(size.X, size.Y))
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
		name := g.Name
		if name == "" {
			name = fmt.Sprintf("group %d", i+1)
		}
		cam.groups = append(cam.groups, name)
		if (g.Way == scene.Field || g.Way == scene.Quickest) && g.Target != nil && g.Count > 0 {
			cam.led = append(cam.led, i)
		}
	}
	var err error
	cam.wakes, err = newWakes(w, trails, s.Agents())
	return cam, err
}

// partOf describes how much of a scene a view shows; "" if it is not a part of its box.
func partOf(s *scene.Scene, view r2.Box) string {
	if s.Box.Size() == (r2.Vec{}) || s.Box.Union(view) != s.Box || view == s.Box {
		return ""
	}
	unit, part, all := "m", view.Size(), s.Box.Size()
	if s.InPixels() {
		unit = "px"
	}
	return fmt.Sprintf(" (here %.4g × %.4g of %.4g × %.4g %s)", part.X, part.Y, all.X, all.Y, unit)
}

// FitScene returns a view that shows the crowd of a scene.
func FitScene(s *scene.Scene, w *world.World) r2.Box {
	cam := newPlain(w)
	cam.scene, cam.paths = s, PathsOf(s)
	return cam.fit()
}

// fit returns a view of all agents and of their targets, waypoints and stops, or as far on the way
// there as the steps of the scene take them. Its sides differ by at most a factor of four.
func (cam *Camera) fit() r2.Box {
	crowd := &Crowd{}
	cam.takeAgents(crowd)
	cam.takeObstacles(crowd)
	view := Fit(crowd)
	near := grown(view, crowd.MaxSpeed*cam.scene.Dt*float64(cam.scene.Steps))
	places, reached := crowd.Targets, []r2.Vec(nil)
	for i := range cam.paths {
		places = append(places, cam.paths[i].Points...)
	}
	for i := range cam.scene.Groups {
		for _, stops := range cam.scene.Groups[i].Itineraries {
			places = append(places, scenePlaces(stops)...)
		}
	}
	for _, t := range places {
		reached = append(reached, r2.Vec{
			X: min(max(t.X, near.Min.X), near.Max.X), Y: min(max(t.Y, near.Min.Y), near.Max.Y)})
	}
	crowd.Trails = [][]r2.Vec{reached}
	view = Fit(crowd)
	size, middle := view.Size(), view.Center()
	half := r2.Vec{X: max(size.X, size.Y/4) / 2, Y: max(size.Y, size.X/4) / 2}
	return r2.Box{Min: r2.Sub(middle, half), Max: r2.Add(middle, half)}
}

// scenePlaces returns the places of the stops of an itinerary.
func scenePlaces(stops []systems.Stop) (places []r2.Vec) {
	for i := range stops {
		switch stops[i].Kind {
		case systems.StopPlace:
			places = append(places, stops[i].At)
		case systems.StopBox:
			places = append(places, stops[i].Box.Center())
		}
	}
	return places
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

// goesTo returns where an agent goes: its Destination, or any goal of its field, because its Target
// may be only a direction.
func (cam *Camera) goesTo(e ecs.Entity, target r2.Vec) (r2.Vec, bool) {
	if cam.destinations.Has(e) {
		return cam.destinations.Get(e).Vec, true
	}
	return target, !cam.fields.Has(e)
}

// takeZones captures the zones.
func (cam *Camera) takeZones(crowd *Crowd) {
	crowd.Zones = crowd.Zones[:0]
	for _, z := range cam.world.Inspect().Zones() {
		crowd.Zones = append(crowd.Zones, Zone{Box: z.Box, Up: z.Up})
	}
}

// takePortals captures the portals.
func (cam *Camera) takePortals(crowd *Crowd) {
	crowd.Portals = crowd.Portals[:0]
	for _, p := range cam.world.Inspect().Portals() {
		crowd.Portals = append(crowd.Portals, Portal{From: p.From, To: p.To})
	}
}

// flowFields returns the fields of the world, without registering the resource.
func (cam *Camera) flowFields() sense.FlowFields {
	w := cam.world.ECS
	for _, id := range ecs.ResourceIDs(w) {
		if fields, ok := w.Resources().Get(id).(*sense.FlowFields); ok {
			return *fields
		}
	}
	return nil
}

// takeGoals captures the goals of all fields: boxes, and points as targets.
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
			crowd.Goals = append(crowd.Goals, goal)
		}
	}
}

// groupOf returns the group of an agent.
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
	rings := *ecs.GetResource[sense.Polygons](cam.world.ECS)
	query := cam.obstacles.Query(cam.world.ECS)
	for query.Next() {
		pos, o := query.Get()
		if e := query.Entity(); cam.doors.Has(e) {
			door := Door{A: pos.Vec, B: r2.Add(pos.Vec, o.Span), Radius: o.Radius, Open: cam.doors.Get(e).Open}
			if crowd.Doors = append(crowd.Doors, door); door.Open {
				continue
			}
		}
		shape := Obstacle{A: pos.Vec, B: r2.Add(pos.Vec, o.Span), Radius: o.Radius}
		if k := int(o.Polygon) - 1; k >= 0 && k < len(rings) {
			for _, corner := range rings[k] {
				shape.Ring = append(shape.Ring, r2.Add(pos.Vec, corner))
			}
		}
		crowd.Obstacles = append(crowd.Obstacles, shape)
	}
}
