package space

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Gatherer is memory for Gather. One goroutine may use it at a time, with one
// crowd; Reset must come after a Build. The zero value is ready.
type Gatherer struct {
	column, row int64 // of the cell whose candidates these are
	valid       bool
	stretches   [6]stretch // of the candidates
	own         uint32     // candidate that is first in that cell's slot
	first       uint32     // its place
	below, upTo int        // where the candidates of that cell's row begin, and end
	x, y        []float64  // m, of candidates: all agents in the cell and the eight around it
	place       []uint32   // of these, if placed
	placed      bool
	found       []uint32       // what Nearby finds
	squares     []float64      // m², how far away these are
	around      [6]kernel.Part // of Around

	room   kernel.FlockRoom
	heap   r2.Vec  // a place where several candidates are
	heaped bool    // there is one
	inHeap float64 // how many they are
	ways   r2.Vec  // sum of theirs
}

// Reset forgets what was gathered.
func (g *Gatherer) Reset() { g.valid = false }

// hold makes room for n candidates.
func (g *Gatherer) hold(n int) {
	if cap(g.x) < n {
		room := max(2*n, fewCandidates)
		g.x, g.y, g.place = make([]float64, room), make([]float64, room), make([]uint32, room)
		g.found, g.squares = make([]uint32, room), make([]float64, room)
	}
	g.x, g.y, g.place = g.x[:n], g.y[:n], g.place[:n]
	g.found, g.squares = g.found[:n], g.squares[:n]
}

// fewCandidates are what there is always room for.
const fewCandidates = 256

// manyCandidates are too many to be copied.
const manyCandidates = 1 << 14

// Gather appends the places of the agents that the one in a place sees within
// radius meters of itself, by centers, in the order of Within. It leaves out those on
// layers that the agent does not see, and the agent itself.
//
// For agents place after place it is much faster than Within. Agents of a cell
// share their candidates, which are copied together once. A test of each would
// guess wrongly whether it is near, about once in three; so it takes no branches,
// but writes every candidate down and counts on from those that are near.
func (x *Crowd) Gather(g *Gatherer, place uint32, radius float64, to []uint32) []uint32 {
	p, first := x.agents.Position(place), len(to)
	if !(radius >= 0) {
		return to
	}
	limit := squared(radius)
	if radius <= float64(x.size*(1-margin)) && x.candidates(g, p) {
		self := g.own + place - g.first
		lo, hi := g.rows(x, p.Y, radius)
		g.takePlaces()
		g.x[self] = math.MaxFloat64 // its square is infinite
		xs := g.x[lo:hi]
		ys, places := g.y[lo:hi][:len(xs)], g.place[lo:hi][:len(xs)]
		to = slices.Grow(to, len(xs))
		near, n := to[first:first+len(xs)], 0
		for i := range xs {
			near[n] = places[i]
			n += 1 - int(math.Float64bits(limit-vec.Norm2(r2.Vec{X: xs[i] - p.X, Y: ys[i] - p.Y}))>>63)
		}
		g.x[self] = p.X
		to = to[:first+n]
	} else {
		x.near(p, radius, func(s stretch) bool {
			for i := s.lo; i < s.hi; i++ {
				if vec.Norm2(vec.Sub(x.agents.Position(i), p)) <= limit && i != place {
					to = append(to, i)
				}
			}
			return true
		})
	}
	if x.agents.On != nil {
		return x.seen(place, to, first)
	}
	return to
}

// rows returns between which candidates all are that are within radius of an
// agent in the cell: those of a row that is out of reach are left out.
func (g *Gatherer) rows(x *Crowd, y, radius float64) (lo, hi int) {
	hi = len(g.x)
	if radius > float64(x.size*(3./4)) {
		return lo, hi // few would be
	}
	r := around(radius)
	if x.cell(y-r) == g.row {
		lo = g.below
	}
	if x.cell(y+r) == g.row {
		hi = g.upTo
	}
	return lo, hi
}

// takePlaces writes down the places of the candidates, unless it has them.
func (g *Gatherer) takePlaces() {
	if g.placed {
		return
	}
	g.placed = true
	n := 0
	for _, s := range g.stretches {
		to := g.place[n:][:s.hi-s.lo]
		for i := range to {
			to[i] = s.lo + uint32(i)
		}
		n += len(to)
	}
}

// seen keeps those of the places from first on that are on layers which the agent
// in a place sees.
func (x *Crowd) seen(place uint32, to []uint32, first int) []uint32 {
	n, sees := first, x.agents.Sight(place)
	for _, i := range to[first:] {
		to[n] = i
		if x.agents.Seen(i, sees) {
			n++
		}
	}
	return to[:n]
}

// candidates takes the agents in the cell of p and in those around it, unless
// they are too many. It does nothing if it has them.
func (x *Crowd) candidates(g *Gatherer, p r2.Vec) bool {
	column, row := x.cell(p.X), x.cell(p.Y)
	if g.valid && column == g.column && row == g.row {
		return true
	}
	g.valid, g.placed, g.column, g.row = false, false, column, row
	all, total := &g.stretches, uint32(0)
	around := patch{left: column - 1, right: column + 1}
	for i := range 3 {
		a, b := x.row(&around, row-1+int64(i))
		all[2*i], all[2*i+1] = a, b
		total += a.hi - a.lo + b.hi - b.lo
	}
	if total > manyCandidates {
		return false
	}
	g.first = x.start[x.slot(column, row)]
	g.hold(int(total))
	n := 0
	for k, s := range all {
		switch k {
		case 2:
			g.below = n
		case 4:
			g.upTo = n
		}
		if s.lo <= g.first && g.first < s.hi {
			g.own = uint32(n) + g.first - s.lo
		}
		if s.lo < s.hi {
			copy(g.x[n:], x.agents.X[s.lo:s.hi])
			n += copy(g.y[n:], x.agents.Y[s.lo:s.hi])
		}
	}
	g.valid = true
	return true
}
