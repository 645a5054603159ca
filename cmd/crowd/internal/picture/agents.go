package picture

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// spotting defines how small agents are drawn: as spots, enlarged to a minimum radius. If enlarged spots
// would cover too much of the frame, they are also translucent, so that density still shows.
type spotting struct {
	least    float64 // pixels, minimum radius of a spot
	sheer    float64 // minimum opacity of an enlarged spot
	enlarged bool    // whether the mean radius of agents in the frame is well below least
}

func spottingFor(f viewport, agents []Agent) spotting {
	inView, sum := 0, 0.0
	for i := range agents {
		a := &agents[i]
		if r := length(a.Radius) * f.scale; usable(a.Position) && f.shows(f.at(a.Position), r) {
			inView++
			sum += min(r, maxSpot)
		}
	}
	area := float64(f.bounds.Dx() * f.bounds.Dy())
	n := float64(max(inView, 1))
	s := spotting{least: min(max(0.18*math.Sqrt(area/n), 0.9), 4)}
	// The areas of n enlarged spots, times this opacity, add up to three fifths of the frame or less.
	s.sheer = min(0.6*area/(n*math.Pi*s.least*s.least), 1)
	s.enlarged = inView > 0 && sum/n < 0.8*s.least
	return s
}

// A dab is an agent to be drawn.
type dab struct {
	at    r2.Vec  // pixels
	r     float64 // pixels, radius of the body
	agent int32   // index
	value value
}

func drawSpots(l *layer, dabs []dab, s spotting) {
	for i := range dabs {
		d := &dabs[i]
		if d.r > leastPuck {
			continue
		}
		l.spot(d.at, max(d.r, s.least), s.opacity(d.r), d.value)
	}
}

// opacity returns the opacity of an agent with a radius of r pixels.
func (s spotting) opacity(r float64) float64 {
	if r >= s.least {
		return 1
	}
	return max(s.sheer, r*r/(s.least*s.least))
}

// seen returns the indexes of the agents in the frame.
func (s spotting) seen(agents []Agent, f viewport) (rows []int) {
	for i := range agents {
		if a := &agents[i]; usable(a.Position) && f.shows(f.at(a.Position), s.reach(a, f)) {
			rows = append(rows, i)
		}
	}
	return rows
}

// drawPucks draws the large agents as pucks: discs with an outline and a nose.
func drawPucks(img *image.RGBA, band image.Rectangle, dabs []dab, agents []Agent, c *coloring) {
	for i := range dabs {
		if d := &dabs[i]; d.r > leastPuck {
			drawPuck(img, band, d.at, d.r, agents[d.agent].Heading, c.color(d.value), c.theme.outline)
		}
	}
}

// reach returns the distance in pixels within which an agent covers the image.
func (s spotting) reach(a *Agent, f viewport) float64 {
	r := length(a.Radius) * f.scale
	if r > leastPuck {
		return noseReach*r + 1
	}
	return max(r, s.least)
}

const (
	leastPuck = 3.5  // pixels; agents with larger radii have an outline and a nose
	noseReach = 1.38 // radii, from the center of a puck to the tip of its nose
)

// puckLine returns the thickness of the outline of a puck of radius r.
func puckLine(r float64) float64 { return min(max(0.09*r, 1), 3) }

// drawPuck draws an agent with an outline inside its radius, and a nose in the direction of its heading.
func drawPuck(img *image.RGBA, bounds image.Rectangle, p r2.Vec, r float64, heading r2.Vec, fill, outline color.RGBA) {
	line := puckLine(r)
	edge := mix(fill, outline, 0.55)
	ahead, reach := r2.Vec{}, r
	if n := math.Hypot(heading.X, heading.Y); n > 0 && !math.IsInf(n, 1) {
		ahead, reach = r2.Vec{X: heading.X / n, Y: -heading.Y / n}, noseReach*r
	}
	cos := 1 / noseReach // where the sides of the nose touch the disc
	sin := math.Sqrt(1 - cos*cos)
	box := pixelsOf(grow(r2.Box{Min: p, Max: p}, reach+1)).Intersect(bounds)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			d := r2.Vec{X: float64(x) + 0.5 - p.X, Y: float64(y) + 0.5 - p.Y}
			dist := math.Sqrt(r2.Norm2(d))
			out := dist - r // signed distance from the edge of the disc or, ahead, of the nose
			if along := r2.Dot(d, ahead); along > cos*dist {
				out = cos*along + sin*math.Abs(r2.Cross(d, ahead)) - r
			}
			blend(img, x, y, edge, 0.5-out)
			blend(img, x, y, fill, 0.5-(dist-(r-line)))
		}
	}
}
