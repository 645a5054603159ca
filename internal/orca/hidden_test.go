package orca

import (
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestHides(t *testing.T) {
	wall := []Edge{Wall(xy(-5, 0), xy(5, 0), 0)}
	door := []Edge{Wall(xy(-5, 0), xy(-0.6, 0), 0), Wall(xy(0.6, 0), xy(5, 0), 0)}
	block := Ring(nil, []r2.Vec{xy(-5, -0.5), xy(5, -0.5), xy(5, 0.5), xy(-5, 0.5)}, 0)
	for _, tc := range []struct {
		name   string
		walls  []Edge
		at, to r2.Vec
		radius float64
		other  float64
		want   bool
	}{
		{"nothing between", nil, xy(0, -1), xy(0, 1), 0.3, 0.3, false},
		{"a wall", wall, xy(0, -1), xy(0, 1), 0.3, 0.3, true},
		{"a wall at a slant", wall, xy(-2, -0.4), xy(2, 0.6), 0.3, 0.3, true},
		{"along a wall", wall, xy(-2, 1), xy(2, 1), 0.3, 0.3, false},
		{"beyond the end of a wall", wall, xy(5.5, -1), xy(5.5, 1), 0.3, 0.3, false},
		{"middles in sight, one side hidden", wall, xy(5.1, -1), xy(5.1, 1), 0.3, 0.3, false},
		{"middles hidden, one side in sight", wall, xy(4.9, -1), xy(4.9, 1), 0.3, 0.3, false},
		{"just hidden", wall, xy(4.6, -1), xy(4.6, 1), 0.3, 0.3, true},
		{"points", wall, xy(4.9, -1), xy(4.9, 1), 0, 0, true},
		{"through a door", door, xy(0, -2), xy(0, 2), 0.3, 0.3, false},
		{"beside a door", door, xy(-3, -1), xy(-3, 1), 0.3, 0.3, true},
		{"through a door at a slant", door, xy(-2, -2), xy(2, 2), 0.3, 0.3, false},
		{"past the post of a door", door, xy(-2, -0.5), xy(-1, 1), 0.3, 0.3, true},
		{"a block", block, xy(0, -1), xy(0, 1), 0.3, 0.3, true},
		{"round the corner of a block", block, xy(4.9, -1), xy(5.8, 0.6), 0.3, 0.3, false},
		{"the same place", wall, xy(1, 1), xy(1, 1), 0.3, 0.3, false},
		{"a disc hides none", []Edge{Wall(xy(0, 0), xy(0, 0), 0.5)}, xy(0, -1), xy(0, 1), 0.3, 0.3, false},
	} {
		var walls []*Edge
		for i := range tc.walls {
			walls = append(walls, &tc.walls[i])
		}
		hides := func(at r2.Vec, radius float64, other r2.Vec, otherRadius float64) bool {
			var s Sightlines
			s.Look(at, radius, 10, walls)
			return s.Hides(other, otherRadius)
		}
		testkit.Equal(t, hides(tc.at, tc.radius, tc.to, tc.other), tc.want, "%s", tc.name)
		testkit.Equal(t, hides(tc.to, tc.other, tc.at, tc.radius), tc.want, "%s, from the other side", tc.name)
	}
}

func TestHidesNear(t *testing.T) {
	wall := Wall(xy(-5, 0), xy(5, 0), 0)
	for _, tc := range []struct {
		y, sight float64
		want     bool
	}{{-0.5, 0, true}, {-1.9, 0, true}, {-2.1, 0, false}, {-2.1, 1, false}, {-2.1, 3, true}, {-8, 3, false}} {
		var s Sightlines
		s.Look(xy(0, tc.y), 0.3, max(2, tc.sight), []*Edge{&wall})
		testkit.Equal(t, s.Hides(xy(0, 1), 0.3), tc.want, "wall %v m away, sight of %v m", -tc.y, max(2, tc.sight))
	}
}
