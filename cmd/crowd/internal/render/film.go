package render

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// A film draws and encodes one frame while the next steps run.
type film struct {
	camera  *picture.Camera
	world   *world.World
	trails  float64               // s
	frames  chan []*picture.Crowd // from the world to the painter; a crowd for each panel
	spare   chan []*picture.Crowd // and back
	done    chan error
	shot    int
	size    image.Point // in the file
	options *Options
	look    picture.Options
	out     *output.File
	start   time.Time
}

func (o *Options) newFilm(s *scene.Scene, w *world.World, out *output.File, look picture.Options) (*film, error) {
	view, err := picture.NewCamera(s, w, o.corners(s, w), o.Trails.Steps(s.Dt))
	if err != nil {
		return nil, err
	}
	if o.Field.on {
		view.ShowField(uint32(o.Field.index))
	}
	f := &film{camera: view, world: w, trails: float64(o.Trails.Steps(s.Dt)) * s.Dt, options: o, look: look, out: out, start: time.Now(),
		frames: make(chan []*picture.Crowd), spare: make(chan []*picture.Crowd, 2), done: make(chan error, 1)}
	for range cap(f.spare) {
		panels := []*picture.Crowd{{}}
		if o.People != nil && !o.Overlay {
			panels = append(panels, &picture.Crowd{})
		}
		f.spare <- panels
	}
	go func() { f.done <- out.Fail(f.develop()) }()
	return f, nil
}

// corners returns the rectangle to draw, including recorded people unless --crop is given, or nil for the
// whole scene.
func (o *Options) corners(s *scene.Scene, w *world.World) []float64 {
	if o.Crop != nil || o.People == nil {
		return o.Crop
	}
	view := s.Box
	if size := view.Size(); !(size.X > 0 && size.Y > 0) {
		view = picture.FitScene(s, w)
	}
	view = o.People.Around(view)
	return []float64{view.Min.X, view.Min.Y, view.Max.X, view.Max.Y}
}

// shoot passes a frame to develop. It may return an error from an earlier frame.
func (f *film) shoot(step int) error {
	panels := <-f.spare
	simulated := panels[len(panels)-1]
	f.camera.Take(simulated, step)
	switch o := f.options; {
	case o.Overlay:
		o.People.Overlay(simulated, f.world.Clock.Time, f.trails)
	case o.People != nil:
		o.People.Panel(panels[0], simulated, f.world.Clock.Time, f.trails)
	}
	select {
	case f.frames <- panels:
		f.shot++
		return nil
	case err := <-f.done:
		f.done <- err
		return err
	}
}

func (f *film) close() error {
	close(f.frames)
	return <-f.done
}

// develop draws and encodes all frames or, for a picture, only the first.
func (f *film) develop() error {
	first, any := <-f.frames
	if !any {
		return errors.New("the film has no frames")
	}
	if f.options.kind() == ".svg" {
		err := picture.WriteSVG(f.out, first[0], f.look)
		if errors.Is(err, picture.ErrTooLarge) {
			err = cli.BadUsage(err)
		}
		return err
	}
	panels := picture.NewPanels(first, f.look, picture.Wide(first[0].View))
	f.size = panels.Size()
	img := panels.Draw(first...)
	if f.options.kind() == ".png" {
		return png.Encode(f.out, img)
	}
	if f.options.kind() == ".mp4" { // only even sizes
		f.size = image.Pt(f.size.X&^1, f.size.Y&^1)
	}
	to, err := f.options.writer(f.out, panels, img)
	if err != nil {
		return err
	}
	if err := to.Add(img); err != nil {
		return err
	}
	f.spare <- first
	for next := range f.frames {
		if err := to.Add(panels.Draw(next...)); err != nil {
			return err
		}
		f.spare <- next
	}
	return to.Close()
}

func (o *Options) writer(out *output.File, p *picture.Panels, first *image.RGBA) (writer, error) {
	switch o.kind() {
	case ".gif":
		return newGIF(out, o.FPS, paletteOf(255, p.Swatch(), first)), nil
	case ".apng":
		return newAPNG(out, o.FPS), nil
	}
	return newMP4(out.Name(), p.Size(), o.FPS)
}

func (f *film) summary() string {
	what := "picture"
	if f.options.moving() {
		what = fmt.Sprintf("%s at %d a second", cli.Plural(f.shot, "frame"), f.options.FPS)
	}
	if f.size != (image.Point{}) {
		what += fmt.Sprintf(", %d×%d", f.size.X, f.size.Y)
	}
	return fmt.Sprintf("%s: %s, %s, %.3g s", f.options.Out, what, cli.Bytes(f.out.Size()), time.Since(f.start).Seconds())
}

type plan struct {
	from, steps, every int // first step, last step, and steps per frame
	frames             int
	out                int // take the picture once this many agents have left; 0 means after the last step
}

func (o *Options) plan(s *scene.Scene) plan {
	if !o.moving() {
		p := plan{from: s.Steps, every: 1, frames: 1}
		switch {
		case o.At != "":
			p.from = o.At.Steps(s.Dt)
		case o.Steps == nil && s.Ends():
			p.out = enoughOut(s)
		}
		p.steps = p.from
		return p
	}
	p := plan{from: o.From.Steps(s.Dt), every: value(o.Every)}
	if o.Every == nil {
		p.every = pace(s.Dt, o.FPS)
	}
	if o.Steps != nil {
		p.frames = max(*o.Steps-p.from, 0)/p.every + 1
	} else {
		seconds := 5.
		if o.Seconds != nil {
			seconds = *o.Seconds
		}
		p.frames = max(int(math.Round(seconds*float64(o.FPS))), 1)
	}
	p.steps = p.from + (p.frames-1)*p.every
	return p
}

// pace returns the number of steps per frame for playing in real time. Steps longer than picture.LongStep are
// frames of a tutorial, which shows 60 per second.
func pace(dt float64, fps int) int {
	if dt > picture.LongStep {
		dt = 1.0 / 60
	}
	return max(int(math.Round(1/(dt*float64(fps)))), 1)
}

// speed returns the simulated seconds per second of an animation. It returns 1 for a picture, if --every is
// given, or if steps are frames of a tutorial.
func (o *Options) speed(s *scene.Scene, p plan) float64 {
	if !o.moving() || o.Every != nil || s.Dt > picture.LongStep {
		return 1
	}
	return float64(p.every) * s.Dt * float64(o.FPS)
}

// roll runs the world until the last step, until p.out agents have left, or until ctx is done. It calls
// after(n) when step n is done, and shoot(n) for a frame after n steps: at least once, unless a step fails.
// It returns the number of steps, or p.steps if p.out agents have left.
func (p plan) roll(ctx context.Context, w *world.World, after func(step int), shoot func(step int) error) (int, error) {
	defer w.DropCheckpoint()
	took := 2 * run.Patience
	for step := 0; ; step++ {
		early := p.out > 0 && w.Departed() >= p.out
		last := step == p.steps || early || ctx.Err() != nil
		due := step >= p.from && (step-p.from)%p.every == 0
		if due || last && step < p.from {
			if err := shoot(step); err != nil {
				return step, err
			}
		}
		switch {
		case early:
			return p.steps, nil
		case last:
			return step, nil
		}
		disarm, start := run.Arm(ctx, w, took), time.Now()
		err := w.Step()
		took = time.Since(start)
		disarm()
		if err == world.ErrInterrupted { // the world is as it was before the step
			if err = nil; step < p.from {
				err = shoot(step)
			}
			return step, err
		}
		if err != nil {
			return step, err
		}
		after(step + 1)
	}
}

// findDensity returns the greatest density in any frame, in agents/m², rounded up. If ctx is done, it returns
// the greatest density so far.
func (o *Options) findDensity(ctx context.Context, e *cli.Console, s *scene.Scene, p plan, workers int) (top float64, err error) {
	w, err := run.Build(ctx, s, scene.Options{Workers: workers})
	if err != nil {
		return 0, cli.BadUsage(err)
	}
	defer w.Close()
	view, err := picture.NewCamera(s, w, o.Crop, o.Trails.Steps(s.Dt))
	if err != nil {
		return 0, cli.BadUsage(err)
	}
	bar := e.Progress(s.Name+", for the density scale", p.steps, "step", false)
	defer bar.Done()
	var painter *picture.Painter
	crowd := &picture.Crowd{}
	_, err = p.roll(ctx, w, bar.Set, func(step int) error {
		view.Take(crowd, step)
		if painter == nil {
			look := o.look()
			look.Heat.Max = 1
			painter = picture.NewPainter(crowd, look)
		}
		top = max(top, painter.TopDensity(crowd))
		return nil
	})
	return top, err
}
