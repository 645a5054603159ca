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
// nor on workers. So do sums over neighbors, to the last bit.
//
// Cells share a table of slots, without keys, which is no larger than the crowd. Cells of a
// row lie side by side. Where the table has room for all cells of the box that the crowd is
// in, each has a slot of its own, row after row. Where it has not, rows are spread over it by the
// golden ratio, and cells that meet in a slot see one another's agents, which costs a little
// and changes no answer. So a crowd may be spread over any area.
//
// Queries allocate nothing and may run concurrently; Build may not run beside them.
type Crowd struct {
	Ways bool // whether agents have ways: see Agents

	scale   float64  // cells per meter
	size    float64  // m, width of a cell
	shift   uint     // 64 less the bits of a slot's number
	stride  uint64   // from slot to slot of a column, shifted so far
	box     r2.Box   // m, that holds all agents
	cells   patch    // of the box, where each has a slot of its own; else all that there are
	start   []uint32 // of each slot, the place of its first agent; the next one's is behind its last
	agents  Agents   // by place
	places  []uint64 // of entities, by their ids: generation<<32 | place+1
	bodies  bool     // some agent has a Radius
	even    bool     // all have the same Radius
	bulk    float64  // m, the greatest radius of all that are not large
	large   Index    // bodies that are much larger than a cell
	shapes  []Shape  // these bodies; the ID is the place
	largest float64  // m, their greatest radius
	skipped int

	run      func(workers int, task func(worker int)) // nil: on the caller's goroutine
	most     int                                      // workers
	builders []builder
	rows     []Rows   // while it is built
	slots    []uint32 // of rows
	owners   []uint32 // of each stretch of rowsAtOnce numbers of rows, whose rows these are
	tasks    [5]func(worker int)
}

// Rows are agents of one archetype, as columns. All but Position may be nil.
type Rows struct {
	Position []c.Position
	Velocity []c.Velocity
	Radius   []c.Radius
	Agent    []c.Agent
	Layers   []c.Layers
	Prefer   []c.PreferredVelocity // whose directions are the ways of the agents, if the crowd has Ways
	Entities interface {           // sets to to the entities of the rows from lo on
		Entities(lo int, to []ecs.Entity)
	}

	// Images says that these are agents once more, in other places, where those see them that are
	// on the other side of an edge. Index does not find them.
	Images bool

	first  int    // the row that comes first, of the entities
	number uint32 // of that row: rows of all archetypes are numbered, each from a multiple of rowsAtOnce on
}

// Share makes Build share its work, if the crowd is large enough, among at most this
// number of workers, by a function such as Run of a pool.
func (x *Crowd) Share(run func(workers int, task func(worker int)), workers int) {
	x.run, x.most = run, workers
}

// Build takes a new snapshot. Rows that are not finite, or have a negative
// radius, are left out. Queries that look as far as a cell is wide, in meters,
// are the cheapest; the width of cells changes only the order of what is found.
func (x *Crowd) Build(rows []Rows, size float64) { x.BuildWithin(rows, size, size) }

// BuildWithin is Build with cells that are widest meters wide; or where agents are
// dense, so that few of them share one, but no less than narrowest.
func (x *Crowd) BuildWithin(rows []Rows, narrowest, widest float64) {
	n, layered, imaged := 0, false, false
	x.bodies = false
	for i := range rows {
		n += len(rows[i].Position)
		layered = layered || rows[i].Layers != nil
		imaged = imaged || rows[i].Images
		x.bodies = x.bodies || rows[i].Radius != nil
	}
	if n == 0 {
		x.measure(widest)
		x.empty()
		return
	}
	digits := max(bits.Len(uint(n-1))-1, fewDigits)
	x.shift = uint(64 - digits)
	x.start = roomFor(x.start, 1<<digits+1)
	x.rows, x.slots = rows, roomFor(x.slots, n)
	x.number()
	x.share(n)

	x.build(toBound)
	x.bound()
	x.measure(widest)
	x.build(toCount)
	if narrowest < widest {
		if size := max(narrowest, x.fitting()); size < x.size {
			x.measure(size)
			x.build(toCount)
		}
	}
	x.begin()
	x.agents.resize(n-x.skipped, x.bodies, layered, imaged)
	x.agents.walk(x.Ways)
	x.agents.number(layered || imaged || x.Ways && x.bodies && !x.even)
	x.build(toPlace)
	disorder := x.finish()
	x.build(toFill)
	if disorder {
		x.build(toSort)
	}
	x.gatherLarge()
	x.rows = nil
}

// empty leaves no agent in the snapshot.
func (x *Crowd) empty() {
	clear(x.places)
	x.places, x.shapes = x.places[:0], x.shapes[:0]
	x.agents.resize(0, false, false, false)
	x.agents.walk(x.Ways)
	x.largest, x.bulk, x.skipped = 0, 0, 0
	if x.large.Len() > 0 {
		x.large.Build(nil, 0, 0)
	}
}

// measure sets the width of cells, in meters.
func (x *Crowd) measure(size float64) {
	x.size = min(max(size, 1/farthest), farthest)
	if !(size > 0) {
		x.size = 1
	}
	x.scale = 1 / x.size
	x.lay()
}

// nowhere is the box of no agent.
func nowhere() r2.Box {
	inf := math.Inf(1)
	return r2.Box{Min: r2.Vec{X: inf, Y: inf}, Max: r2.Vec{X: -inf, Y: -inf}}
}

// boundSome finds the box that the rows of a builder are in, but for those that are not
// finite.
func (x *Crowd) boundSome(b *builder) {
	box := nowhere()
	x.each(b, func(r Rows, _ []uint32) {
		for i := range r.Position {
			p := r.Position[i].Vec
			if !within(p) {
				continue
			}
			if p.X < box.Min.X {
				box.Min.X = p.X
			}
			if p.X > box.Max.X {
				box.Max.X = p.X
			}
			if p.Y < box.Min.Y {
				box.Min.Y = p.Y
			}
			if p.Y > box.Max.Y {
				box.Max.Y = p.Y
			}
		}
	})
	b.box = box
}

// bound finds the box that all rows are in.
func (x *Crowd) bound() {
	x.box = nowhere()
	for i := range x.builders {
		b := &x.builders[i].box
		x.box.Min = r2.Vec{X: min(x.box.Min.X, b.Min.X), Y: min(x.box.Min.Y, b.Min.Y)}
		x.box.Max = r2.Vec{X: max(x.box.Max.X, b.Max.X), Y: max(x.box.Max.Y, b.Max.Y)}
	}
}

// lay lays the cells into the slots: side by side, if there is room for those of the box, a
// column beside it, and a row above it, so that an agent that looks beyond it finds none.
func (x *Crowd) lay() {
	const golden = 0x9e3779b97f4a7c15
	x.stride, x.cells = golden, patch{0, 2 * edge, 0, 2 * edge}
	if len(x.start) == 0 || !(x.box.Min.X <= x.box.Max.X) {
		return
	}
	f := patch{x.cell(x.box.Min.X), x.cell(x.box.Max.X), x.cell(x.box.Min.Y), x.cell(x.box.Max.Y)}
	w, h := f.right-f.left+2, f.top-f.bottom+2
	if w*h <= int64(len(x.start)-1) {
		x.stride, x.cells = uint64(w)<<x.shift, f
	}
}

// number numbers the rows, so that their numbers tell where they are.
func (x *Crowd) number() {
	x.owners = x.owners[:0]
	for i := range x.rows {
		r := &x.rows[i]
		r.number = uint32(len(x.owners) * rowsAtOnce)
		for range (len(r.Position) + rowsAtOnce - 1) / rowsAtOnce {
			x.owners = append(x.owners, uint32(i))
		}
	}
}

// rowAt is where the row of an agent is.
type rowAt struct {
	*Rows
	i uint32
}

// fill deals out what is known of agents to columns. Each worker has a part of the places.
func (x *Crowd) fill(worker int) {
	n, workers := x.agents.Len(), len(x.builders)
	lo, hi := n*worker/workers, n*(worker+1)/workers
	x.agents.deal(lo, hi)
	switch {
	case x.even:
		radius := x.agents.Radius[lo:hi]
		for i := range radius {
			radius[i] = x.builders[0].largest
		}
	case !x.Ways:
		x.agents.dealRadii(lo, hi)
	}
	if x.agents.rows == nil {
		return
	}
	var at [rowsAtOnce]rowAt
	for ; lo < hi; lo += rowsAtOnce {
		rows := at[:min(rowsAtOnce, hi-lo)]
		for k := range rows {
			number := x.agents.rows[lo+k]
			r := &x.rows[x.owners[number/rowsAtOnce]]
			rows[k] = rowAt{r, number - r.number}
		}
		x.agents.fill(lo, rows, !x.even && x.Ways && x.bodies)
	}
}

// deal sets the columns of the agents from one place to another.
func (a *Agents) deal(lo, hi int) {
	records := a.records[lo:hi]
	x, y, vx, vy := a.X[lo:][:len(records)], a.Y[lo:][:len(records)], a.VX[lo:][:len(records)], a.VY[lo:][:len(records)]
	id, entity := a.ID[lo:][:len(records)], a.entities[lo:][:len(records)]
	for i := range records {
		r := &records[i]
		x[i], y[i], vx[i], vy[i] = r.position.X, r.position.Y, r.velocity.X, r.velocity.Y
		id[i], entity[i] = r.id, r.entity
	}
	if a.WayX != nil {
		wayX, wayY := a.WayX[lo:][:len(records)], a.WayY[lo:][:len(records)]
		for i := range records {
			way := vec.Unit(records[i].more)
			wayX[i], wayY[i] = way.X, way.Y
		}
	}
}

// dealRadii sets the radii of agents that have no ways.
func (a *Agents) dealRadii(lo, hi int) {
	records, radius := a.records[lo:hi], a.Radius[lo:hi]
	for i := range records {
		radius[i] = records[i].more.X
	}
}

// fill takes what few agents have from the rows of those from a place on, column after
// column: many reads at a time wait for memory then.
func (a *Agents) fill(place int, rows []rowAt, radii bool) {
	if radii {
		radius := a.Radius[place:][:len(rows)]
		for k, r := range rows {
			if radius[k] = 0; r.Radius != nil {
				radius[k] = r.Radius[r.i].Meters
			}
		}
	}
	if a.Image != nil {
		image := a.Image[place:][:len(rows)]
		for k, r := range rows {
			image[k] = r.Images
		}
	}
	if a.On == nil {
		return
	}
	on, sees := a.On[place:][:len(rows)], a.Sees[place:][:len(rows)]
	for k, r := range rows {
		layers := c.Layers{On: 1, Sees: math.MaxUint32}
		if r.Layers != nil {
			layers = r.Layers[r.i]
		}
		on[k], sees[k] = layers.On, layers.Sees
	}
}
