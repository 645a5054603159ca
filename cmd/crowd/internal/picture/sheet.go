package picture

import (
	"image"
)

// The shapes that a picture takes when its height is not given: height of the
// world's part over its width.
const (
	flattest = 0.25
	tallest  = 1.5
)

// leastLegend is the width in pixels from which on a picture has a legend.
const leastLegend = 160

// sheet says what goes where.
type sheet struct {
	size    image.Point // pixels
	em      float64     // pixels, the size of the letters
	frame   viewport
	legend  *legend // nil: a bare picture
	colors  *coloring
	heat    heating  // of a heat map
	targets bool     // whether targets are drawn
	paths   bool     // whether paths are
	field   *shading // of the field; nil: it has none
}

// compose divides the picture between the world and the legend below it.
func compose(c *Crowd, o Options) sheet {
	width, height := min(max(o.Width, 0), MaxSize), min(max(o.Height, 0), MaxSize)
	if width == 0 {
		width = DefaultWidth
	}
	view, exact := c.View, true
	if !shown(view) {
		view, exact = Fit(c), false
	}
	size := view.Size()
	shape := min(max(size.Y/size.X, flattest), tallest)

	s := sheet{colors: newColoring(o, topSpeed(c))}
	s.targets = !o.NoTargets && o.Heat == nil && !tooMany(c.Targets, view)
	s.paths = !o.NoPaths && o.Heat == nil && len(c.Paths) > 0 && len(c.Paths) <= manyPaths
	s.em = min(max(float64(width)/64, 9), 72)
	if height > 0 {
		s.em = min(s.em, max(float64(height)/40, 9))
	}
	margin, below := 0, 0
	hasField := c.Field.usable() && o.Heat == nil
	if !o.Bare && width >= leastLegend {
		s.legend = newLegend(c, &s, width, o.Heat != nil, hasField)
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
	if s.legend != nil {
		s.legend.frame, s.legend.heat, s.legend.field = s.frame, s.heat, s.field
	}
	return s
}

// topSpeed returns the top of the color scale of c.
func topSpeed(c *Crowd) float64 {
	const least = 1e-6 // m/s; a crowd as slow stands still
	if s := length(c.MaxSpeed); s >= least {
		return s
	}
	top := 0.0
	for i := range c.Agents {
		top = max(top, length(c.Agents[i].Speed))
	}
	if top < least {
		return 1
	}
	return top
}
