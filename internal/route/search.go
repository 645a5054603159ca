package route

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Search holds the state of a search in a graph, and scratch memory for later searches. The zero value is
// ready for Begin.
type Search struct {
	graph              *Graph
	from, to           r2.Vec
	widthFrom, widthTo float64
	pressed            [2]bool // whether the start and the goal are next to an obstacle
	last               uint32  // last corner of the path found, or begin
	found              float64 // m, length of that path; +Inf if none is found yet

	open   []step // heap, by bound
	parent []uint32
	length []float64 // m, of the path to each corner; +Inf if unknown
	closed []bool
	used   []uint32 // corners to reset
	behind around   // corners around the start
	ahead  sight    // walls around the goal

	straight float64 // m, distance to the goal

	Looks int // cost of the last search: about the number of corners tested
}

// step is a path to a corner or to the goal. Its segments from the start and to the goal may turn out to be
// blocked.
type step struct {
	bound, length float64 // m, lower bound on the whole path, and length up to the corner
	to, from      uint32
}

// cheap is the number of known links that cost as much as testing a corner.
const cheap = 8

const (
	begin = math.MaxUint32 - iota // the start
	end                           // the goal
)

// Find searches g for the shortest path between two positions, and appends its corners and its end to a
// slice. It returns the slice and the length in m, or the same slice, +Inf and false if there is no path. It
// does not allocate after the largest graph, once all links are known.
func (s *Search) Find(g *Graph, from, to r2.Vec, path []r2.Vec) (_ []r2.Vec, length float64, ok bool) {
	s.Begin(g, from, to)
	for !s.Go(math.MaxInt) {
	}
	return s.Path(path)
}

// Begin starts a search of g for the shortest path between two positions, for Go to continue. The graph must
// not change until Path has returned.
//
// The search is A* with the straight distance as the bound, over taut paths, which turn only at obstacles,
// and toward them. Only for the most promising path does it test whether the first and the last segment are
// free, as in Lazy A* (Cohen, Phillips, Likhachev, 2015).
func (s *Search) Begin(g *Graph, from, to r2.Vec) {
	s.graph, s.from, s.to, s.Looks = g, from, to, 0
	s.last, s.found = begin, math.Inf(1)
	s.reset(len(g.corners))
	if g.index == nil || g.index.Len() == 0 {
		s.found = vec.Norm(vec.Sub(to, from))
		return
	}
	s.widthFrom, s.widthTo = g.widthAt(from), g.widthAt(to)
	if g.free(from, to, min(s.widthFrom, s.widthTo)) {
		s.found = vec.Norm(vec.Sub(to, from))
		return
	}
	s.pressed = [2]bool{g.pressed(from), g.pressed(to)}
	s.straight = vec.Norm(vec.Sub(to, from))
	s.behind.begin(g, from, nil)
	s.ahead.begin(to, nil, g.gap/8)
}

// first adds to the heap the corners that may be visible from the start and whose bound is at most the lowest
// bound in the heap, and perhaps others.
func (s *Search) first() {
	g := s.graph
	for s.behind.more() {
		bound := max(s.straight, float64(2*s.behind.distance())-s.straight)
		if len(s.open) > 0 && bound > s.open[0].bound {
			return
		}
		s.Looks += s.behind.next(g, func(k uint32, way r2.Vec, length float64) {
			c := &g.corners[k]
			if !s.pressed[0] && !c.touches(way, length) || length > 0 && s.behind.hides(way, length) {
				return
			}
			s.push(step{bound: length + vec.Norm(vec.Sub(s.to, c.at)), length: length, to: k, from: begin})
			s.behind.addEdges(c)
		})
	}
}

func (s *Search) reached(link link, length float64, from uint32) {
	l := length + link.length
	if s.closed[link.to] || !(l < s.length[link.to]) {
		return
	}
	if math.IsInf(s.length[link.to], 1) {
		s.used = append(s.used, link.to)
	}
	s.length[link.to] = l
	s.push(step{bound: l + vec.Norm(vec.Sub(s.to, s.graph.corners[link.to].at)), length: l, to: link.to, from: from})
}

// Go continues a search until it is over or Looks has grown by at least the given number, and reports whether
// the search is over. Looks may grow further, by the tests for one corner and those around the start.
func (s *Search) Go(looks int) (over bool) {
	g := s.graph
	for before := s.Looks; math.IsInf(s.found, 1); {
		if s.Looks-before >= looks {
			return false
		}
		if s.first(); len(s.open) == 0 {
			break
		}
		at := s.pop()
		s.Looks++
		if at.to == end {
			if back := vec.Sub(g.corners[at.from].at, s.to); g.sees(&s.ahead, back, vec.Norm(back), s.widthTo) {
				s.last, s.found = at.from, at.length
			}
			continue
		}
		if s.closed[at.to] {
			continue
		}
		c := &g.corners[at.to]
		if at.from == begin && !g.sees(&s.behind.sight, vec.Sub(c.at, s.from), at.length, s.widthFrom) {
			continue
		}
		s.closed[at.to], s.parent[at.to] = true, at.from
		s.used = append(s.used, at.to)
		come := vec.Unit(vec.Sub(c.at, s.place(at.from)))
		free := at.from == begin && s.pressed[0] // the path may leave in any direction
		way := vec.Sub(s.to, c.at)
		if length := vec.Norm(way); s.pressed[1] || c.touches(way, length) && (free || c.turns(come, way, length)) {
			l := at.length + length
			s.push(step{bound: l, length: l, to: end, from: at.to})
		}
		links, looks := g.linksOf(int(at.to))
		s.Looks += max(looks, len(links)/cheap)
		for _, link := range links {
			if free || c.turns(come, vec.Sub(g.corners[link.to].at, c.at), link.length) {
				s.reached(link, at.length, at.to)
			}
		}
	}
	return true
}

func (s *Search) place(i uint32) r2.Vec {
	if i == begin {
		return s.from
	}
	return s.graph.corners[i].at
}

// Path appends the corners and the end of the path found to a slice. It returns the slice and the length in
// m, or the same slice, +Inf and false if no path was found.
func (s *Search) Path(path []r2.Vec) (_ []r2.Vec, length float64, ok bool) {
	if math.IsInf(s.found, 1) {
		return path, s.found, false
	}
	first := len(path)
	for corner := s.last; corner != begin; corner = s.parent[corner] {
		path = append(path, s.graph.corners[corner].at)
	}
	slices.Reverse(path[first:])
	return append(path, s.to), s.found, true
}

func (s *Search) reset(corners int) {
	for _, i := range s.used {
		s.closed[i], s.length[i] = false, math.Inf(1)
	}
	s.open, s.used = s.open[:0], s.used[:0]
	for len(s.closed) < corners {
		s.closed, s.parent, s.length = append(s.closed, false), append(s.parent, begin), append(s.length, math.Inf(1))
	}
}

func (s *Search) push(x step) {
	s.open = append(s.open, x)
	i := len(s.open) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !x.before(&s.open[up]) {
			break
		}
		s.open[i] = s.open[up]
		i = up
	}
	s.open[i] = x
}

func (s *Search) pop() step {
	top, last := s.open[0], s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	n, i := len(s.open), 0
	for n > 0 {
		least := 4*i + 1
		if least >= n {
			break
		}
		for k := least + 1; k < min(least+4, n); k++ {
			if s.open[k].before(&s.open[least]) {
				least = k
			}
		}
		if !s.open[least].before(&last) {
			break
		}
		s.open[i] = s.open[least]
		i = least
	}
	if n > 0 {
		s.open[i] = last
	}
	return top
}

// before reports whether step x comes before y in the heap. The order of insertion does not matter.
func (x *step) before(y *step) bool {
	if x.bound != y.bound {
		return x.bound < y.bound
	}
	return x.to > y.to || x.to == y.to && x.from < y.from
}

// around visits the corners around a point, in rings of squares. Near corners come first, so their edges hide
// the corners behind them.
type around struct {
	sight
	column, row    int // of the center
	away, farthest int // next and last ring, in squares
	size           float64
}

// begin prepares to visit the corners around a point. The parameter own is the corner there, or nil.
func (a *around) begin(g *Graph, from r2.Vec, own *corner) {
	a.sight.begin(from, own, g.gap/8)
	a.column, a.row = g.cells.square(from)
	a.away, a.farthest = g.cells.reach(a.column, a.row)
	a.size = g.cells.size
}

// distance returns a lower bound, in m, on the distances to all corners not visited yet.
func (a *around) distance() float64 { return float64(float64(max(a.away-1, 0)) * a.size) }

func (a *around) more() bool { return a.away <= a.farthest && !a.over(a.distance()) }

// next calls visit for each corner of the next ring, with its offset and its distance from the point, and
// returns the number of corners.
func (a *around) next(g *Graph, visit func(k uint32, way r2.Vec, length float64)) (looks int) {
	g.cells.ring(a.column, a.row, a.away, func(first, end uint32) {
		looks += int(end - first)
		for k := first; k < end; k++ {
			way := vec.Sub(g.corners[k].at, a.at)
			visit(k, way, vec.Norm(way))
		}
	})
	a.away++
	return looks
}

func (a *around) addEdges(c *corner) {
	a.add(c.from, c.of)
	a.add(c.of, c.to)
}
