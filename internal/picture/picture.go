// Package picture draws a still picture of a crowd: agents as discs coloured
// by their speed, obstacles, targets, and a legend below them.
//
// One call draws one frame. The frames of an animation line up when View,
// MaxSpeed and both sizes are set and stay as they are.
package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"

	"gonum.org/v1/gonum/spatial/r2"
)

// Agent is one member of a crowd.
//
// An agent whose position is not finite, or farther than 10¹² m from the
// origin, is not drawn. A radius or speed that is no number ≥ 0 counts as 0.
type Agent struct {
	Position r2.Vec  // m
	Radius   float64 // m
	Speed    float64 // m/s
	Heading  r2.Vec  // any length; zero: unknown, the disc has no nose
}

// Obstacle is a solid thing: a polygon when Ring has three corners or more,
// otherwise a wall from A to B, or a circle when A equals B.
type Obstacle struct {
	A, B   r2.Vec   // m
	Radius float64  // m, of the circle; half the thickness of the wall, 0: a thin line
	Ring   []r2.Vec // m, the polygon's corners in either direction
}

// Crowd is what a picture shows.
type Crowd struct {
	Title, Caption string // one line each

	// View is the part of the world that is shown. When it is empty (or
	// narrower than a micrometre) the picture is fitted to agents and
	// obstacles, leaving out the few agents that have strayed far from all
	// else; see Fit.
	View r2.Box // m

	Agents    []Agent
	Obstacles []Obstacle
	Targets   []r2.Vec   // m
	Trails    [][]r2.Vec // m, the ways that agents have come, for a few hundred of them

	// MaxSpeed is the top of the colour scale; faster agents have its colour.
	// 0: the largest speed of all agents.
	MaxSpeed float64 // m/s
}

// Sizes of a picture, in pixels.
const (
	DefaultWidth = 1600
	MaxSize      = 8192 // of a side
)

// Options says how large a picture is and how it is set out.
type Options struct {
	Width  int // pixels; 0: DefaultWidth
	Height int // pixels; 0: as the shape of the view asks for

	// MinRadius is the smallest radius that an agent is drawn with. 0: from
	// 0.9 to 4 pixels, the fewer agents the larger.
	MinRadius float64 // pixels

	// Bare leaves out margins and legend: all of the picture shows the world.
	// A picture too small for a legend is bare in any case.
	Bare bool
}

// Validate returns an error that names the first option out of range.
func (o Options) Validate() error {
	switch {
	case o.Width < 0 || o.Width > MaxSize:
		return fmt.Errorf("picture: Width is %d pixels, must be 0 to %d", o.Width, MaxSize)
	case o.Height < 0 || o.Height > MaxSize:
		return fmt.Errorf("picture: Height is %d pixels, must be 0 to %d", o.Height, MaxSize)
	case !(o.MinRadius >= 0 && o.MinRadius <= maxSpot):
		return fmt.Errorf("picture: MinRadius is %v pixels, must be 0 to %v", o.MinRadius, maxSpot)
	}
	return nil
}

// Draw returns the picture of c. The same input gives the same pixels.
// Options that are out of range are moved to the nearest that is not.
func Draw(c *Crowd, o Options) *image.RGBA {
	s := compose(c, o)
	img := image.NewRGBA(image.Rectangle{Max: s.size})
	draw.Draw(img, img.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	draw.Draw(img, s.frame.bounds, image.NewUniform(floor), image.Point{}, draw.Src)

	drawObstacles(img, s.frame, c.Obstacles)
	drawTrails(img, s.frame, c.Trails)
	drawTargets(img, s.frame, s.em, c.Targets)
	enlarged := drawAgents(img, s.frame, c.Agents, s.maxSpeed, o.MinRadius)
	if s.legend != nil {
		drawBorder(img, s.frame.bounds)
		s.legend.draw(img, s.frame, enlarged)
	}
	return img
}

// WritePNG draws c and writes the picture to a file. It returns an error when
// an option is out of range or the file can't be written.
func WritePNG(path string, c *Crowd, o Options) error {
	if err := o.Validate(); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, Draw(c, o)); err != nil {
		return fmt.Errorf("picture: %w", err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("picture: %w", err)
	}
	return nil
}
