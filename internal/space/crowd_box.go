package space

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// nowhere is the box of nobody.
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
// column beside it, and a row above it, so that who looks beyond it finds nobody.
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
