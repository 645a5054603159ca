package benchmarks

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// Parameters of the flock of W4.
const (
	flockDensity = 0.3 // agents/m²: 15 neighbors on average
	flockRadius  = 4.  // m, of all three rules
	flockGain    = 1.  // kg/s, of all three rules

	flockNearest = flockRadius / 1024 // m; separation treats smaller distances like this one
)

// flockSide returns the side of the square in meters.
func flockSide(agents int) float64 { return math.Sqrt(float64(agents) / flockDensity) }

func flockComponents() []any {
	return []any{
		c.Limits{MaxSpeed: maxSpeed, MaxForce: maxForce}, c.Mass{Kilograms: 1},
		c.Separation{Gain: flockGain, NeighborDist: flockRadius},
		c.Alignment{Gain: flockGain, NeighborDist: flockRadius},
		c.Cohesion{Gain: flockGain, NeighborDist: flockRadius},
	}
}

// flockFrame returns a frame with the systems of W4. Positions wrap around, but agents do not see one another
// across edges.
func flockFrame(w *Workload) *frame.Frame {
	return frame.New(
		&sense.Neighbors{}, &systems.Separation{}, &systems.Alignment{}, &systems.Cohesion{}, &systems.Integration{},
		&systems.Bounds{Mode: systems.BoundsWrap, Box: r2.Box{Max: r2.Vec{X: w.Side, Y: w.Side}}},
	)
}

// flockGrid holds the agents of a flock, sorted by grid cell (counting sort).
type flockGrid struct {
	side  int      // number of columns and of rows, including an empty one at each edge
	first []uint32 // index in bird of each cell's first bird
	cell  []uint32 // of each agent
	bird  []bird   // sorted by cell
	near  []uint32 // indexes in bird of the neighbors of the current agent
	pairs int      // total number of neighbors in the last step
}

type bird struct {
	pos, vel r2.Vec
	id       uint32
}

// flockCell is the side of a cell in meters, slightly longer than flockRadius, as in sense.Neighbors.
const flockCell = flockRadius * (1 + 0x1p-15)

// column returns the column of an x coordinate, or the row of a y coordinate. The coordinate must be 0 or
// more.
func (g *flockGrid) column(x float64) int {
	const offset, scale = 1 << 30, 1 / flockCell // adding offset rounds as in sense.Neighbors
	return int(float64(x*scale)+offset) - offset + 1
}

func (g *flockGrid) build(pos, vel []r2.Vec, side float64) {
	g.side = g.column(side) + 2
	cells := g.side*g.side + 2
	if len(g.first) != cells {
		g.first, g.cell, g.bird = make([]uint32, cells), make([]uint32, len(pos)), make([]bird, len(pos))
	}
	clear(g.first)
	for i, p := range pos {
		cell := uint32(g.column(p.Y)*g.side + g.column(p.X))
		g.cell[i] = cell
		g.first[cell+2]++
	}
	for i := 1; i < cells; i++ {
		g.first[i] += g.first[i-1]
	}
	for i, cell := range g.cell {
		g.bird[g.first[cell+1]] = bird{pos[i], vel[i], uint32(i)}
		g.first[cell+1]++
	}
}

// flock runs a step of W4. Positions must be finite and in the square.
func (k *plain) flock() {
	g := &k.birds
	g.build(k.pos, k.vel, k.Side)
	g.pairs = 0
	for row := 1; row < g.side-1; row++ {
		for column := 1; column < g.side-1; column++ {
			cell := row*g.side + column
			for i := g.first[cell]; i < g.first[cell+1]; i++ {
				k.fly(i, cell)
			}
		}
	}
}

func (k *plain) fly(i uint32, cell int) {
	g := &k.birds
	self := g.bird[i]
	p, v := self.pos, self.vel
	g.near = g.near[:0]
	for row := cell - g.side; row <= cell+g.side; row += g.side {
		for j := g.first[row-1]; j < g.first[row+2]; j++ {
			x, y := g.bird[j].pos.X-p.X, g.bird[j].pos.Y-p.Y
			if float64(x*x)+float64(y*y) <= flockRadius*flockRadius && j != i {
				g.near = append(g.near, j)
			}
		}
	}
	g.pairs += len(g.near)
	force := r2.Vec{}
	if len(g.near) > 0 {
		var repel, away, apart, velocity r2.Vec
		for _, j := range g.near {
			o := &g.bird[j]
			x, y := p.X-o.pos.X, p.Y-o.pos.Y
			away.X += x
			away.Y += y
			velocity.X += o.vel.X
			velocity.Y += o.vel.Y
			if d2 := float64(x*x) + float64(y*y); d2 > flockNearest*flockNearest {
				repel = along(repel, 1/d2, r2.Vec{X: x, Y: y})
			} else {
				apart = r2.Add(apart, vec.Unit(r2.Vec{X: x, Y: y}))
			}
		}
		share := 1 / float64(len(g.near))
		push := along(r2.Vec{X: -away.X / flockRadius, Y: -away.Y / flockRadius}, flockRadius, repel)
		push = limit(along(push, flockRadius/flockNearest, apart), 1)
		mean := limit(r2.Vec{X: float64(share * velocity.X), Y: float64(share * velocity.Y)}, maxSpeed)
		pull := limit(r2.Vec{X: float64(-share*away.X) / flockRadius, Y: float64(-share*away.Y) / flockRadius}, 1)
		force = along(force, flockGain, r2.Vec{X: float64(maxSpeed * push.X), Y: float64(maxSpeed * push.Y)})
		force = along(force, flockGain, r2.Vec{X: mean.X - v.X, Y: mean.Y - v.Y})
		force = along(force, flockGain, r2.Vec{X: float64(maxSpeed * pull.X), Y: float64(maxSpeed * pull.Y)})
	}
	v = limit(along(v, dt, limit(force, maxForce)), maxSpeed)
	p = along(p, dt, v)
	k.pos[self.id], k.vel[self.id] = r2.Vec{X: wrapped(p.X, k.Side), Y: wrapped(p.Y, k.Side)}, v
}

// wrapped returns x, which must be above -side and below 2·side, wrapped to the range from 0 to side.
func wrapped(x, side float64) float64 {
	switch {
	case x < 0 && x+side < side:
		return x + side
	case x < 0:
		return 0
	case x > side:
		return x - side
	}
	return x
}

func (k *plain) neighbors() float64 { return float64(k.birds.pairs) / float64(len(k.pos)) }

const cellSide = 14. // m; the fastest value in benchmarks

// grid finds the circle that an agent would hit first. A cell lists the circles that an agent can hit if the
// midpoint of the agent's look-ahead is in the cell, so one lookup is enough.
type grid struct {
	low           r2.Vec
	columns, rows int
	first         []uint32 // index in lists of each cell's first circle
	lists         []circle // of all cells; each cell keeps the order of the circles
}

// build rebuilds the grid in place. Without circles, the grid must not be used.
func (g *grid) build(circles []circle) {
	if len(circles) == 0 {
		return
	}
	low, high := circles[0].at, circles[0].at
	for _, o := range circles {
		low.X, low.Y = min(low.X, o.at.X), min(low.Y, o.at.Y)
		high.X, high.Y = max(high.X, o.at.X), max(high.Y, o.at.Y)
	}
	g.low = low
	g.columns, g.rows = int((high.X-low.X)/cellSide)+1, int((high.Y-low.Y)/cellSide)+1
	// Counting sort: first[i+2] counts cell i's circles; then first[i+1] is the next free index of cell i in
	// lists.
	n := g.columns*g.rows + 2
	if cap(g.first) < n {
		g.first = make([]uint32, n)
	}
	g.first = g.first[:n]
	clear(g.first)
	total := 0
	for i := range circles {
		g.cells(&circles[i], func(cell int) {
			g.first[cell+2]++
			total++
		})
	}
	for i := 1; i < n; i++ {
		g.first[i] += g.first[i-1]
	}
	if cap(g.lists) < total {
		g.lists = make([]circle, total)
	}
	g.lists = g.lists[:total]
	for i := range circles {
		g.cells(&circles[i], func(cell int) {
			g.lists[g.first[cell+1]] = circles[i]
			g.first[cell+1]++
		})
	}
}

func (g *grid) cells(o *circle, visit func(cell int)) {
	reach := o.radius + lookAhead/2 + 1e-6 // 1e-6 covers rounding errors
	left, bottom := g.column(o.at.X-reach), g.row(o.at.Y-reach)
	right, top := g.column(o.at.X+reach), g.row(o.at.Y+reach)
	for row := bottom; row <= top; row++ {
		for column := left; column <= right; column++ {
			x := g.low.X + float64(float64(column)*cellSide)
			y := g.low.Y + float64(float64(row)*cellSide)
			dx := o.at.X - min(max(o.at.X, x), x+cellSide)
			dy := o.at.Y - min(max(o.at.Y, y), y+cellSide)
			if float64(dx*dx)+float64(dy*dy) <= reach*reach {
				visit(row*g.columns + column)
			}
		}
	}
}

// column and row return the column of an x coordinate and the row of a y coordinate, clamped to the grid. The
// center of a circle is at least as near to a clamped point as to the original.
func (g *grid) column(x float64) int { return min(max(int((x-g.low.X)*(1/cellSide)), 0), g.columns-1) }
func (g *grid) row(y float64) int    { return min(max(int((y-g.low.Y)*(1/cellSide)), 0), g.rows-1) }

// away returns the direction in which to avoid the circle that an agent would hit first, and reports whether
// the agent would hit one within its look-ahead.
func (g *grid) away(p, v r2.Vec) (away r2.Vec, ok bool) {
	dir := r2.Vec{}
	if v2 := float64(v.X*v.X) + float64(v.Y*v.Y); v2 > 0 {
		scale := 1 / math.Sqrt(v2)
		dir = r2.Vec{X: scale * v.X, Y: scale * v.Y}
	}
	cell := g.row(p.Y+float64(lookAhead/2*dir.Y))*g.columns + g.column(p.X+float64(lookAhead/2*dir.X))
	list := g.lists[g.first[cell]:g.first[cell+1]]
	threat, nearest := -1, lookAhead
	for k := range list {
		o := &list[k]
		wX, wY := o.at.X-p.X, o.at.Y-p.Y
		aside := math.Abs(float64(wX*dir.Y) - float64(wY*dir.X))
		ahead := float64(wX*dir.X) + float64(wY*dir.Y)
		t := 0.
		gap := float64(wX*wX) + float64(wY*wY) - float64(o.radius*o.radius)
		if ahead > 0 && aside <= o.radius {
			t = max(gap, 0) / (ahead + math.Sqrt((o.radius-aside)*(o.radius+aside)))
		} else if gap > 0 {
			continue
		}
		if t < nearest || t == nearest && threat < 0 {
			threat, nearest = k, t
		}
	}
	if threat < 0 {
		return away, false
	}
	return list[threat].aside(p, dir, v, nearest), true
}

// aside returns the direction in which to avoid a circle that an agent would hit along dir, after the distance
// way in m: sideways or, if v is 0, directly away from the circle.
func (o *circle) aside(p, dir, v r2.Vec, way float64) r2.Vec {
	normal := r2.Vec{X: p.X - o.at.X + float64(way*dir.X), Y: p.Y - o.at.Y + float64(way*dir.Y)}
	if n2 := float64(normal.X*normal.X) + float64(normal.Y*normal.Y); n2 > 0 {
		scale := 1 / math.Sqrt(n2)
		normal = r2.Vec{X: scale * normal.X, Y: scale * normal.Y}
	}
	if v == (r2.Vec{}) {
		return normal
	}
	if float64(normal.X*dir.Y)-float64(normal.Y*dir.X) < 0 {
		return r2.Vec{X: -dir.Y, Y: dir.X}
	}
	return r2.Vec{X: dir.Y, Y: -dir.X}
}
