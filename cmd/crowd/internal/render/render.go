package render

import (
	"cmp"
	"context"
	"fmt"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/world/scene"
)

// Draw draws a scene with a number of workers, where there is memory for it.
func (o *Options) Draw(ctx context.Context, e *cli.Console, s *scene.Scene, workers int, limit *cli.MemoryFlag) error {
	if o.Steps != nil {
		s.Steps = *o.Steps
	}
	if err := o.Field.check(s); err != nil {
		return cli.BadUsage(err)
	}
	plan := o.plan(s)
	if o.Steps != nil && plan.from >= *o.Steps && o.moving() {
		return cli.BadUsage(fmt.Errorf("--from is step %d, want less than --steps, %d", plan.from, *o.Steps))
	}
	if err := limit.Admit(s, scene.Options{}, cli.MemoryOfPicture(s, true)); err != nil {
		return cli.BadUsage(err)
	}
	var files output.Files
	files.Reads(s.Files...)
	out := files.AddRegular("--out", o.Out)
	if err := files.Open(); err != nil {
		return cli.BadUsage(err)
	}
	defer files.Discard()
	switch {
	case o.Overlay:
		o.Color = picture.Group
	case !e.Given["color"] && !e.Given["palette"]:
		o.Color = ColorOf(s)
	}
	look := o.look()
	if o.Heat && o.HeatMax == nil && o.moving() {
		top, err := o.findDensity(ctx, e, s, plan, workers)
		if err != nil {
			return err
		}
		look.Heat.Max = top
	}
	w, err := run.Build(ctx, s, scene.Options{Workers: workers})
	if err != nil {
		return cli.BadUsage(err)
	}
	defer w.Close()
	f, err := o.newFilm(s, w, out, look)
	if err != nil {
		return cli.BadUsage(err)
	}
	bar := e.Progress(fmt.Sprintf("%s, %s agents", s.Name, cli.Thousands(s.Agents())), plan.steps, "step", false)
	done, err := plan.roll(ctx, w, func(step int) {
		bar.Set(step)
		f.camera.NoteStep()
	}, f.shoot)
	err = cmp.Or(err, f.close())
	bar.Done()
	if err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	if done < plan.steps {
		e.Log.Warn(fmt.Sprintf("stopped after step %d of %d; %s shows what there is", done, plan.steps, o.Out))
	}
	if e.Log.Enabled(ctx, 0) {
		_, err = cli.Fprintf(e.Out, "%s\n", f.summary())
	}
	return err
}
