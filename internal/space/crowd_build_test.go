package space

import (
	"math"
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

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
			t.Errorf("one far away: %v: each cell has its own slot: got=%v, want=%v; cells share slots: %v", far, own, !far, shared)
		}
	}
}

func TestCrowdColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for n := range 200 {
		ways, sizes := n%2 > 0, r.IntN(3)
		all := rowsOf(peopleIn(crowdLayouts[0].place, r, 300), 100)
		for i := range all {
			rows := &all[i]
			for k := range rows.Radius {
				if sizes == 0 {
					rows.Radius[k].Meters = 0.25
				}
				rows.Prefer = append(rows.Prefer, c.PreferredVelocity{Vec: r2.Vec{X: r.NormFloat64(), Y: float64(r.IntN(2))}})
			}
			if sizes == 1 && r.IntN(2) == 0 {
				rows.Radius = nil
			}
			if r.IntN(3) == 0 {
				rows.Prefer = nil
			}
			if n%8 < 4 || r.IntN(2) == 0 {
				rows.Layers = nil
			}
		}
		x := Crowd{Directions: ways}
		x.Build(all, 2)
		for i := range all {
			rows := &all[i]
			for k, e := range rows.Entities.(entityList) {
				place, ok := x.Index(e)
				if !ok {
					continue
				}
				a, want := x.Agents(), Neighbor{Position: rows.Position[k].Vec, Velocity: rows.Velocity[k].Vec,
					ID: rows.Agent[k].ID, Entity: e, On: 1, Sees: math.MaxUint32}
				if rows.Radius != nil {
					want.Radius = rows.Radius[k].Meters
				}
				if rows.Layers != nil {
					want.On, want.Sees = rows.Layers[k].On, rows.Layers[k].Sees
				}
				if got := a.At(place); got != want {
					t.Fatalf("case %d: got=%+v, want=%+v", n, got, want)
				}
				way := r2.Vec{}
				if rows.Prefer != nil {
					way = vec.Unit(rows.Prefer[k].Vec)
				}
				if ways && (a.DirX[place] != way.X || a.DirY[place] != way.Y) {
					t.Fatalf("case %d, %v: way: got=%v, %v, want=%v", n, e, a.DirX[place], a.DirY[place], way)
				}
			}
		}
	}
}
