package orca

import (
	"math"
	"math/bits"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Others are agents to avoid, some of a crowd that is given as columns. The crowd's columns
// have the units of Other, and are as long as each other.
type Others struct {
	X, Y, VX, VY, Radius []float64
	ID                   []uint64
	WayX, WayY           []float64

	Of    []uint32  // which they are
	Share []float64 // of each of them; nil: a half of all

	// Parts, in place of Of and Share, are where to look for them, after Near: they are the
	// nearest Most that are within the root of Limit, in m², of an agent that is in the crowd
	// itself, as number Self. All columns have kernel.Lanes rows behind them
	// that may be read. Found is set to how many there are. The columns stay as they are until
	// Reset.
	Parts       []kernel.Part
	Room        int // how many rows the parts have, at least
	Limit       float64
	Self        uint32
	Most, Found int
}

// At returns the i-th of them.
func (o *Others) At(i int) Other {
	k, share := o.Of[i], 0.5
	if o.Share != nil {
		share = o.Share[i]
	}
	return Other{
		ID: o.ID[k], Position: r2.Vec{X: o.X[k], Y: o.Y[k]}, Velocity: r2.Vec{X: o.VX[k], Y: o.VY[k]}, Radius: o.Radius[k],
		Way: r2.Vec{X: o.WayX[k], Y: o.WayY[k]}, Share: share,
	}
}

// velocity returns that of one of the crowd.
func (o *Others) velocity(of float64) r2.Vec { return r2.Vec{X: o.VX[uint32(of)], Y: o.VY[uint32(of)]} }

// add makes another one the last of a crowd and of those to avoid.
func (o *Others) add(k Other) {
	o.Of = append(o.Of, uint32(len(o.X)))
	o.X, o.Y, o.VX, o.VY = append(o.X, k.Position.X), append(o.Y, k.Position.Y), append(o.VX, k.Velocity.X), append(o.VY, k.Velocity.Y)
	o.Radius, o.ID, o.Share = append(o.Radius, k.Radius), append(o.ID, k.ID), append(o.Share, k.Share)
	o.WayX, o.WayY = append(o.WayX, k.Way.X), append(o.WayY, k.Way.Y)
}

// reset forgets them.
func (o *Others) reset() {
	o.X, o.Y, o.VX, o.VY, o.Radius = o.X[:0], o.Y[:0], o.VX[:0], o.VY[:0], o.Radius[:0]
	o.ID, o.WayX, o.WayY, o.Of, o.Share = o.ID[:0], o.WayX[:0], o.WayY[:0], o.Of[:0], o.Share[:0]
}

// Near finds all others near to n agents of the crowd, at most kernel.MostSeekers, from one on.
// Add of each of them goes by it, until the next call.
func (s *Solver) Near(others *Others, first uint32, n int) {
	p, by := &s.pairs, &s.seekers
	p.room(max(n*others.Room, kernel.MostSeekers*min(others.Most, kernel.MostSeekers)+PairsAtOnce-p.n))
	if s.ids = others.ID; !s.opened {
		s.opened, s.crowd = true, kernel.Crowd{
			X: &others.X[0], Y: &others.Y[0], VX: &others.VX[0], VY: &others.VY[0], Radius: &others.Radius[0],
			WayX: &others.WayX[0], WayY: &others.WayY[0],
		}
	}
	by.First, by.N, by.Limit, by.Most = int(first), n, others.Limit, others.Most
	s.seekersFrom = p.n
	var done bool
	if p.n, done = kernel.Near(&p.at, p.n, &s.crowd, others.Parts, by); !done {
		for k := range n {
			from := p.n
			s.near(others, first+uint32(k))
			by.Found[k] = uint32(p.n - from)
			if p.n-from > by.Most {
				p.n = p.nearest(from, p.n, by.Most)
			}
			by.Ends[k] = uint32(p.n)
		}
	}
}

// near takes all others that are near to an agent of the crowd.
func (s *Solver) near(others *Others, self uint32) {
	s.roomForClose(others.Room)
	near, n := s.close, 0
	a := Other{
		Position: r2.Vec{X: others.X[self], Y: others.Y[self]}, Velocity: r2.Vec{X: others.VX[self], Y: others.VY[self]},
		Radius: others.Radius[self], Way: r2.Vec{X: others.WayX[self], Y: others.WayY[self]},
	}
	for _, part := range others.Parts {
		x, y := others.X[part.Lo:part.Hi], others.Y[part.Lo:part.Hi]
		for i := range x {
			k := part.Lo + uint32(i)
			near[n] = k
			d := r2.Vec{X: x[i] - a.Position.X, Y: y[i] - a.Position.Y}
			n += asInt(vec.Norm2(d) <= others.Limit) & asInt(k != self)
		}
	}
	s.addPairs(&a, others, near[:n])
}

// addNear takes the nearest of all that are near, as Others says, in any order.
func (s *Solver) addNear(others *Others) (from, to int) {
	k := int(others.Self) - s.seekers.First
	if from = s.seekersFrom; k > 0 {
		from = int(s.seekers.Ends[k-1])
	}
	to, others.Found = int(s.seekers.Ends[k]), int(s.seekers.Found[k])
	if to-from > others.Most {
		to = s.pairs.keepNearest(from, to, others.Most, others.ID)
	}
	return from, to
}

// nearest leaves of some pairs those than which fewer others are nearer than are wanted, in
// their order, and returns where they end. Those are more than are wanted if some are as near as
// others.
func (p *pairs) nearest(from, end, most int) int {
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

// addOthers takes others to the pairs of those that may limit the agent.
func (s *Solver) addOthers(a *Agent, others *Others) (first, end int) {
	first = s.pairs.n
	s.pairs.room(len(others.Of))
	s.addPairs(&Other{Position: a.Position, Velocity: a.Velocity, Radius: a.Radius, Way: a.Way}, others, others.Of)
	if others.Share != nil {
		copy(s.pairs.share[first:], others.Share)
		s.pairs.odd = s.pairs.n
	}
	return first, s.pairs.n
}

// addPairs takes others that share the avoidance with the agent. There is room.
func (s *Solver) addPairs(a *Other, others *Others, of []uint32) {
	p, first := &s.pairs, s.pairs.n
	p.n += len(of)
	for i, k := range of {
		to := r2.Vec{X: others.X[k] - a.Position.X, Y: others.Y[k] - a.Position.Y}
		i += first
		p.dx[i], p.dy[i], p.reach[i], p.of[i] = to.X, to.Y, a.Radius+others.Radius[k], float64(k)
		p.ux[i], p.uy[i] = a.Velocity.X-others.VX[k], a.Velocity.Y-others.VY[k]
		p.rank[i] = rankOf(to, a.Way, r2.Vec{X: others.WayX[k], Y: others.WayY[k]})
	}
}

// addGaps appends the half-planes of others that the agent could touch within a
// step, between copies of those of walls. The more of the avoidance an agent does, the
// less of the gap it may close: together they touch at most. If it does nearly all of it, the other is
// expected to go on as it does.
//
// The half-plane that keeps a share of the gap leaves out what an agent prefers only if
//
//	(1 - share)·d·(d - reach) < dt·(to·goal)
//
// where d·(d - reach) is at least half of d² - reach². With a share of a half that is
//
//	d² < reach² + 4·dt·(to·goal)
//
// as HalfPlanes tests it, with the pairs at hand. Those that are close have their bits set, modulo 64; where
// shares are other than a half, all have.
func (s *Solver) addGaps(c *choice, bitsOf uint64) {
	p, n := &s.pairs, c.to-c.from
	shares, dx, dy, reaches := p.share[c.from:c.to], p.dx[c.from:c.to], p.dy[c.from:c.to], p.reach[c.from:c.to]
	s.roomForClose(n)
	near, found := s.close[:n], 0
	for ; bitsOf != 0; bitsOf &= bitsOf - 1 {
		for i := bits.TrailingZeros64(bitsOf); i < n; i += 64 {
			share, way := shares[i], float64(c.limit*c.dt)
			part := 1 - share // of the gap
			if share > nearlyAll {
				part, way = 1, way+float64(vec.Norm(s.others.velocity(p.of[c.from+i]))*c.dt)
			}
			far, d2 := float64(part*max(reaches[i], 0))+way, float64(dx[i]*dx[i])+float64(dy[i]*dy[i])
			near[found] = uint32(i)
			found += asInt(float64(float64(part*part)*d2) < float64(far*far)) & asInt(share > 0) & asInt(d2 > 0)
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
			if h.c = -float64((1-share)*gap) / c.dt; share > nearlyAll {
				h.c = min(max(vec.Dot(h.n, s.others.velocity(p.of[c.from+int(i)])), 0)-gap/c.dt, 0)
			}
		}
		s.planes = append(s.planes, h)
	}
	s.planes = append(s.planes, soft...)
	c.first, c.fixed, c.hard, c.end = first, first+walls, first+walls+found, len(s.planes)
}

// PairsAtOnce is how many pairs agents should have that look for others together: few enough that
// a crowd that gets denser takes no more memory.
const PairsAtOnce = 256

// nearlyAll of the avoidance is that of an agent among those with nine times its priority.
const nearlyAll = 0.9

// roomForClose makes room for so many others that are near.
func (s *Solver) roomForClose(n int) {
	if n > len(s.close) {
		s.close = make([]uint32, 2*n)
	}
}

// asInt returns 1 for true.
func asInt(b bool) (i int) {
	if b {
		i = 1
	}
	return i
}
