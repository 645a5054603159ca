package sense

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/field"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// FlowFields is the resource that holds the goals of which each agent with FlowField goes to
// one. Append to it and change it between two steps.
type FlowFields []FlowField

// FlowField is where a field leads: to the nearest of some goals, by the way round obstacles. With
// Every, it is the goal that is reached first among the people who are there, by a field that is
// worked out anew that often: each place is as slow as they are, so a way is as long as it takes,
// in m of a free walk.
// Source: Kretz et al. 2011, "Quickest paths in simulations of pedestrians", with speeds that are measured.
type FlowField struct {
	Goals  []r2.Box // m; a point is a box without a size
	Radius float64  // m, of the bodies that there is room for on the way
	Cell   float64  // m, width of a cell; 0: Radius, or a 500th of the area if that is 0. In the narrowest door there must be room for one and a half beside a body
	Every  float64  // s, from one look at the crowd to the next, for the quickest way; 0: none, the way is the shortest
	Most   int      // how many cells there are at most: where there would be more, they are wider; 0: 4 million
}

// Check returns an error that names what is not allowed in a field.
func (f *FlowField) Check() error {
	if len(f.Goals) == 0 {
		return errors.New("flow field has no goals, want 1 or more")
	}
	for i, g := range f.Goals {
		if !vec.Finite(g.Min) || !vec.Finite(g.Max) || !(g.Min.X <= g.Max.X && g.Min.Y <= g.Max.Y) {
			return fmt.Errorf("goal %d of flow field is %v, want finite corners, the first one below and left of the second", i, g)
		}
	}
	switch {
	case !(f.Radius >= 0) || math.IsInf(f.Radius, 1):
		return fmt.Errorf("radius of flow field is %v m, want a finite number, 0 or more", f.Radius)
	case !(f.Every >= 0) || math.IsInf(f.Every, 1):
		return fmt.Errorf("every of flow field is %v s, want a finite number, 0 or more", f.Every)
	case !(f.Cell >= 0) || math.IsInf(f.Cell, 1):
		return fmt.Errorf("cell of flow field is %v m, want a finite number, 0 or more", f.Cell)
	}
	return nil
}

// DefaultCells is how many cells Fields works on in a step, when obstacles have changed: about
// two milliseconds' work.
const DefaultCells = 20_000

// mostCells is how many a field has at most, if it does not say.
const mostCells = 4_000_000

// Fields has the length of the way from every place to the goals of each of FlowFields, and
// where it leads. A new field is worked out at once. When obstacles change, all are worked out
// anew, and when its row changes one is, over some steps; the old ones are in use until then. Ways
// lead through portals, from the middle of the box where one comes out. A
// row that Check refuses is a field without a way.
type Fields struct {
	Obstacles *Obstacles // to go round
	Cells     int        // how many cells a step works on; 0: DefaultCells

	all     []fieldOf
	floors  []*field.Floor // of those that are worked on
	index   space.Index
	box     r2.Box  // m, around the obstacles in the index
	version uint64  // of the obstacles that were copied, counted from 1
	working bool    // fields are being worked out anew
	changes uint64  // counts how often a field took the place of an older one
	worked  int     // cells, in the last Update
	looking bool    // bodies are being counted
	looked  float64 // s, when that began
}

// fieldOf is a field as it is, and as it will be.
type fieldOf struct {
	FlowField           // that next is for
	row       FlowField // of the table
	goals     []r2.Box  // of now
	now, next *field.Field
	floor     *field.Floor // of next
	crowding  *crowding    // of the row, if it has Every
	portals   Portals      // through which next leads
	stale     bool         // next is to take the place of now
	marching  bool         // next has its goals
	slowed    bool         // by the crowding
	done      bool
}

// Set makes the fields those of a table: the new ones at once, and those that have changed with
// the next calls of Update.
func (f *Fields) Set(fields FlowFields) {
	for i := range min(len(f.all), len(fields)) {
		if x := &f.all[i]; !x.row.same(&fields[i]) {
			x.row = fields[i].copy()
		}
	}
	if len(f.all) == 0 && len(fields) > 0 {
		f.renew()
		f.work(0)
	}
	for i := len(f.all); i < len(fields); i++ {
		x := fieldOf{row: fields[i].copy()}
		f.begin(&x)
		f.march(&x, math.MaxInt)
		x.now, x.next, x.goals = x.next, &field.Field{}, x.Goals
		x.stale, x.marching, x.done = f.working, false, !f.working
		f.all = append(f.all, x)
		f.changes++
	}
}

// copy returns a row with goals of its own, or without any if it is not allowed.
func (f *FlowField) copy() FlowField {
	if f.Check() != nil {
		return FlowField{}
	}
	row := *f
	row.Goals = slices.Clone(f.Goals)
	return row
}

// same tells whether a row is still the same.
func (f *FlowField) same(row *FlowField) bool {
	return f.Radius == row.Radius && f.Every == row.Every && f.Cell == row.Cell && f.Most == row.Most && slices.Equal(f.Goals, row.Goals)
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
	if !f.working {
		if f.version != f.Obstacles.version+1 {
			f.renew()
		} else {
			f.turn()
		}
	}
	if f.working {
		cells := f.Cells
		if cells <= 0 {
			cells = DefaultCells
		}
		f.worked = cells - f.work(cells)
	}
}

// Worked returns how many cells the last Update worked on: as many as Cells allows at most, and the
// rest of a row of cells that it was closing. A field that is new in the table is not counted.
func (f *Fields) Worked() int { return f.worked }

// turn begins to work out those fields anew whose rows have changed, or whose time has come.
func (f *Fields) turn() {
	for i := range f.all {
		if x := &f.all[i]; !x.FlowField.same(&x.row) || x.crowding != nil && x.crowding.due(x.Every) {
			f.begin(x)
			f.working = true
		}
	}
}

// renew begins to work out all fields anew.
func (f *Fields) renew() {
	f.version, f.working = f.Obstacles.version+1, true
	f.index.Build(f.Obstacles.shapes, f.Obstacles.reach, 0)
	f.box = f.index.Box()
	f.floors = nil
	for i := range f.all {
		f.begin(&f.all[i])
	}
}

// work goes on with fields that are out of date, for this many cells, and returns how many are left.
func (f *Fields) work(cells int) (left int) {
	for i := range f.all {
		if x := &f.all[i]; !x.done {
			if cells = f.march(x, cells); cells <= 0 {
				return cells
			}
		}
	}
	for i := range f.all {
		if x := &f.all[i]; x.stale {
			x.now, x.next, x.goals, x.stale = x.next, x.now, x.Goals, false
			if c := x.crowding; c != nil {
				c.slow, c.older = c.older, c.slow
			}
		}
	}
	f.working = false
	f.floors = slices.DeleteFunc(f.floors, func(o *field.Floor) bool {
		return !slices.ContainsFunc(f.all, func(x fieldOf) bool { return x.crowding != nil && x.floor == o })
	})
	f.changes++
	return cells
}

// begin begins to work out a field.
func (f *Fields) begin(x *fieldOf) {
	x.FlowField = x.row
	own := f.layOut(x)
	i := slices.IndexFunc(f.floors, func(o *field.Floor) bool { return o.Grid == own.Grid && o.Radius == own.Radius })
	if i < 0 {
		floor := own // in memory of its own
		i, f.floors = len(f.floors), append(f.floors, &floor)
	}
	x.floor, x.stale, x.marching, x.done = f.floors[i], true, false, false
	if x.next == nil {
		x.next = &field.Field{}
	}
	if x.Every == 0 {
		x.crowding = nil
	} else if c := x.crowding; c != nil {
		c.begun, c.filled = c.looked, 0
	}
}

// widestBox is as far as fields reach, so that their size is finite.
var widestBox = r2.Box{Min: r2.Vec{X: -1e100, Y: -1e100}, Max: r2.Vec{X: 1e100, Y: 1e100}}

// layOut returns a floor for a field, around all obstacles and goals.
func (f *Fields) layOut(x *fieldOf) field.Floor {
	box := f.box
	for i, g := range x.Goals {
		if f.box == (r2.Box{}) && i == 0 {
			box = g
		}
		box = union(box, g)
	}
	for _, p := range f.Obstacles.Portals() {
		box = union(union(box, p.From), p.To)
	}
	box = r2.Box{Min: vec.Clamp(box.Min, widestBox), Max: vec.Clamp(box.Max, widestBox)}
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
	return field.Floor{Radius: x.Radius, Grid: field.Grid{
		Min: r2.Vec{X: box.Min.X - edge, Y: box.Min.Y - edge}, Cell: cell,
		Columns: int(math.Ceil((size.X + float64(2*edge)) / cell)),
		Rows:    int(math.Ceil((size.Y + float64(2*edge)) / cell)),
	}}
}

// union returns the smallest box around two.
func union(a, b r2.Box) r2.Box {
	return r2.Box{
		Min: r2.Vec{X: min(a.Min.X, b.Min.X), Y: min(a.Min.Y, b.Min.Y)},
		Max: r2.Vec{X: max(a.Max.X, b.Max.X), Y: max(a.Max.Y, b.Max.Y)},
	}
}

// march goes on with a field for this many cells, and returns how many are left.
func (f *Fields) march(x *fieldOf, cells int) (left int) {
	if cells = x.floor.Close(&f.index, cells); !x.floor.Done(&f.index) {
		return min(cells, 0)
	}
	if !x.marching {
		slow := x.floor.Slow
		if x.crowding != nil {
			done := false
			if cells, done = x.crowding.fill(x.floor, cells); !done {
				return 0
			}
			slow = x.crowding.slow
		}
		x.marching, x.slowed, x.portals = true, x.crowding != nil, f.Obstacles.Portals()
		x.next.Reset(x.floor.Grid, slow, 1)
		for _, g := range x.Goals {
			f.start(x.next, g, x.Radius, 0)
		}
		f.lead(x)
	}
	before := x.next.Steps()
	x.done = x.next.March(cells)
	return cells - (x.next.Steps() - before)
}

// lead leads a field that is worked out through its portals.
func (f *Fields) lead(x *fieldOf) {
	next, radius := x.next, x.Radius
	for _, p := range x.portals {
		next.Lead(field.Exit{Cell: next.At(p.exit()), Reached: func(way float64) {
			f.start(next, p.From, radius, way+p.Length)
		}})
	}
}

// start begins a field at a goal, or at a portal from where the way is so long: with the cells around
// it from where the way there is straight.
func (f *Fields) start(x *field.Field, g r2.Box, radius, way float64) {
	const cells = 5
	x.StartAround(g, float64(cells*x.Cell), way, func(from, to r2.Vec) bool {
		way := vec.Sub(to, from)
		length := vec.Norm(way)
		if length == 0 {
			return true
		}
		_, hit := f.index.Sweep(from, vec.Scale(1/length, way), length, 0.9*radius)
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
	way, toward, _ = f.all[index].read(p)
	return way, toward
}

// read returns the way from a place, where it leads, and whether that is straight to the goal.
func (x *fieldOf) read(p r2.Vec) (way float64, toward r2.Vec, straight bool) {
	const cells = 3
	way, toward = x.now.Read(p)
	if way >= cells*x.now.Cell {
		return way, toward, false
	}
	to := vec.Sub(x.nearest(p), p)
	d := vec.Norm(to)
	if d > 2*cells*x.now.Cell { // the goal is behind a portal
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

// nearest returns the point of the goals that is nearest to p.
func (x *fieldOf) nearest(p r2.Vec) (at r2.Vec) {
	least := math.Inf(1)
	for _, g := range x.goals {
		q := vec.Clamp(p, g)
		if d := vec.Norm2(vec.Sub(q, p)); d < least {
			at, least = q, d
		}
	}
	return at
}
