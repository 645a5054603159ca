package route

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Search is memory for searches in graphs. The zero value is ready.
type Search struct {
	open   []step // a heap, by bound
	parent []uint32
	length []float64 // m, to each corner; +Inf: none is known
	closed []bool
	used   []uint32 // corners that have something of these

	Expanded int // corners whose links were looked at in the last search
}

// step is a way to a corner, the last bit of which may not be free.
type step struct {
	bound, length float64 // m: the whole way at least, and that to the corner
	to, from      uint32
	unseen        bool // nobody has looked whether it is free
}

const (
	begin = math.MaxUint32 - iota // the place where the search begins
	end                           // and where it ends
)

// Find appends the corners of the shortest way, and its end, to a path, and returns how long it
// is, in m. It returns false if there is none. It allocates only until it has seen the largest
// graph.
//
// It is A*, with the straight way as the bound. Whether the first and the last bit of a way are
// free is asked only when it is the most promising one, as in Lazy A* (Cohen, Phillips,
// Likhachev 2015).
func (s *Search) Find(g *Graph, from, to r2.Vec, path []r2.Vec) (_ []r2.Vec, length float64, ok bool) {
	s.Expanded = 0
	if g.index == nil || g.index.Len() == 0 {
		return append(path, to), vec.Norm(vec.Sub(to, from)), true
	}
	widthFrom, widthTo := g.widthAt(from), g.widthAt(to)
	if g.free(from, to, min(widthFrom, widthTo)) {
		return append(path, to), vec.Norm(vec.Sub(to, from)), true
	}
	s.reset(len(g.corners))
	for i := range g.corners {
		c := &g.corners[i]
		if way := vec.Sub(c.at, from); c.touches(way) {
			l := vec.Norm(way)
			s.push(step{bound: l + vec.Norm(vec.Sub(to, c.at)), length: l, to: uint32(i), from: begin, unseen: true})
		}
	}
	for len(s.open) > 0 {
		at := s.pop()
		if at.to == end {
			if g.free(g.corners[at.from].at, to, widthTo) {
				return s.path(g, at.from, append(path, to), len(path)), at.length, true
			}
			continue
		}
		if s.closed[at.to] {
			continue
		}
		c := &g.corners[at.to]
		if at.unseen && !g.free(from, c.at, widthFrom) {
			continue
		}
		s.closed[at.to], s.parent[at.to] = true, at.from
		s.used = append(s.used, at.to)
		s.Expanded++
		if way := vec.Sub(to, c.at); c.touches(way) {
			l := at.length + vec.Norm(way)
			s.push(step{bound: l, length: l, to: end, from: at.to})
		}
		for _, link := range g.linksOf(int(at.to)) {
			if l := at.length + link.length; !s.closed[link.to] && l < s.length[link.to] {
				if math.IsInf(s.length[link.to], 1) {
					s.used = append(s.used, link.to)
				}
				s.length[link.to] = l
				s.push(step{bound: l + vec.Norm(vec.Sub(to, g.corners[link.to].at)), length: l, to: link.to, from: at.to})
			}
		}
	}
	return path, math.Inf(1), false
}

// reset forgets the last search.
func (s *Search) reset(corners int) {
	for _, i := range s.used {
		s.closed[i], s.length[i] = false, math.Inf(1)
	}
	s.open, s.used = s.open[:0], s.used[:0]
	for len(s.closed) < corners {
		s.closed, s.parent, s.length = append(s.closed, false), append(s.parent, begin), append(s.length, math.Inf(1))
	}
}

// path puts the corners on the way to a corner before what comes last in a path.
func (s *Search) path(g *Graph, corner uint32, path []r2.Vec, first int) []r2.Vec {
	last := path[len(path)-1]
	path = path[:len(path)-1]
	for ; corner != begin; corner = s.parent[corner] {
		path = append(path, g.corners[corner].at)
	}
	for i, k := first, len(path)-1; i < k; i, k = i+1, k-1 {
		path[i], path[k] = path[k], path[i]
	}
	return append(path, last)
}

// push puts a step into the heap.
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

// pop takes the step with the lowest bound out of the heap.
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

// before tells which step comes first. Of equal ones it does not depend on when they were put
// into the heap.
func (x *step) before(y *step) bool {
	if x.bound != y.bound {
		return x.bound < y.bound
	}
	return x.to > y.to || x.to == y.to && x.from < y.from
}
