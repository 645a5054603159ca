package render

import (
	"fmt"
	"path/filepath"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"gonum.org/v1/gonum/spatial/r2"
)

// Panel notes into crowd, whose memory is used again, the recorded people at a time of the
// simulation, among what stands where the simulated ones walk. Trails go back some seconds.
func (p *People) Panel(crowd *picture.Crowd, simulated *picture.Crowd, t, trails float64) {
	agents, wakes := crowd.Agents[:0], crowd.Wakes[:0]
	*crowd = picture.Crowd{
		View: simulated.View, MaxSpeed: simulated.MaxSpeed, Groups: []string{"recorded"},
		Obstacles: simulated.Obstacles, Doors: simulated.Doors, Goals: simulated.Goals, Portals: simulated.Portals,
		Zones: simulated.Zones, Paths: simulated.Paths, Field: simulated.Field,
	}
	crowd.Agents = p.agents(agents, t, 0)
	crowd.Wakes = p.wakes(wakes, t, trails, 0)
	crowd.Title = "recorded: " + cli.Shorten(filepath.Base(p.Name), 60)
	crowd.Caption = fmt.Sprintf("%d of %s people, %.1f s of the recording", len(crowd.Agents), cli.Thousands(len(p.People)), p.Time(t))
	simulated.Title = "simulated: " + simulated.Title
}

// The groups of two crowds that are drawn on one another.
const (
	simulatedGroup = iota
	recordedGroup
)

// Overlay adds the recorded people at a time of the simulation to the simulated ones, as
// another group. Trails go back some seconds.
func (p *People) Overlay(crowd *picture.Crowd, t, trails float64) {
	for i := range crowd.Agents {
		crowd.Agents[i].Group = simulatedGroup
	}
	for i := range crowd.Wakes {
		crowd.Wakes[i].Agent.Group = simulatedGroup
	}
	for i := range crowd.Goals {
		crowd.Goals[i].Group = simulatedGroup
	}
	was := len(crowd.Agents)
	crowd.Agents = p.agents(crowd.Agents, t, recordedGroup)
	crowd.Wakes = p.wakes(crowd.Wakes, t, trails, recordedGroup)
	crowd.Groups = []string{"simulated", "recorded"}
	crowd.Caption += fmt.Sprintf("; %d of %s recorded people", len(crowd.Agents)-was, cli.Thousands(len(p.People)))
}

// agents appends who is there at a time of the simulation.
func (p *People) agents(to []picture.Agent, t float64, group int) []picture.Agent {
	at := p.Time(t)
	for person, place := range p.There(at) {
		speed, heading := moves(person, at)
		to = append(to, picture.Agent{Position: place, Radius: BesideRadius, Speed: speed, Heading: heading, Group: group})
	}
	return to
}

// wakes appends the ways of the last seconds of those who are there.
func (p *People) wakes(to []picture.Wake, t, seconds float64, group int) []picture.Wake {
	const legs = 40
	if seconds <= 0 {
		return to
	}
	at := p.Time(t)
	for person := range p.There(at) {
		w := picture.Wake{Agent: picture.Agent{Radius: BesideRadius, Group: group}}
		for i := range legs + 1 {
			was := at - seconds*float64(legs-i)/legs
			if place, there := person.Place(was); there {
				speed, _ := moves(person, was)
				w.Points, w.Speeds = append(w.Points, place), append(w.Speeds, speed)
			}
		}
		to = append(to, w)
	}
	return to
}

// Around returns a view with the places of all recorded people in it.
func (p *People) Around(view r2.Box) r2.Box {
	box, beyond := p.Box(), r2.Vec{X: 2 * BesideRadius, Y: 2 * BesideRadius}
	return view.Union(r2.Box{Min: r2.Sub(box.Min, beyond), Max: r2.Add(box.Max, beyond)})
}
