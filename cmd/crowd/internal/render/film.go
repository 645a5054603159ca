package render

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// A film turns the states of a world into a file. It draws and encodes a frame
// while the next steps run.
type film struct {
	camera  *picture.Camera
	world   *world.World
	trails  float64               // s
	frames  chan []*picture.Crowd // from the world to the painter, a crowd for each panel
	spare   chan []*picture.Crowd // and back
	done    chan error
	shot    int
	size    image.Point // of what is in the file
	options *Options
	look    picture.Options
	out     *output.File
	start   time.Time
}

func (o *Options) newFilm(s *scene.Scene, w *world.World, out *output.File, look picture.Options) (*film, error) {
	view, err := picture.NewCamera(s, w, o.corners(s, w), o.Trails.steps(s.Dt))
	if err != nil {
		return nil, err
	}
	if o.Field.on {
		view.ShowField(uint32(o.Field.index))
	}
	f := &film{camera: view, world: w, trails: float64(o.Trails.steps(s.Dt)) * s.Dt, options: o, look: look, out: out, start: time.Now(),
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

// corners returns the part of the plane that is drawn, nil if that is all of the scene. Where
// people were recorded belongs to it, unless another part is asked for.
func (o *Options) corners(s *scene.Scene, w *world.World) []float64 {
	if o.View != nil || o.People == nil {
		return o.View
	}
	view := s.Box
	if size := view.Size(); !(size.X > 0 && size.Y > 0) {
		view = picture.FitScene(s, w)
	}
	view = o.People.Around(view)
	return []float64{view.Min.X, view.Min.Y, view.Max.X, view.Max.Y}
}

// shoot adds a frame of the world as it is.
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

// close waits until all frames are in the file.
func (f *film) close() error {
	close(f.frames)
	return <-f.done
}

// develop draws and encodes frames until there are no more.
func (f *film) develop() error {
	first, any := <-f.frames
	if !any {
		return errors.New("no frames")
	}
	if f.options.kind() == ".svg" {
		if err := picture.WriteSVG(f.out, first[0], f.look); errors.Is(err, picture.ErrTooLarge) {
			return cli.BadUsage(err)
		} else if err != nil {
			return err
		}
		return nil
	}
	panels := picture.NewPanels(first, f.look, picture.Wide(first[0].View))
	f.size = panels.Size()
	img := panels.Draw(first...)
	if f.options.kind() == ".png" {
		return png.Encode(f.out, img)
	}
	if f.options.kind() == ".mp4" { // which cuts off an odd last row or column
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

// writer returns a writer of the kind of animation that is asked for.
func (o *Options) writer(out *output.File, p *picture.Panels, first *image.RGBA) (Writer, error) {
	switch o.kind() {
	case ".gif":
		return NewGIF(out, o.FPS, Palette(255, p.Swatch(), first)), nil
	case ".apng":
		return NewAPNG(out, o.FPS), nil
	}
	return NewMP4(out.Name(), p.Size(), o.FPS)
}

// summary says what was made.
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
