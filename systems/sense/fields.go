package sense

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/field"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// DefaultCells is how many cells Fields works on in a step, when obstacles have changed: about
// two milliseconds' work.
const DefaultCells = 20_000

// mostCells is how many a field has at most, if it does not say.
const mostCells = 4_000_000

// Fields has the length of the way from every place to the goals of each of FlowFields, and
// where it leads. A new field is worked out at once. One whose row has changed, or whose obstacles have,
// is worked out anew over some steps, and takes the place of the old one as soon as it is done: rows that have changed
// come first, then the field that has waited longest, which has every other turn while a row changes all the time. Each is worked out over the obstacles as they were when it was begun. Ways
// lead through portals, from the middle of the box where one comes out. A
// row that Check refuses is a field without a way.
type Fields struct {
	Obstacles *Obstacles // to go round
	Cells     int        // how many cells a step works on; 0: DefaultCells

	all     []fieldOf
	ground  *ground // that new fields are worked out over
	yields  bool    // the row of the field that was done last has changed again: the one that has waited longest has its turn
	updates uint64  // counts calls of Update
	changes uint64  // counts how often a field took the place of an older one
	worked  int     // cells, in the last Update
	looking bool    // bodies are being counted
	looked  float64 // s, when that began
}

// ground is the obstacles and the portals as they were when fields were begun.
type ground struct {
	version uint64 // of the obstacles, counted from 1
	index   space.Index
	portals Portals
	bounds  r2.Box         // m, that no way leaves; zero: none
	floors  []*field.Floor // that fields are worked out over
}

// fieldOf is a field as agents read it, and as it will be.
type fieldOf struct {
	row       FlowField // of the table
	now, next *solution // next is nil until it is needed
	working   bool      // next is being worked out
	since     uint64    // the update in which now was found to be out of date; 0: it is up to date
	crowding  *crowding // of the row, if it has Every
}

// solution is a field that is worked out, or is being, and what it follows from.
type solution struct {
	field.Field
	row      FlowField
	ground   *ground
	floor    *field.Floor
	slowed   bool      // by the crowd
	slow     []float32 // s/m, of each cell, if it is slowed
	filled   int       // cells of slow
	marching bool      // it has its goals
}

// Set makes the fields those of a table: the new ones at once, and those that have changed with
// the next calls of Update.
func (f *Fields) Set(fields FlowFields) {
	for i := range min(len(f.all), len(fields)) {
		x := &f.all[i]
		if x.row.same(&fields[i]) {
			continue
		}
		if x.now.row.same(&x.row) {
			x.working = false // it was for obstacles or a crowd: the new row comes first
		}
		x.row = fields[i].copy()
	}
	for i := len(f.all); i < len(fields); i++ {
		f.survey()
		x := fieldOf{row: fields[i].copy()}
		f.begin(&x)
		f.march(&x, math.MaxInt)
		f.all = append(f.all, x)
	}
}

// Update goes on with the fields that are out of date, for some cells.
func (f *Fields) Update() {
	f.worked = 0
	if len(f.all) == 0 {
		return
	}
	if f.looking {
		f.take()
	}
	f.updates++
	f.survey()
	cells := f.Cells
	if cells <= 0 {
		cells = DefaultCells
	}
	left := cells
	for left > 0 {
		x := f.first()
		if x == nil {
			break
		}
		if !x.working {
			f.begin(x)
		}
		left = f.march(x, left)
	}
	f.worked = cells - left
}

// Worked returns how many cells the last Update worked on: as many as Cells allows at most, and the
// rest of a row of cells that it was closing. A field that is new in the table is not counted.
func (f *Fields) Worked() int { return f.worked }

// UpToDate reports whether a field is that of its row, and goes round the obstacles as they were, in the last step: false
// while it is worked out anew, and if there is no such field. Every does not count.
func (f *Fields) UpToDate(index uint32) bool {
	if int(index) >= len(f.all) {
		return false
	}
	x := &f.all[index]
	return x.now.row.same(&x.row) && x.now.ground.version == f.Obstacles.version+1
}

// survey makes the ground that of the obstacles as they are.
func (f *Fields) survey() {
	if f.ground != nil && f.ground.version == f.Obstacles.version+1 {
		return
	}
	f.ground = &ground{version: f.Obstacles.version + 1, portals: f.Obstacles.Portals(), bounds: f.Obstacles.Bounds}
	f.ground.index.Build(f.Obstacles.shapes, f.Obstacles.reach, 0)
}

// first returns the field that comes next of those that are out of date; nil if there is none. One that is being
// worked out stays first, unless a row changes.
func (f *Fields) first() (first *fieldOf) {
	for i := range f.all {
		x := &f.all[i]
		if !x.working && x.now.row.same(&x.row) && x.now.ground == f.ground && !(x.crowding != nil && x.crowding.due(x.row.Every)) {
			continue
		}
		if x.since == 0 {
			x.since = f.updates
		}
		if first == nil || f.before(x, first) {
			first = x
		}
	}
	return first
}

// before reports whether a field comes before one ahead of it in the table.
func (f *Fields) before(x, o *fieldOf) bool {
	if changed := !x.now.row.same(&x.row); changed != !o.now.row.same(&o.row) {
		return changed != f.yields
	}
	return x.since < o.since
}

// begin begins to work out a field.
func (f *Fields) begin(x *fieldOf) {
	if x.next == nil {
		x.next = &solution{}
	}
	if x.row.Every == 0 {
		x.crowding = nil
	}
	f.sweep()
	n := x.next
	n.row, n.ground, n.floor = x.row, f.ground, f.ground.floor(&x.row)
	n.slowed, n.filled, n.marching = x.crowding != nil, 0, false
	if x.crowding != nil {
		x.crowding.begun = x.crowding.looked
	}
	x.working = true
}

// march goes on with a field for this many cells, and returns how many are left. When it is done, it takes the place of the old one.
func (f *Fields) march(x *fieldOf, cells int) (left int) {
	n := x.next
	if cells = n.floor.Close(&n.ground.index, cells); !n.floor.Done(&n.ground.index) {
		return min(cells, 0)
	}
	if !n.marching {
		if n.slowed {
			done := false
			if cells, done = x.crowding.fill(n, cells); !done {
				return 0
			}
		}
		n.start()
	}
	before := n.Steps()
	done := n.March(cells)
	if cells -= n.Steps() - before; done {
		x.now, x.next = n, x.now
		x.working, x.since, f.yields = false, 0, !n.row.same(&x.row)
		if x.next != nil {
			x.next.ground, x.next.floor = nil, nil
		}
		f.changes++
	}
	return cells
}

// sweep forgets the floors over which no field is worked out any more.
func (f *Fields) sweep() {
	f.ground.floors = slices.DeleteFunc(f.ground.floors, func(o *field.Floor) bool {
		return !slices.ContainsFunc(f.all, func(x fieldOf) bool { return x.now.floor == o || x.working && x.next.floor == o })
	})
}

// floor returns that for a row, which fields share.
func (g *ground) floor(row *FlowField) *field.Floor {
	own := g.layOut(row)
	for _, o := range g.floors {
		if o.Grid == own.Grid && o.Radius == own.Radius && slices.Equal(o.Costs, own.Costs) {
			return o
		}
	}
	floor := own // in memory of its own
	g.floors = append(g.floors, &floor)
	return &floor
}

// widestBox is as far as fields reach, so that their size is finite.
var widestBox = r2.Box{Min: r2.Vec{X: -1e100, Y: -1e100}, Max: r2.Vec{X: 1e100, Y: 1e100}}

// layOut returns a floor for a field, around all obstacles and goals.
func (g *ground) layOut(x *FlowField) field.Floor {
	around := g.index.Box()
	box := around
	for i, g := range x.Goals {
		if around == (r2.Box{}) && i == 0 {
			box = g
		}
		box = union(box, g)
	}
	for _, p := range g.portals {
		box = union(union(box, p.From), p.To)
	}
	box = r2.Box{Min: vec.Clamp(inside(g.bounds, box.Min), widestBox), Max: vec.Clamp(inside(g.bounds, box.Max), widestBox)}
	size, radius := vec.Sub(box.Max, box.Min), min(x.Radius, widestBox.Max.X)
	cell := min(x.Cell, widestBox.Max.X)
	if cell == 0 {
		cell = radius
	}
	if cell == 0 {
		cell = max(size.X, size.Y) / 500
	}
	most := float64(mostCells)
	if x.Most > 0 {
		most = float64(x.Most)
	}
	cell = max(cell, math.Sqrt(size.X*size.Y/most), max(size.X, size.Y)/most)
	most *= 4 // for a body as wide as all the rest
	with := r2.Vec{X: size.X + float64(2*radius), Y: size.Y + float64(2*radius)}
	cell = max(cell, math.Sqrt(with.X*with.Y/most), max(with.X, with.Y)/most)
	if cell == 0 {
		cell = 1
	}
	const margin = 4 // cells, so that there is a way around all obstacles
	edge := float64(margin*cell) + radius
	grid := field.Grid{
		Min: r2.Vec{X: box.Min.X - edge, Y: box.Min.Y - edge}, Cell: cell,
		Columns: int(math.Ceil((size.X + float64(2*edge)) / cell)),
		Rows:    int(math.Ceil((size.Y + float64(2*edge)) / cell)),
	}
	if bounds := g.bounds; bounds != (r2.Box{}) {
		grid.Min.X, grid.Columns = clip(grid.Min.X, grid.Columns, cell, bounds.Min.X, bounds.Max.X)
		grid.Min.Y, grid.Rows = clip(grid.Min.Y, grid.Rows, cell, bounds.Min.Y, bounds.Max.Y)
	}
	return field.Floor{Radius: x.Radius, Costs: x.Costs, Grid: grid}
}

// clip returns where cells begin along an axis and how many there are when those are left out whose
// middles are not between two bounds. One at least is left.
func clip(low float64, n int, cell, from, to float64) (float64, int) {
	last := min(low+float64(float64(n)*cell), to)
	low = min(max(low, from), max(to-cell, from))
	return low, max(min(n, int(math.Round((last-low)/cell))), 1)
}

// union returns the smallest box around two.
func union(a, b r2.Box) r2.Box {
	return r2.Box{
		Min: r2.Vec{X: min(a.Min.X, b.Min.X), Y: min(a.Min.Y, b.Min.Y)},
		Max: r2.Vec{X: max(a.Max.X, b.Max.X), Y: max(a.Max.Y, b.Max.Y)},
	}
}

// start gives a solution its goals, and leads it through its portals.
func (n *solution) start() {
	slow := n.floor.Slow
	if n.slowed {
		slow = n.slow
	}
	n.marching = true
	n.Reset(n.floor.Grid, slow, 1)
	for _, g := range n.row.Goals {
		n.startAt(g, 0)
	}
	for _, p := range n.ground.portals {
		n.Lead(field.Exit{Cell: n.At(p.exit()), Reached: func(way float64) { n.startAt(p.From, way+p.Length) }})
	}
}

// startAt begins a field at a goal, or at a portal from where the way is so long: with the cells around
// it from where the way there is straight.
func (n *solution) startAt(g r2.Box, way float64) {
	const cells = 5
	g = r2.Box{Min: inside(n.ground.bounds, g.Min), Max: inside(n.ground.bounds, g.Max)}
	n.StartAround(g, float64(cells*n.Cell), way, func(from, to r2.Vec) bool {
		way := vec.Sub(to, from)
		length := vec.Norm(way)
		if length == 0 {
			return true
		}
		_, hit := n.ground.index.Sweep(from, vec.Scale(1/length, way), length, 0.9*n.row.Radius)
		return !hit
	})
}

// Read returns how long the way to the goals of a field is from a place, in m, and where it
// leads, a unit vector; infinity and zero where there is none. It may be called in Run, from
// any worker.
func (f *Fields) Read(index uint32, p r2.Vec) (way float64, toward r2.Vec) {
	if int(index) >= len(f.all) {
		return math.Inf(1), r2.Vec{}
	}
	way, toward, _ = f.all[index].now.read(p)
	return way, toward
}

// read returns the way from a place, where it leads, and whether that is straight to the goal.
func (n *solution) read(p r2.Vec) (way float64, toward r2.Vec, straight bool) {
	const cells = 3
	way, toward = n.Read(p)
	if way >= cells*n.Cell {
		return way, toward, false
	}
	to := vec.Sub(n.nearest(p), p)
	d := vec.Norm(to)
	if d > 2*cells*n.Cell { // the goal is behind a portal
		return way, toward, false
	}
	return d, vec.Unit(to), true
}

// Cell returns how wide the cells of a field are, in m; 0 if there is no such field.
func (f *Fields) Cell(index uint32) float64 {
	if int(index) >= len(f.all) {
		return 0
	}
	return f.all[index].now.Cell
}

// Goal returns the goal of a field, as agents read it now, that is nearest to a place; an empty box if there is no such field.
func (f *Fields) Goal(index uint32, p r2.Vec) (goal r2.Box) {
	least := math.Inf(1)
	if int(index) < len(f.all) {
		for _, g := range f.all[index].now.row.Goals {
			if d := vec.Norm2(vec.Sub(vec.Clamp(p, g), p)); d < least {
				goal, least = g, d
			}
		}
	}
	return goal
}

// nearest returns the point of the goals that is nearest to p.
func (n *solution) nearest(p r2.Vec) (at r2.Vec) {
	least := math.Inf(1)
	for _, g := range n.row.Goals {
		q := vec.Clamp(p, g)
		if d := vec.Norm2(vec.Sub(q, p)); d < least {
			at, least = q, d
		}
	}
	return at
}
