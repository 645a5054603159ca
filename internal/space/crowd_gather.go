package space

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Agents holds the agents of a snapshot by place, one column per property.
//
// The columns of float64 have Padding readable elements after the last agent. There, X and Y are far away
// from all agents.
type Agents struct {
	X, Y     []float64 // m
	VX, VY   []float64 // m/s
	Radius   []float64 // m
	DirX     []float64 // preferred direction: a unit vector, or zero if unknown; nil if not recorded
	DirY     []float64
	ID       []uint64 // see components.IDOf
	On, Sees []uint32 // layers; nil if no agent has components.Layers
	Image    []bool   // nil if there are no images: see Rows.Images

	entities []ecs.Entity
	records  []record  // until the columns are filled
	rows     []uint32  // row numbers, during Build; nil if Build need not read rows again
	numbers  []float64 // backs X to Radius
	ways     []float64 // backs DirX and DirY
	images   []bool    // backs Image
	numbered []uint32  // backs rows
}

// record holds an agent in one cache line. Records are written at their places, and then copied to the
// columns, because direct writes would stall on as many cache lines as there are columns.
type record struct {
	position, velocity r2.Vec
	more               r2.Vec // preferred velocity, if the crowd has Directions; otherwise X is the radius
	id                 uint64
	entity             ecs.Entity
}

// Padding is the number of readable elements past the end of a column of float64.
const Padding = 16

// Neighbor holds the properties of an agent in a snapshot.
type Neighbor struct {
	Position r2.Vec  // m
	Velocity r2.Vec  // m/s
	Radius   float64 // m
	ID       uint64  // see components.IDOf
	Entity   ecs.Entity
	On, Sees uint32 // layers
}

// AgentsOf returns the listed agents. Their places are in the order of the list.
func AgentsOf(list ...Neighbor) *Agents {
	a := &Agents{}
	a.resize(len(list), true, true, false)
	for i, n := range list {
		a.X[i], a.Y[i], a.VX[i], a.VY[i], a.Radius[i] = n.Position.X, n.Position.Y, n.Velocity.X, n.Velocity.Y, n.Radius
		a.ID[i], a.entities[i], a.On[i], a.Sees[i] = n.ID, n.Entity, n.On, n.Sees
	}
	return a
}

// Spare returns memory for one value per agent, valid until the next Build. It reuses the memory of the
// records if it can, and otherwise that of own. The values are undefined.
func Spare[T any](x *Crowd, own *[]T) []T { return column.Reuse(x.agents.records, own) }

// Len returns the number of agents.
func (a *Agents) Len() int { return len(a.X) }

// At returns the agent at place i.
func (a *Agents) At(i uint32) Neighbor {
	n := Neighbor{
		Position: a.Position(i), Velocity: a.Velocity(i), Radius: a.Radius[i],
		ID: a.ID[i], Entity: a.Entity(i), On: 1, Sees: math.MaxUint32,
	}
	if a.On != nil {
		n.On, n.Sees = a.On[i], a.Sees[i]
	}
	return n
}

// Entity returns the entity of an agent.
func (a *Agents) Entity(i uint32) ecs.Entity { return a.entities[i] }

// Position returns the position of an agent, in meters.
func (a *Agents) Position(i uint32) r2.Vec { return r2.Vec{X: a.X[i], Y: a.Y[i]} }

// Velocity returns the velocity of an agent, in m/s.
func (a *Agents) Velocity(i uint32) r2.Vec { return r2.Vec{X: a.VX[i], Y: a.VY[i]} }

// Sight returns the layers that an agent sees, one bit each.
func (a *Agents) Sight(i uint32) uint32 {
	if a.Sees == nil {
		return math.MaxUint32
	}
	return a.Sees[i]
}

// Seen reports whether an agent is on one of the layers. Without Layers, agents are on the first layer.
func (a *Agents) Seen(i, layers uint32) bool {
	if a.On == nil {
		return layers&1 != 0
	}
	return a.On[i]&layers != 0
}

// resize makes room for n agents.
//
// The numeric columns share one allocation. If each began at a page boundary, they would compete for the same
// cache sets, because loops read the same index of each column.
func (a *Agents) resize(n int, bodies, layered, imaged bool) {
	columns := [...]*[]float64{&a.X, &a.Y, &a.VX, &a.VY, &a.Radius}
	stride := n + Padding
	a.numbers = roomFor(a.numbers, len(columns)*stride)
	for i, column := range columns {
		*column = a.numbers[i*stride : i*stride+n : (i+1)*stride]
	}
	for i := range Padding {
		a.X[:stride][n+i], a.Y[:stride][n+i] = math.MaxFloat64, math.MaxFloat64
	}
	if !bodies {
		clear(a.Radius)
	}
	a.ID, a.entities, a.records = roomFor(a.ID, n), roomFor(a.entities, n), roomFor(a.records, n)
	if layered {
		a.On, a.Sees = roomFor(a.On, n), roomFor(a.Sees, n)
	} else {
		a.On, a.Sees = nil, nil
	}
	if a.Image = nil; imaged {
		a.Image = roomFor(a.images, n)
		a.images = a.Image
	}
}

func (a *Agents) number(known bool) {
	if a.rows = nil; known {
		a.rows = roomFor(a.numbered, len(a.X))
		a.numbered = a.rows
	}
}

func (a *Agents) walk(has bool) {
	if a.DirX, a.DirY = nil, nil; has {
		n := len(a.X)
		stride := n + Padding
		a.ways = roomFor(a.ways, 2*stride)
		a.DirX, a.DirY = a.ways[:n:stride], a.ways[stride:stride+n:2*stride]
	}
}

func (a *Agents) swap(i, j int) {
	for _, column := range [...][]float64{a.X, a.Y, a.VX, a.VY, a.Radius} {
		column[i], column[j] = column[j], column[i]
	}
	if a.DirX != nil {
		a.DirX[i], a.DirX[j] = a.DirX[j], a.DirX[i]
		a.DirY[i], a.DirY[j] = a.DirY[j], a.DirY[i]
	}
	a.ID[i], a.ID[j] = a.ID[j], a.ID[i]
	if a.rows != nil {
		a.rows[i], a.rows[j] = a.rows[j], a.rows[i]
	}
	a.entities[i], a.entities[j] = a.entities[j], a.entities[i]
	if a.Image != nil {
		a.Image[i], a.Image[j] = a.Image[j], a.Image[i]
	}
	if a.On != nil {
		a.On[i], a.On[j] = a.On[j], a.On[i]
		a.Sees[i], a.Sees[j] = a.Sees[j], a.Sees[i]
	}
}

// Gatherer is scratch memory for queries by place, for one goroutine and one crowd at a time. The zero value
// is ready to use. Call Reset after each Build.
type Gatherer struct {
	column, row int64 // cell of the candidates
	valid       bool
	stretches   [6]stretch // of the candidates
	own         uint32     // index of the candidate that is first in the slot of that cell
	first       uint32     // place of that candidate
	below, upTo int        // bounds of the candidates in the row of that cell
	x, y        []float64  // m, of the candidates: all agents in the cell and in the eight cells around it
	place       []uint32   // of the candidates, if placed
	placed      bool
	found       []uint32       // results of Nearby
	squares     []float64      // m², squared distances of these results
	around      [6]kernel.Part // results of Around

	room   kernel.FlockRoom
	heap   r2.Vec // position that several candidates share
	heaped bool
	inHeap float64 // number of these candidates
	ways   r2.Vec  // sum of the directions in which they leave
}

// Reset discards the candidates.
func (g *Gatherer) Reset() { g.valid = false }

// Grow makes room for the candidates of most cells.
func (g *Gatherer) Grow() { g.hold(fewCandidates / 2) }

func (g *Gatherer) hold(n int) {
	if cap(g.x) < n {
		room := max(2*n, fewCandidates)
		g.x, g.y, g.place = make([]float64, room), make([]float64, room), make([]uint32, room)
		g.found, g.squares = make([]uint32, room), make([]float64, room)
	}
	g.x, g.y, g.place = g.x[:n], g.y[:n], g.place[:n]
	g.found, g.squares = g.found[:n], g.squares[:n]
}

const fewCandidates = 256

// manyCandidates is the largest number of candidates that are worth copying.
const manyCandidates = 1 << 14

// Gather appends the places of the other agents that the agent at the given place sees within radius meters,
// in the order of Within.
//
// For consecutive places, Gather is much faster than Within, because the agents of a cell share candidates.
// It writes every candidate but advances only past the near ones, without branches, about a third of which
// would be mispredicted.
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
		g.x[self] = math.MaxFloat64 // makes its squared distance infinite
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

// rows returns the range of candidates that can be within radius of a point with the given y in the cell.
func (g *Gatherer) rows(x *Crowd, y, radius float64) (lo, hi int) {
	hi = len(g.x)
	if radius > float64(x.size*(3./4)) {
		return lo, hi // few rows would be skipped
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

// candidates copies the agents in the cell of p and in the eight cells around it to g. It returns false if
// there are too many.
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
