package picture

import (
	"image"
	"image/draw"

	"golang.org/x/image/vector"
	"gonum.org/v1/gonum/spatial/r2"
)

// longestLeg is the part of the view's width beyond which two points of a trail
// are not joined: the agent was put to another place, as at a wrapping edge.
const longestLeg = 0.4

// drawTrails draws the ways that agents have come, each as one thin line, so
// faint that where many ran they add up.
func drawTrails(img *image.RGBA, f viewport, trails [][]r2.Vec, t *theme) {
	if len(trails) == 0 {
		return
	}
	line := max(float64(f.bounds.Dx())/1600, 0.6)
	ras := vector.NewRasterizer(f.bounds.Dx(), f.bounds.Dy())
	mask := image.NewAlpha(image.Rectangle{Max: f.bounds.Size()})
	for _, way := range trails {
		ras.Reset(f.bounds.Dx(), f.bounds.Dy())
		drawn := false
		for i := 1; i < len(way); i++ {
			if !usable(way[i-1]) || !usable(way[i]) {
				continue
			}
			a, b := f.at(way[i-1]), f.at(way[i])
			if a == b || r2.Norm(r2.Sub(b, a)) > longestLeg*float64(f.bounds.Dx()) {
				continue
			}
			drawn = addRing(ras, f.bounds, capsule(a, b, line)) || drawn
		}
		if drawn {
			ras.DrawOp = draw.Src
			ras.Draw(mask, mask.Bounds(), image.Opaque, image.Point{})
			draw.DrawMask(img, f.bounds, image.NewUniform(t.trail), image.Point{}, mask, image.Point{}, draw.Over)
		}
	}
}
