package sense

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/field"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// DefaultCells is the default of Fields.Cells: about two milliseconds of work per step.
const DefaultCells = 20_000

const mostCells = 4_000_000

// Fields holds, for each field in FlowFields, the length and direction of the shortest path from every
// position to the goals. Paths lead through portals, from the entrance box to the center of the exit box. A
// row that FlowField.Check rejects has no paths.
//
// A new field is computed at once. If its row or the obstacles change, it is recomputed over several steps,
// for the obstacles at the start of these steps; meanwhile, the old field remains. Changed rows come first,
// then the field that has waited longest. If a row keeps changing, it alternates with that field.
type Fields struct {
	Obstacles *Obstacles // must not be nil
	Cells     int        // maximum number of cells processed per step, plus the rest of a row of cells; 0 means DefaultCells

	all     []fieldOf
	ground  *ground // for new fields
	yields  bool    // the last completed field's row has changed again, so the field that has waited longest is next
	updates uint64
	changes uint64 // number of completed fields
	worked  int
	looking bool    // bodies are being counted
	looked  float64 // s, start of the sample
}

// ground holds the obstacles and portals for which fields are computed.
type ground struct {
	version uint64 // 1 + version of the obstacles
	index   space.Index
	portals Portals
	bounds  r2.Box // m; zero means none
	floors  []*field.Floor
}

type fieldOf struct {
	row       FlowField
	now, next *solution // next is nil until needed
	working   bool      // next is being computed
	since     uint64    // update in which the current field became outdated; 0 means that it is up to date
	crowding  *crowding // only if Every is above 0
}

type solution struct {
	field.Field
	row      FlowField
	ground   *ground
	floor    *field.Floor
	slowed   bool      // slowed by the crowd
	slow     []float32 // slowness of each cell, if slowed
	filled   int       // elements of slow computed so far
	marching bool      // goals are set
}

// Set sets the fields to those of a table. It computes new fields at once, and leaves changed fields to
// Update. It removes no fields: those beyond the end of a shorter table stay.
func (f *Fields) Set(fields FlowFields) {
	for i := range min(len(f.all), len(fields)) {
		x := &f.all[i]
		if x.row.same(&fields[i]) {
			continue
		}
		if x.now.row.same(&x.row) {
			x.working = false // restart for the new row
		}
		x.row = fields[i].copy()
	}
	for i := len(f.all); i < len(fields); i++ {
		f.survey()
		x := fieldOf{row: fields[i].copy()}
		f.begin(&x)
		if same := f.present(x.next); same != nil {
			x.next.Copy(&same.Field)
			f.finish(&x)
		} else {
			f.march(&x, math.MaxInt)
		}
		f.all = append(f.all, x)
	}
}

func (f *Fields) present(n *solution) *solution {
	for i := range f.all {
		if o := f.all[i].now; o.floor == n.floor && o.row.same(&n.row) && !o.slowed && !n.slowed {
			return o
		}
	}
	return nil
}

// Update averages the bodies counted since Look, and continues to compute outdated fields.
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

// Worked returns the number of cells that the last Update processed. New fields do not count.
func (f *Fields) Worked() int { return f.worked }

// UpToDate reports whether a field exists and matches its row and the obstacles of the last step. It ignores
// FlowField.Every.
func (f *Fields) UpToDate(index uint32) bool {
	if int(index) >= len(f.all) {
		return false
	}
	x := &f.all[index]
	return x.now.row.same(&x.row) && x.now.ground.version == f.Obstacles.version+1
}

func (f *Fields) survey() {
	if f.ground != nil && f.ground.version == f.Obstacles.version+1 {
		return
	}
	f.ground = &ground{version: f.Obstacles.version + 1, portals: f.Obstacles.Portals(), bounds: f.Obstacles.Bounds}
	f.ground.index.Build(f.Obstacles.shapes, f.Obstacles.reach, 0)
}

// first returns the outdated field to compute next, or nil. A field in progress stays first until a row
// changes.
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

// before reports whether x is computed before o, which comes earlier in the table.
func (f *Fields) before(x, o *fieldOf) bool {
	if changed := !x.now.row.same(&x.row); changed != !o.now.row.same(&o.row) {
		return changed != f.yields
	}
	return x.since < o.since
}

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

// march continues a field for the given number of cells, and returns the number left. A complete field
// replaces its predecessor.
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
		f.finish(x)
	}
	return cells
}

func (f *Fields) finish(x *fieldOf) {
	x.now, x.next = x.next, x.now
	x.working, x.since, f.yields = false, 0, !x.now.row.same(&x.row)
	if x.next != nil {
		x.next.ground, x.next.floor = nil, nil
	}
	f.changes++
}

func (f *Fields) sweep() {
	f.ground.floors = slices.DeleteFunc(f.ground.floors, func(o *field.Floor) bool {
		return !slices.ContainsFunc(f.all, func(x fieldOf) bool { return x.now.floor == o || x.working && x.next.floor == o })
	})
}

// floor returns the floor for a row. Equal floors are shared.
func (g *ground) floor(row *FlowField) *field.Floor {
	own := g.layOut(row)
	for _, o := range g.floors {
		if o.Grid == own.Grid && o.Radius == own.Radius && slices.Equal(o.Costs, own.Costs) {
			return o
		}
	}
	floor := own // a copy on the heap
	g.floors = append(g.floors, &floor)
	return &floor
}

// widestBox bounds all fields, so that their size is finite.
var widestBox = r2.Box{Min: r2.Vec{X: -1e100, Y: -1e100}, Max: r2.Vec{X: 1e100, Y: 1e100}}

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
	most *= 4 // for a body as wide as the floor
	with := r2.Vec{X: size.X + float64(2*radius), Y: size.Y + float64(2*radius)}
	cell = max(cell, math.Sqrt(with.X*with.Y/most), max(with.X, with.Y)/most)
	if cell == 0 {
		cell = 1
	}
	const margin = 4 // cells, so that paths around all obstacles exist
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

// clip limits n cells along an axis, from low upward, so that their centers lie between two bounds. It returns
// their new lower coordinate and their number, at least one.
func clip(low float64, n int, cell, from, to float64) (float64, int) {
	last := min(low+float64(float64(n)*cell), to)
	low = min(max(low, from), max(to-cell, from))
	return low, max(min(n, int(math.Round((last-low)/cell))), 1)
}

func union(a, b r2.Box) r2.Box {
	return r2.Box{
		Min: r2.Vec{X: min(a.Min.X, b.Min.X), Y: min(a.Min.Y, b.Min.Y)},
		Max: r2.Vec{X: max(a.Max.X, b.Max.X), Y: max(a.Max.Y, b.Max.Y)},
	}
}

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

// startAt starts a field at the box g, way meters from the goals, and in the surrounding cells from which the
// path to the box is straight.
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

// Read returns the length, in m, of the path from p to the goals of a field, and the path's direction at p, a
// unit vector, or zero at a goal. It returns +Inf and the zero vector if there is no path or no such field.
// Systems may call Read in Run.
func (f *Fields) Read(index uint32, p r2.Vec) (way float64, toward r2.Vec) {
	if int(index) >= len(f.all) {
		return math.Inf(1), r2.Vec{}
	}
	way, toward, _ = f.all[index].now.read(p)
	return way, toward
}

// read is like Fields.Read, and also reports whether p is so near the goal that the path is straight.
func (n *solution) read(p r2.Vec) (way float64, toward r2.Vec, straight bool) {
	const cells = 3
	way, toward = n.Read(p)
	if way >= cells*n.Cell {
		return way, toward, false
	}
	_, goal := n.nearest(p)
	to := vec.Sub(goal, p)
	d := vec.Norm(to)
	if d > 2*cells*n.Cell { // the goal is beyond a portal
		return way, toward, false
	}
	return d, vec.Unit(to), true
}

// Cell returns the cell width of a field in m, or 0 if there is no such field.
func (f *Fields) Cell(index uint32) float64 {
	if int(index) >= len(f.all) {
		return 0
	}
	return f.all[index].now.Cell
}

// Goal returns the field's goal nearest to p in a straight line, or the zero box if there is none.
// After a change of goals, it returns an old goal until Update has recomputed the field.
func (f *Fields) Goal(index uint32, p r2.Vec) (goal r2.Box) {
	if int(index) < len(f.all) {
		goal, _ = f.all[index].now.nearest(p)
	}
	return goal
}

// nearest returns the goal nearest to p, and that goal's point nearest to p. Both are zero without goals.
func (n *solution) nearest(p r2.Vec) (goal r2.Box, at r2.Vec) {
	least := math.Inf(1)
	for _, g := range n.row.Goals {
		q := vec.Clamp(p, g)
		if d := vec.Norm2(vec.Sub(q, p)); d < least {
			goal, at, least = g, q, d
		}
	}
	return goal, at
}
