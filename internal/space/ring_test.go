package space

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

func TestRingFault(t *testing.T) {
	for name, test := range map[string]struct {
		ring    [][2]float64
		crosses bool
	}{
		"square":                 {ring: [][2]float64{{0, 0}, {4, 0}, {4, 4}, {0, 4}}},
		"corners repeated":       {ring: [][2]float64{{0, 0}, {0, 0}, {4, 0}, {4, 4}, {4, 4}, {4, 4}, {0, 4}, {0, 0}}},
		"corners along edges":    {ring: [][2]float64{{0, 0}, {2, 0}, {4, 0}, {4, 4}, {2, 4}, {0, 4}}},
		"one line":               {ring: [][2]float64{{0, 0}, {2, 1}, {4, 2}}},
		"one line, back and on":  {ring: [][2]float64{{0, 0}, {4, 2}, {2, 1}}},
		"one point":              {ring: [][2]float64{{1, 1}, {1, 1}, {1, 1}}},
		"spike out":              {ring: [][2]float64{{0, 0}, {4, 0}, {4, 4}, {9, 4}, {4, 4}, {0, 4}}},
		"spike in":               {ring: [][2]float64{{0, 0}, {4, 0}, {4, 4}, {2, 2}, {4, 4}, {0, 4}}},
		"spike along an edge":    {ring: [][2]float64{{0, 0}, {4, 0}, {1, 0}, {4, 0}, {4, 4}, {0, 4}}},
		"there, back and on":     {ring: [][2]float64{{0, 0}, {3, 0}, {1, 0}, {4, 0}, {4, 4}, {0, 4}}},
		"two squares, touching":  {ring: [][2]float64{{0, 0}, {2, 0}, {2, 2}, {4, 2}, {4, 4}, {2, 4}, {2, 2}, {0, 2}}},
		"corner on an edge":      {ring: [][2]float64{{0, 0}, {4, 0}, {2, 3}, {4, 6}, {0, 6}, {0, 4}, {2, 3}, {0, 2}}},
		"hole by a cut":          {ring: [][2]float64{{0, 0}, {6, 0}, {6, 6}, {0, 6}, {0, 0}, {2, 2}, {2, 4}, {4, 4}, {4, 2}, {2, 2}}},
		"hole that touches":      {ring: [][2]float64{{0, 0}, {3, 0}, {2, 2}, {4, 2}, {3, 0}, {6, 0}, {6, 6}, {0, 6}}},
		"bow tie":                {[][2]float64{{0, 0}, {2, 2}, {2, 0}, {0, 2}}, true},
		"bow tie, corner":        {[][2]float64{{0, 0}, {1, 1}, {2, 2}, {2, 0}, {1, 1}, {0, 2}}, true},
		"bow tie, one corner":    {[][2]float64{{0, 0}, {1, 1}, {2, 2}, {2, 0}, {0, 2}}, true},
		"bow tie, a waist":       {[][2]float64{{0, 0}, {1, 1}, {1, 2}, {2, 3}, {0, 3}, {1, 2}, {1, 1}, {2, 0}}, true},
		"one lobe is small":      {[][2]float64{{0, 0}, {9, 0}, {9, 9}, {8.5, 9.5}, {9, 9.5}, {8, 9}, {0, 9}}, true},
		"twice round":            {[][2]float64{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {4, 0}, {4, 4}, {0, 4}}, true},
		"twice round, a spiral":  {[][2]float64{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 1}, {3, 1}, {3, 3}, {-1, 3}, {-1, 0}}, true},
		"pentagram":              {[][2]float64{{0, 1}, {0.5877852523, -0.8090169944}, {-0.9510565163, 0.3090169944}, {0.9510565163, 0.3090169944}, {-0.5877852523, -0.8090169944}}, true},
		"hole with same winding": {[][2]float64{{0, 0}, {6, 0}, {6, 6}, {0, 6}, {0, 0}, {2, 2}, {4, 2}, {4, 4}, {2, 4}, {2, 2}}, true},
	} {
		for turn := range 2 {
			for first := range test.ring {
				for _, back := range []bool{false, true} {
					ring := []r2.Vec{}
					for i := range test.ring {
						p := test.ring[(first+i)%len(test.ring)]
						q := r2.Vec{X: p[0], Y: p[1]}
						if turn == 1 {
							q = r2.Vec{X: 500_000.1 + float64(0.8*q.X) - float64(0.6*q.Y), Y: -3e6 + float64(0.6*q.X) + float64(0.8*q.Y)}
						}
						ring = append(ring, q)
					}
					if back {
						slices.Reverse(ring)
					}
					fault := RingFault(ring)
					if test.crosses != strings.HasPrefix(fault, "crosses itself at (") || !test.crosses && fault != "" {
						t.Errorf("%s, from corner %d: got=%q, want=a crossing: %v", name, first, fault, test.crosses)
					}
				}
			}
		}
	}
}

func TestRingFaultText(t *testing.T) {
	var comb, slanted, star []r2.Vec
	for i := range 16_000 {
		x := float64(i)
		comb = append(comb, r2.Vec{X: x, Y: 1e4 * float64(i%4/2)})
		slanted = append(slanted, r2.Vec{X: x + 1e6*float64(i%4/2), Y: -x + 1e6*float64(i%4/2)})
		star = append(star, r2.Vec{X: float64(i % 2), Y: x * float64(i%2)})
	}
	comb = append(comb, r2.Vec{X: 16e3, Y: -1}, r2.Vec{Y: -1})
	slanted = append(slanted, r2.Vec{X: 16e3 - 1, Y: -16e3 - 1}, r2.Vec{X: -1, Y: -1})
	for name, test := range map[string]struct {
		ring []r2.Vec
		want string
	}{
		"at right angles": {[]r2.Vec{{X: 4, Y: -1}, {X: 6, Y: 1}, {X: 6, Y: -1}, {X: 4, Y: 1}}, "crosses itself at (5, 0), want an outline that does not"},
		"at a corner":     {[]r2.Vec{{}, {X: 1, Y: 1}, {X: 2, Y: 2}, {X: 2}, {Y: 2}}, "crosses itself at (1, 1), want"},
		"far away":        {[]r2.Vec{{X: 4, Y: 5e6 - 1}, {X: 4.5, Y: 5e6 + 1}, {X: 9, Y: 5e6 + 1}, {X: 9, Y: 5e6}, {X: 2, Y: 5e6}}, "crosses itself at (4.25, 5000000), want"},
		"comb":            {comb, ""},
		"slanted comb":    {slanted, "16002 corners, too many to check"},
		"star":            {star, "touches itself in more than 2000 places"},
	} {
		if got := RingFault(test.ring); test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s: got=%q, want=a fault with %q (none if empty)", name, got, test.want)
		}
	}
}
