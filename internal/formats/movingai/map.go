// Package movingai reads the maps and scenarios of movingai.com, which are benchmarks for pathfinding on
// grids: octile maps (.map), and lists of starts and goals with the lengths of the shortest paths on the grid
// (.scen). Files may be gzipped.
//
// Source: N. Sturtevant, "Benchmarks for grid-based pathfinding", IEEE Transactions on Computational
// Intelligence and AI in Games, 2012; the format is described at movingai.com/benchmarks/formats.html.
package movingai

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/textio"
	"gonum.org/v1/gonum/spatial/r2"
)

// With these limits, no small file makes the reader allocate much memory.
const (
	maxCells = 1 << 24 // of a map, also after scaling
	maxSide  = 1 << 16 // cells
)

var limits = textio.Limits{Bytes: 1 << 28, Line: maxSide + 64}

// Water can be entered only from water, but paths are on land, so it counts as blocked.
const (
	passable = ".GS"
	blocked  = "@OTW"
)

// Map is an octile map. Its first row is at the top.
type Map struct {
	Path          string
	Width, Height int // cells

	cells []byte // letters, row by row
}

// ReadMap reads the map at path. Errors begin with the file and, if there is one, the line.
func ReadMap(ctx context.Context, path string) (*Map, error) {
	l, err := textio.OpenLines(ctx, path, limits)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	m := &Map{Path: path}
	if err := m.readHead(l); err != nil {
		return nil, err
	}
	for range m.Height {
		if !l.Next() {
			if err := l.Ended(); err != nil {
				return nil, err
			}
			return nil, l.Failf("the number of rows is %d, want %d, the height of the map", len(m.cells)/m.Width, m.Height)
		}
		if len(l.Text) != m.Width {
			return nil, l.Failf("the number of cells is %d, want %d, the width of the map", len(l.Text), m.Width)
		}
		for i := range len(l.Text) {
			if strings.IndexByte(passable+blocked, l.Text[i]) < 0 {
				return nil, l.Failf("cell %d is %q, want one of %s", i, l.Text[i:i+1], spaced(passable+blocked))
			}
		}
		m.cells = append(m.cells, l.Text...)
	}
	for l.Next() {
		if l.Text != "" {
			return nil, l.Failf("too many rows, want %d, the height of the map", m.Height)
		}
	}
	return m, l.Ended()
}

func (m *Map) readHead(l *textio.Lines) error {
	typed := false
	for l.Next() {
		key, value, _ := strings.Cut(strings.ReplaceAll(l.Text, "\t", " "), " ")
		value = strings.TrimSpace(value)
		switch key {
		case "type":
			if value != "octile" {
				return l.Failf("type is %q, want octile", textio.Clip(value))
			}
			typed = true
		case "height", "width":
			side, err := strconv.Atoi(value)
			if err != nil || side < 1 || side > maxSide {
				return l.Failf("%s is %q, want a whole number from 1 to %d", key, textio.Clip(value), maxSide)
			}
			if key == "width" {
				m.Width = side
			} else {
				m.Height = side
			}
			if m.Width*m.Height > maxCells {
				return l.Failf("the map has %d × %d cells, want at most %d in all", m.Width, m.Height, maxCells)
			}
		case "map":
			switch {
			case !typed:
				return l.Failf("map before type octile, want type, height and width first")
			case m.Width == 0:
				return l.Failf("map before width, want type, height and width first")
			case m.Height == 0:
				return l.Failf("map before height, want type, height and width first")
			}
			return nil
		case "version":
			return l.Failf(`"version" begins a scenario, want a map: "type octile"`)
		default:
			return l.Failf("%q is not a line of a map, want type octile, height, width or map", textio.Clip(l.Text))
		}
	}
	if err := l.Ended(); err != nil {
		return err
	}
	if l.Number == 1 {
		return l.Failf("the file is empty, want type octile")
	}
	return l.Failf(`the file ends before its map, want the line "map" and the rows`)
}

func spaced(letters string) string { return strings.Join(strings.Split(letters, ""), " ") }

func (m *Map) At(x, y int) byte { return m.cells[y*m.Width+x] }

// Passable reports whether a cell is in the map and not blocked.
func (m *Map) Passable(x, y int) bool {
	return x >= 0 && y >= 0 && x < m.Width && y < m.Height && strings.IndexByte(passable, m.At(x, y)) >= 0
}

// scaled returns m in another size. Each cell gets the letter of the cell of m in which the new cell's
// upper-left corner lies.
func (m *Map) scaled(width, height int) (*Map, error) {
	if width == m.Width && height == m.Height {
		return m, nil
	}
	if width < 1 || height < 1 || width > maxSide || height > maxSide || width*height > maxCells {
		return nil, fmt.Errorf("%s can't be scaled to %d × %d cells, want at most %d in all", m.Path, width, height, maxCells)
	}
	to := &Map{Path: m.Path, Width: width, Height: height}
	for y := range height {
		for x := range width {
			to.cells = append(to.cells, m.At(x*m.Width/width, y*m.Height/height))
		}
	}
	return to, nil
}

// beyond is the thickness of the walls around a map, in cells.
const beyond = 1

// Shapes returns obstacles at one meter per cell, with x to the right and y down: rectangles of blocked
// cells, which may touch but do not overlap, and four walls around the map.
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

func (m *Map) solid(used []bool, left, right, row int) bool {
	for x := left; x < right; x++ {
		if m.Passable(x, row) || used[row*m.Width+x] {
			return false
		}
	}
	return true
}

// Center returns the center of a cell in the coordinates of Shapes, in meters.
func Center(cell [2]int) r2.Vec {
	return r2.Vec{X: float64(cell[0]) + 0.5, Y: float64(cell[1]) + 0.5}
}
