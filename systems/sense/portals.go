package sense

import (
	"fmt"
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Portals is the resource that holds the portals of a world: see systems.Portals. Change it only between
// steps. A table that Check rejects counts as empty.
type Portals []Portal

// Portal takes agents from one box to another, as stairs, an elevator or a tunnel do. It leads one way.
type Portal struct {
	From   r2.Box  // m; agents strictly inside are taken to To
	To     r2.Box  // m; corners of From map to the corresponding corners of To
	Length float64 // m, of the passage, for pathfinding; 0 or more
}

// Check returns, as an error, the fault that Fault finds, or nil if there is none.
func (all Portals) Check() error {
	if i, fault := all.Fault(); fault != "" {
		return fmt.Errorf("portal %d %s", i, fault)
	}
	return nil
}

// Fault returns the index and the fault of the first portal with an invalid value, or else of the first that
// leads into a portal. If all are valid, it returns 0 and "".
func (all Portals) Fault() (portal int, fault string) {
	for i, p := range all {
		size := vec.Sub(p.From.Max, p.From.Min)
		switch {
		case !(size.X > 0 && size.Y > 0) || !vec.Finite(size):
			return i, fmt.Sprintf("leads from %v, want a box with finite sides above 0", p.From)
		case !validBox(p.To):
			return i, fmt.Sprintf("leads to %v, want finite corners, the lower-left one first", p.To)
		case !(p.Length >= 0) || math.IsInf(p.Length, 1):
			return i, fmt.Sprintf("has the length %v m, want a finite number, 0 or more", p.Length)
		}
	}
	for i, p := range all {
		if k := slices.IndexFunc(all, func(q Portal) bool { return overlap(&p.To, &q.From) }); k >= 0 {
			return i, fmt.Sprintf("leads into portal %d, want disjoint boxes: an agent that comes out would enter portal %[1]d at once", k)
		}
	}
	return 0, ""
}

func overlap(a, b *r2.Box) bool {
	return a.Max.X > b.Min.X && a.Min.X < b.Max.X && a.Max.Y > b.Min.Y && a.Min.Y < b.Max.Y
}

// Through returns the position where an agent at p comes out of the first portal whose From contains p,
// edges excluded, or p and false if there is none.
func (all Portals) Through(p r2.Vec) (r2.Vec, bool) {
	for i := range all {
		if f := &all[i].From; p.X > f.Min.X && p.X < f.Max.X && p.Y > f.Min.Y && p.Y < f.Max.Y {
			t := &all[i].To
			return r2.Vec{
				X: t.Min.X + float64((t.Max.X-t.Min.X)*((p.X-f.Min.X)/(f.Max.X-f.Min.X))),
				Y: t.Min.Y + float64((t.Max.Y-t.Min.Y)*((p.Y-f.Min.Y)/(f.Max.Y-f.Min.Y))),
			}, true
		}
	}
	return p, false
}

// Joins returns the index of the first portal whose From contains the first point and whose To contains the
// second, edges included, or 0 and false if there is none.
func (all Portals) Joins(from, to r2.Vec) (portal int, ok bool) {
	for i := range all {
		if vec.Clamp(from, all[i].From) == from && vec.Clamp(to, all[i].To) == to {
			return i, true
		}
	}
	return 0, false
}

func (p *Portal) entrance() r2.Vec { return middle(&p.From) }
func (p *Portal) exit() r2.Vec     { return middle(&p.To) }

func middle(b *r2.Box) r2.Vec {
	return r2.Vec{X: b.Min.X + float64((b.Max.X-b.Min.X)/2), Y: b.Min.Y + float64((b.Max.Y-b.Min.Y)/2)}
}

// readPortals stores a table of portals, or none if Check rejects it, and reports whether the table changed.
func (o *Obstacles) readPortals(table Portals) bool {
	if slices.Equal(o.table, table) {
		return false
	}
	o.table, o.portals = slices.Clone(table), nil
	if table.Check() == nil {
		o.portals = o.table
	}
	return true
}

// Portals returns the portals at the start of the step, or none if Check rejects the table. The caller must
// not modify them.
func (o *Obstacles) Portals() Portals { return o.portals }
