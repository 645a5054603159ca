package render

import (
	"context"
	"math"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
)

// A plan says which steps are drawn.
type plan struct {
	from, steps, every int // the first, the last, and from frame to frame
	frames             int
	out                int // with this many agents out the picture is taken at once; 0: whoever is out
}

// plan returns which steps of the scene are drawn.
func (o *Options) plan(s *scene.Scene) plan {
	if !o.moving() {
		p := plan{from: s.Steps, every: 1, frames: 1}
		switch {
		case o.At != nil:
			p.from = o.At.steps(s.Dt)
		case s.Ends():
			p.out = enoughOut(s)
		}
		p.steps = p.from
		return p
	}
	p := plan{from: value(o.From).steps(s.Dt), every: value(o.Every)}
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

// pace returns how many steps a frame lasts. Time is real, except with steps so
// long that they must be those of a tutorial, which counts in frames: then it is
// 60 steps a second.
func pace(dt float64, fps int) int {
	if dt > picture.LongStep {
		dt = 1.0 / 60
	}
	return max(int(math.Round(1/(dt*float64(fps)))), 1)
}

// roll runs the world and hands frames to shoot, until the last step or the end
// of the context. It returns how many steps were done. There is at least one
// frame in any case. A step that the context ends in the middle is as if it had not
// begun.
func (p plan) roll(ctx context.Context, w *world.World, after func(step int), shoot func(step int) error) (int, error) {
	defer w.DropCheckpoint()
	took := 2 * run.Patience
	for step := 0; ; step++ {
		early := p.out > 0 && w.Left() >= p.out
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
		if err == world.ErrInterrupted { // and as before the step
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
