package orca

import (
	"math"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

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
	rank   []float64 // of the agent toward the other: see rankOf
	of     []float64 // the other, in the crowd

	// The half-planes: those velocities v of the agent, in m/s, with n·(v - velocity) ≥ c.
	nx, ny, c []float64
}

func (c *columns) all() [11]*[]float64 {
	return [...]*[]float64{&c.dx, &c.dy, &c.ux, &c.uy, &c.reach, &c.share, &c.rank, &c.of, &c.nx, &c.ny, &c.c}
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
		Rank: &p.rank[0], Of: &p.of[0], NX: &p.nx[0], NY: &p.ny[0], C: &p.c[0],
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
	for _, column := range [...][]float64{p.dx, p.dy, p.ux, p.uy, p.reach, p.share, p.rank, p.of} {
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

// HalfPlanes finds the half-planes of all agents that were added, and which of them hinder
// agents.
func (s *Solver) HalfPlanes() {
	for first := 0; first < len(s.choices); {
		c := &s.choices[first]
		last := c
		for first++; first < len(s.choices) && s.choices[first].from == last.to && s.choices[first].bounds == c.bounds; first++ {
			last = &s.choices[first]
		}
		bounds := &s.bounds[c.bounds]
		for i := c.from; i < last.to; {
			i = kernel.HalfPlanes(&s.pairs.at, i, last.to, bounds)
			for end := kernel.Until(i, last.to); i < min(end, last.to); i++ {
				s.halfPlane(i, bounds)
			}
		}
	}
	if !kernel.Hindering(&s.pairs.at, s.prefer) {
		for i := range s.prefer {
			s.prefer[i].Hindering, s.prefer[i].Close = ^uint64(0), ^uint64(0)
		}
	}
}

// halfPlane finds the half-plane of a pair.
//
// The velocities that would lead the agent into the other within the time are the
// velocity obstacle: a disc, that of where it would be after that time, and all that it
// shadows as seen from zero. The half-plane lies at its border, where that is nearest to
// the velocity of the one relative to the other, on the disc or on one of two legs; and
// takes a share of the way there. That of an agent that is behind, and gives way, is all of
// it, and the one ahead is not limited.
func (s *Solver) halfPlane(i int, b *kernel.Bounds) {
	p := &s.pairs
	to, u := r2.Vec{X: p.dx[i], Y: p.dy[i]}, r2.Vec{X: p.ux[i], Y: p.uy[i]}
	rank, reach, share := p.rank[i], max(p.reach[i], 0), p.share[i]
	if share != b.YieldShare {
		rank = 0
	}
	if rank == kernel.Level {
		if rank = kernel.Ahead; s.idOf(i) > s.ids[uint32(p.of[i])] {
			rank = kernel.Behind
		}
	}
	if rank < 0 || !(share > 0) {
		p.nx[i], p.ny[i], p.c[i] = 0, 0, math.Inf(-1)
		return
	}
	d2, perTime := vec.Norm2(to), b.Horizon
	touches := !(d2 > float64(reach*reach))
	if rank > 0 {
		share, reach = 1, float64(reach*b.Wider)
	}
	near := !(d2 > float64(reach*reach))
	switch {
	case near && rank > 0 && !touches:
		perTime = b.Closing
	case near:
		perTime = b.Step
	}
	w := r2.Vec{X: u.X - float64(perTime*to.X), Y: u.Y - float64(perTime*to.Y)} // from the center of the disc
	w2, along := vec.Norm2(w), vec.Dot(w, to)

	var n r2.Vec
	var depth float64 // of the velocity in the obstacle; negative outside
	if near || along < 0 && float64(along*along) > float64(float64(reach*reach)*w2) {
		l := math.Sqrt(w2)
		f := 1 / l
		switch n = (r2.Vec{X: float64(f * w.X), Y: float64(f * w.Y)}); {
		case w2 >= vec.MinNorm2 && w2 <= vec.MaxNorm2:
		case vec.Norm(w) > 0:
			n, l = vec.Unit(w), vec.Norm(w)
		case to != r2.Vec{}:
			n, l = vec.Unit(vec.Scale(-1, to)), 0
		default:
			n, l = parting(s.idOf(i), s.ids[uint32(p.of[i])]), 0
		}
		depth = float64(reach*perTime) - l
	} else {
		side := float64(to.X*u.Y) - float64(to.Y*u.X)
		if side == 0 {
			side = -s.choiceOf(i).side
		}
		leg, f := math.Copysign(math.Sqrt(d2-float64(reach*reach)), side), 1/d2
		n.X = float64(f * (float64(-reach*to.X) - float64(leg*to.Y)))
		n.Y = float64(f * (float64(leg*to.X) - float64(reach*to.Y)))
		depth = -vec.Dot(n, u)
	}
	p.nx[i], p.ny[i], p.c[i] = n.X, n.Y, float64(share*depth)
}

// choiceOf returns the choice of the agent of a pair. It is for odd pairs only.
func (s *Solver) choiceOf(pair int) *choice {
	for i := range s.choices {
		if c := &s.choices[i]; c.from <= pair && pair < c.to {
			return c
		}
	}
	panic("crowd: a pair of no agent")
}

// idOf returns the ID of the agent of a pair.
func (s *Solver) idOf(pair int) uint64 { return s.choiceOf(pair).id }

// parting returns the direction in which an agent leaves another at the same
// place, a unit vector that is opposite for the two: as if each stood at a point
// nearby that is a hash of it. So of many in one place there are always some on the
// outside, which leave first. Agents of one identity go the same way.
func parting(own, theirs uint64) r2.Vec {
	if n := vec.Unit(vec.Sub(pointOf(own), pointOf(theirs))); n != (r2.Vec{}) {
		return n
	}
	return r2.Vec{X: 1}
}

// pointOf returns a point in a square that is a hash of an agent.
func pointOf(id uint64) r2.Vec {
	h := hash.Mix(id)
	return r2.Vec{X: float64(uint32(h)), Y: float64(h >> 32)}
}
