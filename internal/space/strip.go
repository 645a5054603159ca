package space

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Pieces returns the number of pieces that all shapes are cut into: circles, walls, and the
// insides of polygons.
func (x *Index) Pieces() int { return len(x.pieces) }

// Corners returns how many corners a piece has whose inside is filled; 0 for others.
func (x *Index) Corners(piece int) int {
	if pc := &x.pieces[piece]; pc.kind == inside {
		return len(x.shape(pc.rank).Ring)
	}
	return 0
}

// Heights returns between which heights lies all that is nearer than reach to a piece.
func (x *Index) Heights(piece int, reach float64) (low, high float64) {
	pc := &x.pieces[piece]
	reach += pc.radius
	return min(pc.a.Y, pc.b.Y) - reach, max(pc.a.Y, pc.b.Y) + reach
}

// Strips appends where the line at a height is nearer than reach to a piece: from an x to an x,
// in turn. They are a rounding error apart from what Nearer says. The inside of a polygon is
// that within its outline.
func (x *Index) Strips(to []float64, piece int, y, reach float64) []float64 {
	pc := &x.pieces[piece]
	if pc.kind == inside {
		first, ring := len(to), x.shape(pc.rank).Ring
		from := ring[len(ring)-1]
		for _, corner := range ring {
			to = crossing(to, from, corner, y)
			from = corner
		}
		slices.Sort(to[first:])
		return to
	}
	reach += pc.radius
	var ends [6]float64 // of the strips of both round ends, and of the two sides
	all := chordAt(ends[:0], pc.a, y, reach)
	if pc.kind == wall {
		all = chordAt(all, pc.b, y, reach)
		side := vec.WithNorm(vec.Left(vec.Sub(pc.b, pc.a)), reach)
		all = crossing(all, vec.Add(pc.a, side), vec.Add(pc.b, side), y)
		all = crossing(all, vec.Sub(pc.a, side), vec.Sub(pc.b, side), y)
	}
	if len(all) == 0 {
		return to
	}
	return append(to, slices.Min(all), slices.Max(all))
}

// Nearer reports whether a point is nearer than reach to the surface of a piece, or within it.
func (x *Index) Nearer(piece int, p r2.Vec, reach float64) bool {
	return x.distanceWithin(uint32(piece), p, reach) < reach
}

// chordAt appends where the line at a height crosses a circle.
func chordAt(to []float64, center r2.Vec, y, radius float64) []float64 {
	if away := y - center.Y; math.Abs(away) < radius {
		half := chord(radius, math.Abs(away))
		to = append(to, center.X-half, center.X+half)
	}
	return to
}

// crossing appends where the line at a height crosses a segment.
func crossing(to []float64, a, b r2.Vec, y float64) []float64 {
	if (a.Y > y) != (b.Y > y) {
		to = append(to, a.X+float64((y-a.Y)/(b.Y-a.Y)*(b.X-a.X)))
	}
	return to
}
