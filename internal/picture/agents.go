package picture

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// drawAgents draws the agents, small ones as spots and large ones as pucks. It
// tells whether most of those in the frame had to be enlarged to be seen.
//
// A spot is enlarged to minRadius, or, when that is 0, to a radius that suits
// the number of agents. When so many are enlarged that they would cover all of
// the frame they are drawn translucent, so that density still shows.
func drawAgents(img *image.RGBA, f frame, agents []Agent, maxSpeed, minRadius float64) (enlarged bool) {
	inView, sum := 0, 0.0
	for i := range agents {
		a := &agents[i]
		if r := length(a.Radius) * f.scale; usable(a.Position) && f.shows(f.at(a.Position), r) {
			inView++
			sum += min(r, maxSpot)
		}
	}
	if inView == 0 {
		return false
	}
	area := float64(f.bounds.Dx() * f.bounds.Dy())
	n := float64(inView)
	least := min(minRadius, maxSpot)
	if !(least > 0) {
		least = min(max(0.18*math.Sqrt(area/n), 0.9), 4)
	}
	// On average the enlarged agents may cover three fifths of the frame.
	sheer := min(0.6*area/(n*math.Pi*least*least), 1)

	l := newLayer(f.bounds)
	for i := range agents {
		a := &agents[i]
		p, r := f.at(a.Position), length(a.Radius)*f.scale
		if !usable(a.Position) || r > maxSpot {
			continue
		}
		opacity := 1.0
		if r < least {
			opacity = max(sheer, r*r/(least*least))
		}
		l.spot(p, max(r, least), opacity, levelOf(a.Speed, maxSpeed))
	}
	l.paint(img, &ramp)

	for i := range agents {
		a := &agents[i]
		if r := length(a.Radius) * f.scale; r > maxSpot && usable(a.Position) {
			drawPuck(img, f.bounds, f.at(a.Position), r, a.Heading, ramp[levelOf(a.Speed, maxSpeed)])
		}
	}
	return sum/n < 0.8*least
}

// noseReach is how far the tip of a puck's nose is from its middle, in radii.
const noseReach = 1.38

// drawPuck draws an agent large enough to have an outline, and a nose that
// points where it is heading. Its outline is its radius; only the nose reaches
// beyond.
func drawPuck(img *image.RGBA, bounds image.Rectangle, p r2.Vec, r float64, heading r2.Vec, fill color.RGBA) {
	line := min(max(0.09*r, 1), 3)
	dark := mix(fill, ink, 0.55)
	ahead, reach := r2.Vec{}, r
	if n := math.Hypot(heading.X, heading.Y); n > 0 && !math.IsInf(n, 1) {
		ahead, reach = r2.Vec{X: heading.X / n, Y: -heading.Y / n}, noseReach*r
	}
	// Where the straight sides of the nose touch the disc.
	cos := 1 / noseReach
	sin := math.Sqrt(1 - cos*cos)

	box := pixelsAround(p, reach+1).Intersect(bounds)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			d := r2.Vec{X: float64(x) + 0.5 - p.X, Y: float64(y) + 0.5 - p.Y}
			dist := math.Sqrt(r2.Norm2(d))
			out := dist - r // distance to the outer edge, of the nose where it is ahead
			if along := r2.Dot(d, ahead); along > cos*dist {
				out = cos*along + sin*math.Abs(r2.Cross(d, ahead)) - r
			}
			blend(img, x, y, dark, 0.5-out)
			blend(img, x, y, fill, 0.5-(dist-(r-line)))
		}
	}
}

// pixelsAround returns the pixels that a square around p touches. Places far
// outside any image are moved to its edge, so that they fit an int.
func pixelsAround(p r2.Vec, r float64) image.Rectangle {
	pixel := func(x float64) int { return int(min(max(x, -MaxSize), 2*MaxSize)) }
	return image.Rect(
		pixel(math.Floor(p.X-r)), pixel(math.Floor(p.Y-r)),
		pixel(math.Ceil(p.X+r)), pixel(math.Ceil(p.Y+r)))
}
