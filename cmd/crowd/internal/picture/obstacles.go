package picture

import (
	"image"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
	"gonum.org/v1/gonum/spatial/r2"
)

// polygon reports whether o is a polygon rather than a circle or wall.
func (o *Obstacle) polygon() bool { return len(o.Ring) >= 3 }

// usable reports whether all of o can be drawn.
func (o *Obstacle) usable() bool {
	if !o.polygon() {
		return usable(o.A) && usable(o.B)
	}
	for _, p := range o.Ring {
		if !usable(p) {
			return false
		}
	}
	return true
}

// box returns the box around o, empty when o can't be drawn.
func (o *Obstacle) box() r2.Box {
	switch {
	case !o.usable():
		return around(nil)
	case o.polygon():
		return around(o.Ring)
	}
	return grow(around([]r2.Vec{o.A, o.B}), length(o.Radius))
}

// masks are where obstacles are in a frame, and where their insides are.
type masks struct{ all, inside *image.Alpha }

// masksOf returns the masks of all obstacles, nil if none is seen.
func masksOf(f viewport, obstacles []Obstacle) *masks {
	ras := vector.NewRasterizer(f.bounds.Dx(), f.bounds.Dy())
	drawn := false
	for i := range obstacles {
		if addRing(ras, f.bounds, obstacles[i].outline(f)) {
			drawn = true
		}
	}
	if !drawn {
		return nil
	}
	mask := image.NewAlpha(image.Rectangle{Max: f.bounds.Size()})
	ras.DrawOp = draw.Src
	ras.Draw(mask, mask.Bounds(), image.Opaque, image.Point{})
	return &masks{mask, eroded(mask, int(rimWidth(f)+0.5))}
}

// rimWidth returns how wide the rim of obstacles is, in pixels.
func rimWidth(f viewport) float64 { return float64(max((f.bounds.Dx()+400)/800, 1)) }

// outline returns the outline of an obstacle in the image, nil if it can't be
// drawn. A line without thickness gets some.
func (o *Obstacle) outline(f viewport) (ring []r2.Vec) {
	switch {
	case !o.usable():
		return nil
	case o.polygon():
		for _, p := range o.Ring {
			ring = append(ring, f.at(p))
		}
		return ring
	}
	return capsule(f.at(o.A), f.at(o.B), max(length(o.Radius)*f.scale, wallWidth(f)))
}

// wallWidth returns half the least thickness of a wall, in pixels.
func wallWidth(f viewport) float64 { return max(float64(f.bounds.Dx())/1100, 0.75) }

// draw draws all obstacles as one solid with a darker rim: where they overlap
// there is no rim between them.
func (m *masks) draw(img *image.RGBA, f viewport, t *theme) {
	if m == nil {
		return
	}
	draw.DrawMask(img, f.bounds, image.NewUniform(t.rim), image.Point{}, m.all, image.Point{}, draw.Over)
	draw.DrawMask(img, f.bounds, image.NewUniform(t.solid), image.Point{}, m.inside, image.Point{}, draw.Over)
}

// eroded returns a mask that has lost d pixels along all its edges; the border
// of the image is no edge.
func eroded(m *image.Alpha, d int) *image.Alpha {
	out := image.NewAlpha(m.Rect)
	w, h := m.Rect.Dx(), m.Rect.Dy()
	diagonal := int(math.Round(float64(d) * math.Sqrt2 / 2))
	steps := [8][2]int{{d, 0}, {-d, 0}, {0, d}, {0, -d},
		{diagonal, diagonal}, {diagonal, -diagonal}, {-diagonal, diagonal}, {-diagonal, -diagonal}}
	for y := range h {
		for x := range w {
			least := m.Pix[y*m.Stride+x]
			for _, s := range steps {
				if least == 0 {
					break
				}
				sx, sy := min(max(x+s[0], 0), w-1), min(max(y+s[1], 0), h-1)
				least = min(least, m.Pix[sy*m.Stride+sx])
			}
			out.Pix[y*out.Stride+x] = least
		}
	}
	return out
}

// capsule returns the outline of all that is within r of the line from a to b:
// a circle when a equals b.
func capsule(a, b r2.Vec, r float64) []r2.Vec {
	along := r2.Vec{X: r}
	if n := r2.Norm(r2.Sub(b, a)); n > 0 {
		along = r2.Scale(r/n, r2.Sub(b, a))
	}
	// Chords that stay within a twentieth of a pixel of the arc.
	half := min(max(int(math.Ceil(math.Pi/2*math.Sqrt(r/0.1))), 6), 720)
	ring := make([]r2.Vec, 0, 2*half+2)
	for _, end := range [2]struct{ at, along r2.Vec }{{b, along}, {a, r2.Scale(-1, along)}} {
		for i := range half + 1 {
			sin, cos := math.Sincos(math.Pi * (float64(i)/float64(half) - 0.5))
			d := end.along
			ring = append(ring, r2.Vec{
				X: end.at.X + d.X*cos - d.Y*sin,
				Y: end.at.Y + d.X*sin + d.Y*cos,
			})
		}
	}
	return ring
}

// addRing adds the part of a polygon that lies in bounds to a rasterizer whose
// origin is the corner of bounds. It reports whether there is any.
//
// The rasterizer adds up windings, so all rings are given the same direction:
// overlapping ones then never cancel out.
func addRing(ras *vector.Rasterizer, bounds image.Rectangle, ring []r2.Vec) bool {
	const beyond = 4 // pixels
	ring = clip(ring, bounds.Inset(-beyond))
	if len(ring) < 3 {
		return false
	}
	area := 0.0
	for i, p := range ring {
		area += r2.Cross(ring[(i+len(ring)-1)%len(ring)], p)
	}
	for i := range ring {
		p := ring[i]
		if area < 0 {
			p = ring[len(ring)-1-i]
		}
		x, y := float32(p.X-float64(bounds.Min.X)), float32(p.Y-float64(bounds.Min.Y))
		if i == 0 {
			ras.MoveTo(x, y)
		} else {
			ras.LineTo(x, y)
		}
	}
	ras.ClosePath()
	return true
}

// clip returns the part of a polygon that lies in bounds.
//
// Source: Sutherland and Hodgman 1974.
func clip(ring []r2.Vec, bounds image.Rectangle) []r2.Vec {
	sides := [4]func(p r2.Vec) float64{ // how far p is inside
		func(p r2.Vec) float64 { return p.X - float64(bounds.Min.X) },
		func(p r2.Vec) float64 { return float64(bounds.Max.X) - p.X },
		func(p r2.Vec) float64 { return p.Y - float64(bounds.Min.Y) },
		func(p r2.Vec) float64 { return float64(bounds.Max.Y) - p.Y },
	}
	for _, inside := range sides {
		var kept []r2.Vec
		for i, p := range ring {
			last := ring[(i+len(ring)-1)%len(ring)]
			dp, dl := inside(p), inside(last)
			if (dp >= 0) != (dl >= 0) {
				kept = append(kept, r2.Add(last, r2.Scale(dl/(dl-dp), r2.Sub(p, last))))
			}
			if dp >= 0 {
				kept = append(kept, p)
			}
		}
		ring = kept
	}
	return ring
}
