package picture

import (
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

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

// goesTo returns where an agent goes, whose Target may only be the direction of the way there:
// to its Destination, or, if it follows a field, to any of its goals.
func (cam *Camera) goesTo(e ecs.Entity, target r2.Vec) (r2.Vec, bool) {
	if cam.destinations.Has(e) {
		return cam.destinations.Get(e).Vec, true
	}
	return target, !cam.fields.Has(e)
}

// takeZones notes where agents walk slower, or faster.
func (cam *Camera) takeZones(crowd *Crowd) {
	crowd.Zones = crowd.Zones[:0]
	for _, z := range cam.world.Zones() {
		crowd.Zones = append(crowd.Zones, Zone{Box: z.Box, Up: z.Up})
	}
}

// takePortals notes where portals are.
func (cam *Camera) takePortals(crowd *Crowd) {
	crowd.Portals = crowd.Portals[:0]
	for _, p := range cam.world.Portals() {
		crowd.Portals = append(crowd.Portals, Portal{From: p.From, To: p.To})
	}
}

// takeGoals notes the goals of all fields: boxes, and points as targets.
func (cam *Camera) takeGoals(crowd *Crowd) {
	crowd.Goals = crowd.Goals[:0]
	for field, f := range frame.FindResource[sense.FlowFields](cam.world.ECS) {
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
