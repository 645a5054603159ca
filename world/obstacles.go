package world

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// ObstacleShape is an obstacle of a world: a circle, a wall, or a polygon.
type ObstacleShape struct {
	Entity  ecs.Entity
	A, B    r2.Vec   // m, ends of a wall; both are the center of a circle, the first corner of a polygon, or the position of a polygon without corners
	Radius  float64  // m, of a circle, or half the thickness of a wall or outline
	Corners []r2.Vec // m, a copy; nil except for a polygon
	Door    *c.Door  // a copy; nil except for a door
}

// EachObstacle calls visit for every obstacle, in the order of entity IDs. Changes made by visit do not
// affect later calls. Agents see changes only from the next step on. Corners is empty, but not nil, if the
// resource Polygons lacks the polygon.
func (in Inspector) EachObstacle(visit func(ObstacleShape)) {
	w := in.world
	place, obstacle := column.SourceIn[c.Position](w.types, w.ECS), column.SourceIn[c.Obstacle](w.types, w.ECS)
	var all []ObstacleShape
	for q := w.ECS.Query(ecs.All(place.ID, obstacle.ID)); q.Next(); {
		p, _ := column.At[c.Position](w.ECS, &place, q.Entity())
		o, _ := column.At[c.Obstacle](w.ECS, &obstacle, q.Entity())
		s := w.shape(q.Entity(), p.Vec, &o)
		if door, is := look[c.Door](w, q.Entity()); is {
			s.Door = &door
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b ObstacleShape) int { return cmp.Compare(a.Entity.ID(), b.Entity.ID()) })
	for i := range all {
		visit(all[i])
	}
}

func (w *World) shape(e ecs.Entity, p r2.Vec, o *c.Obstacle) ObstacleShape {
	s := ObstacleShape{Entity: e, A: p, B: vec.Add(p, o.Span), Radius: o.Radius}
	if o.Polygon == 0 {
		return s
	}
	s.B, s.Corners = p, []r2.Vec{}
	if rings, k := *resource(w.ECS, &sense.Polygons{}), int(o.Polygon)-1; k < len(rings) {
		for _, corner := range rings[k] {
			s.Corners = append(s.Corners, vec.Add(p, corner))
		}
	}
	if len(s.Corners) > 0 {
		s.A, s.B = s.Corners[0], s.Corners[0]
	}
	return s
}

// MoveObstacle moves an obstacle so that its ObstacleShape.A becomes the given point, in m. Call it
// between two steps. It returns an error if the point is not finite, or if the entity is dead or not an
// obstacle.
func (w *World) MoveObstacle(e ecs.Entity, to r2.Vec) error {
	p, o, err := w.obstacle(e)
	if err != nil {
		return err
	}
	if err := checkFinite("position of obstacle", to); err != nil {
		return err
	}
	at := to
	if o.Polygon != 0 { // corners are relative to the position
		at = vec.Add(p.Vec, vec.Sub(to, w.shape(e, p.Vec, &o).A))
		if err := checkFinite("position of polygon", at); err != nil {
			return err
		}
	}
	edit(w, e, func(p *c.Position) { p.Vec = at })
	return nil
}

// AddDoor adds a wall between two points, in m, that opens and closes at the times in d, and returns
// its entity. The radius is half the thickness of the wall. AddDoor returns errors as AddObstacle does,
// and an error if a time in d is negative or not finite.
func (w *World) AddDoor(from, to r2.Vec, radius float64, d c.Door) (ecs.Entity, error) {
	for _, x := range []struct {
		name  string
		value float64
	}{{"opens", d.Opens}, {"closes", d.Closes}, {"period", d.Period}} {
		if !(x.value >= 0) || math.IsInf(x.value, 1) {
			return ecs.Entity{}, fmt.Errorf("door: %s is %v s, want a finite number, 0 or more", x.name, x.value)
		}
	}
	e, err := w.AddObstacle(from, c.Obstacle{Span: vec.Sub(to, from), Radius: radius})
	if err == nil {
		systems.AddBound(w.Frame, w.ECS, e, d)
	}
	return e, err
}

// SetDoor opens or closes a door until its next scheduled time. Call it between two steps. It returns
// an error if the entity is dead or not a door.
func (w *World) SetDoor(e ecs.Entity, open bool) error {
	if w.ECS.Alive(e) {
		if _, is := look[c.Door](w, e); is {
			edit(w, e, func(d *c.Door) { d.Open = open })
			return nil
		}
	}
	return w.isNot(e, "a door")
}

// RemoveObstacle acts like Remove, but returns an error if the entity is dead or not an obstacle.
// AddPolygon reuses the row of a removed polygon.
func (w *World) RemoveObstacle(e ecs.Entity) error {
	if _, _, err := w.obstacle(e); err != nil {
		return err
	}
	w.Remove(e)
	return nil
}

func (w *World) obstacle(e ecs.Entity) (p c.Position, o c.Obstacle, err error) {
	placed, is := false, false
	if w.ECS.Alive(e) {
		p, placed = look[c.Position](w, e)
		o, is = look[c.Obstacle](w, e)
	}
	if !placed || !is {
		return p, o, w.isNot(e, "an obstacle")
	}
	return p, o, nil
}

func (w *World) isNot(e ecs.Entity, what string) error {
	if !w.ECS.Alive(e) {
		return fmt.Errorf("entity %d is dead, want %s", e.ID(), what)
	}
	return fmt.Errorf("entity %d is not %s", e.ID(), what)
}

func (w *World) newPolygon(corners []r2.Vec) uint32 {
	rows := resource(w.ECS, &sense.Polygons{})
	for ; w.fullPolygons < len(*rows); w.fullPolygons++ {
		if n := uint32(w.fullPolygons + 1); len((*rows)[n-1]) == 0 && !w.hasPolygon(n) {
			(*rows)[n-1] = corners
			return n
		}
	}
	*rows = append(*rows, corners)
	return uint32(len(*rows))
}

func (w *World) freePolygon(n uint32) {
	rows := *resource(w.ECS, &sense.Polygons{})
	if n == 0 || int(n) > len(rows) || w.hasPolygon(n) {
		return
	}
	rows[n-1] = nil
	w.fullPolygons = min(w.fullPolygons, int(n)-1)
}

func (w *World) hasPolygon(n uint32) bool {
	obstacle := column.SourceIn[c.Obstacle](w.types, w.ECS)
	q := w.ECS.Query(ecs.All(obstacle.ID))
	defer q.Close()
	var walker column.Walker
	for _, r := range walker.Walk(w.ECS, &q, nil) {
		if slices.ContainsFunc(column.Rows[c.Obstacle](obstacle.Load(&r), 0, r.Rows), func(o c.Obstacle) bool { return o.Polygon == n }) {
			return true
		}
	}
	return false
}

// Clearance is a disc of free space around a point on a path.
type Clearance struct {
	At     r2.Vec  // m, center
	Radius float64 // m
}

// Corridor returns the free space along an agent's path, as discs as large as obstacles allow.
// The parameter step limits the distance between centers, except at portals, and widest limits the
// radius, both in m. An agent pushed aside within the corridor continues to the next point of its path
// or, if it no longer sees that point, gets a new path. Corridor returns at most 10,000 discs, and nil
// if Path returns nil. It panics if step or widest is not above 0.
//
// Source: Geraerts 2010, "Planning short paths with clearance using explicit corridors".
func (in Inspector) Corridor(e ecs.Entity, step, widest float64) (discs []Clearance) {
	w := in.world
	const maxDiscs = 10_000
	if !(step > 0) || !(widest > 0) {
		panic(fmt.Sprintf("crowd: Corridor with steps of %v m and discs up to %v m, want both above 0", step, widest))
	}
	way := in.Path(e)
	if len(way) == 0 {
		return nil
	}
	at, _ := look[c.Position](w, e)
	from := at.Vec
	for _, to := range way {
		leg := vec.Sub(to, from)
		n := math.Ceil(vec.Norm(leg) / step)
		if _, hop := w.Obstacles.Portals().Joins(from, to); hop {
			n = 1
		}
		for i := range int(min(n, maxDiscs)) {
			p := vec.AddScaled(from, (float64(i)+1)/n, leg)
			room := widest
			if hit, near := w.Obstacles.Nearest(p, widest); near {
				room = max(hit.Distance, 0)
			}
			if discs = append(discs, Clearance{p, room}); len(discs) == maxDiscs {
				return discs
			}
		}
		from = to
	}
	return discs
}

// SetPortals replaces the portals of the world, such as tunnels, teleporters, and stairs between floors
// drawn side by side. Call it between two steps. The next steps recompute paths and fields, which may
// lead through portals. SetPortals returns an error if a portal is invalid.
func (w *World) SetPortals(all ...sense.Portal) error {
	portals := sense.Portals(slices.Clone(all))
	if err := portals.Check(); err != nil {
		return err
	}
	*resource(w.ECS, &sense.Portals{}) = portals
	return nil
}

// Portals returns a copy of the portals.
func (in Inspector) Portals() []sense.Portal {
	return slices.Clone(*resource(in.world.ECS, &sense.Portals{}))
}

// SetZones replaces the zones of the world, such as stairs, slopes and smoke, which change the speed of
// agents with FreeSpeed. Call it between two steps. It returns an error if a zone is invalid.
func (w *World) SetZones(all ...systems.Zone) error {
	zones := systems.Zones(slices.Clone(all))
	if err := zones.Check(); err != nil {
		return err
	}
	*resource(w.ECS, &systems.Zones{}) = zones
	return nil
}

// Zones returns a copy of the zones.
func (in Inspector) Zones() []systems.Zone {
	return slices.Clone(*resource(in.world.ECS, &systems.Zones{}))
}
