package space

import (
	"math"

	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Agents are the agents of a snapshot, by place, as a column for each thing that is
// known of them: a loop over neighbors reads what it needs of them and no more.
//
// Behind the last agent X, Y, VX, VY, Radius and ways have Padding elements of room that may
// be read, where X and Y are so far away that nobody is near.
type Agents struct {
	X, Y     []float64 // m
	VX, VY   []float64 // m/s
	Radius   []float64 // m
	WayX     []float64 // where the agent goes, as far as others can tell: a unit vector, or zero; nil if nobody asks
	WayY     []float64
	ID       []uint64 // see components.IDOf
	On, Sees []uint32 // layers; nil if no agent has Layers
	Image    []bool   // whether it is an image of another one; nil if none is: see Rows.Images

	entities []ecs.Entity
	records  []record  // until the columns are there
	rows     []uint32  // until then: the numbers of the rows, if something has to be read there
	numbers  []float64 // the memory of X to Radius
	ways     []float64 // the memory of WayX and WayY
	images   []bool    // the memory of Image
	numbered []uint32  // the memory of rows
}

// record is what a row says of an agent, in one line of the cache. Place writes it where the
// agent has its place, and fill deals it out to the columns. To write to each column, or to
// read each column of the rows, would be to wait for as many lines.
type record struct {
	position, velocity r2.Vec
	more               r2.Vec // what it prefers, if the crowd has Ways; or else X is its radius
	id                 uint64
	entity             ecs.Entity
}

// Padding is how many elements behind the last one of a column may be read.
const Padding = 16

// Neighbor is what a snapshot knows of an agent.
type Neighbor struct {
	Position r2.Vec  // m
	Velocity r2.Vec  // m/s
	Radius   float64 // m
	ID       uint64  // see components.IDOf
	Entity   ecs.Entity
	On, Sees uint32 // layers
}

// AgentsOf returns agents in the places that they have in a list.
func AgentsOf(list ...Neighbor) *Agents {
	a := &Agents{}
	a.resize(len(list), true, true, false)
	for i, n := range list {
		a.X[i], a.Y[i], a.VX[i], a.VY[i], a.Radius[i] = n.Position.X, n.Position.Y, n.Velocity.X, n.Velocity.Y, n.Radius
		a.ID[i], a.entities[i], a.On[i], a.Sees[i] = n.ID, n.Entity, n.On, n.Sees
	}
	return a
}

// Spare returns memory for a value of each agent, which lasts until the next Build: that of what
// rows said of them, or of own where the values do not fit. What is in it means nothing.
func Spare[T any](x *Crowd, own *[]T) []T { return column.Reuse(x.agents.records, own) }

// Len returns the number of agents.
func (a *Agents) Len() int { return len(a.X) }

// At returns all that is known of an agent.
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

// Entity returns that of an agent.
func (a *Agents) Entity(i uint32) ecs.Entity { return a.entities[i] }

// Position returns that of an agent, in meters.
func (a *Agents) Position(i uint32) r2.Vec { return r2.Vec{X: a.X[i], Y: a.Y[i]} }

// Velocity returns that of an agent, in m/s.
func (a *Agents) Velocity(i uint32) r2.Vec { return r2.Vec{X: a.VX[i], Y: a.VY[i]} }

// Sight returns the layers that an agent sees, a bit each.
func (a *Agents) Sight(i uint32) uint32 {
	if a.Sees == nil {
		return math.MaxUint32
	}
	return a.Sees[i]
}

// Seen reports whether an agent is on one of the layers.
func (a *Agents) Seen(i, layers uint32) bool {
	if a.On == nil {
		return layers&1 != 0
	}
	return a.On[i]&layers != 0
}

// resize makes room for n agents, of which some have bodies and layers, and are images, or
// none has and is.
//
// The columns of numbers lie in one piece of memory: columns that each begin a page would
// be in one another's way in the cache, because what is known of an agent is in the same
// place of each.
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

// number makes room for the numbers of rows of as many agents as there are, if they are to
// be known.
func (a *Agents) number(known bool) {
	if a.rows = nil; known {
		a.rows = roomFor(a.numbered, len(a.X))
		a.numbered = a.rows
	}
}

// walk makes room for the ways of as many agents as there are, if they have any.
func (a *Agents) walk(has bool) {
	if a.WayX, a.WayY = nil, nil; has {
		n := len(a.X)
		stride := n + Padding
		a.ways = roomFor(a.ways, 2*stride)
		a.WayX, a.WayY = a.ways[:n:stride], a.ways[stride:stride+n:2*stride]
	}
}

// swap lets two agents change places.
func (a *Agents) swap(i, j int) {
	for _, column := range [...][]float64{a.X, a.Y, a.VX, a.VY, a.Radius} {
		column[i], column[j] = column[j], column[i]
	}
	if a.WayX != nil {
		a.WayX[i], a.WayX[j] = a.WayX[j], a.WayX[i]
		a.WayY[i], a.WayY[j] = a.WayY[j], a.WayY[i]
	}
	a.ID[i], a.ID[j] = a.ID[j], a.ID[i]
	a.entities[i], a.entities[j] = a.entities[j], a.entities[i]
	if a.Image != nil {
		a.Image[i], a.Image[j] = a.Image[j], a.Image[i]
	}
	if a.On != nil {
		a.On[i], a.On[j] = a.On[j], a.On[i]
		a.Sees[i], a.Sees[j] = a.Sees[j], a.Sees[i]
	}
}
