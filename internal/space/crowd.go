package space

import (
	"math"
	"math/bits"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Crowd is a snapshot of agents, which stand in the order of the cells of a
// square grid without ends. The zero value is empty.
//
// An agent's place is its number in that order: cell after cell, and within a
// cell by ID. Places, and the order in which queries visit agents, depend on
// nothing but the agents and the width of the cells: not on the order of rows,
// nor on workers. So do sums over neighbours, to the last bit.
//
// Cells share a table of slots, without keys: cells of a row lie side by side, and
// rows are spread over the table by the golden ratio. Cells that meet in a slot
// see one another's agents, which costs a little and changes no answer. So a
// crowd may be spread over any area, and the table is no larger than the crowd.
//
// Queries allocate nothing and may run concurrently; Build may not run beside them.
type Crowd struct {
	scale   float64 // cells per metre
	size    float64 // m, width of a cell
	shift   uint    // 64 less the bits of a slot's number
	start   []uint32
	agents  []Neighbour // by place
	slots   []uint32    // of rows
	places  []uint64    // of entities, by their ids: generation<<32 | place+1
	layered bool        // some agent has Layers
	bulk    float64     // m, the greatest radius of all that are not large
	largest float64     // m
	large   Index       // bodies that are much larger than a cell
	shapes  []Shape     // these bodies; the ID is the place
	skipped int
	some    [rowsAtOnce]ecs.Entity
	touched uint32          // for the sake of reading only
	sizes   [octaves]uint32 // how many radii are in each octave
	inSlot  slotOrder
}

// Neighbour is what a snapshot knows of an agent: a cache line of it.
type Neighbour struct {
	Position r2.Vec  // m
	Velocity r2.Vec  // m/s
	Radius   float64 // m
	ID       uint64  // that of c.Agent, or else generation<<32 | id of the entity
	Entity   ecs.Entity
	On, Sees uint32 // layers
}

// Rows are agents of one archetype, as columns. All but Position may be nil.
type Rows struct {
	Position []c.Position
	Velocity []c.Velocity
	Radius   []c.Radius
	Agent    []c.Agent
	Layers   []c.Layers
	Entities interface { // sets to to the entities of the rows from lo on
		Entities(lo int, to []ecs.Entity)
	}
}

const (
	absent     = math.MaxUint32 // slot of a row that is not indexed
	rowsAtOnce = 64             // rows whose entities are had at once
	fewSlots   = 64
	octaves    = 2048
)

// Build takes the snapshot anew. Rows that are not finite, or have a negative
// radius, are left out. Queries that look as far as a cell is wide, in metres,
// are the cheapest; the width of cells changes only the order of what is found.
func (x *Crowd) Build(rows []Rows, size float64) {
	x.size = min(max(size, 1/farthest), farthest)
	if !(size > 0) {
		x.size = 1
	}
	x.scale = 1 / x.size
	n := 0
	for i := range rows {
		n += len(rows[i].Position)
	}
	x.layered, x.skipped, x.largest = false, 0, 0
	x.slots = roomFor(x.slots, n)
	digits := max(bits.Len(uint(max(n, 1)-1))-1, bits.Len(fewSlots-1))
	x.shift = uint(64 - digits)
	x.start = roomFor(x.start, 1<<digits+2)
	clear(x.start)
	clear(x.sizes[:])

	first := 0
	for i := range rows {
		r := &rows[i]
		x.count(r, x.slots[first:first+len(r.Position)])
		first += len(r.Position)
	}
	sum := uint32(0)
	for i, k := range x.start {
		sum += k
		x.start[i] = sum
	}
	n -= x.skipped
	x.agents = roomFor(x.agents, n)
	if clear(x.places); n == 0 {
		x.places = x.places[:0]
	}
	first = 0
	order := inOrder{}
	for i := range rows {
		r := &rows[i]
		x.place(r, x.slots[first:first+len(r.Position)], &order)
		first += len(r.Position)
	}
	if order.not {
		x.sort()
	}
	x.gatherLarge()
}

// roomFor returns a slice of n elements in the memory of s, or in new memory with
// some room to grow, unless it is the first.
func roomFor[T any](s []T, n int) []T {
	if cap(s) > 0 && cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return resized(s, n)
}

// count finds the slots of rows, and counts the agents of each slot, two places
// on: when all are placed, start is where a slot begins.
func (x *Crowd) count(r *Rows, slots []uint32) {
	x.layered = x.layered || r.Layers != nil
	pos, vel, start := r.Position, r.Velocity, x.start
	slots = slots[:len(pos)]
	for i := range pos {
		p := pos[i].Vec
		if !within(p) || vel != nil && !vec.Finite(vel[i].Vec) || r.Radius != nil && !x.sized(r.Radius[i].Metres) {
			slots[i] = absent
			x.skipped++
			continue
		}
		s := x.slot(x.cell(p.X), x.cell(p.Y))
		slots[i] = uint32(s)
		start[s+2]++
	}
}

// sized counts a radius, and tells whether it is one.
func (x *Crowd) sized(radius float64) bool {
	if !(radius >= 0 && radius <= farthest) {
		return false
	}
	x.largest = max(x.largest, radius)
	x.sizes[math.Float64bits(radius)>>52&(octaves-1)]++
	return true
}

// inOrder tells whether identities have come in their order.
type inOrder struct {
	last      uint64
	some, not bool
}

// place puts rows into their places.
func (x *Crowd) place(r *Rows, slots []uint32, order *inOrder) {
	entities := &x.some
	var places [rowsAtOnce]uint32
	touched := uint32(0)
	for lo := 0; lo < len(r.Position); lo += rowsAtOnce {
		hi := min(lo+rowsAtOnce, len(r.Position))
		if r.Entities != nil {
			r.Entities.Entities(lo, entities[:hi-lo])
		}
		// The lines to be written are asked for together first: waiting for one after
		// another would take most of the time.
		for i := lo; i < hi; i++ {
			if slots[i] != absent {
				next := &x.start[slots[i]+1]
				places[i-lo] = *next
				touched ^= x.agents[*next].On
				*next++
			}
		}
		for i := lo; i < hi; i++ {
			if slots[i] == absent {
				continue
			}
			p, e := places[i-lo], entities[i-lo]
			x.know(e, p)
			a := &x.agents[p]
			a.Position = r.Position[i].Vec
			a.Entity = e
			a.ID, a.Velocity, a.Radius, a.On, a.Sees = uint64(e.Generation())<<32|uint64(e.ID()), r2.Vec{}, 0, 1, math.MaxUint32
			if r.Velocity != nil {
				a.Velocity = r.Velocity[i].Vec
			}
			if r.Agent != nil {
				a.ID = r.Agent[i].ID
			}
			if r.Radius != nil {
				a.Radius = r.Radius[i].Metres
			}
			if r.Layers != nil {
				a.On, a.Sees = r.Layers[i].On, r.Layers[i].Sees
			}
			order.not = order.not || order.some && a.ID <= order.last
			order.last, order.some = a.ID, true
		}
	}
	x.touched = touched
}
