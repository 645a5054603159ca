package sense

import (
	"math"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/field"
	"gonum.org/v1/gonum/spatial/r2"
)

// crowding is how slowly a crowd walks from place to place. At the nodes of a net it has two
// averages: how much of the floor bodies cover, and with what share of the speed that they wish
// for they get on. Where a queue stands before a door, 1/speed summed over the way to it is the
// number of agents ahead through the number that the door lets pass in a second, so ways
// are as long as people wait; the density alone does not tell a queue that moves from one that
// stands.
type crowding struct {
	min           r2.Vec  // m, of the first node
	size          float64 // m, from node to node
	columns, rows int

	looking       bool      // bodies are being counted
	counts        []count   // of them
	like          *crowding // of another field, whose net is the same and which counts them for both; nil: none
	averages      []average // of the looks until now
	looks         int       // that the averages are of
	looked, begun float64   // s, when the last look was, and when the field was begun last
}

// count is a sum over bodies around a node. It is in whole numbers, so that it is the same
// whichever body comes first.
type count struct{ covered, moving int64 }

// average is of count, as a share of the floor.
type average struct{ covered, moving float64 }

// Sizes that were found by trying in halls with one door and with two, as docs/paths.md says.
const (
	nodesApart  = 3        // radii of the bodies, from node to node: each counts at the four around it
	looksAWhile = 8        // looks between two fields
	memory      = 2        // Every, the time by which averages lag behind
	full        = 0.3      // share of the floor that is covered, from which on the way is as slow as the bodies
	slowest     = 0.05     // share of the speed, so that there is a way where all stand
	whole       = 1 << 32  // 1, as a count
	inTime      = 1 - 1e-9 // of a time that has passed, for what sums of steps leave out
)

// Look reports whether a field that is renewed every so many seconds wants to know at a time, in s,
// where bodies are: then call Visit for each of them, and after that Update.
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

// like returns the first one of the fields before this one that counts bodies over the same net.
func (f *Fields) like(field int) *crowding {
	c := f.all[field].crowding
	for i := range field {
		if o := f.all[i].crowding; o != nil && o.looking && o.like == nil && o.min == c.min && o.size == c.size && o.columns == c.columns && o.rows == c.rows {
			return o
		}
	}
	return nil
}

// Visit counts a body at a place with a radius, in m, that gets on with a share of the speed that
// it wishes for: 1 as it wishes, 0 not at all, below 0 back. The order in which bodies are visited does not matter.
func (f *Fields) Visit(p r2.Vec, radius, share float64) {
	if !(share >= -1) { // NaN too
		share = -1
	}
	share = min(share, 1)
	for i := range f.all {
		if c := f.all[i].crowding; c != nil && c.looking && c.like == nil {
			c.add(p, radius, share)
		}
	}
}

// take takes what was counted into the averages.
func (f *Fields) take() {
	f.looking = false
	for i := range f.all {
		if x := &f.all[i]; x.crowding != nil && x.crowding.looking {
			x.crowding.take(f.looked, float64(memory*x.row.Every))
		}
	}
}

// layOut lays the net over a grid, and makes all counts zero.
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

// around returns the lower left one of the four nodes around a place, and their weights, which are 1
// together: of it, the one on its right, and the two above; false if it is beside the net.
func (c *crowding) around(p r2.Vec) (node int, weights [4]float64, ok bool) {
	x, y := (p.X-c.min.X)/c.size, (p.Y-c.min.Y)/c.size
	if !(x >= 0 && x < float64(c.columns-1) && y >= 0 && y < float64(c.rows-1)) {
		return 0, weights, false
	}
	column, row := int(x), int(y)
	u, v := x-float64(column), y-float64(row)
	return row*c.columns + column, [4]float64{(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v}, true
}

// add counts a body.
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

// take takes the counts of a time, in s, into the averages, which lag behind by another.
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

// due reports whether it is time to work out a field anew.
func (c *crowding) due(every float64) bool {
	return c.looks > 0 && c.looked-c.begun >= every*inTime
}

// cellsFilled is how many cells are filled in the time in which one cell is marched to.
const cellsFilled = 4

// fill goes on with how slow each cell of a field is, as much as marching to that many cells
// takes. It returns how much is left, and whether all is done.
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

// slowness returns how many times longer than a free walk it takes to walk at a place.
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
