package orca

import (
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Crowd holds the agents of a block and those they avoid, in columns of equal length. All columns but ID need
// spare capacity for kernel.Lanes rows, which Near may read.
type Crowd struct {
	X, Y, Radius []float64 // m
	VX, VY       []float64 // m/s, in the last step

	// Preferred directions in the last step, as others see them: unit vectors, or zero if unknown.
	DirX, DirY []float64

	ID []uint64 // decides between agents that are equally near, level, or in the same place
}

// Near adds up to n agents of the crowd, starting at row first; n is at most kernel.MostSeekers. Each agent
// does half of the avoidance of its nearest neighbors. The parameter most bounds their number, and limit, in
// m², their squared distance. parts must contain all neighbors within the limit. For each agent added, found
// holds the number of neighbors within the limit. found is valid until the next call.
func (s *Solver) Near(first uint32, n int, parts []kernel.Part, limit float64, most int) (found []uint32) {
	p, by, room := &s.pairs, &s.seekers, 0
	for _, part := range parts {
		room += int(part.Hi - part.Lo)
	}
	n = min(n, 1+pairsAtOnce/(room+1))
	p.room(max(n*room, kernel.MostSeekers*min(most, kernel.MostSeekers)+pairsAtOnce-p.n))
	if crowd := s.crowd; !s.opened {
		s.opened, s.columns = true, kernel.Crowd{
			X: &crowd.X[0], Y: &crowd.Y[0], VX: &crowd.VX[0], VY: &crowd.VY[0], Radius: &crowd.Radius[0],
			DirX: &crowd.DirX[0], DirY: &crowd.DirY[0],
		}
	}
	by.First, by.N, by.Limit, by.Most = int(first), n, limit, most
	from := p.n
	end, done := kernel.Near(&p.at, from, &s.columns, parts, by)
	for k := range n {
		if !done {
			s.near(first+uint32(k), parts, limit)
			by.Found[k] = uint32(p.n - from)
			p.n = p.nearest(from, p.n, most)
			by.Ends[k] = uint32(p.n)
		}
		to := int(by.Ends[k])
		s.add(first+uint32(k), from, to, false)
		if c := &s.choices[len(s.choices)-1]; to-from > most {
			c.to = p.keepNearest(from, to, most, s.crowd.ID)
		}
		from = to
	}
	if done {
		p.n = end
	}
	return by.Found[:n]
}

func (s *Solver) near(self uint32, parts []kernel.Part, limit float64) {
	others, n := s.close, 0
	for _, part := range parts {
		x, y := s.crowd.X[part.Lo:part.Hi], s.crowd.Y[part.Lo:part.Hi]
		others = s.roomForClose(n + len(x))
		for i := range x {
			k := part.Lo + uint32(i)
			others[n] = k
			d := r2.Vec{X: x[i] - s.crowd.X[self], Y: y[i] - s.crowd.Y[self]}
			n += AsInt(vec.Norm2(d) <= limit) & AsInt(k != self)
		}
	}
	s.pair(self, others[:n])
}

// Add adds the agent in row self of the crowd. others holds the rows of its neighbors. The parameter shares
// holds the agent's share of each avoidance: 0.5 if the neighbor does as much, 1 if the neighbor does nothing,
// 0 if the agent ignores the neighbor. If shares is nil, all are 0.5.
func (s *Solver) Add(self uint32, others []uint32, shares []float64) {
	p, first := &s.pairs, s.pairs.n
	p.room(len(others))
	s.pair(self, others)
	if shares != nil {
		copy(p.share[first:], shares)
		p.odd = p.n
	}
	s.add(self, first, p.n, shares != nil)
}

// pair appends the pairs of an agent and its neighbors, for which there must be room.
func (s *Solver) pair(self uint32, others []uint32) {
	crowd, p, first := s.crowd, &s.pairs, s.pairs.n
	way := crowd.direction(self)
	p.n += len(others)
	for i, k := range others {
		to := r2.Vec{X: crowd.X[k] - crowd.X[self], Y: crowd.Y[k] - crowd.Y[self]}
		i += first
		p.dx[i], p.dy[i], p.reach[i] = to.X, to.Y, crowd.Radius[self]+crowd.Radius[k]
		p.ux[i], p.uy[i] = crowd.VX[self]-crowd.VX[k], crowd.VY[self]-crowd.VY[k]
		p.of[i] = float64(k) + rankOf(to, way, crowd.direction(k))
	}
}

func (c *Crowd) direction(k uint32) r2.Vec { return r2.Vec{X: c.DirX[k], Y: c.DirY[k]} }

// pairsAtOnce bounds the number of candidate pairs of agents that search together, and so the memory.
const pairsAtOnce = 256

// nearest keeps the nearest pairs in [from, end), and returns the new end. most is the number of pairs to
// keep, but ties may add more.
func (p *pairs) nearest(from, end, most int) int {
	if end-from <= most {
		return end
	}
	d2 := p.c[from:end] // there are no half-planes yet
	dx, dy := p.dx[from:end], p.dy[from:end]
	for i, x := range dx {
		d2[i] = float64(x*x) + float64(dy[i]*dy[i])
	}
	to := from
	for i, own := range d2 {
		nearer := 0
		for _, other := range d2 {
			nearer += AsInt(other < own)
		}
		if nearer < most {
			p.move(from+i, to)
			to++
		}
	}
	return to
}

// keepNearest removes the farthest pairs in [first, end) until at most the given number remain. Of equally
// far ones, it removes those with higher IDs first. It returns the new end, and changes the order.
func (p *pairs) keepNearest(first, end, most int, ids []uint64) int {
	for ; end-first > most; end-- {
		far, at := -1., first
		for i := first; i < end; i++ {
			d2 := float64(p.dx[i]*p.dx[i]) + float64(p.dy[i]*p.dy[i])
			if d2 > far || d2 == far && ids[uint32(p.of[i])] > ids[uint32(p.of[at])] {
				far, at = d2, i
			}
		}
		p.move(end-1, at)
	}
	return end
}

// pairs are pairs of an agent and another that may limit it, grouped by agent.
type pairs struct {
	columns
	n   int // rows in use
	odd int // rows from here on have a share of 0.5
	at  kernel.Pairs
}

type columns struct {
	dx, dy []float64 // m, from the agent to the other
	ux, uy []float64 // m/s, the agent's velocity relative to the other
	reach  []float64 // m, the distance at which the two touch
	share  []float64 // the agent's share of the avoidance
	of     []float64 // row of the other in the crowd, plus the agent's rank as a fraction: see rankOf

	// The half-planes: each holds the velocities v of the agent, in m/s, with n·(v - velocity) ≥ c.
	nx, ny, c []float64
}

func (c *columns) all() [10]*[]float64 {
	return [...]*[]float64{&c.dx, &c.dy, &c.ux, &c.uy, &c.reach, &c.share, &c.of, &c.nx, &c.ny, &c.c}
}

// room makes room for the given number of further pairs, and for the rows that kernels write beyond the end.
func (p *pairs) room(more int) {
	if p.n+more+kernel.Lanes <= len(p.dx) {
		return
	}
	// In their pages, columns start a few cache lines apart. If all started at a page boundary, they would
	// compete for the same cache sets.
	const page, apart = 4096 / 8, 5 * 64 / 8
	size := max(2*p.n, p.n+more) + kernel.Lanes
	stride := (size+page-1)/page*page + apart
	memory := make([]float64, len(p.all())*stride)
	for i, column := range p.all() {
		to := memory[i*stride:][:size:size]
		copy(to, *column)
		*column = to
	}
	p.halve(p.n)
	p.at = kernel.Pairs{
		DX: &p.dx[0], DY: &p.dy[0], UX: &p.ux[0], UY: &p.uy[0], Reach: &p.reach[0], Share: &p.share[0],
		Of: &p.of[0], NX: &p.nx[0], NY: &p.ny[0], C: &p.c[0],
	}
}

func (p *pairs) halve(from int) {
	for i := range p.share[from:] {
		p.share[from+i] = 0.5
	}
}

func (p *pairs) reset() {
	if p.n = 0; p.odd > 0 {
		p.halve(0)
		p.odd = 0
	}
}

// move copies a pair, without its half-plane, to another row.
func (p *pairs) move(from, to int) {
	for _, column := range [...][]float64{p.dx, p.dy, p.ux, p.uy, p.reach, p.share, p.of} {
		column[to] = column[from]
	}
}

// rankOf returns the rank of an agent relative to another, given the offset to the other and both directions,
// or 0 if the two oppose each other. The agent that has the other farther ahead of it is behind. If they are
// level, the caller decides by ID.
func rankOf(to, own, theirs r2.Vec) float64 {
	if !(vec.Dot(own, theirs) > kernel.Against) {
		return 0
	}
	switch mine, other := vec.Dot(to, own), -vec.Dot(to, theirs); {
	case mine == other:
		return kernel.Level
	case mine > other:
		return kernel.Behind
	}
	return kernel.Ahead
}

func (s *Solver) roomForClose(n int) []uint32 {
	if n > len(s.close) {
		s.close = append(s.close, make([]uint32, 2*n-len(s.close))...)
	}
	return s.close
}

// AsInt returns 1 for true, and 0 for false.
func AsInt(b bool) (i int) {
	if b {
		i = 1
	}
	return i
}
