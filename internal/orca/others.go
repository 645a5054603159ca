package orca

import (
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Crowd is the agents of which those of a block choose, and which they avoid. All columns are as long as
// each other. For Near, they have kernel.Lanes more rows behind them that may be read.
type Crowd struct {
	X, Y, Radius []float64 // m
	VX, VY       []float64 // m/s, as of the last step

	// WayX and WayY are the direction in which others see an agent prefer to go, a unit vector; zero if
	// they cannot tell. For all agents it should be that of the last step.
	WayX, WayY []float64

	ID []uint64 // tells apart agents at the same place with the same velocity
}

// Near adds agents of the crowd, from one on, that avoid the nearest others within the root of
// a limit, in m², at most that many, each with half of the avoidance. Parts of the crowd hold all of these others.
// It adds n agents, or fewer, and returns how many others are near to each.
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
			WayX: &crowd.WayX[0], WayY: &crowd.WayY[0],
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

// near takes all others that are near to an agent.
func (s *Solver) near(self uint32, parts []kernel.Part, limit float64) {
	others, n := s.close, 0
	for _, part := range parts {
		x, y := s.crowd.X[part.Lo:part.Hi], s.crowd.Y[part.Lo:part.Hi]
		others = s.roomForClose(n + len(x))
		for i := range x {
			k := part.Lo + uint32(i)
			others[n] = k
			d := r2.Vec{X: x[i] - s.crowd.X[self], Y: y[i] - s.crowd.Y[self]}
			n += asInt(vec.Norm2(d) <= limit) & asInt(k != self)
		}
	}
	s.pair(self, others[:n])
}

// Add adds an agent of the crowd that avoids some others, with the share of the avoidance of each that falls
// to it: 0.5 if the other one does as much, 1 if that does nothing, 0 if the agent ignores it. Without shares, they are
// a half.
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

// pair pairs an agent with others. There is room.
func (s *Solver) pair(self uint32, others []uint32) {
	crowd, p, first := s.crowd, &s.pairs, s.pairs.n
	way := crowd.way(self)
	p.n += len(others)
	for i, k := range others {
		to := r2.Vec{X: crowd.X[k] - crowd.X[self], Y: crowd.Y[k] - crowd.Y[self]}
		i += first
		p.dx[i], p.dy[i], p.reach[i] = to.X, to.Y, crowd.Radius[self]+crowd.Radius[k]
		p.ux[i], p.uy[i] = crowd.VX[self]-crowd.VX[k], crowd.VY[self]-crowd.VY[k]
		p.of[i] = float64(k) + rankOf(to, way, crowd.way(k))
	}
}

func (c *Crowd) way(k uint32) r2.Vec { return r2.Vec{X: c.WayX[k], Y: c.WayY[k]} }

// pairsAtOnce is how many pairs agents should have that look for others together: few enough that
// a crowd that gets denser takes no more memory.
const pairsAtOnce = 256

// nearest leaves of some pairs those than which fewer others are nearer than are wanted, in
// their order, and returns where they end. Those are more than are wanted if some are as near as
// others.
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
			nearer += asInt(other < own)
		}
		if nearer < most {
			p.move(from+i, to)
			to++
		}
	}
	return to
}

// keepNearest leaves of some pairs those whose others are nearest, that many; of those as near
// those with the lowest IDs. It returns where they end.
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

// pairs are agents with one other each that may limit them: those of one agent after those
// of another.
type pairs struct {
	columns
	n   int // how many rows count
	odd int // up to here there may be shares other than a half, which all others are
	at  kernel.Pairs
}

// columns are what is known of pairs. They are as long as each other.
type columns struct {
	dx, dy []float64 // m, from the agent to the other
	ux, uy []float64 // m/s, the agent's velocity, less the other's
	reach  []float64 // m, the distance at which they touch
	share  []float64 // of the avoidance, that falls to the agent
	of     []float64 // the other, in the crowd, and the rank of the agent toward it: see rankOf

	// The half-planes: those velocities v of the agent, in m/s, with n·(v - velocity) ≥ c.
	nx, ny, c []float64
}

func (c *columns) all() [10]*[]float64 {
	return [...]*[]float64{&c.dx, &c.dy, &c.ux, &c.uy, &c.reach, &c.share, &c.of, &c.nx, &c.ny, &c.c}
}

// room makes room for some more pairs, and for what kernels write behind them.
func (p *pairs) room(more int) {
	if p.n+more+kernel.Lanes <= len(p.dx) {
		return
	}
	// Columns that all begin a page would be in one another's way in the cache, because what is
	// known of a pair is in the same place of each: so they begin a few lines apart.
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

// halve makes all shares a half from a row on.
func (p *pairs) halve(from int) {
	for i := range p.share[from:] {
		p.share[from+i] = 0.5
	}
}

// reset forgets all pairs.
func (p *pairs) reset() {
	if p.n = 0; p.odd > 0 {
		p.halve(0)
		p.odd = 0
	}
}

// move moves a pair.
func (p *pairs) move(from, to int) {
	for _, column := range [...][]float64{p.dx, p.dy, p.ux, p.uy, p.reach, p.share, p.of} {
		column[to] = column[from]
	}
}

// rankOf returns where an agent stands toward another one at an offset, given both ways: of two
// that do not go against one another, the one is behind that has the other one farther in front
// of it. So the two always agree; if they are level, the one with the higher ID is behind.
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

// roomForClose returns memory for so many others that are near, with what it held.
func (s *Solver) roomForClose(n int) []uint32 {
	if n > len(s.close) {
		s.close = append(s.close, make([]uint32, 2*n-len(s.close))...)
	}
	return s.close
}

// asInt returns 1 for true.
func asInt(b bool) (i int) {
	if b {
		i = 1
	}
	return i
}
