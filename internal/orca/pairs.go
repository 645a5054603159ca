package orca

import (
	"math"
	"math/bits"
	"sort"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// HalfPlanes computes the half-planes of the pairs of all added agents that have a rule, and finds those that
// may exclude the preferred velocity of their agent.
func (s *Solver) HalfPlanes() {
	p := &s.pairs
	for i := p.n; i < p.n+kernel.Lanes; i++ { // kernels compute these rows too, and rare cases would stop them
		p.dx[i], p.dy[i], p.ux[i], p.uy[i], p.reach[i], p.of[i] = 1, 0, 1, 1, 0, 0
	}
	for k := 0; k < len(s.choices); {
		c := &s.choices[k]
		i, to := c.from, c.to
		for k++; k < len(s.choices) && s.choices[k].from == to && s.choices[k].rule == c.rule; k++ {
			to = s.choices[k].to
		}
		if c.rule < 0 {
			continue
		}
		bounds := &s.rules[c.rule].bounds
		for i < to {
			i = kernel.HalfPlanes(&s.pairs.at, i, to, bounds)
			for end := kernel.Until(i, to); i < min(end, to); i++ {
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

// halfPlane computes the half-plane of a pair. The velocity obstacle is a disc whose radius is the sum of
// both radii, scaled by 1/horizon, and its shadow as seen from the origin. The half-plane touches the
// obstacle's border at the point nearest to the relative velocity, moved by the agent's share of the change.
// An agent that is behind and gives way makes the whole change; the one ahead is not limited.
func (s *Solver) halfPlane(i int, b *kernel.Bounds) {
	p := &s.pairs
	to, u := r2.Vec{X: p.dx[i], Y: p.dy[i]}, r2.Vec{X: p.ux[i], Y: p.uy[i]}
	rank, reach, share := p.of[i]-math.Floor(p.of[i]), max(p.reach[i], 0), p.share[i]
	if share != b.YieldShare {
		rank = 0
	}
	if rank == kernel.Level {
		if rank = kernel.Ahead; s.idOf(i) > s.crowd.ID[uint32(p.of[i])] {
			rank = kernel.Behind
		}
	}
	if rank == kernel.Ahead || !(share > 0) {
		p.nx[i], p.ny[i], p.c[i] = 0, 0, math.Inf(-1)
		return
	}
	d2, perTime := vec.Norm2(to), b.Horizon
	touches := !(d2 > float64(reach*reach))
	behind := rank == kernel.Behind
	if behind {
		share, reach = 1, float64(reach*b.Wider)
	}
	near := !(d2 > float64(reach*reach))
	switch {
	case near && behind && !touches:
		perTime = b.Closing
	case near:
		perTime = b.Step
	}
	w := r2.Vec{X: u.X - float64(perTime*to.X), Y: u.Y - float64(perTime*to.Y)} // from the center of the disc
	w2, along := vec.Norm2(w), vec.Dot(w, to)

	var n r2.Vec
	var depth float64 // how far the velocity lies inside the obstacle
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
			n, l = parting(s.idOf(i), s.crowd.ID[uint32(p.of[i])]), 0
		}
		depth = float64(reach*perTime) - l
	} else {
		side := float64(to.X*u.Y) - float64(to.Y*u.X)
		if side == 0 {
			side = b.Side
		}
		leg, f := math.Copysign(math.Sqrt(d2-float64(reach*reach)), side), 1/d2
		n.X = float64(f * (float64(-reach*to.X) - float64(leg*to.Y)))
		n.Y = float64(f * (float64(leg*to.X) - float64(reach*to.Y)))
		depth = -vec.Dot(n, u)
	}
	p.nx[i], p.ny[i], p.c[i] = n.X, n.Y, float64(share*depth)
}

// idOf returns the ID of the agent of a pair. It searches, so it is for rare cases only.
func (s *Solver) idOf(pair int) uint64 {
	i := sort.Search(len(s.choices), func(i int) bool { return pair < s.choices[i].to })
	return s.crowd.ID[s.choices[i].self]
}

// parting returns the direction in which an agent leaves another at the same position, a unit vector between
// two points that are hashes of their IDs. So of many agents in one place, those with the outermost points
// leave first. Agents with equal IDs go the same way.
func parting(own, theirs uint64) r2.Vec {
	if n := vec.Unit(vec.Sub(pointOf(own), pointOf(theirs))); n != (r2.Vec{}) {
		return n
	}
	return r2.Vec{X: 1}
}

func pointOf(id uint64) r2.Vec {
	h := hash.Mix(id)
	return r2.Vec{X: float64(uint32(h)), Y: float64(h >> 32)}
}

// addGaps inserts, after the half-planes of walls, hard half-planes of neighbors that the agent could touch
// within a step. The agent may close 1 - share of the gap to a neighbor. If it does nearly all of the
// avoidance, it may close the whole gap, less what the neighbor closes at its present velocity.
//
// The half-plane that lets the agent close 1 - share of the gap excludes the agent's goal, its preferred
// velocity, only if
//
//	(1 - share)·d·(d - reach) < dt·(to·goal)
//
// where to is the offset to the neighbor, d is its length, and reach is the distance at which the two touch.
// d·(d - reach) is at least (d² - reach²)/2. So with a share of 0.5, this implies
//
//	d² < reach² + 4·dt·(to·goal)
//
// which HalfPlanes tests. In bitsOf, the bits of close pairs are set, by index modulo 64, or all bits without
// kernels or if shares may differ from 0.5.
func (s *Solver) addGaps(c *choice, bitsOf uint64) {
	p, n := &s.pairs, c.to-c.from
	shares, dx, dy, reaches := p.share[c.from:c.to], p.dx[c.from:c.to], p.dy[c.from:c.to], p.reach[c.from:c.to]
	near, found := s.roomForClose(n)[:n], 0
	for ; bitsOf != 0; bitsOf &= bitsOf - 1 {
		for i := bits.TrailingZeros64(bitsOf); i < n; i += 64 {
			share, way := shares[i], float64(c.limit*s.dt)
			part := 1 - share
			if share > nearlyAll {
				part, way = 1, way+float64(vec.Norm(s.velocity(uint32(p.of[c.from+i])))*s.dt)
			}
			far, d2 := float64(part*max(reaches[i], 0))+way, float64(dx[i]*dx[i])+float64(dy[i]*dy[i])
			near[found] = uint32(i)
			found += AsInt(float64(float64(part*part)*d2) < float64(far*far)) & AsInt(share > 0) & AsInt(d2 > 0)
		}
	}
	if found == 0 {
		return
	}
	first, walls, soft := len(s.planes), c.fixed-c.first, s.planes[c.hard:c.end]
	s.planes = append(s.planes, s.planes[c.first:c.fixed]...)
	for _, i := range near[:found] {
		share, reach := shares[i], max(reaches[i], 0)
		to := r2.Vec{X: dx[i], Y: dy[i]}
		d := math.Sqrt(vec.Norm2(to))
		h := halfPlane{n: vec.Scale(-1/d, to)}
		if gap := d - reach; gap > 0 {
			if h.c = -float64((1-share)*gap) / s.dt; share > nearlyAll {
				h.c = min(max(vec.Dot(h.n, s.velocity(uint32(p.of[c.from+int(i)]))), 0)-gap/s.dt, 0)
			}
		}
		s.planes = append(s.planes, h)
	}
	s.planes = append(s.planes, soft...)
	c.first, c.fixed, c.hard, c.end = first, first+walls, first+walls+found, len(s.planes)
}

// nearlyAll is the share of an agent that meets another with nine times its priority.
const nearlyAll = 0.9
