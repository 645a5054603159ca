package space

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestCrowdBox verifies that a crowd in a box has a slot for each cell, and that one that is far
// away ends that and changes no answer.
func TestCrowdBox(t *testing.T) {
	var rows Rows
	for i := range 1000 {
		rows.Position = append(rows.Position, c.Position{Vec: r2.Vec{X: float64(i%40) - 7, Y: float64(i/40) + 1e6}})
		rows.Agent = append(rows.Agent, c.Agent{ID: uint64(i)})
	}
	rows.Entities = entityList(entities(1001))
	for _, far := range []bool{false, true} {
		if far {
			rows.Position = append(rows.Position, c.Position{Vec: r2.Vec{X: 1e7}})
			rows.Agent = append(rows.Agent, c.Agent{ID: 1000})
		}
		var x Crowd
		x.Build([]Rows{rows}, 2.5)
		seen := map[uint64][2]int64{}
		shared := false
		for i := range x.Len() {
			p := x.agents.Position(uint32(i))
			cell := [2]int64{x.cell(p.X), x.cell(p.Y)}
			slot := x.slot(cell[0], cell[1])
			if other, taken := seen[slot]; taken && other != cell {
				shared = true
			}
			seen[slot] = cell
		}
		if own := x.cells.right < 2*edge; own == far || own && shared {
			t.Errorf("one far away: %v, each cell has its own slot: got=%v, but shared: %v", far, own, shared)
		}
		for i := range x.Len() {
			p, n := x.agents.Position(uint32(i)), 0
			for k := range rows.Position {
				if d := r2.Norm(r2.Sub(rows.Position[k].Vec, p)); d <= 3 {
					n++
				}
			}
			x.Within(p, 3, None, func(uint32) bool { n--; return true })
			if n != 0 {
				t.Fatalf("one far away: %v, agent %d: %d too few are within 3 m", far, i, n)
			}
		}
	}
}
