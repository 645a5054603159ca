package render

import (
	"context"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/world/scene"
)

// findDensity runs the scene for the greatest density of all frames, so that
// their scale is one.
func (o *Options) findDensity(ctx context.Context, e *cli.Console, s *scene.Scene, p plan, workers int) (top float64, err error) {
	w, err := run.Build(ctx, s, scene.Options{Workers: workers})
	if err != nil {
		return 0, cli.BadUsage(err)
	}
	defer w.Close()
	view, err := picture.NewCamera(s, w, o.View, o.Trails.steps(s.Dt))
	if err != nil {
		return 0, cli.BadUsage(err)
	}
	bar := e.Progress(s.Name+", for the scale of density", p.steps, "step", false)
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
