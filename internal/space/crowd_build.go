package space

import (
	"math"
	"sort"
	"sync"
	"sync/atomic"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	absent      = math.MaxUint32 // slot of a row that is not indexed
	rowsAtOnce  = 64             // rows whose entities are read together
	fewDigits   = 6              // smallest number of bits of a slot number
	octaves     = 2048           // exponents of a float64
	rowsAWorker = 8192           // rows that justify waking a worker
	mostWorkers = 4              // more would only wait for memory, and each needs a table of slots
)

// builder is one worker's share of a Build. In each slot, its agents follow those of the previous builder, so
// the order is the same as with one worker.
type builder struct {
	first, end int      // range of rows, counted across archetypes
	next       []uint32 // per slot: number of agents, then the place of the next one
	sizes      [octaves]uint32
	box        r2.Box  // m, bounds of its agents
	largest    float64 // m, largest radius
	smallest   float64 // m, smallest radius
	skipped    int

	lowest, last uint64 // IDs of the first and the last agent
	some         bool   // there are agents
	disorder     bool   // IDs are not in strictly ascending order
	entities     [rowsAtOnce]ecs.Entity
	records      [rowsAtOnce]record
	inSlot       slotOrder
	_            [64]byte // keeps workers on separate cache lines
}

// roomFor is like Resized, but leaves room to grow, except the first time.
func roomFor[T any](s []T, n int) []T {
	if cap(s) > 0 && cap(s) < n {
		return column.Huge(make([]T, n, n+n/4))
	}
	return Resized(s, n)
}

func (x *Crowd) share(n int) {
	workers := 1
	if x.run != nil {
		workers = max(1, min(x.most, mostWorkers, n/rowsAWorker))
	}
	for len(x.builders) < workers {
		x.builders = append(x.builders, builder{})
	}
	x.builders = x.builders[:workers]
	for i := range x.builders {
		b := &x.builders[i]
		b.first, b.end = n*i/workers, n*(i+1)/workers
		b.next = roomFor(b.next, len(x.start)-1)
	}
	if x.tasks[0] == nil {
		x.tasks = [...]func(int){
			toBound: func(w int) { x.boundSome(&x.builders[w]) },
			toCount: func(w int) { x.count(&x.builders[w]) },
			toPlace: func(w int) { x.place(&x.builders[w]) },
			toFill:  func(w int) { x.fill(w) },
			toSort:  func(w int) { x.sort(w) },
		}
	}
}

const (
	toBound = iota
	toCount
	toPlace
	toFill
	toSort
)

func (x *Crowd) build(task int) {
	if len(x.builders) == 1 {
		x.tasks[task](0)
		return
	}
	x.run(len(x.builders), x.tasks[task])
}

func (x *Crowd) each(b *builder, visit func(r Rows, slots []uint32)) {
	first := 0
	for i := range x.rows {
		r := &x.rows[i]
		n := len(r.Position)
		if lo, hi := max(b.first-first, 0), min(b.end-first, n); lo < hi {
			visit(Rows{
				part(r.Position, lo, hi), part(r.Velocity, lo, hi), part(r.Radius, lo, hi), part(r.Agent, lo, hi), part(r.Layers, lo, hi),
				part(r.Prefer, lo, hi), r.Entities, r.Images, lo, r.start + lo, r.number + uint32(lo),
			}, x.slots[first+lo:first+hi])
		}
		first += n
	}
}

func part[T any](column []T, lo, hi int) []T {
	if column == nil {
		return nil
	}
	return column[lo:hi]
}

func (x *Crowd) count(b *builder) {
	clear(b.next)
	clear(b.sizes[:])
	b.largest, b.smallest, b.skipped = 0, math.Inf(1), 0
	x.each(b, func(r Rows, slots []uint32) {
		if r.Radius == nil {
			b.smallest = 0
		}
		pos, vel, next := r.Position, r.Velocity, b.next
		slots = slots[:len(pos)]
		for i := range pos {
			p := pos[i].Vec
			if !within(p) || vel != nil && !vec.Finite(vel[i].Vec) || r.Radius != nil && !b.size(r.Radius[i].Meters) {
				slots[i] = absent
				b.skipped++
				continue
			}
			s := x.slot(x.cell(p.X), x.cell(p.Y))
			slots[i] = uint32(s)
			next[s]++
		}
	})
}

func (b *builder) size(radius float64) bool {
	if !(radius >= 0 && radius <= farthest) {
		return false
	}
	b.largest, b.smallest = max(b.largest, radius), min(b.smallest, radius)
	b.sizes[math.Float64bits(radius)>>52&(octaves-1)]++
	return true
}

func (x *Crowd) begin() {
	x.skipped = 0
	first := &x.builders[0]
	x.even = x.bodies
	for i := range x.builders {
		b := &x.builders[i]
		x.skipped += b.skipped
		x.even = x.even && math.Float64bits(b.smallest) == math.Float64bits(first.largest) && b.largest == first.largest
	}
	sum, slots := uint32(0), len(x.start)-1
	for s := range slots {
		x.start[s] = sum
		for i := range x.builders {
			next := &x.builders[i].next[s]
			sum, *next = sum+*next, sum
		}
	}
	x.start[slots] = sum
	x.places.known.Store(false)
}

func (x *Crowd) place(b *builder) {
	b.some, b.disorder = false, false
	x.each(b, func(r Rows, slots []uint32) {
		for lo := 0; lo < len(r.Position); lo += rowsAtOnce {
			hi := min(lo+rowsAtOnce, len(r.Position))
			entities := b.entities[:hi-lo]
			if r.Entities != nil {
				r.Entities.Entities(r.first+lo, entities)
			} else {
				clear(entities)
			}
			x.placeSome(b, &r, slots[lo:hi], lo)
		}
	})
}

// placeSome prefetches the places of several records, and assembles each record before it writes it, because
// writing field by field would stall on one cache line after another.
func (x *Crowd) placeSome(b *builder, r *Rows, slots []uint32, lo int) {
	hi, a := lo+len(slots), &x.agents
	pos, vel, radius := r.Position[lo:hi], part(r.Velocity, lo, hi), part(r.Radius, lo, hi)
	agent, prefer := part(r.Agent, lo, hi), part(r.Prefer, lo, hi)
	var rows, places [rowsAtOnce]uint32
	n := 0
	for i, s := range slots {
		if s != absent {
			place := b.next[s]
			b.next[s]++
			rows[n], places[n], slots[i] = uint32(i), place, place
			n++
		}
	}
	column.FetchRows(a.records, places[:n])
	for k, p := range places[:n] {
		i, to := rows[k], &b.records[k]
		e := b.entities[i]
		to.position, to.entity = pos[i].Vec, e
		if to.velocity = (r2.Vec{}); vel != nil {
			to.velocity = vel[i].Vec
		}
		switch to.more = (r2.Vec{}); {
		case x.Directions:
			if prefer != nil {
				to.more = prefer[i].Vec
			}
		case radius != nil:
			to.more.X = radius[i].Meters
		}
		if to.id = c.IDOf(nil, e); agent != nil {
			to.id = agent[i].ID
		}
		if a.rows != nil {
			a.rows[p] = r.number + uint32(lo) + i
		}
		if !b.some {
			b.some, b.lowest = true, to.id
		} else if to.id <= b.last {
			b.disorder = true
		}
		b.last = to.id
	}
	for k, p := range places[:n] {
		a.records[p] = b.records[k]
	}
}

// disorder reports whether the IDs of rows are not in strictly ascending order.
func (x *Crowd) disorder() bool {
	last, some := uint64(0), false
	for i := range x.builders {
		b := &x.builders[i]
		if !b.some {
			continue
		}
		if b.disorder || some && b.lowest <= last {
			return true
		}
		last, some = b.last, true
	}
	return false
}

func (x *Crowd) sort(worker int) {
	slots, workers := len(x.start)-1, len(x.builders)
	for s := slots * worker / workers; s < slots*(worker+1)/workers; s++ {
		lo, hi := int(x.start[s]), int(x.start[s+1])
		for i := lo + 1; i < hi; i++ {
			if x.before(i, i-1) {
				x.sortSlot(lo, hi, &x.builders[worker].inSlot)
				break
			}
		}
	}
}

// bySwaps is the largest number of agents in a slot that are sorted by insertion.
const bySwaps = 24

func (x *Crowd) sortSlot(lo, hi int, order *slotOrder) {
	if hi-lo > bySwaps {
		*order = slotOrder{x, lo, hi - lo}
		sort.Sort(order)
	} else {
		for i := lo + 1; i < hi; i++ {
			for k := i; k > lo && x.before(k, k-1); k-- {
				x.agents.swap(k, k-1)
			}
		}
	}
	for i := lo; i < hi && x.agents.rows != nil; i++ {
		row := x.rowOf(i)
		x.slots[row.start+int(row.i)] = uint32(i)
	}
}

// before reports whether the agent at place i comes before the one at place j: by ID, then by entity, then by
// position, from left to right and from bottom to top.
func (x *Crowd) before(i, j int) bool {
	if a, b := x.agents.ID[i], x.agents.ID[j]; a != b {
		return a < b
	}
	a, b := x.agents.entities[i], x.agents.entities[j]
	if a.ID() != b.ID() {
		return a.ID() < b.ID()
	}
	if a.Generation() != b.Generation() || x.agents.Image == nil {
		return a.Generation() < b.Generation()
	}
	// At least one of them is an image across an edge.
	p, q := x.agents.Position(uint32(i)), x.agents.Position(uint32(j))
	return p.X < q.X || p.X == q.X && p.Y < q.Y
}

type slotOrder struct {
	crowd *Crowd
	lo, n int
}

func (o *slotOrder) Len() int           { return o.n }
func (o *slotOrder) Less(i, j int) bool { return o.crowd.before(o.lo+i, o.lo+j) }
func (o *slotOrder) Swap(i, j int)      { o.crowd.agents.swap(o.lo+i, o.lo+j) }

// RowPlaces returns the places of all rows of the last Build, one Rows after another, with None for rows that
// Build skipped. It returns nil if they are unknown, as in the first Build after IDs are out of order.
func (x *Crowd) RowPlaces() []uint32 {
	if !x.placed {
		return nil
	}
	return x.slots
}

// placeTable finds the places of entities. The first search after a Build fills it.
type placeTable struct {
	known atomic.Bool
	fill  sync.Mutex
	of    []uint64 // by entity ID: generation<<32 | place+1
}

// Index returns the place of an entity, and whether it is in the snapshot.
func (x *Crowd) Index(e ecs.Entity) (uint32, bool) {
	if e.IsZero() {
		return 0, false
	}
	t := &x.places
	if !t.known.Load() {
		t.fill.Lock()
		if !t.known.Load() {
			t.take(&x.agents)
			t.known.Store(true)
		}
		t.fill.Unlock()
	}
	if id := int(e.ID()); id < len(t.of) {
		if at := t.of[id]; uint32(at) != 0 && uint32(at>>32) == e.Generation() {
			return uint32(at) - 1, true
		}
	}
	return 0, false
}

func (t *placeTable) take(a *Agents) {
	last := uint32(0)
	for _, e := range a.entities {
		last = max(last, e.ID())
	}
	t.of = column.Resize(t.of, int(last)+1)
	clear(t.of)
	for i, e := range a.entities {
		if a.Image == nil || !a.Image[i] {
			t.of[e.ID()] = uint64(e.Generation())<<32 | uint64(i+1)
		}
	}
}

// Len returns the number of agents in the snapshot.
func (x *Crowd) Len() int { return x.agents.Len() }

// Skipped returns the number of rows that Build skipped.
func (x *Crowd) Skipped() int { return x.skipped }

// Cell returns the cell size in meters.
func (x *Crowd) Cell() float64 { return x.size }

// Agents returns the agents by place, valid until the next Build. The caller must not modify them.
func (x *Crowd) Agents() *Agents { return &x.agents }

// cell returns the column or row of a coordinate. It is monotonic.
func (x *Crowd) cell(v float64) int64 {
	if at := float64(v * x.scale); at > -edge && at < edge {
		return int64(at + edge)
	}
	return int64(max(-edge, min(edge, float64(v*x.scale))) + edge)
}

// slot is like Index.slot.
func (x *Crowd) slot(column, row int64) uint64 {
	return (uint64(column)<<(x.shift&63) + uint64(row)*x.stride) >> (x.shift & 63)
}

// gatherLarge indexes the few largest bodies, so that queries for the other bodies need not search as far.
func (x *Crowd) gatherLarge() {
	x.largest = 0
	for i := range x.builders {
		x.largest = max(x.largest, x.builders[i].largest)
	}
	few, more, octave := uint32(x.Len()/64+8), uint32(0), int(math.Float64bits(x.largest)>>52)+1
	for octave > 0 && more <= few {
		octave--
		for i := range x.builders {
			more += x.builders[i].sizes[octave]
		}
	}
	limit := max(x.size, math.Float64frombits(uint64(octave+1)<<52)) // not below any radius in the octave
	x.bulk, x.shapes = x.largest, x.shapes[:0]
	if x.largest > limit {
		x.bulk = 0
		for i, radius := range x.agents.Radius {
			if radius > limit {
				p := x.agents.Position(uint32(i))
				x.shapes = append(x.shapes, Shape{ID: uint32(i), A: p, B: p, Radius: radius})
			} else {
				x.bulk = max(x.bulk, radius)
			}
		}
	}
	if len(x.shapes) > 0 || x.large.Len() > 0 {
		x.large.Build(x.shapes, 0, 0)
	}
}
