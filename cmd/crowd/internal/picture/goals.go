package picture

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// Goal is a place to which a crowd is led.
type Goal struct {
	Box   r2.Box // m
	Group int    // that goes there, for Color Group
}

// How goals are drawn, by their opacity: pale, so that agents stand out.
const (
	goalFloor = 0.13
	goalEdge  = 0.75
)

// goalLine returns how wide the edge of a goal is, in pixels.
func goalLine(em float64) float64 { return max(math.Round(0.1*em), 1) }

// seen returns which rectangle in the image a goal is, in whole pixels, as far as it is in the frame.
func (g *Goal) seen(f viewport) (r2.Box, bool) {
	if !usable(g.Box.Min) || !usable(g.Box.Max) {
		return r2.Box{}, false
	}
	low, high := f.at(g.Box.Min), f.at(g.Box.Max)
	const beyond = 16 // pixels
	b := f.bounds.Inset(-beyond)
	r := r2.Box{
		Min: r2.Vec{X: math.Floor(max(low.X, float64(b.Min.X))), Y: math.Floor(max(high.Y, float64(b.Min.Y)))},
		Max: r2.Vec{X: math.Ceil(min(high.X, float64(b.Max.X))), Y: math.Ceil(min(low.Y, float64(b.Max.Y)))},
	}
	return r, r.Min.X < r.Max.X && r.Min.Y < r.Max.Y
}

// edges returns the four sides of a rectangle, as rectangles of some width that lie inside.
func edges(r r2.Box, width float64) [4]r2.Box {
	x, y := min(width, r.Size().X/2), min(width, r.Size().Y/2)
	return [4]r2.Box{
		{Min: r.Min, Max: r2.Vec{X: r.Max.X, Y: r.Min.Y + y}},
		{Min: r2.Vec{X: r.Min.X, Y: r.Max.Y - y}, Max: r.Max},
		{Min: r2.Vec{X: r.Min.X, Y: r.Min.Y + y}, Max: r2.Vec{X: r.Min.X + x, Y: r.Max.Y - y}},
		{Min: r2.Vec{X: r.Max.X - x, Y: r.Min.Y + y}, Max: r2.Vec{X: r.Max.X, Y: r.Max.Y - y}},
	}
}

// goalColor returns the color of a goal: that of those who go there, if they have one.
func (c *coloring) goalColor(g *Goal) color.RGBA {
	if c.by == Group {
		return groupColor(g.Group)
	}
	return c.theme.goal
}

// drawGoals tints the floor of goals, and draws a line around each.
func drawGoals(img *image.RGBA, f viewport, em float64, goals []Goal, c *coloring) {
	for i := range goals {
		r, seen := goals[i].seen(f)
		if !seen {
			continue
		}
		part := image.Rectangle{Min: pixelsAround(r.Min, 0).Min, Max: pixelsAround(r.Max, 1).Max}.Intersect(f.bounds)
		if part.Empty() {
			continue
		}
		l, v := newLayer(part), valueOf(c.goalColor(&goals[i]))
		l.tinted(r, em, goalFloor, goalEdge, v)
		l.paint(img, plain)
	}
}

// goalSymbol returns the symbol for goals such as the first one.
func (g *legend) goalSymbol(first *Goal) symbol {
	c := g.colors.goalColor(first)
	return symbol{"goal", func(to pen, p r2.Vec) { g.tinted(to, p, c, goalFloor, goalEdge) }}
}

func (v *vectors) goals(goals []Goal, c *coloring) {
	for i := range goals {
		r, seen := goals[i].seen(v.sheet.frame)
		if !seen {
			continue
		}
		v.tinted(r, c.goalColor(&goals[i]), goalFloor, goalEdge)
	}
}
