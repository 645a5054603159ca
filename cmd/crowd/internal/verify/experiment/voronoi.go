package experiment

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Cell is the Voronoi cell of a person: all that is nearer to it than to others, no
// farther than the cut-off radius, and can be walked on. It is in convex parts, one in
// each box that can be walked on.
type Cell struct {
	At    r2.Vec // m, of the person
	Parts [][]r2.Vec
}

// Area returns the area of the cell in square meters.
func (c *Cell) Area() float64 {
	sum := 0.
	for _, part := range c.Parts {
		sum += area(part)
	}
	return sum
}

// Density returns people a square meter, 1/area; +Inf for an empty cell, as of a person
// within a wall.
func (c *Cell) Density() float64 { return 1 / c.Area() }

// Voronoi returns the cells of people at places on boxes that can be walked on, in the
// terms of PedPy: individual Voronoi cells with a cut-off radius. The boxes must not
// overlap; those that touch are joined. What can't be reached within the cell is left out,
// such as the other side of a wall. People at the same place share no area: all but the
// first have none.
func Voronoi(at []r2.Vec, walkable []r2.Box, cutOff float64) []Cell {
	cells := make([]Cell, len(at))
	for i, p := range at {
		cell := disk(p, cutOff)
		for j, q := range at {
			switch d := vec.Sub(q, p); {
			case j == i || vec.Norm(d) >= 2*cutOff:
			case d == r2.Vec{} && j < i:
				cell = nil
			case d != r2.Vec{}:
				cell = clip(cell, vec.AddScaled(p, 0.5, d), d)
			}
		}
		cells[i] = Cell{At: p, Parts: reachable(cell, p, walkable)}
	}
	return cells
}

// corners is of how many corners a disk is; PedPy has 12.
const corners = 12

func disk(center r2.Vec, radius float64) []r2.Vec {
	var all []r2.Vec
	for i := range corners {
		s, c := math.Sincos(2 * math.Pi * float64(i) / corners)
		all = append(all, vec.AddScaled(center, radius, r2.Vec{X: c, Y: s}))
	}
	return all
}

// clip returns the part of a convex polygon on this side of the line through a point, to
// which a direction leads off square.
func clip(polygon []r2.Vec, through, off r2.Vec) []r2.Vec {
	var kept []r2.Vec
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		beyondA, beyondB := vec.Dot(vec.Sub(a, through), off), vec.Dot(vec.Sub(b, through), off)
		if beyondA <= 0 {
			kept = append(kept, a)
		}
		if beyondA < 0 && beyondB > 0 || beyondA > 0 && beyondB < 0 {
			kept = append(kept, vec.AddScaled(a, beyondA/(beyondA-beyondB), vec.Sub(b, a)))
		}
	}
	return kept
}

// within returns the part of a convex polygon in a box.
func within(polygon []r2.Vec, b r2.Box) []r2.Vec {
	polygon = clip(polygon, b.Min, r2.Vec{X: -1})
	polygon = clip(polygon, b.Min, r2.Vec{Y: -1})
	polygon = clip(polygon, b.Max, r2.Vec{X: 1})
	return clip(polygon, b.Max, r2.Vec{Y: 1})
}

// reachable returns the parts of a cell in boxes, from that of its person through those
// that touch within the cell.
func reachable(cell []r2.Vec, from r2.Vec, boxes []r2.Box) (parts [][]r2.Vec) {
	reached := make([]bool, len(boxes))
	var next []int
	reach := func(i int) {
		reached[i] = true
		if part := within(cell, boxes[i]); len(part) > 2 {
			parts, next = append(parts, part), append(next, i)
		}
	}
	for i, b := range boxes {
		if Inside(b, from) {
			reach(i)
			break
		}
	}
	for len(next) > 0 {
		b := boxes[next[0]]
		next = next[1:]
		for i, o := range boxes {
			if !reached[i] && touch(b, o, cell) {
				reach(i)
			}
		}
	}
	return parts
}

// touch reports whether two boxes have a part of an edge in common that is in a cell, and
// not only a corner.
func touch(a, b r2.Box, cell []r2.Vec) bool {
	const slack, least = 1e-6, 1e-8 // m, m²: 5 mm of an edge
	common := r2.Box{
		Min: r2.Vec{X: max(a.Min.X, b.Min.X) - slack, Y: max(a.Min.Y, b.Min.Y) - slack},
		Max: r2.Vec{X: min(a.Max.X, b.Max.X) + slack, Y: min(a.Max.Y, b.Max.Y) + slack},
	}
	return common.Min.X < common.Max.X && common.Min.Y < common.Max.Y && area(within(cell, common)) > least
}

// area returns the area of a polygon whose corners turn left.
func area(polygon []r2.Vec) float64 {
	sum := 0.
	for i := range polygon {
		sum += vec.Cross(polygon[i], polygon[(i+1)%len(polygon)])
	}
	return sum / 2
}
