package render

import (
	"context"

	"github.com/8f878440/crowd/cmd/crowd/internal/camera"
	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/cmd/crowd/internal/simulation"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
	"github.com/8f878440/crowd/world/scene"
)

// findDensity runs the scene for the greatest density of all frames, so that
// their scale is one.
func (o *Options) findDensity(ctx context.Context, e *console.Console, s *scene.Scene, p plan, workers int) (top float64, err error) {
	w, err := simulation.Build(ctx, s, scene.Options{Workers: workers})
	if err != nil {
		return 0, usage.Bad(err)
	}
	defer w.Close()
	view, err := camera.New(s, w, o.View, o.Trails.steps(s.Dt))
	if err != nil {
		return 0, usage.Bad(err)
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
