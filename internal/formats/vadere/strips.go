package vadere

import (
	"cmp"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// smallest is half the width of the smallest box that strips returns, in m.
const smallest = 0.0005

// strips returns one or more boxes that nearly fill a polygon. Where sides are slanted, the height of the
// boxes is at most 1/n of that of the polygon.
func strips(corners []r2.Vec, n int) (boxes []r2.Box) {
	var levels []float64
	for _, p := range corners {
		levels = append(levels, p.Y)
	}
	slices.Sort(levels)
	levels = slices.Compact(levels)
	low, high := levels[0], levels[len(levels)-1]
	for i, y := range levels[:len(levels)-1] {
		thick := levels[i+1] - y
		parts := 1
		if slanted(corners, y, levels[i+1]) {
			parts = max(1, int(math.Ceil(float64(n)*thick/(high-low))))
		}
		for k := range parts {
			next := levels[i+1]
			if k < parts-1 {
				next = levels[i] + thick*float64(k+1)/float64(parts)
			}
			boxes = append(boxes, slab(corners, y, next)...)
			y = next
		}
	}
	if len(boxes) == 0 { // all corners have the same y
		boxes = append(boxes, small(vec.Scale(0.5, vec.Add(corners[0], corners[1]))))
	}
	return boxes
}

func small(at r2.Vec) r2.Box {
	half := r2.Vec{X: smallest, Y: smallest}
	return r2.Box{Min: vec.Sub(at, half), Max: vec.Add(at, half)}
}

func slanted(corners []r2.Vec, low, high float64) bool {
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		if a.X != b.X && min(a.Y, b.Y) < high && max(a.Y, b.Y) > low {
			return true
		}
	}
	return false
}

// slab returns the boxes that fill a polygon between two values of y that have no corner between them.
func slab(corners []r2.Vec, low, high float64) (boxes []r2.Box) {
	var edges []r2.Vec // x of each edge at low and at high
	for i, a := range corners {
		b := corners[(i+1)%len(corners)]
		if a.Y > b.Y {
			a, b = b, a
		}
		if a.Y <= low && b.Y >= high && a.Y < b.Y {
			at := func(y float64) float64 { return a.X + float64((b.X-a.X)*((y-a.Y)/(b.Y-a.Y))) }
			edges = append(edges, r2.Vec{X: at(low), Y: at(high)})
		}
	}
	slices.SortFunc(edges, func(a, b r2.Vec) int { return cmp.Compare(a.X+a.Y, b.X+b.Y) })
	for i := 1; i < len(edges); i += 2 {
		b := r2.Box{Min: r2.Vec{X: max(edges[i-1].X, edges[i-1].Y), Y: low}, Max: r2.Vec{X: min(edges[i].X, edges[i].Y), Y: high}}
		if b.Max.X-b.Min.X < 2*smallest || high-low < 2*smallest {
			b = small(vec.Scale(0.25, r2.Vec{X: edges[i-1].X + edges[i-1].Y + edges[i].X + edges[i].Y, Y: 2 * (low + high)}))
		}
		boxes = append(boxes, b)
	}
	return boxes
}
