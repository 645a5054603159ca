package space

import (
	"math"
	"math/bits"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Crowd is a snapshot of agents, sorted by the cells of an unbounded grid of squares. The zero value is
// empty.
//
// The place of an agent is its index in that order: cell by cell, and by ID within a cell. Places, and the
// order in which queries visit agents, depend only on the agents and the cell size. So sums over neighbors
// are reproducible to the last bit, for any order of rows and any number of workers.
//
// Cells share a table of slots without keys. If the table has room for all cells of the bounding box, each
// has its own slot, row by row. Otherwise the golden ratio spreads rows over the table. Cells in the same
// slot count as one, which costs a little time but changes no answer.
//
// Queries allocate only to grow a Gatherer or a slice to which they append. They may run concurrently with
// one another, but not with Build.
type Crowd struct {
	Directions bool // record preferred directions: see Agents

	scale   float64  // cells per meter
	size    float64  // m, width of a cell
	shift   uint     // 64 minus the bits of a slot number
	stride  uint64   // distance between the slots of adjacent rows, shifted left by shift
	box     r2.Box   // m, bounds of all agents
	cells   patch    // cells of the box if each has its own slot; otherwise all cells
	start   []uint32 // place of the first agent of each slot; at the end, the number of agents
	agents  Agents   // by place
	places  placeTable
	bodies  bool    // some rows have the column Radius
	even    bool    // all agents have the same Radius
	bulk    float64 // m, largest radius except for large bodies
	large   Index   // the few largest bodies whose radius is above the cell size
	shapes  []Shape // of large, with the place as ID
	largest float64 // m, largest radius
	skipped int

	run      func(workers int, task func(worker int)) // nil means on the caller's goroutine
	most     int                                      // maximum number of workers
	builders []builder
	rows     []Rows   // during Build
	slots    []uint32 // by row: its slot and, after placing, its place
	placed   bool     // slots holds the places of all rows
	reorders bool     // IDs were not in order, in the last Build
	owners   []uint32 // index in rows, by row number divided by rowsAtOnce
	tasks    [5]func(worker int)
}

// Rows holds the agents of one archetype in columns. All columns but Position may be nil.
type Rows struct {
	Position []c.Position
	Velocity []c.Velocity
	Radius   []c.Radius
	Agent    []c.Agent
	Layers   []c.Layers
	Prefer   []c.PreferredVelocity // its directions are recorded if Crowd.Directions is set
	Entities interface {           // fills a slice with the entities of the rows from lo on
		Entities(lo int, to []ecs.Entity)
	}

	// Images marks copies of agents, at the positions where agents across a periodic edge see them.
	// Crowd.Index does not find copies.
	Images bool

	first  int    // first row in Entities
	start  int    // index of the first row in slots
	number uint32 // number of that row; the numbers of each archetype begin at a multiple of rowsAtOnce
}

// Share makes Build use up to the given number of workers for large crowds, but at most four. run is a
// function such as pool.Pool.Run.
func (x *Crowd) Share(run func(workers int, task func(worker int)), workers int) {
	x.run, x.most = run, workers
}

// Build takes a new snapshot. It skips rows with a position, velocity or radius that is not finite,
// coordinates or a radius beyond 1e100 m, or a negative radius. The cell size, in meters, changes only the
// order of results, the radii that Sums and Around accept, and Bulk. Queries are cheapest if their radius is
// slightly below the cell size. A size that is not above 0 counts as 1.
func (x *Crowd) Build(rows []Rows, size float64) { x.BuildWithin(rows, size, size) }

// BuildWithin is like Build, but chooses a cell size between narrowest and widest, in meters. The denser the
// agents, the narrower the cells.
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
	x.agents.walk(x.Directions)
	x.agents.number(layered || imaged || x.Directions && x.bodies && !x.even || x.reorders)
	x.build(toPlace)
	x.reorders = x.disorder()
	x.build(toFill)
	if x.reorders {
		x.build(toSort)
	}
	x.placed = !x.reorders || x.agents.rows != nil
	x.gatherLarge()
	x.rows = nil
}

func (x *Crowd) empty() {
	x.places.known.Store(false)
	x.slots, x.shapes, x.placed = x.slots[:0], x.shapes[:0], true
	x.agents.resize(0, false, false, false)
	x.agents.walk(x.Directions)
	x.largest, x.bulk, x.skipped = 0, 0, 0
	if x.large.Len() > 0 {
		x.large.Build(nil, 0, 0)
	}
}

func (x *Crowd) measure(size float64) {
	x.size = min(max(size, 1/farthest), farthest)
	if !(size > 0) {
		x.size = 1
	}
	x.scale = 1 / x.size
	x.lay()
}

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

func (x *Crowd) bound() {
	x.box = nowhere()
	for i := range x.builders {
		b := &x.builders[i].box
		x.box = include(include(x.box, b.Min, 0), b.Max, 0)
	}
}

// lay maps cells to slots. If there is room, each cell of the bounding box gets its own slot. An empty column
// and row beside the box are for agents that look past its edge.
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

func (x *Crowd) number() {
	x.owners = x.owners[:0]
	start := 0
	for i := range x.rows {
		r := &x.rows[i]
		r.start, r.number = start, uint32(len(x.owners)*rowsAtOnce)
		start += len(r.Position)
		for range (len(r.Position) + rowsAtOnce - 1) / rowsAtOnce {
			x.owners = append(x.owners, uint32(i))
		}
	}
}

type rowAt struct {
	*Rows
	i uint32
}

// fill writes the columns in the worker's range of places.
func (x *Crowd) fill(worker int) {
	n, workers := x.agents.Len(), len(x.builders)
	lo, hi := n*worker/workers, n*(worker+1)/workers
	x.agents.deal(lo, hi)
	switch records, radius := x.agents.records[lo:hi], x.agents.Radius[lo:hi]; {
	case x.even:
		for i := range radius {
			radius[i] = x.builders[0].largest
		}
	case !x.Directions:
		for i := range records {
			radius[i] = records[i].more.X
		}
	}
	if x.agents.rows == nil {
		return
	}
	var at [rowsAtOnce]rowAt
	for ; lo < hi; lo += rowsAtOnce {
		rows := at[:min(rowsAtOnce, hi-lo)]
		for k := range rows {
			rows[k] = x.rowOf(lo + k)
		}
		x.agents.fill(lo, rows, !x.even && x.Directions && x.bodies)
	}
}

func (x *Crowd) rowOf(place int) rowAt {
	number := x.agents.rows[place]
	r := &x.rows[x.owners[number/rowsAtOnce]]
	return rowAt{r, number - r.number}
}

func (a *Agents) deal(lo, hi int) {
	records := a.records[lo:hi]
	x, y, vx, vy := a.X[lo:][:len(records)], a.Y[lo:][:len(records)], a.VX[lo:][:len(records)], a.VY[lo:][:len(records)]
	id, entity := a.ID[lo:][:len(records)], a.entities[lo:][:len(records)]
	for i := range records {
		r := &records[i]
		x[i], y[i], vx[i], vy[i] = r.position.X, r.position.Y, r.velocity.X, r.velocity.Y
		id[i], entity[i] = r.id, r.entity
	}
	if a.DirX != nil {
		dirX, dirY := a.DirX[lo:][:len(records)], a.DirY[lo:][:len(records)]
		for i := range records {
			way := vec.Unit(records[i].more)
			dirX[i], dirY[i] = way.X, way.Y
		}
	}
}

// fill reads the less common columns. Going column by column keeps many reads in flight.
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
