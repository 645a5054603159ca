package render

import (
	"fmt"
	"io"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

const (
	trailSeconds = 2.        // of the crowd's time
	trailPoints  = 3_000_000 // of all trails
	firstOut     = 0.1       // the share of the crowd that is out when the picture of a scene that ends is taken
)

// Snapshot is the picture of a run: of its end, or where everyone leaves of the moment
// when the first tenth is out and the others are on their way.
type Snapshot struct {
	scene  *scene.Scene
	world  *world.World
	camera *picture.Camera
	ways   *picture.Trails // of few agents, from the start; nil: of all, of the last seconds
	begin  int             // the step from which on trails are noted
	crowd  *picture.Crowd
	whole  bool    // nobody asked for a part of it
	at     float64 // s
	early  bool    // not at the end
	late   bool    // the run goes on where the moment for it is over
}

// NewSnapshot prepares the picture of a run of a scene, of all of it or of the part
// between two corners.
func NewSnapshot(s *scene.Scene, w *world.World, view []float64) (*Snapshot, error) {
	p := &Snapshot{scene: s, world: w, whole: view == nil, ways: picture.NewTrails(w, s.Agents()), late: s.Ends() && w.Left() >= enoughOut(s)}
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

// trailSteps returns how many steps trails go back.
func trailSteps(s *scene.Scene) int {
	step := s.Dt
	if step > picture.LongStep {
		step = 1. / 60 // it is a frame
	}
	return min(int(trailSeconds/step), trailPoints/s.Agents())
}

// SnapshotBytes returns about how many bytes a snapshot of a scene takes.
func SnapshotBytes(s *scene.Scene) uint64 {
	return cli.MemoryOfPicture(s, true) + picture.TrailBytes(s.Agents(), trailSteps(s))
}

// Step notes a step, and takes the picture if it is time.
func (p *Snapshot) Step(step int) {
	if p == nil || p.crowd != nil {
		return
	}
	p.ways.Note()
	if step >= p.begin {
		p.camera.NoteStep()
	}
	if p.scene.Ends() && !p.late && p.world.Left() >= enoughOut(p.scene) {
		p.take(step)
		p.early = true
	}
}

// enoughOut returns how many agents of a scene that ends are out when its picture is taken.
func enoughOut(s *scene.Scene) int { return int(math.Ceil(firstOut * float64(s.Agents()))) }

func (p *Snapshot) take(step int) {
	p.crowd, p.at = &picture.Crowd{}, p.world.Clock.Time
	p.camera.Take(p.crowd, step)
	p.crowd.Trails = p.ways.All()
}

// Write writes the picture, if one is asked for; that of the end after a number of steps
// if none was taken before.
func (p *Snapshot) Write(to *output.File, steps int) error {
	if to == nil {
		return nil
	}
	if p.crowd == nil {
		p.take(steps)
	}
	// Where everyone leaves, the crowd shows where it goes; the exits to which fields lead are few.
	look := picture.Options{Color: ColorOf(p.scene), NoTargets: p.scene.Ends() && p.scene.FlowFields() == 0}
	if near, ok := p.closeView(); ok {
		return to.Fill(func(to io.Writer) error { return writeBoth(to, p.crowd, near, look) })
	}
	return to.Fill(func(to io.Writer) error { return picture.WritePNG(to, p.crowd, look) })
}

// When says of which moment the picture is.
func (p *Snapshot) When() string {
	if p.early {
		return fmt.Sprintf("at %.1f s, with the first tenth out", p.at)
	}
	return "at the end"
}

// ColorOf returns what colors of a scene stand for unless asked otherwise.
func ColorOf(s *scene.Scene) picture.Color {
	switch s.ColoredBy() {
	case scene.ColorByHeading:
		return picture.Heading
	case scene.ColorByGroup:
		return picture.Group
	}
	return picture.Speed
}
