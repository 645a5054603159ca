package experiment

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestVoronoiTilings(t *testing.T) {
	lattice := func(dx, dy, shift float64) (all []r2.Vec, middle int) {
		for j := range 7 {
			for i := range 7 {
				all = append(all, xy(dx*float64(i)+shift*float64(j%2), dy*float64(j)))
			}
		}
		return all, 3*7 + 3
	}
	everywhere := []r2.Box{box(-50, -50, 50, 50)}
	for _, test := range []struct {
		name          string
		dx, dy, shift float64
		walkable      []r2.Box
		want          float64
	}{
		{"squares", 0.5, 0.5, 0, everywhere, 0.25},
		{"hexagons", 0.6, 0.6 * math.Sqrt(3) / 2, 0.3, everywhere, 0.36 * math.Sqrt(3) / 2},
		{"bricks", 0.4, 0.8, 0, everywhere, 0.32},
		{"squares cut by a wall", 0.5, 0.5, 0, []r2.Box{box(-50, -50, 1.6, 50)}, 0.5 * 0.35},
		{"squares on joined boxes", 0.5, 0.5, 0, []r2.Box{box(-50, -50, 1.6, 50), box(1.6, -50, 50, 50)}, 0.25},
		{"far apart: the cut-off", 10, 10, 0, []r2.Box{box(-50, -50, 100, 100)}, 6 * math.Sin(math.Pi/6)},
	} {
		at, middle := lattice(test.dx, test.dy, test.shift)
		cell := Voronoi(at, test.walkable, 1)[middle]
		testkit.Near(t, cell.Area(), test.want, 1e-9, "%s", test.name)
		if got := cell.Density(); math.Abs(got*test.want-1) > 1e-9 {
			t.Errorf("%s: got=%v people/m², want=%v", test.name, got, 1/test.want)
		}
	}
}

func TestVoronoiWalls(t *testing.T) {
	rooms := []r2.Box{box(0, 0, 4, 4), box(4, 1.9, 4.2, 2.1), box(4.2, 0, 8, 4)}
	beyond := func(p r2.Vec) (area float64) {
		for _, part := range Voronoi([]r2.Vec{p}, rooms, 1)[0].Parts {
			for _, corner := range part {
				area = max(area, corner.X-4.2)
			}
		}
		return area
	}
	if got := beyond(xy(3.9, 2)); got < 0.5 {
		t.Errorf("in front of the door: got=%v m beyond the wall, want 0.5 or more", got)
	}
	if got := beyond(xy(3.9, 0.5)); got > 1e-9 {
		t.Errorf("in front of the wall: got=%v m beyond the wall, want 0", got)
	}
	if got := Voronoi([]r2.Vec{xy(4.1, 0.5)}, rooms, 1)[0]; got.Area() != 0 || !math.IsInf(got.Density(), 1) {
		t.Errorf("in the wall: got=%v m², %v people/m², want=0, +Inf", got.Area(), got.Density())
	}
}

func TestVoronoiCorner(t *testing.T) {
	rooms := []r2.Box{box(0, 0, 1, 1), box(1, 1, 2, 2)}
	testkit.Near(t, Voronoi([]r2.Vec{xy(0.9, 0.9)}, rooms, 10)[0].Area(), 1, 1e-9, "area of one room in m²")
}

// TestVoronoiShares places two people at the same point, with a wide cut-off.
func TestVoronoiShares(t *testing.T) {
	room := []r2.Box{box(0, 0, 2, 3)}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		var at []r2.Vec
		for range 1 + r.IntN(30) {
			at = append(at, xy(2*r.Float64(), 3*r.Float64()))
		}
		at = append(at, at[0])
		sum := 0.
		for _, cell := range Voronoi(at, room, 100) {
			sum += cell.Area()
		}
		if math.Abs(sum-6) > 1e-6 {
			t.Errorf("seed %d: got=%v m² of all cells, want the room's 6", seed, sum)
		}
	}
}
