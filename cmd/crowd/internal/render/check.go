package render

import (
	"errors"
	"fmt"
	"slices"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/internal/suggest"
)

// Check returns an error that names the first flag that does not fit.
func (o *Options) Check(given cli.Given) error {
	if err := o.checkRanges(); err != nil {
		return err
	}
	return given.Refuse(append(o.Idle(),
		cli.IdleFlag{Name: "fps", Idle: !o.moving(), Why: "is for animations, and " + o.kind() + " is a picture"},
		cli.IdleFlag{Name: "color", Idle: o.Heat, Why: "is for agents, and --heat draws none"},
		cli.IdleFlag{Name: "overlay", Idle: o.Beside == "", Why: "is for --beside, which is missing"},
		cli.IdleFlag{Name: "color", Idle: o.Overlay, Why: "is not for --overlay, whose colors tell recorded and simulated people apart"},
		cli.IdleFlag{Name: "palette", Idle: !o.Heat && o.Color != picture.Speed, Why: "is for speed and density, and --color is " + o.Color.String()},
	)...)
}

// checkRanges returns an error that names the first flag that is out of range, or that
// contradicts another.
func (o *Options) checkRanges() error {
	if !o.moving() && o.kind() != ".png" && o.kind() != ".svg" {
		return fmt.Errorf("--out is %s, want a name that ends with .png, .svg, .gif, .apng or .mp4", o.Out)
	}
	if o.kind() == ".mp4" {
		if err := FindFFmpeg(); err != nil {
			return err
		}
	}
	fastest := MaxFPS
	if o.kind() == ".gif" {
		fastest = MaxGIFFPS
	}
	const longest = 3600 // s
	switch {
	case o.Width != nil && (*o.Width < leastSize || *o.Width > picture.MaxSize):
		return fmt.Errorf("--width is %d, want %d to %d", *o.Width, leastSize, picture.MaxSize)
	case o.Height != nil && (*o.Height < leastSize || *o.Height > picture.MaxSize):
		return fmt.Errorf("--height is %d, want %d to %d", *o.Height, leastSize, picture.MaxSize)
	case o.FPS < 1 || o.FPS > fastest:
		return fmt.Errorf("--fps is %d, want 1 to %d in %s", o.FPS, fastest, o.kind())
	case o.Every != nil && (*o.Every < 1 || *o.Every > run.MaxSteps):
		return fmt.Errorf("--every is %d, want 1 to %d", *o.Every, run.MaxSteps)
	case o.Seconds != nil && !(*o.Seconds > 0 && *o.Seconds <= longest):
		return fmt.Errorf("--seconds is %v, want more than 0 and at most %d", *o.Seconds, longest)
	case o.Seconds != nil && o.Steps != nil:
		return errors.New("--seconds and --steps both say how long the animation is, want one of them")
	case o.At != nil && o.Steps != nil:
		return errors.New("--at and --steps both say when the picture is drawn, want one of them")
	case o.At != nil && o.moving():
		return fmt.Errorf("--at is for pictures, want --from with %s", o.kind())
	case !o.moving() && (o.Seconds != nil || o.Every != nil || o.From != nil):
		return fmt.Errorf("--seconds, --every and --from are for animations, want --at with %s", o.kind())
	case o.Steps != nil && (*o.Steps < 1 || *o.Steps > run.MaxSteps):
		return fmt.Errorf("--steps is %d, want 1 to %d", *o.Steps, run.MaxSteps)
	case CheckView(o.View) != nil:
		return CheckView(o.View)
	case o.Heat && o.Trails.n != 0:
		return errors.New("--heat draws no agents, so it takes no --trails")
	case o.Heat && o.Field.on:
		return errors.New("--heat and --field both color the floor, want one of them")
	case o.Heat && o.Overlay:
		return errors.New("--heat draws no agents, so it takes no --overlay")
	case o.Heat && o.Beside != "" && o.HeatMax == nil:
		return errors.New("--heat with --beside needs --heat-max, one scale for both")
	case o.Beside != "" && !o.Overlay && o.kind() == ".svg":
		return errors.New("--beside draws two pictures, and .svg holds one: want --overlay, or another kind of file")
	case !o.Heat && (o.HeatRadius != nil || o.HeatMax != nil):
		return errors.New("--heat-radius and --heat-max are for --heat, which is missing")
	}
	return o.checkPalette()
}

// checkPalette returns an error if there is no such palette, or if a density is
// none.
func (o *Options) checkPalette() error {
	if names := picture.Palettes(); !slices.Contains(names, o.Palette) {
		return fmt.Errorf("--palette is %s, %s", o.Palette, suggest.OneOf(o.Palette, names))
	}
	const most = 1e9
	if r := o.HeatRadius; r != nil && !(*r > 0 && *r <= most) {
		return fmt.Errorf("--heat-radius is %v m, want more than 0 and at most %v", *r, most)
	}
	if top := o.HeatMax; top != nil && !(*top > 0 && *top <= most) {
		return fmt.Errorf("--heat-max is %v agents/m², want more than 0 and at most %v", *top, most)
	}
	return nil
}

// leastSize is the least width and height of a picture, in pixels.
const leastSize = 16
