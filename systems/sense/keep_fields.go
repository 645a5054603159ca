package sense

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/field"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
)

// Keep keeps all fields, those that are being worked out as far as they are, and what they know of
// the crowd. What can be worked out anew with the same bits is not written: fields that do not go by
// the crowd, and are of the obstacles of the last step. Of the others a cell takes 12 bytes, some 18 with Every, and up to 33
// while it is worked out anew. Keep the Obstacles before.
func (f *Fields) Keep(a *frame.Archive) {
	keepIndex(a, &f.index, f.Obstacles.reach)
	floors, fields := len(f.floors), len(f.all)
	a.Keep(&f.version, &f.working, &f.changes, &f.worked, &f.looking, &f.looked, &floors, &fields)
	if a.Reading() {
		f.box, f.floors, f.all = f.index.Box(), nil, nil
	}
	for i := 0; i < floors && a.Err() == nil; i++ {
		if a.Reading() {
			f.floors = append(f.floors, &field.Floor{})
		}
		f.floors[i].Keep(a, &f.index)
	}
	var anew []int
	for i := 0; i < fields && a.Err() == nil; i++ {
		if a.Reading() {
			f.all = append(f.all, fieldOf{now: &field.Field{}, next: &field.Field{}})
		}
		if f.keep(a, &f.all[i]) {
			anew = append(anew, i)
		}
	}
	if a.Reading() && a.Err() == nil {
		f.workOut(anew)
		for i := range f.all {
			if c := f.all[i].crowding; c != nil && c.looking {
				c.like = f.like(i)
			}
		}
	}
}

// workOut works out fields that were not written. They share floors with none that were.
func (f *Fields) workOut(anew []int) {
	kept := f.floors
	f.floors = nil
	for _, i := range anew {
		x := &f.all[i]
		made := fieldOf{row: x.FlowField}
		f.begin(&made)
		f.march(&made, math.MaxInt)
		x.now, x.goals = made.next, made.Goals
	}
	f.floors = kept
}

// keep keeps a field, and tells whether it is to be worked out anew instead.
func (f *Fields) keep(a *frame.Archive, x *fieldOf) (anew bool) {
	floor, crowded := slices.Index(f.floors, x.floor), x.crowding != nil
	anew = !x.stale && !crowded && f.version == f.Obstacles.version+1
	a.Keep(&x.FlowField, &x.row, &x.stale, &x.marching, &x.slowed, &x.done, &floor, &crowded, &anew)
	if a.Reading() && a.Err() == nil {
		f.check(a, x, floor, crowded, anew)
	}
	if anew || a.Err() != nil {
		return anew
	}
	a.Keep(&x.goals)
	if all := (FlowField{Goals: x.goals}); len(all.Goals) > 0 && all.Check() != nil {
		a.Fail("%w", all.Check())
	}
	x.now.Keep(a)
	if crowded {
		x.crowding.keep(a, x)
	}
	if x.stale && x.marching && a.Err() == nil {
		f.keepNext(a, x)
	}
	return false
}

// check refuses what no field is like, and gives it its floor.
func (f *Fields) check(a *frame.Archive, x *fieldOf, floor int, crowded, anew bool) {
	for _, row := range []FlowField{x.FlowField, x.row} {
		if same := row.copy(); !row.same(&same) {
			a.Fail("%w", row.Check())
		}
	}
	switch {
	case floor < -1 || floor >= len(f.floors):
		a.Fail("field is over floor %d, want less than %d", floor, len(f.floors))
	case x.stale && (floor < 0 || !f.working) || !x.stale && !x.done || anew && (x.stale || crowded):
		a.Fail("field is worked out anew: %v, done: %v, over floor %d, and all are: %v", x.stale, x.done, floor, f.working)
	case x.stale && x.done && !x.marching || x.stale && x.marching && x.slowed && !crowded:
		a.Fail("field is done: %v, and has goals: %v, and a crowd: %v", x.done, x.marching, crowded)
	case floor >= 0:
		x.floor = f.floors[floor]
	}
	if x.stale && x.marching && a.Err() == nil && !x.floor.Done(&f.index) {
		a.Fail("field has goals, but its floor is not closed")
	}
	if crowded {
		x.crowding = &crowding{}
	}
}

// keepNext keeps the field that is being worked out.
func (f *Fields) keepNext(a *frame.Archive, x *fieldOf) {
	a.Keep(&x.portals)
	if err := x.portals.Check(); err != nil {
		a.Fail("%w", err)
	}
	slow := x.floor.Slow
	if x.slowed {
		slow = x.crowding.slow
	}
	x.next.KeepMarch(a, x.floor.Grid, slow)
	if a.Reading() && a.Err() == nil {
		f.lead(x)
	}
}

// keep keeps what a field knows of a crowd, and how slow cells are as far as that is known for the next field.
func (c *crowding) keep(a *frame.Archive, x *fieldOf) {
	var slow []float32
	if x.stale {
		slow = c.slow[:c.filled]
	}
	a.Keep(&c.min, &c.size, &c.columns, &c.rows, &c.averages, &c.looks, &c.looked, &c.begun, &c.looking, &slow)
	if c.looking {
		a.Keep(&c.counts)
	} else if a.Reading() {
		c.counts = make([]count, len(c.averages))
	}
	if !a.Reading() || a.Err() != nil {
		return
	}
	c.slow, c.filled = slow, len(slow)
	n := len(c.averages)
	switch {
	case n > 0 && (c.columns < 1 || c.columns > n || n%c.columns != 0 || n/c.columns != c.rows) || n == 0 && (c.columns != 0 || c.rows != 0) || len(c.counts) != n:
		a.Fail("net has %d columns and %d rows, %d averages, and %d counts", c.columns, c.rows, n, len(c.counts))
	case n > 0 && !(c.size > 0 && c.size <= math.MaxFloat64) || !vec.Finite(c.min):
		a.Fail("net begins at %v, with %v m between nodes, want finite numbers", c.min, c.size)
	case c.looked-c.looked != 0 || c.begun-c.begun != 0 || c.looks < 0:
		a.Fail("crowd was looked at %d times, the last time at %v s, and the field begun at %v s", c.looks, c.looked, c.begun)
	case !x.stale && len(slow) > 0 || x.stale && len(slow) > x.floor.Len():
		a.Fail("field knows how slow %d cells are, which is too many", len(slow))
	}
	for i, v := range c.averages {
		if !(v.covered >= 0 && v.covered <= math.MaxFloat64 && math.Abs(v.moving) <= math.MaxFloat64) {
			a.Fail("average %d of a crowd is %v, want finite numbers", i, v)
			return
		}
	}
	field.CheckSlow(a, slow)
}
