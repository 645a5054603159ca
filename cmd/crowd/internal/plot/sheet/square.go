package sheet

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// square makes a unit as long on both axes: it takes less of the area, but no less
// than some of it, and widens one of the ranges. Ticks change the room for the data,
// and so it takes more than once.
func (p *Panel) square(area draw.Canvas) draw.Canvas {
	const least = 0.4 // of each side
	lox, hix, loy, hiy := p.X.Min, p.X.Max, p.Y.Min, p.Y.Max
	whole := area
	for range 3 {
		size := p.DataCanvas(whole).Size()
		if size.X <= 0 || size.Y <= 0 {
			break
		}
		unit := max((hix-lox)/float64(size.X), (hiy-loy)/float64(size.Y)) // a point
		x := min(size.X-vg.Length((hix-lox)/unit), (1-least)*size.X) / 2
		y := min(size.Y-vg.Length((hiy-loy)/unit), (1-least)*size.Y) / 2
		area = draw.Crop(whole, x, -x, y, -y)
		if size = p.DataCanvas(area).Size(); size.X <= 0 || size.Y <= 0 {
			break
		}
		p.widen(size, lox, hix, loy, hiy)
	}
	return area
}

// widen sets ranges about others, so that a unit is as long on both axes.
func (p *Panel) widen(size vg.Point, lox, hix, loy, hiy float64) {
	unit := max((hix-lox)/float64(size.X), (hiy-loy)/float64(size.Y)) // a point
	x, y := unit*float64(size.X)/2, unit*float64(size.Y)/2
	p.X.Min, p.X.Max = (lox+hix)/2-x, (lox+hix)/2+x
	p.Y.Min, p.Y.Max = (loy+hiy)/2-y, (loy+hiy)/2+y
	ticks := func(size vg.Length) int { return int(min(max(size/45, 2), 10)) }
	p.X.Tick.Marker = RangeTicks(p.X.Min, p.X.Max, ticks(size.X))
	p.Y.Tick.Marker = RangeTicks(p.Y.Min, p.Y.Max, ticks(size.Y))
}
