package movingai

import (
	"github.com/8f878440/crowd/internal/space"
	"gonum.org/v1/gonum/spatial/r2"
)

// beyond is how thick the walls around a map are, in cells.
const beyond = 1

// Shapes returns what is blocked as obstacles, a meter a cell, with x to the right and y down:
// rectangles of blocked cells, which touch one another and do not overlap, and four walls around
// the map. Two cells that touch at a corner leave no gap between them.
func (m *Map) Shapes() (shapes []space.Shape) {
	add := func(x0, y0, x1, y1 int) {
		a, b := r2.Vec{X: float64(x0), Y: float64(y0)}, r2.Vec{X: float64(x1), Y: float64(y1)}
		ring := []r2.Vec{a, {X: b.X, Y: a.Y}, b, {X: a.X, Y: b.Y}}
		shapes = append(shapes, space.Shape{ID: uint32(len(shapes)), Ring: ring})
	}
	used := make([]bool, len(m.cells))
	open := func(x, y int) bool { return m.Passable(x, y) || used[y*m.Width+x] }
	for y := range m.Height {
		for x := 0; x < m.Width; x++ {
			if open(x, y) {
				continue
			}
			right := x + 1
			for right < m.Width && !open(right, y) {
				right++
			}
			low := y + 1
			for low < m.Height && m.solid(used, x, right, low) {
				low++
			}
			for row := y; row < low; row++ {
				for k := x; k < right; k++ {
					used[row*m.Width+k] = true
				}
			}
			add(x, y, right, low)
		}
	}
	w, h := m.Width, m.Height
	add(-beyond, -beyond, w+beyond, 0)
	add(-beyond, h, w+beyond, h+beyond)
	add(-beyond, 0, 0, h)
	add(w, 0, w+beyond, h)
	return shapes
}

// solid reports whether all cells of a row from left to right are blocked and not used.
func (m *Map) solid(used []bool, left, right, row int) bool {
	for x := left; x < right; x++ {
		if m.Passable(x, row) || used[row*m.Width+x] {
			return false
		}
	}
	return true
}

// Center returns the middle of a cell, in meters.
func Center(cell [2]int) r2.Vec {
	return r2.Vec{X: float64(cell[0]) + 0.5, Y: float64(cell[1]) + 0.5}
}
