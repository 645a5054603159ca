package measure

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// bodyGrid sorts the bodies of a step into cells of an unbounded, hashed square grid. A few bodies too
// large for the cells come last, and are compared with all bodies.
type bodyGrid struct {
	bodies  []body
	near    []float64 // m², squared distance from each body to the nearest body seen; +Inf means none
	small   int       // number of bodies in cells
	size    float64   // m, cell width
	known   float64   // m; within this distance, the nearest body seen is the nearest of all
	heap    uint64    // sum over cells of the squared number of bodies
	mask    int       // number of cells, a power of two, minus one
	row     int       // difference of cell indexes between adjacent rows
	starts  []uint32  // index in bodies of each cell's first body
	scatter []body
}

type body struct {
	middle r2.Vec  // m, position in the middle of the step
	half   r2.Vec  // m, half the displacement
	radius float64 // m
	reach  float64 // m; bodies whose middles are farther apart than the sum of their reaches are not close
	record uint32
	cell   uint32 // index, or outside
}

const (
	maxLarge = 8       // maximum number of bodies too large for cells
	densest  = 256     // mean bodies per cell above which measuring ends
	ample    = 24      // mean bodies per cell above which cells stop growing
	fewest   = 1 << 22 // comparisons that are always acceptable
	outside  = math.MaxUint32
	tooFar   = 1e100   // m from the origin; bodies farther away are ignored
	farthest = 1 << 52 // cells from the origin; cells farther away count as one
)

func (g *bodyGrid) gather(j *TripMetrics) {
	g.bodies = g.bodies[:0]
	for i := range j.records {
		r := &j.records[i]
		if r.seen != j.step {
			continue
		}
		m := &j.moves[i]
		if m.serial == 0 || m.generation != r.generation {
			j.serial++
			m.serial, m.generation = j.serial, r.generation
		}
		half := vec.Scale(0.5, vec.Sub(r.at, m.from))
		b := body{
			middle: vec.Sub(r.at, half), half: half, radius: m.radius,
			reach: m.radius + closeBy/2 + vec.Norm(half), record: uint32(i),
		}
		if vec.Norm(b.middle)+b.reach < tooFar && b.radius >= 0 {
			g.bodies = append(g.bodies, b)
		}
	}
	n := len(g.bodies)
	g.near = slices.Grow(g.near[:0], n)[:n]
	g.scatter = slices.Grow(g.scatter[:0], n)[:n]
	cells := 64
	for cells < 4*n {
		cells *= 2
	}
	if len(g.starts) < cells+1 || len(g.starts) > 8*cells {
		g.lay(cells)
	}
}

func (g *bodyGrid) lay(cells int) {
	g.starts = make([]uint32, cells+1)
	g.mask = cells - 1
	// The golden ratio keeps adjacent rows, and rows two apart, far from each other in the table.
	g.row = int(float64(cells)*0.6180339887) | 1
}

// sort sorts the bodies into cells at least width meters wide. Bodies are close only if their cells touch.
func (g *bodyGrid) sort(width float64) {
	g.size = max(width, 2*g.typicalReach()) * (1 + 0x1p-20) // for rounding
	clear(g.starts)
	swift, large, perMeter := 0., 0, 1/g.size
	for i := range g.bodies {
		b := &g.bodies[i]
		if 2*b.reach > g.size {
			b.cell = outside
			large++
			continue
		}
		swift = max(swift, b.reach-b.radius-closeBy/2)
		b.cell = uint32((cellAt(b.middle.X*perMeter) + cellAt(b.middle.Y*perMeter)*g.row) & g.mask)
		g.starts[b.cell]++
	}
	g.small, g.known, g.heap = len(g.bodies)-large, g.size-2*swift, 0
	sum := uint32(0)
	for i, n := range g.starts {
		sum += n
		g.starts[i] = sum // end of the cell, and start once bodies are placed
		g.heap += uint64(n) * uint64(n)
	}
	end := g.small
	for i := range g.bodies {
		b := &g.bodies[i]
		if b.cell == outside {
			g.scatter[end] = *b
			end++
			continue
		}
		g.starts[b.cell]--
		g.scatter[g.starts[b.cell]] = *b
	}
	g.bodies, g.scatter = g.scatter, g.bodies
}

func cellAt(x float64) int { return int(min(max(math.Floor(x), -farthest), farthest)) }

// typicalReach returns a reach that at most maxLarge bodies exceed.
func (g *bodyGrid) typicalReach() float64 {
	const first = (1023 - 8) << 2 // in quarter octaves, from 2^-8
	var counts [256]int
	for i := range g.bodies {
		k := int(math.Float64bits(g.bodies[i].reach)>>50) - first
		counts[min(max(k, 0), len(counts)-1)]++
	}
	k, more := len(counts)-1, 0
	for k > 0 && more+counts[k] <= maxLarge {
		more += counts[k]
		k--
	}
	limit := math.Float64frombits(uint64(k+1+first) << 50)
	largest := 0.
	for i := range g.bodies {
		if r := g.bodies[i].reach; r <= limit {
			largest = max(largest, r)
		}
	}
	return largest
}

type span struct{ lo, hi int }

// spans returns n ranges that contain all bodies close to the i-th body, and possibly others.
func (g *bodyGrid) spans(i int) (list [10]span, n int) {
	if i >= g.small {
		list[0] = span{0, len(g.bodies)}
		return list, 1
	}
	cell := int(g.bodies[i].cell)
	for dy := -1; dy <= 1; dy++ {
		first := (cell - 1 + dy*g.row) & g.mask
		if first+2 <= g.mask {
			list[n] = span{int(g.starts[first]), int(g.starts[first+3])}
			n++
			continue
		}
		for dx := range 3 {
			cell := (first + dx) & g.mask
			list[n] = span{int(g.starts[cell]), int(g.starts[cell+1])}
			n++
		}
	}
	list[n] = span{g.small, len(g.bodies)}
	return list, n + 1
}

// crowded reports whether a body's cell holds more than limit bodies on average. For the limit densest, it
// returns false if at most fewest comparisons are needed.
func (g *bodyGrid) crowded(limit int) bool {
	return g.heap > uint64(limit)*uint64(len(g.bodies)) && (limit < densest || g.heap > fewest)
}

func (g *bodyGrid) seen() int {
	n, known := 0, float64(g.known*g.known)
	for i, d2 := range g.near {
		if d2 <= known || i >= g.small {
			n++
		}
	}
	return n
}

func (g *bodyGrid) fill(h *histogram) {
	for _, d2 := range g.near {
		h.add(d2)
	}
}
