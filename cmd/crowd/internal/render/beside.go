package render

import (
	"fmt"
	"path/filepath"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/internal/formats/recorded"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/world/view"
	"gonum.org/v1/gonum/spatial/r2"
)

// BesideOptions holds the flag --beside, which selects recorded people.
type BesideOptions struct {
	Beside string `placeholder:"RECORDING" help:"Show recorded people beside the simulated ones. Reads trajectories from PeTrack, PedPy, UCY, ETH, Vadere and run --trajectories."`
}

const besideRadius = 0.2 // m; recordings contain no radii

// moves returns a person's speed, in m/s, and velocity, which is zero if the person stands still.
func moves(p *recorded.Person, t float64) (speed float64, heading r2.Vec) {
	const (
		over     = 0.5 // s
		standing = 0.1 // m/s, the speed at which heads sway
	)
	v := p.Velocity(t, over)
	if speed = vec.Norm(v); speed < standing {
		return speed, r2.Vec{}
	}
	return speed, v
}

// People are recorded people, drawn beside a simulation.
type People struct {
	*recorded.Crowd
	from float64 // s, time of the recording at the start of the simulation
}

// Time converts time t of the simulation to the time of the recording.
func (p *People) Time(t float64) float64 { return p.from + t }

// View returns the recorded people for a live view, or nil if p is nil.
func (p *People) View() *view.Beside {
	if p == nil {
		return nil
	}
	return &view.Beside{
		Name: p.Name, People: len(p.People), Radius: besideRadius, Box: p.Box(), End: p.End - p.from,
		At: func(t float64, show func(at, ahead r2.Vec)) {
			at := p.Time(t)
			for person, place := range p.There(at) {
				_, ahead := moves(person, at)
				show(place, ahead)
			}
		},
	}
}

// Panel writes the recorded people at time t of the simulation into crowd, whose memory it reuses. It copies
// the surroundings of the simulated crowd, and puts "simulated: " before that crowd's title. The parameter
// trails is the time in seconds that wakes cover; 0 means no wakes.
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

const (
	simulatedGroup = iota
	recordedGroup
)

// Overlay adds the recorded people at time t of the simulation to the simulated people in crowd, as a second
// group. The parameter trails is the time in seconds that wakes cover; 0 means no wakes.
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

func (p *People) agents(to []picture.Agent, t float64, group int) []picture.Agent {
	at := p.Time(t)
	for person, place := range p.There(at) {
		speed, heading := moves(person, at)
		to = append(to, picture.Agent{Position: place, Radius: besideRadius, Speed: speed, Heading: heading, Group: group})
	}
	return to
}

func (p *People) wakes(to []picture.Wake, t, seconds float64, group int) []picture.Wake {
	const legs = 40
	if seconds <= 0 {
		return to
	}
	at := p.Time(t)
	for person := range p.There(at) {
		w := picture.Wake{Agent: picture.Agent{Radius: besideRadius, Group: group}}
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

// Around returns the union of a view and a box that contains all recorded people, with a margin.
func (p *People) Around(view r2.Box) r2.Box {
	box, beyond := p.Box(), r2.Vec{X: 2 * besideRadius, Y: 2 * besideRadius}
	return view.Union(r2.Box{Min: r2.Sub(box.Min, beyond), Max: r2.Add(box.Max, beyond)})
}
