package render

import (
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	trailSeconds = 2.        // of simulated time
	trailPoints  = 3_000_000 // of all trails
	firstOut     = 0.1       // the share of agents that have left when a scene that ends is drawn
)

// Snapshot is the picture of a run: of its end, or, if all agents leave, of the moment when a tenth has left.
type Snapshot struct {
	scene  *scene.Scene
	world  *world.World
	camera *picture.Camera
	ways   *picture.Trails // of few agents, from the start; nil: of all agents, of the last seconds
	begin  int             // first step of the trails
	crowd  *picture.Crowd
	whole  bool    // shows all of the scene
	at     float64 // s
	early  bool    // taken before the end
	late   bool    // a tenth had left when the run began
}

// NewSnapshot returns a snapshot of a run of a scene, or of the part view: x0, y0, x1, y1.
func NewSnapshot(s *scene.Scene, w *world.World, view []float64) (*Snapshot, error) {
	p := &Snapshot{scene: s, world: w, whole: view == nil, ways: picture.NewTrails(w, s.Agents()), late: s.Ends() && w.Departed() >= enoughOut(s)}
	steps := 0
	if p.ways == nil {
		steps = trailSteps(s)
	}
	if !s.Ends() {
		p.begin = s.Steps - steps
	}
	var err error
	p.camera, err = picture.NewCamera(s, w, view, steps)
	return p, err
}

// trailSteps returns the length of trails in steps.
func trailSteps(s *scene.Scene) int {
	step := s.Dt
	if step > picture.LongStep {
		step = 1. / 60 // a frame of a tutorial
	}
	return min(int(trailSeconds/step), trailPoints/s.Agents())
}

// SnapshotBytes estimates the memory of a snapshot of a scene, in bytes.
func SnapshotBytes(s *scene.Scene) uint64 {
	return cli.MemoryOfPicture(s, true) + picture.TrailBytes(s.Agents(), trailSteps(s))
}

// Step records a step, and takes the picture when a tenth has left.
func (p *Snapshot) Step(step int) {
	if p == nil || p.crowd != nil {
		return
	}
	p.ways.Note()
	if step >= p.begin {
		p.camera.NoteStep()
	}
	if p.scene.Ends() && !p.late && p.world.Departed() >= enoughOut(p.scene) {
		p.take(step)
		p.early = true
	}
}

// enoughOut returns the number of agents that have left when the picture of a scene is taken.
func enoughOut(s *scene.Scene) int { return int(math.Ceil(firstOut * float64(s.Agents()))) }

func (p *Snapshot) take(step int) {
	p.crowd, p.at = &picture.Crowd{}, p.world.Clock.Time
	p.camera.Take(p.crowd, step)
	p.crowd.Trails = p.ways.All()
}

// Write writes the picture, unless to is nil. If none was taken before, it shows the end, after steps.
func (p *Snapshot) Write(to *output.File, steps int) error {
	if to == nil {
		return nil
	}
	if p.crowd == nil {
		p.take(steps)
	}
	// A crowd that leaves shows its targets by itself, and exits of fields are few.
	look := picture.Options{Color: colorOf(p.scene), NoTargets: p.scene.Ends() && p.scene.FlowFields() == 0}
	if near, ok := p.closeView(); ok {
		return to.Fill(func(to io.Writer) error { return writeBoth(to, p.crowd, near, look) })
	}
	return to.Fill(func(to io.Writer) error { return picture.WritePNG(to, p.crowd, look) })
}

// When describes the moment of the picture.
func (p *Snapshot) When() string {
	if p.early {
		return fmt.Sprintf("at %.1f s, with the first tenth out", p.at)
	}
	return "at the end"
}

// colorOf returns the default meaning of colors in a scene.
func colorOf(s *scene.Scene) picture.Color {
	switch s.ColoredBy() {
	case scene.ColorByHeading:
		return picture.Heading
	case scene.ColorByGroup:
		return picture.Group
	}
	return picture.Speed
}

// Panel records the recorded people at a time t of the simulation in crowd, whose memory it reuses,
// with the surroundings of the simulated ones. Trails are trails seconds long.
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

// Groups of an overlay.
const (
	simulatedGroup = iota
	recordedGroup
)

// Overlay adds the recorded people at a time t of the simulation to the simulated ones, as another
// group. Trails are trails seconds long.
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

// agents appends the people who are present at a time of the simulation.
func (p *People) agents(to []picture.Agent, t float64, group int) []picture.Agent {
	at := p.Time(t)
	for person, place := range p.There(at) {
		speed, heading := moves(person, at)
		to = append(to, picture.Agent{Position: place, Radius: besideRadius, Speed: speed, Heading: heading, Group: group})
	}
	return to
}

// wakes appends the paths in the last seconds of the people who are present.
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

// Around extends a view to all recorded people.
func (p *People) Around(view r2.Box) r2.Box {
	box, beyond := p.Box(), r2.Vec{X: 2 * besideRadius, Y: 2 * besideRadius}
	return view.Union(r2.Box{Min: r2.Sub(box.Min, beyond), Max: r2.Add(box.Max, beyond)})
}
