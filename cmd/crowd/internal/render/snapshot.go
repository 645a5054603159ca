package render

import (
	"fmt"
	"image/png"
	"io"
	"math"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	trailSeconds = 2.        // simulated
	trailPoints  = 3_000_000 // of all trails together
	firstOut     = 0.1       // fraction of the agents out when a scene that ends is drawn
)

// Snapshot is the picture of the end of a run or, if all agents leave, of the moment when a tenth of them
// have left.
type Snapshot struct {
	scene  *scene.Scene
	world  *world.World
	camera *picture.Camera
	ways   *picture.Trails // paths of a few agents; nil means trails of all agents over the last seconds
	begin  int             // first step of the trails
	crowd  *picture.Crowd
	whole  bool    // shows the whole scene
	at     float64 // s
	early  bool    // taken before the end
	late   bool    // a tenth had left when the run began
}

// NewSnapshot returns a snapshot of view (x0, y0, x1, y1 in meters), or of the whole scene if view is nil.
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

func trailSteps(s *scene.Scene) int {
	step := s.Dt
	if step > picture.LongStep {
		step = 1. / 60 // a frame of a tutorial
	}
	return min(int(trailSeconds/step), trailPoints/s.Agents())
}

// SnapshotBytes estimates the memory of a snapshot, in bytes.
func SnapshotBytes(s *scene.Scene) uint64 {
	return cli.MemoryOfPicture(s) + picture.TrailBytes(s.Agents(), trailSteps(s))
}

// Step records the world after a step. If all agents leave, it takes the picture once a tenth of them have
// left, unless a tenth had left when the run began. Step does nothing on a nil Snapshot.
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

func enoughOut(s *scene.Scene) int { return int(math.Ceil(firstOut * float64(s.Agents()))) }

func (p *Snapshot) take(step int) {
	p.crowd, p.at = &picture.Crowd{}, p.world.Clock.Time
	p.camera.Take(p.crowd, step)
	p.crowd.Trails = p.ways.All()
}

// Write writes, as PNG, the picture that Step took, or else one of the end, after the given number of steps.
// It does nothing for a nil file.
func (p *Snapshot) Write(to *output.File, steps int) error {
	if to == nil {
		return nil
	}
	if p.crowd == nil {
		p.take(steps)
	}
	// Omit the many targets of agents that leave, but not the few exits of fields.
	look := picture.Options{Color: colorOf(p.scene), NoTargets: p.scene.Ends() && p.scene.FlowFields() == 0}
	if near, ok := p.closeView(); ok {
		both := picture.NewPanels([]*picture.Crowd{p.crowd, near}, look, false)
		return to.Fill(func(to io.Writer) error { return png.Encode(to, both.Draw(p.crowd, near)) })
	}
	return to.Fill(func(to io.Writer) error { return picture.WritePNG(to, p.crowd, look) })
}

// When returns the moment of the picture in words.
func (p *Snapshot) When() string {
	if p.early {
		return fmt.Sprintf("at %.1f s, with the first tenth out", p.at)
	}
	return "at the end"
}

func colorOf(s *scene.Scene) picture.Color {
	switch s.ColoredBy() {
	case scene.ColorByHeading:
		return picture.Heading
	case scene.ColorByGroup:
		return picture.Group
	}
	return picture.Speed
}

const (
	leastBody = 1.5 // pixels, radius; pictures of smaller bodies have a close view beside them
	closeBody = 7.  // pixels, radius of bodies in the close view
)

// closeView returns the middle of the picture at a scale that shows bodies, and reports whether the picture
// needs this view.
func (p *Snapshot) closeView() (*picture.Crowd, bool) {
	view, radius := p.crowd.View, 0.
	for i := range p.crowd.Agents {
		radius = max(radius, p.crowd.Agents[i].Radius)
	}
	size := view.Size()
	side := max(size.X, size.Y)
	half := math.Round(picture.DefaultWidth / 2 / (closeBody / radius) / 2)
	if scale := picture.DefaultWidth / 2 / side; !p.whole || radius == 0 || half == 0 || radius*scale >= leastBody || !(scale > 0) {
		return nil, false
	}
	near := *p.crowd
	middle := view.Center()
	corner := r2.Vec{X: half, Y: half * size.Y / size.X}
	near.View = r2.Box{Min: r2.Sub(middle, corner), Max: r2.Add(middle, corner)}
	near.Targets, near.Goals = nil, nil
	near.About = ""
	near.Title, near.Caption = "in the middle", picture.Length(2*half, &near)+" of "+picture.Length(math.Round(size.X), &near)
	return &near, true
}
