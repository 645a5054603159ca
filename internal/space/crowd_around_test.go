package space

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Parts around an agent hold all that it sees once, and itself, and no more than they may.
func TestAround(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	some := 0
	for _, l := range crowdLayouts {
		people := peopleIn(l.place, r, 600)
		rows := rowsOf(people, 200)
		for i := range rows {
			rows[i].Layers = nil
		}
		var x Crowd
		x.Build(rows, []float64{0.25, 1, 4}[r.IntN(3)])
		var g, other, another Gatherer
		for place := range uint32(x.Len()) {
			for _, radius := range []float64{0, x.Cell() / 3, x.Cell() * 0.999, x.Cell() * 1.1} {
				parts, n := x.Around(&g, place, min(5, x.Len()-int(place)), radius)
				if len(parts) == 0 {
					continue
				}
				if k := place + 1 + r.Uint32N(uint32(n)); int(k) < x.Len() && k < place+uint32(n) {
					if again, _ := x.Around(&another, k, 1, radius); !slices.Equal(again, parts) {
						t.Fatalf("%s, %d within %v m: got=%v, of %d it is %v", l.name, place, radius, parts, k, again)
					}
				}
				some++
				seen := make([]int, x.Len())
				total := 0
				for _, p := range parts {
					total += int(p.Hi - p.Lo)
					for i := p.Lo; i < p.Hi; i++ {
						seen[i]++
					}
				}
				if total > MostAround || slices.Max(seen) != 1 || seen[place] != 1 {
					t.Fatalf("%s, %d within %v m: got=%v, want=each once, itself, at most %d", l.name, place, radius, parts, MostAround)
				}
				for _, i := range x.Gather(&other, place, radius, nil) {
					if seen[i] != 1 {
						t.Fatalf("%s, %d within %v m: %d is not in %v", l.name, place, radius, i, parts)
					}
				}
			}
		}
	}
	if some == 0 {
		t.Error("got=no parts at all")
	}
}
