// Package picture draws crowds as PNG or SVG. It shows agents as discs colored by speed, heading or group, or
// their density as a heat map.
package picture

import (
	"image"
	"image/draw"
	"image/png"
	"io"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// Agent is one member of a crowd. Draw omits an agent with a coordinate that is not finite or is beyond ±10¹²
// m. A negative, NaN or too large radius counts as 0, as does a negative or NaN speed.
type Agent struct {
	Position r2.Vec  // m
	Radius   float64 // m
	Speed    float64 // m/s
	Heading  r2.Vec  // of any length; zero means unknown, drawn without a nose
	Group    int     // 0 or more, for Color Group
}

// Obstacle is a polygon if Ring has three or more corners, or else a circle if A equals B, or else a wall
// from A to B.
type Obstacle struct {
	A, B   r2.Vec   // m
	Radius float64  // m, radius of the circle, or half the thickness of the wall; 0 means a thin line
	Ring   []r2.Vec // m, corners in either winding order
}

// Crowd is the content of a picture.
type Crowd struct {
	Title, Caption string // one line each
	Widest         string // longest Caption of a film; the legend leaves room for it
	About          string // at the top of the legend, at most two lines

	View r2.Box // m, part of the world to draw; empty means a box around the agents, trails and obstacles

	Agents    []Agent
	Obstacles []Obstacle
	Doors     []Door
	Goals     []Goal
	Portals   []sense.Portal
	Zones     []systems.Zone
	Targets   []r2.Vec // m
	Dangers   []r2.Vec // m, places that agents flee from
	Paths     []Path
	Trips     []Trip
	Field     *Field     // color of the floor; nil means none
	Trails    [][]r2.Vec // m, whole paths of up to a few hundred agents
	Wakes     []Wake     // recent paths, which fade
	Groups    []string   // names for the legend

	// MaxSpeed is the top of the color scale in m/s. 0 means the speed of the fastest agent.
	MaxSpeed float64

	// In the legend, Pixels changes the unit of length from m to pixels, Cells changes the unit of the scale
	// bar to cells, and Frames changes the unit of time from s to steps.
	Pixels, Cells, Frames bool
}

// The default width and the maximum length of a side, in pixels.
const (
	DefaultWidth = 1600
	MaxSize      = 8192
)

// Options define the size and the style of a picture.
type Options struct {
	Width  int  // pixels; 0 means DefaultWidth
	Height int  // pixels; 0 means a height that fits the view
	Bare   bool // no margins and no legend; implied by sizes too small for them
	Dark   bool // dark background

	Color   Color  // of agents
	Palette string // colors of speed and density; "" means the first of Palettes

	NoTargets bool // omit targets, dangers and goals; implied by more than 2,000 distinct targets in view
	NoPaths   bool // omit paths; implied by more than 200 paths

	Heat *Heat // draw density, with only obstacles and doors on top; nil means agents
}

// Draw returns the picture of c. The same input gives the same pixels. Options out of range are clamped.
func Draw(c *Crowd, o Options) *image.RGBA {
	return NewPainter(c, o).Draw(c)
}

// WritePNG writes the picture of c as PNG.
func WritePNG(to io.Writer, c *Crowd, o Options) error {
	return png.Encode(to, Draw(c, o))
}

// Limits of the frame's height divided by its width, if the height is not given.
const (
	flattest = 0.25
	tallest  = 1.5
)

const leastLegend = 160 // pixels, minimum width of a picture with a legend

type sheet struct {
	size    image.Point // pixels
	em      float64     // pixels, size of letters
	frame   viewport
	legend  *legend // nil means a bare picture
	colors  *coloring
	heat    heating
	spots   spotting
	targets bool
	paths   bool
	field   *shading
}

func compose(c *Crowd, o Options) *sheet {
	width, height := min(max(o.Width, 0), MaxSize), min(max(o.Height, 0), MaxSize)
	if width == 0 {
		width = DefaultWidth
	}
	view, exact := c.View, true
	if !shown(view) {
		view, exact = fitCrowd(c), false
	}
	size := view.Size()
	shape := min(max(size.Y/size.X, flattest), tallest)

	s := &sheet{colors: newColoring(o, topSpeed(c))}
	s.targets = !o.NoTargets && o.Heat == nil && !tooMany(c.Targets, view)
	s.paths = !o.NoPaths && o.Heat == nil && len(c.Paths) > 0 && len(c.Paths) <= manyPaths
	s.em = min(max(float64(width)/64, 9), 72)
	if height > 0 {
		s.em = min(s.em, max(float64(height)/40, 9))
	}
	margin, below := 0, 0
	hasField := c.Field.usable() && o.Heat == nil
	if !o.Bare && width >= leastLegend {
		s.legend = newLegend(c, s, width, o.Heat != nil, hasField)
		margin, below = s.legend.margin, s.legend.height
		if height > 0 && height < 2*(margin+below) {
			s.legend, margin, below = nil, 0, 0
		}
	}
	if height == 0 {
		height = max(int(float64(width-2*margin)*shape+0.5), 1) + margin + below
		height = min(height, MaxSize)
	}
	s.size = image.Pt(width, height)
	s.frame = newFrame(view, image.Rect(margin, margin, width-margin, height-below), exact)
	if o.Heat != nil {
		s.heat = heatingOf(c, s.frame, o)
	}
	if hasField {
		s.field = shadingOf(c.Field, s.frame, s.em, s.colors.theme)
	}
	s.spots = spottingFor(s.frame, c.Agents)
	return s
}

// topSpeed returns the top of the color scale in m/s, or 1 if no agent moves.
func topSpeed(c *Crowd) float64 {
	const least = 1e-6 // m/s
	top := length(c.MaxSpeed)
	for i := 0; i < len(c.Agents) && length(c.MaxSpeed) < least; i++ {
		top = max(top, length(c.Agents[i].Speed))
	}
	if top < least {
		return 1
	}
	return top
}

// Panels draws frames of several crowds. Like a Painter, it keeps the view and the scales of each crowd's
// first frame.
type Panels struct {
	painters []*Painter
	corners  []image.Point
	size     image.Point
}

const panelGap = 12 // pixels

// NewPanels returns Panels that are side by side or, if stacked is set, one above another. The parameter
// crowds contains the first frames, at least one. o.Width is the width of all panels together; o.Height is
// the height of each.
func NewPanels(crowds []*Crowd, o Options, stacked bool) *Panels {
	p, gap, room := &Panels{}, 0, o.Width
	if o.Bare {
		gap = panelGap
	}
	if room == 0 {
		room = DefaultWidth
	}
	if o.Width = room; !stacked {
		o.Width = max((room-gap*(len(crowds)-1))/len(crowds), 1)
	}
	for i, c := range crowds {
		painter := NewPainter(c, o)
		corner, end := image.Point{}, painter.Size()
		switch {
		case i > 0 && stacked:
			corner.Y = p.size.Y + gap
		case i > 0:
			corner.X = p.size.X + gap
		}
		end = end.Add(corner)
		p.size = image.Pt(max(p.size.X, end.X), max(p.size.Y, end.Y))
		p.painters, p.corners = append(p.painters, painter), append(p.corners, corner)
	}
	return p
}

// Wide reports whether panels that show view should be one above another.
func Wide(view r2.Box) bool {
	size := view.Size()
	return size.X > 2*size.Y
}

// Size returns the size of all panels together, in pixels.
func (p *Panels) Size() image.Point { return p.size }

// Swatch returns the colors of the panels; see Painter.Swatch.
func (p *Panels) Swatch() *image.RGBA { return p.painters[0].Swatch() }

// Draw returns a new picture of the given crowds, one for each panel.
func (p *Panels) Draw(crowds ...*Crowd) *image.RGBA {
	if len(crowds) == 1 {
		return p.painters[0].Draw(crowds[0])
	}
	img := image.NewRGBA(image.Rectangle{Max: p.size})
	draw.Draw(img, img.Rect, image.NewUniform(p.painters[0].sheet.colors.theme.paper), image.Point{}, draw.Src)
	for i, c := range crowds {
		part := p.painters[i].Draw(c)
		draw.Draw(img, part.Rect.Add(p.corners[i]), part, image.Point{}, draw.Src)
	}
	return img
}
