package view

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func (s *simulation) describe() *sceneMessage {
	does := s.recorder.does
	m := &sceneMessage{
		Kind: "scene", Build: s.build, Name: s.name, Text: s.text, Featured: []string{}, Notes: []string{}, Warnings: []string{},
		Seed: strconv.FormatUint(s.world.Config().Seed, 10), Dt: s.world.Clock.Dt, Agents: s.agents,
		Box: corners(s.box), Paths: [][][2]float64{}, Fields: s.countFields(),
		Unit: s.units.length, Time: s.units.time,
		Groups:     []groupMessage{},
		ColorBy:    colors[bySpeed],
		Parameters: []parameterMessage{},
		Behaviors:  does.words, Archetypes: does.archetypes(), Crowding: s.recorder.scale,
		Can: s.allowed(), Beside: s.beside.message(), Film: s.film != nil,
	}
	s.kinds = len(m.Archetypes)
	for i, path := range *ecs.GetResource[systems.Paths](s.world.ECS) {
		m.Paths = append(m.Paths, pointsOf(path, s.scene != nil && s.scene.Loops(i)))
	}
	s.describeMeasurements(m)
	m.Zones, m.Portals = [][6]float64{}, [][8]float64{}
	for _, z := range s.world.Inspect().Zones() {
		m.Zones = append(m.Zones, [6]float64{z.Min.X, z.Min.Y, z.Max.X, z.Max.Y, z.Up.X, z.Up.Y})
	}
	for _, p := range s.world.Inspect().Portals() {
		from, to := corners(p.From), corners(p.To)
		m.Portals = append(m.Portals, [8]float64(slices.Concat(from[:], to[:])))
	}
	if s.scene != nil {
		s.describeScene(m, s.scene)
	}
	return m
}

func (s *simulation) describeScene(m *sceneMessage, sc *scene.Scene) {
	m.Size = sc.Agents()
	m.Notes, m.Warnings = append(m.Notes, sc.Notes...), append(m.Warnings, sc.Warnings...)
	switch sc.ColoredBy() {
	case scene.ColorByHeading:
		m.ColorBy = colors[byHeading]
	case scene.ColorByGroup:
		m.ColorBy = colors[byGroup]
	}
	target, threat := false, false
	for i := range sc.Groups {
		g := &sc.Groups[i]
		m.Groups = append(m.Groups, groupMessage{g.Name, g.Count})
		target = target || g.TargetPointer
		for key, other := range g.References {
			switch {
			case other != "pointer":
			case key == "flee.from", key == "hiding.from", key == "pursuer":
				threat = true
			default:
				target = true
			}
		}
		m.MaxSpeed = max(m.MaxSpeed, number(g.MaxSpeed.Most()))
	}
	switch {
	case sc.Pointer == nil || !s.allows(canStart):
	case target && threat:
		m.Pointer = "both"
	case target:
		m.Pointer = "target"
	case threat:
		m.Pointer = "threat"
	}
	if s.locked {
		return
	}
	m.Drawn = s.drawn
	m.Try, m.Featured = sc.Try, append(m.Featured, sc.Featured...)
	if n := len(sc.Groups); n > tunedGroups {
		m.Notes = append(m.Notes, fmt.Sprintf("only the first %d of %d groups have sliders", tunedGroups, n))
	}
	for _, p := range slidersOf(sc) {
		m.Parameters = append(m.Parameters, s.sliders.message(p))
	}
}

func pointsOf(path []r2.Vec, closed bool) [][2]float64 {
	points := make([][2]float64, len(path))
	for i, p := range path {
		points[i] = [2]float64{p.X, p.Y}
	}
	if closed {
		points = append(points, points[0])
	}
	return points
}

type fieldShot struct {
	build   uint32
	changes uint64 // count of changes to all fields
	message []byte
}

const (
	mostFieldCells = 1 << 18 // per message; a larger field is sent with wider cells
	mostGoals      = 1000    // per message
	noPath         = math.MaxUint16
)

func (s *simulation) countFields() int {
	id := ecs.ResourceID[sense.FlowFields](s.world.ECS)
	if !s.world.ECS.Resources().Has(id) {
		return 0
	}
	return len(*s.world.ECS.Resources().Get(id).(*sense.FlowFields))
}

// showFields gives each viewer the field that it wants. Messages are reused while no field changes.
func (s *simulation) showFields() {
	old := s.fields
	s.fields = map[int]*fieldShot{}
	s.each(func(v *viewer) {
		v.mu.Lock()
		index := v.wish.field
		v.mu.Unlock()
		if !v.seeing.Load() || index == noField {
			return
		}
		shot := s.fields[index]
		if shot == nil {
			shot = old[index]
			if shot == nil || shot.build != s.build || shot.changes != s.world.Fields.Changes() {
				shot = s.shootField(index)
			}
			s.fields[index] = shot
		}
		v.field.Store(shot)
	})
}

func (s *simulation) shootField(index int) *fieldShot {
	g, ok := s.world.Inspect().FieldGrid(uint32(index))
	if !ok {
		g = sense.FieldGrid{Cell: 1}
	}
	return &fieldShot{s.build, s.world.Fields.Changes(), fieldMessage(s.build, index, &g)}
}

func fieldMessage(build uint32, index int, g *sense.FieldGrid) []byte {
	stride := 1
	for (g.Columns/stride)*(g.Rows/stride) > mostFieldCells {
		stride++
	}
	columns, rows := g.Columns/stride, g.Rows/stride
	top := float32(0)
	for _, distance := range g.Distances {
		if distance <= math.MaxFloat32 {
			top = max(top, distance)
		}
	}
	goals := g.Goals[:min(len(g.Goals), mostGoals)]
	f := frames{out: []byte{kindField, 0, 0, 0}}
	f.u32(build)
	// A wider cell takes the value of the cell at its center.
	off := (float64(stride/2) + 0.5 - float64(stride)/2) * g.Cell
	corner := r2.Vec{X: g.Min.X + off, Y: g.Min.Y + off}
	f.f64(corner.X, corner.Y, g.Cell*float64(stride))
	f.u32(uint32(index), uint32(columns), uint32(rows), uint32(len(goals)))
	f.f32(float64(top))
	for _, goal := range goals {
		f.points(corner, goal.Min, goal.Max)
	}
	for row := range rows {
		for column := range columns {
			distance, u := g.Distances[(row*stride+stride/2)*g.Columns+column*stride+stride/2], uint16(noPath)
			if distance <= math.MaxFloat32 {
				u = uint16(distance / max(top, 1e-9) * (noPath - 1))
			}
			f.u16(u)
		}
	}
	f.pad()
	return f.out
}
