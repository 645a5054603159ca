package experiment

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Cell is the Voronoi cell of a person: the walkable area within the cut-off radius that is nearer to this
// person than to any other. It has at most one convex part per walkable box.
type Cell struct {
	At    r2.Vec // m, position of the person
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

// Density returns 1/area in people/m². It is +Inf for an empty cell, such as that of a person in a wall.
func (c *Cell) Density() float64 { return 1 / c.Area() }

// Voronoi returns the cells of people on walkable boxes, like PedPy's individual Voronoi cells. A regular
// 12-gon in a circle of radius cutOff, in meters, limits each cell. Boxes must not overlap; touching boxes are
// joined. A cell excludes areas that its person cannot reach within the cell, such as the other side of a wall.
// Of people at one place, only the first has a non-empty cell.
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

const corners = 12 // of a disk, as in PedPy

func disk(center r2.Vec, radius float64) []r2.Vec {
	var all []r2.Vec
	for i := range corners {
		s, c := math.Sincos(2 * math.Pi * float64(i) / corners)
		all = append(all, vec.AddScaled(center, radius, r2.Vec{X: c, Y: s}))
	}
	return all
}

// clip returns the part of a convex polygon on the near side of a line through a point. The normal off points
// to the far side.
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

func within(polygon []r2.Vec, b r2.Box) []r2.Vec {
	polygon = clip(polygon, b.Min, r2.Vec{X: -1})
	polygon = clip(polygon, b.Min, r2.Vec{Y: -1})
	polygon = clip(polygon, b.Max, r2.Vec{X: 1})
	return clip(polygon, b.Max, r2.Vec{Y: 1})
}

// reachable returns the parts of a cell in the person's box and in boxes joined to that box within the cell.
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

// touch reports whether two boxes share a part of an edge, not only a corner, within a cell.
func touch(a, b r2.Box, cell []r2.Vec) bool {
	const slack, least = 1e-6, 1e-8 // m, m²: 5 mm of an edge
	common := r2.Box{
		Min: r2.Vec{X: max(a.Min.X, b.Min.X) - slack, Y: max(a.Min.Y, b.Min.Y) - slack},
		Max: r2.Vec{X: min(a.Max.X, b.Max.X) + slack, Y: min(a.Max.Y, b.Max.Y) + slack},
	}
	return common.Min.X < common.Max.X && common.Min.Y < common.Max.Y && area(within(cell, common)) > least
}

// area returns the area of a counterclockwise polygon.
func area(polygon []r2.Vec) float64 {
	sum := 0.
	for i := range polygon {
		sum += vec.Cross(polygon[i], polygon[(i+1)%len(polygon)])
	}
	return sum / 2
}
