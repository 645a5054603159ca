package movingai

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/space"
	"gonum.org/v1/gonum/spatial/r2"
)

// random returns a map with a share of its cells blocked.
func random(seed uint64, width, height int, share float64) *Map {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &Map{Width: width, Height: height}
	for range width * height {
		letter := byte('.')
		if r.Float64() < share {
			letter = '@'
		}
		m.cells = append(m.cells, letter)
	}
	return m
}

// TestShapes verifies that shapes cover what is blocked, each cell once, and all around the map.
func TestShapes(t *testing.T) {
	for seed := range uint64(20) {
		m := random(seed, 3+int(seed), 9, 0.4)
		var x space.Index
		x.Build(m.Shapes(), 1, 0)
		for cy := -1; cy <= m.Height; cy++ {
			for cx := -1; cx <= m.Width; cx++ {
				if _, inside := x.Inside(Center([2]int{cx, cy})); inside == m.Passable(cx, cy) {
					t.Errorf("%d: cell (%d, %d) is in a shape: %v", seed, cx, cy, inside)
				}
			}
		}
		area := 0.
		for _, s := range m.Shapes() {
			area += (s.Ring[2].X - s.Ring[0].X) * (s.Ring[2].Y - s.Ring[0].Y)
		}
		want := float64(2*(m.Width+2) + 2*m.Height)
		for i := range m.cells {
			if !m.Passable(i%m.Width, i/m.Width) {
				want++
			}
		}
		if area != want {
			t.Errorf("%d: the shapes cover %v cells, want %v", seed, area, want)
		}
	}
}

// TestCorners verifies that nothing passes between blocked cells that touch at a corner.
func TestCorners(t *testing.T) {
	m := &Map{Width: 2, Height: 2, cells: []byte("@..@")}
	var x space.Index
	x.Build(m.Shapes(), 1, 0)
	if _, hit := x.Sweep(r2.Vec{X: 1.5, Y: 0.5}, r2.Vec{X: -math.Sqrt2 / 2, Y: math.Sqrt2 / 2}, 1, 1e-7); !hit {
		t.Error("a way leads between them")
	}
}
