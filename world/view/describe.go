package view

import (
	"fmt"
	"strconv"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// describe describes what runs.
func (s *simulation) describe() *sceneMessage {
	does := s.recorder.does
	m := &sceneMessage{
		Kind: "scene", Build: s.build, Name: s.name, Text: s.text, Featured: []string{}, Notes: []string{}, Warnings: []string{},
		Seed: strconv.FormatUint(s.world.Config().Seed, 10), Dt: s.world.Clock.Dt, Agents: s.agents,
		Box:   [4]float64{s.box.Min.X, s.box.Min.Y, s.box.Max.X, s.box.Max.Y},
		Paths: [][][2]float64{}, Fields: s.countFields(),
		Unit: s.units.length, Time: s.units.time,
		Groups:     []groupMessage{},
		ColorBy:    colors[bySpeed],
		Parameters: []parameterMessage{},
		Behaviors:  does.words, Archetypes: does.archetypes(), Crowding: s.recorder.scale,
		Can: s.allowed(), Beside: s.beside.message(), Film: s.film != nil,
	}
	s.kinds = len(m.Archetypes)
	for i, way := range *ecs.GetResource[systems.Paths](s.world.ECS) {
		m.Paths = append(m.Paths, pointsOf(way, s.scene != nil && s.scene.Loops(i)))
	}
	s.describeMeasurements(m)
	m.Zones, m.Portals = [][6]float64{}, [][8]float64{}
	for _, z := range s.world.Zones() {
		m.Zones = append(m.Zones, [6]float64{z.Min.X, z.Min.Y, z.Max.X, z.Max.Y, z.Up.X, z.Up.Y})
	}
	for _, p := range s.world.Portals() {
		m.Portals = append(m.Portals, [8]float64{p.From.Min.X, p.From.Min.Y, p.From.Max.X, p.From.Max.Y, p.To.Min.X, p.To.Min.Y, p.To.Max.X, p.To.Max.Y})
	}
	if s.scene != nil {
		s.describeScene(m, s.scene)
	}
	return m
}

// describeScene adds what only a scene says.
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
		target, threat = target || g.TargetPointer, threat || g.Whom["flee.from"] == "pointer"
		m.MaxSpeed = max(m.MaxSpeed, number(g.MaxSpeed.All))
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
	m.Try, m.Featured = sc.Try, append(m.Featured, sc.Featured...)
	if n := len(sc.Groups); n > tunedGroups {
		m.Notes = append(m.Notes, fmt.Sprintf("the first %d of %d groups have sliders", tunedGroups, n))
	}
	for _, p := range slidersOf(sc) {
		m.Parameters = append(m.Parameters, s.sliders.message(p))
	}
}

// pointsOf returns the points of a way, and the first once more if it is closed.
func pointsOf(way []r2.Vec, closed bool) [][2]float64 {
	points := make([][2]float64, len(way))
	for i, p := range way {
		points[i] = [2]float64{p.X, p.Y}
	}
	if closed {
		points = append(points, points[0])
	}
	return points
}
