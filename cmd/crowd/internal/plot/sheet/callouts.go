package sheet

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Callout is a name beside a point of a panel.
type Callout struct {
	X, Y float64
	Name string
}

// Callouts writes names beside their points, so that they cover neither one another nor dots. A
// name that finds no room is left out.
type Callouts struct {
	all   []Callout
	dots  plotter.XYs // that are drawn
	edges plotter.XYs // the corners of a line of horizontal and vertical parts
	style text.Style
	line  draw.LineStyle
}

// AddCallouts adds names beside points, which keep clear of dots and of a line with these corners.
func (p *Panel) AddCallouts(all []Callout, dots, edges plotter.XYs) {
	p.Add(&Callouts{all: all, dots: dots, edges: edges, style: p.style.text(smallSize, p.style.ink), line: draw.LineStyle{Color: p.style.Faint, Width: 0.6}})
}

// Plot writes the names: each at the nearest place that is free.
func (n *Callouts) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	const dot = 3.5
	var taken []vg.Rectangle
	for _, d := range n.dots {
		at := vg.Point{X: x(d.X), Y: y(d.Y)}
		taken = append(taken, vg.Rectangle{Min: vg.Point{X: at.X - dot, Y: at.Y - dot}, Max: vg.Point{X: at.X + dot, Y: at.Y + dot}})
	}
	for i := 1; i < len(n.edges); i++ {
		a, b := n.edges[i-1], n.edges[i]
		taken = append(taken, vg.Rectangle{Min: vg.Point{X: min(x(a.X), x(b.X)) - 1, Y: min(y(a.Y), y(b.Y)) - 1}, Max: vg.Point{X: max(x(a.X), x(b.X)) + 1, Y: max(y(a.Y), y(b.Y)) + 1}})
	}
	for _, one := range n.all {
		at := vg.Point{X: x(one.X), Y: y(one.Y)}
		box, ok := n.place(c.Rectangle, at, n.style.Width(one.Name), taken)
		if !ok {
			continue
		}
		taken = append(taken, box)
		near := vg.Point{X: min(max(at.X, box.Min.X), box.Max.X), Y: min(max(at.Y, box.Min.Y), box.Max.Y)}
		if math.Hypot(float64(near.X-at.X), float64(near.Y-at.Y)) > 8 {
			c.StrokeLine2(n.line, at.X, at.Y, near.X, near.Y)
		}
		c.FillText(n.style, vg.Point{X: box.Min.X + 2, Y: box.Min.Y + 2.5}, one.Name)
	}
}

// place returns the nearest free box for a name of some width, and whether there is one.
func (n *Callouts) place(within vg.Rectangle, at vg.Point, width vg.Length, taken []vg.Rectangle) (vg.Rectangle, bool) {
	width, height := width+4, n.style.Font.Size+3
	for away := vg.Length(5); away < 110; away += 5 {
		for k := range 16 {
			sin, cos := math.Sincos(math.Pi * (0.25 + float64(k)/8))
			center := vg.Point{X: at.X + vg.Length(cos)*(away+width/2), Y: at.Y + vg.Length(sin)*(away+height/2)}
			box := vg.Rectangle{Min: vg.Point{X: center.X - width/2, Y: center.Y - height/2}, Max: vg.Point{X: center.X + width/2, Y: center.Y + height/2}}
			if box.Min.X >= within.Min.X && box.Max.X <= within.Max.X && box.Min.Y >= within.Min.Y && box.Max.Y <= within.Max.Y && free(box, taken) {
				return box, true
			}
		}
	}
	return vg.Rectangle{}, false
}

// free tells whether a box covers no other.
func free(box vg.Rectangle, taken []vg.Rectangle) bool {
	for _, t := range taken {
		if box.Min.X < t.Max.X && t.Min.X < box.Max.X && box.Min.Y < t.Max.Y && t.Min.Y < box.Max.Y {
			return false
		}
	}
	return true
}
