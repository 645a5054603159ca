package render

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/camera"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
	"github.com/8f878440/crowd/internal/animation"
	"github.com/8f878440/crowd/internal/picture"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// A film turns the states of a world into a file. It draws and encodes a frame
// while the next steps run.
type film struct {
	camera  *camera.Camera
	frames  chan *picture.Crowd // from the world to the painter
	spare   chan *picture.Crowd // and back
	done    chan error
	shot    int
	size    image.Point // of what is in the file
	options *Options
	look    picture.Options
	out     *output.File
	start   time.Time
}

func (o *Options) newFilm(s *scene.Scene, w *world.World, out *output.File, look picture.Options) (*film, error) {
	view, err := camera.New(s, w, o.View, o.Trails.steps(s.Dt))
	if err != nil {
		return nil, err
	}
	if o.Field.on {
		view.ShowField(uint32(o.Field.index))
	}
	f := &film{camera: view, options: o, look: look, out: out, start: time.Now(),
		frames: make(chan *picture.Crowd), spare: make(chan *picture.Crowd, 2), done: make(chan error, 1)}
	f.spare <- &picture.Crowd{}
	f.spare <- &picture.Crowd{}
	go func() { f.done <- out.Fail(f.develop()) }()
	return f, nil
}

// shoot adds a frame of the world as it is.
func (f *film) shoot(step int) error {
	crowd := <-f.spare
	f.camera.Take(crowd, step)
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
	if f.options.kind() == ".svg" {
		if err := picture.WriteSVG(f.out, first, f.look); errors.Is(err, picture.ErrTooLarge) {
			return usage.Bad(err)
		} else if err != nil {
			return err
		}
		return nil
	}
	painter := picture.NewPainter(first, f.look)
	f.size = painter.Size()
	img := painter.Draw(first)
	if f.options.kind() == ".png" {
		return png.Encode(f.out, img)
	}
	if f.options.kind() == ".mp4" { // which cuts off an odd last row or column
		f.size = image.Pt(f.size.X&^1, f.size.Y&^1)
	}
	to, err := f.options.writer(f.out, painter, img)
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
func (o *Options) writer(out *output.File, p *picture.Painter, first *image.RGBA) (animation.Writer, error) {
	switch o.kind() {
	case ".gif":
		return animation.NewGIF(out, o.FPS, animation.Palette(255, p.Swatch(), first)), nil
	case ".apng":
		return animation.NewAPNG(out, o.FPS), nil
	}
	return animation.NewMP4(out.Name(), p.Size(), o.FPS)
}

// summary says what was made.
func (f *film) summary() string {
	what := "picture"
	if f.options.moving() {
		what = fmt.Sprintf("%s at %d a second", numbers.Plural(f.shot, "frame"), f.options.FPS)
	}
	if f.size != (image.Point{}) {
		what += fmt.Sprintf(", %d×%d", f.size.X, f.size.Y)
	}
	return fmt.Sprintf("%s: %s, %s, %.3g s", f.options.Out, what, numbers.Bytes(f.out.Size()), time.Since(f.start).Seconds())
}
