package sense

import (
	"math"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/field"
	"gonum.org/v1/gonum/spatial/r2"
)

// crowding measures how slowly a crowd walks at each position. Each node of a grid holds two averages: the
// fraction of the floor that bodies cover, and the same fraction with each body weighted by its speed
// relative to its preferred speed. In a queue at a door, the sum of 1/speed along the path reflects the
// waiting time. Density alone does not distinguish a moving queue from a standing one.
type crowding struct {
	min           r2.Vec  // m, first node
	size          float64 // m, between nodes
	columns, rows int

	looking       bool      // bodies are being counted
	counts        []count   // of the current sample
	like          *crowding // earlier crowding with the same grid, which counts for both; nil means none
	averages      []average
	looks         int     // samples averaged
	looked, begun float64 // s, times of the last sample, and of the one before the field last started
}

// count is a sum over bodies around a node, in fixed point so that the order of bodies does not matter.
type count struct{ covered, moving int64 }

// average is the average of a count, as a fraction of the floor.
type average struct{ covered, moving float64 }

// All but the last two of these constants were found by experiment, in halls with one and two doors.
const (
	nodesApart  = 3        // spacing of nodes in body radii; the minimum is a cell
	looksAWhile = 8        // samples per interval Every
	memory      = 2        // time constant of the averages, in units of Every
	full        = 0.3      // covered fraction of the floor at which paths become as slow as the bodies
	slowest     = 0.05     // minimum ratio of speed to preferred speed, so that a path exists where all bodies stand
	whole       = 1 << 32  // 1 in fixed point
	inTime      = 1 - 1e-9 // tolerance for sums of time steps
)

// Look reports whether a field with Every needs the positions of bodies at the given time, in s. If so, call
// Visit for each body before Update.
func (f *Fields) Look(now float64) (wanted bool) {
	for i := range f.all {
		x := &f.all[i]
		if x.row.Every == 0 {
			continue
		}
		if x.crowding == nil {
			x.crowding = &crowding{looked: now, begun: now}
		}
		if c := x.crowding; now-c.looked >= x.row.Every/looksAWhile*inTime {
			c.layOut(&x.now.Grid, max(nodesApart*x.row.Radius, x.now.Cell))
			c.looking, wanted = true, true
			c.like = f.like(i)
		}
	}
	f.looking, f.looked = wanted, now
	return wanted
}

// like returns the first preceding crowding that counts bodies on the same grid, or nil.
func (f *Fields) like(field int) *crowding {
	c := f.all[field].crowding
	for i := range field {
		if o := f.all[i].crowding; o != nil && o.looking && o.like == nil && o.min == c.min && o.size == c.size && o.columns == c.columns && o.rows == c.rows {
			return o
		}
	}
	return nil
}

// Visit counts a body that walks at share times its preferred speed: 0 if the body stands, negative if it
// moves backward. The share is clamped to the range from -1 to 1, and NaN counts as -1. Lengths are in m. The
// order of bodies does not matter.
func (f *Fields) Visit(p r2.Vec, radius, share float64) {
	if !(share >= -1) {
		share = -1
	}
	share = min(share, 1)
	for i := range f.all {
		if c := f.all[i].crowding; c != nil && c.looking && c.like == nil {
			c.add(p, radius, share)
		}
	}
}

func (f *Fields) take() {
	f.looking = false
	for i := range f.all {
		if x := &f.all[i]; x.crowding != nil && x.crowding.looking {
			x.crowding.take(f.looked, float64(memory*x.row.Every))
		}
	}
}

// layOut clears all counts and, if the nodes change, the averages.
func (c *crowding) layOut(g *field.Grid, size float64) {
	columns := int(math.Ceil(float64(float64(g.Columns)*g.Cell)/size)) + 1
	rows := int(math.Ceil(float64(float64(g.Rows)*g.Cell)/size)) + 1
	if c.min != g.Min || c.size != size || c.columns != columns || c.rows != rows {
		c.min, c.size, c.columns, c.rows, c.looks = g.Min, size, columns, rows, 0
		c.averages, c.counts = column.Resize(c.averages, columns*rows), column.Resize(c.counts, columns*rows)
		clear(c.averages)
	}
	clear(c.counts)
}

// around returns the lower-left one of the four nodes around p, and the weights of that node, its right
// neighbor and the two nodes above these. It returns false if p is outside the grid.
func (c *crowding) around(p r2.Vec) (node int, weights [4]float64, ok bool) {
	x, y := (p.X-c.min.X)/c.size, (p.Y-c.min.Y)/c.size
	if !(x >= 0 && x < float64(c.columns-1) && y >= 0 && y < float64(c.rows-1)) {
		return 0, weights, false
	}
	column, row := int(x), int(y)
	u, v := x-float64(column), y-float64(row)
	return row*c.columns + column, [4]float64{(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v}, true
}

func (c *crowding) add(p r2.Vec, radius, share float64) {
	node, weights, ok := c.around(p)
	if !ok {
		return
	}
	covered := float64(whole * min(math.Pi*radius*radius/(c.size*c.size), 1))
	for k, w := range weights {
		n := &c.counts[node+k%2+k/2*c.columns]
		n.covered += int64(covered * w)
		n.moving += int64(covered * w * share)
	}
}

// take adds the sample at the time now to the averages, with the time constant lag, both in s.
func (c *crowding) take(now, lag float64) {
	c.looks++
	counts := c.counts
	if c.like != nil {
		counts = c.like.counts
	}
	share := min(max((now-c.looked)/lag, 1/float64(c.looks)), 1)
	for i := range c.averages {
		a, n := &c.averages[i], &counts[i]
		a.covered += float64(share * (float64(float64(n.covered)/whole) - a.covered))
		a.moving += float64(share * (float64(float64(n.moving)/whole) - a.moving))
	}
	c.looked, c.looking = now, false
}

func (c *crowding) due(every float64) bool {
	return c.looks > 0 && c.looked-c.begun >= every*inTime
}

// cellsFilled is the number of cells filled in the time that marching one cell takes.
const cellsFilled = 4

// fill computes the slowness of cells in the time that marching the given number of cells takes. It returns
// how many of that number are left for marching, and whether the slowness is complete.
func (c *crowding) fill(n *solution, cells int) (left int, done bool) {
	end := n.floor.Len()
	n.slow = column.Resize(n.slow, end)
	if k := (end - n.filled) / cellsFilled; k > cells {
		end, cells = n.filled+cells*cellsFilled, 0
	} else {
		cells -= k
	}
	for ; n.filled < end; n.filled++ {
		n.slow[n.filled] = n.floor.Slow[n.filled]
		if !math.IsInf(float64(n.slow[n.filled]), 1) {
			n.slow[n.filled] *= c.slowness(n.floor.Center(n.filled))
		}
	}
	return cells, n.filled == n.floor.Len()
}

// slowness returns the time to walk a short distance at p, relative to free walking.
func (c *crowding) slowness(p r2.Vec) float32 {
	node, w, ok := c.around(p)
	if !ok || c.looks == 0 {
		return 1
	}
	a := c.averages[node:]
	b := a[c.columns:]
	covered := float64(w[0]*a[0].covered) + float64(w[1]*a[1].covered) + float64(w[2]*b[0].covered) + float64(w[3]*b[1].covered)
	if covered == 0 {
		return 1
	}
	moving := float64(w[0]*a[0].moving) + float64(w[1]*a[1].moving) + float64(w[2]*b[0].moving) + float64(w[3]*b[1].moving)
	slow := 1/max(moving/covered, slowest) - 1
	return float32(1 + float64(min(covered/full, 1)*slow))
}
