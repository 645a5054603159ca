package space

import "github.com/8f878440/crowd/internal/kernel"

// MostAround is how many candidates are worth a test each for all that are near: of more,
// Nearby finds the nearest sooner.
const MostAround = 64

// partsAround are the parts of a crowd in a cell and the eight around it.
type partsAround struct {
	column, row int64 // of the cell
	valid       bool
	list        [6]kernel.Part
	n           int // 0: they have too many agents
}

// Around returns parts of the crowd that together hold all agents within radius meters of
// the one in a place, each once, and others, and the agent itself. Nil: there are many, or
// it looks far, or there are layers. The parts are good until the next call.
func (x *Crowd) Around(g *Gatherer, place uint32, radius float64) []kernel.Part {
	if x.agents.On != nil || !(radius >= 0 && radius <= float64(x.size*(1-margin))) {
		return nil
	}
	p, a := x.agents.Position(place), &g.around
	column, row := x.cell(p.X), x.cell(p.Y)
	if !a.valid || column != a.column || row != a.row {
		a.valid, a.column, a.row, a.n = true, column, row, 0
		total := uint32(0)
		around := patch{left: column - 1, right: column + 1}
		for i := row - 1; i <= row+1; i++ {
			s, t := x.row(&around, i)
			for _, s := range [...]stretch{s, t} {
				if s.lo < s.hi {
					a.list[a.n] = kernel.Part{Lo: s.lo, Hi: s.hi}
					a.n++
					total += s.hi - s.lo
				}
			}
		}
		if total > MostAround {
			a.n = 0
		}
	}
	return a.list[:a.n]
}
