package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/simulation"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
	"github.com/8f878440/crowd/internal/animation"
	"github.com/8f878440/crowd/internal/picture"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// A film turns the states of a world into a file. It draws and encodes a frame
// while the next steps run.
type film struct {
	camera  *camera
	frames  chan *picture.Crowd // from the world to the painter
	spare   chan *picture.Crowd // and back
	done    chan error
	shot    int
	size    image.Point // of what is in the file
	command *renderCmd
	out     *output.File
	start   time.Time
}

func (c *renderCmd) newFilm(s *scene.Scene, w *world.World, out *output.File) (*film, error) {
	view, err := c.newCamera(s, w)
	if err != nil {
		return nil, err
	}
	f := &film{camera: view, command: c, out: out, start: time.Now(),
		frames: make(chan *picture.Crowd), spare: make(chan *picture.Crowd, 2), done: make(chan error, 1)}
	f.spare <- &picture.Crowd{}
	f.spare <- &picture.Crowd{}
	go func() { f.done <- out.Fail(f.develop()) }()
	return f, nil
}

// shoot adds a frame of the world as it is.
func (f *film) shoot(step int) error {
	crowd := <-f.spare
	f.camera.take(crowd, step)
	select {
	case f.frames <- crowd:
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
	o := f.command.options()
	if f.command.kind == ".svg" {
		if err := picture.WriteSVG(f.out, first, o); errors.Is(err, picture.ErrTooLarge) {
			return usage.Bad(err)
		} else if err != nil {
			return err
		}
		return nil
	}
	painter := picture.NewPainter(first, o)
	f.size = painter.Size()
	img := painter.Draw(first)
	if f.command.kind == ".png" {
		return png.Encode(f.out, img)
	}
	if f.command.kind == ".mp4" { // which cuts off an odd last row or column
		f.size = image.Pt(f.size.X&^1, f.size.Y&^1)
	}
	to, err := f.command.writer(f.out, painter, img)
	if err != nil {
		return err
	}
	if err := to.Add(img); err != nil {
		return err
	}
	f.spare <- first
	for crowd := range f.frames {
		if err := to.Add(painter.Draw(crowd)); err != nil {
			return err
		}
		f.spare <- crowd
	}
	return to.Close()
}

// writer returns a writer of the kind of animation that is asked for.
func (c *renderCmd) writer(out *output.File, p *picture.Painter, first *image.RGBA) (animation.Writer, error) {
	switch c.kind {
	case ".gif":
		return animation.NewGIF(out, c.FPS, animation.Palette(255, p.Swatch(), first)), nil
	case ".apng":
		return animation.NewAPNG(out, c.FPS), nil
	}
	return animation.NewMP4(out.Name(), p.Size(), c.FPS)
}

// summary says what was made.
func (f *film) summary() string {
	what := "picture"
	if f.command.moving() {
		what = fmt.Sprintf("%s at %d a second", numbers.Plural(f.shot, "frame"), f.command.FPS)
	}
	if f.size != (image.Point{}) {
		what += fmt.Sprintf(", %d×%d", f.size.X, f.size.Y)
	}
	return fmt.Sprintf("%s: %s, %s, %.3g s", f.command.Out, what, numbers.Bytes(f.out.Size()), time.Since(f.start).Seconds())
}

// findDensity runs the scene for the greatest density of all frames, so that
// their scale is one.
func (c *renderCmd) findDensity(ctx context.Context, e *console.Console, s *scene.Scene, p plan) error {
	w, err := simulation.Build(ctx, s, scene.Options{Workers: c.Workers})
	if err != nil {
		return usage.Bad(err)
	}
	defer w.Close()
	view, err := c.newCamera(s, w)
	if err != nil {
		return usage.Bad(err)
	}
	bar := e.Progress(s.Name+", for the scale of density", p.steps, "step", false)
	defer bar.Done()
	var painter *picture.Painter
	crowd := &picture.Crowd{}
	_, err = p.roll(ctx, w, bar.Set, func(step int) error {
		view.take(crowd, step)
		if painter == nil {
			o := c.options()
			o.Heat.Max = 1
			painter = picture.NewPainter(crowd, o)
		}
		c.topDensity = max(c.topDensity, painter.TopDensity(crowd))
		return nil
	})
	return err
}
