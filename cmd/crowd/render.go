package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/memory"
	"github.com/8f878440/crowd/cmd/crowd/internal/numbers"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/cmd/crowd/internal/simulation"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
	"github.com/8f878440/crowd/cmd/crowd/internal/usage"
	"github.com/8f878440/crowd/internal/picture"
	"github.com/8f878440/crowd/world/scene"
)

// renderCmd draws one crowd.
type renderCmd struct {
	sceneFlags

	Out string `short:"o" required:"" placeholder:"FILE" help:"What to write, as the name ends: .png or .svg for a picture, .gif, .apng or .mp4 for an animation (mp4 by ffmpeg)."`

	Width  *int      `placeholder:"PIXELS" help:"Width (default: 1600, of an animation 640)."`
	Height *int      `placeholder:"PIXELS" help:"Height (default: as the shape of the view asks for)."`
	View   []float64 `placeholder:"X0,Y0,X1,Y1" help:"Draw only this part, in meters (default: the whole scene)."`
	Bare   bool      `help:"No legend and no margins."`
	Dark   bool      `help:"A dark ground."`

	NoTargets bool `help:"Draw no targets, and nothing of what agents flee from."`
	NoPaths   bool `help:"Draw no paths that agents follow."`

	Color      picture.Color `default:"speed" help:"What colors stand for: speed, heading or group."`
	Palette    string        `default:"plasma" help:"Colors of speed and density: plasma, viridis, magma, inferno or gray."`
	Trails     span          `placeholder:"SPAN" help:"Draw the way of the last so many steps, as 60, or seconds, as 1.5s (default: 0, none)."`
	Heat       bool          `help:"Draw the density of agents in place of agents."`
	HeatRadius *float64      `placeholder:"METERS" help:"Over which distance agents count for the density (default: a hundredth of the view)."`
	HeatMax    *float64      `placeholder:"DENSITY" help:"Top of the scale of density, in agents/m² (default: the greatest there is)."`

	At      *span    `placeholder:"SPAN" help:"Draw the picture after so many steps, as 120, or seconds, as 2.5s (default: at the end)."`
	From    *span    `placeholder:"SPAN" help:"Begin the animation after so many steps or seconds."`
	Steps   *int     `placeholder:"N" help:"Number of steps, those before --from included (default: the scene's, of an animation as many as --seconds take)."`
	Seconds *float64 `placeholder:"N" help:"How long the animation plays (default: 5)."`
	FPS     int      `name:"fps" default:"30" help:"Frames a second."`
	Every   *int     `placeholder:"N" help:"Steps from frame to frame (default: as many as a frame lasts, or at 60 steps a second for a scene whose steps are longer than 0.1 s)."`

	kind       string  // the ending of Out
	topDensity float64 // of the scale of an animation, agents/m²
}

func (renderCmd) Help() string {
	return `Examples:

    crowd render --out plaza.png                      50,000 people after ten seconds
    crowd render arrival --trails 60 --out arrival.gif
    crowd render plaza --view 200,200,240,230 --dark --seconds 8 --out people.mp4
    crowd render plaza --agents 1000000 --heat --at 5s --out density.png
    crowd render tank-path --trails 10s --out tank.svg

Ctrl-C ends the simulation, and the file is completed with what there is.`
}

// A span is a number of steps, or a time in seconds where the text ends with s.
type span struct {
	n       float64
	seconds bool
}

// UnmarshalText reads a span.
func (s *span) UnmarshalText(text []byte) (err error) {
	number := string(text)
	number, s.seconds = strings.CutSuffix(number, "s")
	s.n, err = strconv.ParseFloat(number, 64)
	if err != nil || !(s.n >= 0 && s.n <= simulation.MaxSteps) || !s.seconds && s.n != math.Trunc(s.n) {
		return fmt.Errorf("%q is no span, want a number of steps such as 60, or of seconds such as 1.5s", text)
	}
	return nil
}

// steps returns the span in steps.
func (s span) steps(dt float64) int {
	if s.seconds {
		return int(min(math.Round(s.n/dt), simulation.MaxSteps))
	}
	return int(s.n)
}

// moving tells whether the file is an animation.
func (c *renderCmd) moving() bool { return c.kind == ".gif" || c.kind == ".apng" || c.kind == ".mp4" }

func (c *renderCmd) Run(ctx context.Context, e *console.Console) error {
	s, err := c.load(ctx, e)
	if err != nil {
		return usage.Bad(err)
	}
	plan := c.plan(s)
	if c.Steps != nil && plan.from >= *c.Steps && c.moving() {
		return usage.Bad(fmt.Errorf("--from is step %d, want less than --steps, %d", plan.from, *c.Steps))
	}
	if err := c.Admit(s, scene.Options{}, memory.OfPicture(s, true)); err != nil {
		return usage.Bad(err)
	}
	var files output.Files
	files.Reads(s.Files...)
	out := files.AddRegular("--out", c.Out)
	if err := files.Open(); err != nil {
		return usage.Bad(err)
	}
	defer files.Discard()
	if c.Heat && c.HeatMax == nil && c.moving() {
		if err := c.findDensity(ctx, e, s, plan); err != nil {
			return err
		}
	}
	w, err := simulation.Build(ctx, s, scene.Options{Workers: c.Workers})
	if err != nil {
		return usage.Bad(err)
	}
	defer w.Close()
	f, err := c.newFilm(s, w, out)
	if err != nil {
		return usage.Bad(err)
	}
	bar := e.Progress(fmt.Sprintf("%s, %s agents", s.Name, numbers.Thousands(s.Agents())), plan.steps, "step", false)
	done, err := plan.roll(ctx, w, func(step int) {
		bar.Set(step)
		f.camera.wakes.step()
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
		e.Log.Warn(fmt.Sprintf("stopped after step %d of %d; %s shows what there is", done, plan.steps, c.Out))
	}
	if e.Log.Enabled(ctx, 0) {
		_, err = terminal.Fprintf(e.Out, "%s\n", f.summary())
	}
	return err
}

// load returns the scene, with the changes that the command line asks for. The
// error names the first flag that does not fit.
func (c *renderCmd) load(ctx context.Context, e *console.Console) (*scene.Scene, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	err := e.Given.Refuse(
		usage.IdleFlag{Name: "fps", Idle: !c.moving(), Why: "is for animations, and " + c.kind + " is a picture"},
		usage.IdleFlag{Name: "color", Idle: c.Heat, Why: "is for agents, and --heat draws none"},
		usage.IdleFlag{Name: "palette", Idle: !c.Heat && c.Color != picture.Speed, Why: "is for speed and density, and --color is " + c.Color.String()},
	)
	if err != nil {
		return nil, err
	}
	s, err := c.open(ctx, e)
	if err == nil && c.Steps != nil {
		s.Steps = *c.Steps
	}
	return s, err
}

// options returns how pictures are drawn.
func (c *renderCmd) options() picture.Options {
	o := picture.Options{
		Width: value(c.Width), Height: value(c.Height), Bare: c.Bare, Dark: c.Dark,
		Color: c.Color, Palette: c.Palette, NoTargets: c.NoTargets, NoPaths: c.NoPaths,
	}
	if c.moving() && c.Width == nil {
		o.Width = animationWidth
	}
	if c.Heat {
		o.Heat = &picture.Heat{Radius: value(c.HeatRadius), Max: max(value(c.HeatMax), c.topDensity)}
	}
	return o
}

// animationWidth is the width of an animation unless told otherwise, in pixels.
const animationWidth = 640

// value returns what a flag says, 0 if it is not given.
func value[T any](flag *T) (v T) {
	if flag != nil {
		v = *flag
	}
	return v
}
