package view

import (
	"fmt"
	"strconv"
)

// describe describes the scene that runs.
func (s *simulation) describe() *sceneMessage {
	sc := s.scene
	m := &sceneMessage{
		Kind: "scene", Build: s.build, Name: s.name, Text: sc.Text,
		Notes: append([]string{}, sc.Notes...), Warnings: append([]string{}, sc.Warnings...),
		Seed: strconv.FormatUint(sc.Seed, 10), Dt: sc.Dt, Agents: sc.Agents(),
		Box:        [4]float64{s.box.Min.X, s.box.Min.Y, s.box.Max.X, s.box.Max.Y},
		Paths:      [][][2]float64{},
		Unit:       "m",
		Groups:     []groupMessage{},
		Parameters: []parameterMessage{},
		Behaviors:  behaviors, Archetypes: s.tap.archetypes.names(), Crowding: s.tap.scale,
	}
	if s.pixels {
		m.Unit = "px"
	}
	for i, way := range sc.Paths {
		points := pointsOf(way)
		if sc.Loops(i) {
			points = append(points, points[0])
		}
		m.Paths = append(m.Paths, points)
	}
	target, threat := false, false
	for i := range sc.Groups {
		g := &sc.Groups[i]
		m.Groups = append(m.Groups, groupMessage{g.Name, g.Count})
		target, threat = target || g.TargetPointer, threat || g.FleePointer
		m.MaxSpeed = max(m.MaxSpeed, number(g.MaxSpeed.All))
	}
	switch {
	case sc.Pointer == nil:
	case target && threat:
		m.Pointer = "both"
	case target:
		m.Pointer = "target"
	case threat:
		m.Pointer = "threat"
	}
	few := *sc
	if n := len(sc.Groups); n > tunedGroups {
		m.Notes = append(m.Notes, fmt.Sprintf("the first %d of %d groups have sliders", tunedGroups, n))
		few.Groups = sc.Groups[:tunedGroups]
	}
	for _, p := range few.Parameters() {
		m.Parameters = append(m.Parameters, parameterMessage{
			p.Name, p.Group, p.Section, p.Label, p.Help, number(p.Value), number(p.Min), number(p.Max), number(p.Step),
		})
	}
	return m
}

// tunedGroups bounds the sliders: a file may have a group for each agent.
const tunedGroups = 20
