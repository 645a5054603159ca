package space

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"gonum.org/v1/gonum/spatial/r2"
)

// Of agents as near the one with the lowest ID comes first, few or many of them.
func TestCrowdOrderOfTies(t *testing.T) {
	for _, n := range []int{4, 8, byCounting, byCounting + 1, 40} {
		for _, most := range []int{2, 5, 50} {
			rows := Rows{Position: []c.Position{{}}, Agent: []c.Agent{{ID: 1000}}}
			for i := range n {
				at := []r2.Vec{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}}[i%4]
				rows.Position, rows.Agent = append(rows.Position, c.Position{Vec: at}), append(rows.Agent, c.Agent{ID: uint64(i*29%n + 1)})
			}
			var x Crowd
			x.Build([]Rows{rows}, 3)
			var self uint32
			var near []uint32
			for i := range x.Len() {
				if x.agents.ID[i] == 1000 {
					self = uint32(i)
				} else {
					near = append(near, uint32(i))
				}
			}
			for i, j := 0, len(near)-1; i < j; i, j = i+1, j-1 { // not as they stand in the cell
				near[i], near[j] = near[j], near[i]
			}
			to := make([]NeighborHit, most)
			to = to[:x.Order(self, near, to)]
			if want := min(n, most); len(to) != want {
				t.Fatalf("%d, at most %d: got=%d, want=%d", n, most, len(to), want)
			}
			for k := range to {
				if got := x.agents.ID[to[k].Index]; got != uint64(k+1) {
					t.Errorf("%d, at most %d: place %d: got=%d, want=%d", n, most, k, got, k+1)
				}
			}
		}
	}
}
