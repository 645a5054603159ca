package main

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/simulation"
	"github.com/8f878440/crowd/internal/animation"
	"github.com/8f878440/crowd/internal/picture"
	"github.com/8f878440/crowd/internal/suggest"
)

// check returns an error that names the first flag that is out of range, or that
// contradicts another.
func (c *renderCmd) check() error {
	c.kind = strings.ToLower(filepath.Ext(c.Out))
	if !c.moving() && c.kind != ".png" && c.kind != ".svg" {
		return fmt.Errorf("--out is %s, want a name that ends with .png, .svg, .gif, .apng or .mp4", c.Out)
	}
	if c.kind == ".mp4" {
		if err := animation.FindFFmpeg(); err != nil {
			return err
		}
	}
	fastest := animation.MaxFPS
	if c.kind == ".gif" {
		fastest = animation.MaxGIFFPS
	}
	const longest = 3600 // s
	switch {
	case c.Width != nil && (*c.Width < leastSize || *c.Width > picture.MaxSize):
		return fmt.Errorf("--width is %d, want %d to %d", *c.Width, leastSize, picture.MaxSize)
	case c.Height != nil && (*c.Height < leastSize || *c.Height > picture.MaxSize):
		return fmt.Errorf("--height is %d, want %d to %d", *c.Height, leastSize, picture.MaxSize)
	case c.FPS < 1 || c.FPS > fastest:
		return fmt.Errorf("--fps is %d, want 1 to %d in %s", c.FPS, fastest, c.kind)
	case c.Every != nil && (*c.Every < 1 || *c.Every > simulation.MaxSteps):
		return fmt.Errorf("--every is %d, want 1 to %d", *c.Every, simulation.MaxSteps)
	case c.Seconds != nil && !(*c.Seconds > 0 && *c.Seconds <= longest):
		return fmt.Errorf("--seconds is %v, want more than 0 and at most %d", *c.Seconds, longest)
	case c.Seconds != nil && c.Steps != nil:
		return errors.New("--seconds and --steps both say how long the animation is, want one of them")
	case c.At != nil && c.Steps != nil:
		return errors.New("--at and --steps both say when the picture is drawn, want one of them")
	case c.At != nil && c.moving():
		return fmt.Errorf("--at is for pictures, want --from with %s", c.kind)
	case !c.moving() && (c.Seconds != nil || c.Every != nil || c.From != nil):
		return fmt.Errorf("--seconds, --every and --from are for animations, want --at with %s", c.kind)
	case c.Steps != nil && (*c.Steps < 1 || *c.Steps > simulation.MaxSteps):
		return fmt.Errorf("--steps is %d, want 1 to %d", *c.Steps, simulation.MaxSteps)
	case c.View != nil && !isView(c.View):
		return fmt.Errorf("--view is %v, want X0,Y0,X1,Y1 with X0 < X1 and Y0 < Y1", c.View)
	case c.Heat && c.Trails.n != 0:
		return errors.New("--heat draws no agents, so it takes no --trails")
	case !c.Heat && (c.HeatRadius != nil || c.HeatMax != nil):
		return errors.New("--heat-radius and --heat-max are for --heat, which is missing")
	}
	return c.checkPalette()
}

// isView tells whether v are the corners of what can be drawn.
func isView(v []float64) bool {
	const least, farthest = 1e-3, 1e9 // m
	for _, x := range v {
		if !(math.Abs(x) <= farthest) {
			return false
		}
	}
	return len(v) == 4 && v[2]-v[0] >= least && v[3]-v[1] >= least
}

// checkPalette returns an error if there is no such palette, or if a density is
// none.
func (c *renderCmd) checkPalette() error {
	if names := picture.Palettes(); !slices.Contains(names, c.Palette) {
		return fmt.Errorf("--palette is %s, %s", c.Palette, suggest.OneOf(c.Palette, names))
	}
	const most = 1e9
	if r := c.HeatRadius; r != nil && !(*r > 0 && *r <= most) {
		return fmt.Errorf("--heat-radius is %v m, want more than 0 and at most %v", *r, most)
	}
	if top := c.HeatMax; top != nil && !(*top > 0 && *top <= most) {
		return fmt.Errorf("--heat-max is %v agents/m², want more than 0 and at most %v", *top, most)
	}
	return nil
}

// leastSize is the least width and height of a picture, in pixels.
const leastSize = 16
