package space

import "github.com/8f878440/crowd/internal/kernel"

// MostAround is how many candidates are worth a test each for all that are near: of more,
// Nearby finds the nearest sooner.
const MostAround = 64

// Around returns parts of the crowd that together hold all agents within radius meters of
// the one in a place, each once, and others, and the agent itself; and for how many agents from
// that place on, at most most, they do. Nil: there are many, or it looks far, or there are
// layers. The parts are good until the next call.
func (x *Crowd) Around(g *Gatherer, place uint32, most int, radius float64) (parts []kernel.Part, n int) {
	if x.agents.On != nil || !(radius >= 0 && radius <= float64(x.size*(1-margin))) {
		return nil, most
	}
	xs, ys := x.agents.X[place:][:most], x.agents.Y[place:][:most]
	column, row := x.cell(xs[0]), x.cell(ys[0])
	for n = 1; n < most && x.cell(xs[n]) == column && x.cell(ys[n]) == row; n++ {
	}
	around, total := patch{left: column - 1, right: column + 1}, uint32(0)
	parts = g.around[:0]
	for i := row - 1; i <= row+1; i++ {
		s, t := x.row(&around, i)
		for _, s := range [...]stretch{s, t} {
			if s.lo < s.hi {
				parts = append(parts, kernel.Part{Lo: s.lo, Hi: s.hi})
				total += s.hi - s.lo
			}
		}
	}
	if total > MostAround {
		return nil, n
	}
	return parts, n
}
