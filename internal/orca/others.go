package orca

import (
	"math"
	"slices"

	"github.com/8f878440/crowd/internal/hash"
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

	Of    []uint32  // who they are
	Share []float64 // of each of them; nil: a half of all

	// Parts, in place of Of and Share, are where to look for them, after Near: they are the
	// nearest Most that are within the root of Limit, in m², of an agent that is in the crowd
	// itself, as number Self, and has no TimeGap. All columns have kernel.Lanes rows behind them
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
	p.room(n * others.Room)
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
		Radius: others.Radius[self],
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

// move moves a pair.
func (p *pairs) move(from, to int) {
	for _, column := range [...][]float64{p.dx, p.dy, p.ux, p.uy, p.wx, p.wy, p.reach, p.of} {
		column[to] = column[from]
	}
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

// addOthers takes so many others to the pairs of those that may limit the agent.
func (s *Solver) addOthers(a *Agent, others *Others, avoids int) (first, end int) {
	first = s.pairs.n
	s.pairs.room(avoids)
	s.ids = others.ID
	self := Other{Position: a.Position, Velocity: a.Velocity, Radius: a.Radius}
	s.addPairs(&self, others, others.Of[:avoids])
	if others.Share != nil {
		copy(s.pairs.share[first:], others.Share[:avoids])
		s.pairs.odd = s.pairs.n
	}
	return first, s.pairs.n
}

// addPairs takes others that share the avoidance with the agent. There is room.
func (s *Solver) addPairs(a *Other, others *Others, of []uint32) {
	p, n, first := &s.pairs, len(of), s.pairs.n
	p.n += n
	x, radius := others.X, others.Radius[:len(others.X)]
	y := others.Y[:len(x)]
	dx, dy, reach, index := p.dx[first:][:n], p.dy[first:][:n], p.reach[first:][:n], p.of[first:][:n]
	for i, k := range of {
		dx[i], dy[i] = x[k]-a.Position.X, y[k]-a.Position.Y
		reach[i], index[i] = a.Radius+radius[k], float64(k)
	}
	vx, wayX := others.VX, others.WayX[:len(others.VX)]
	vy, wayY := others.VY[:len(vx)], others.WayY[:len(vx)]
	ux, uy, wx, wy := p.ux[first:][:n], p.uy[first:][:n], p.wx[first:][:n], p.wy[first:][:n]
	for i, k := range of {
		ux[i], uy[i] = a.Velocity.X-vx[k], a.Velocity.Y-vy[k]
		wx[i], wy[i] = wayX[k], wayY[k]
	}
}

// addGaps appends the half-planes of others that the agent could touch within a
// step. If two agents take their shares of the gap, they touch at most. An agent
// that does less than half is expected to go on as it does.
//
// The half-plane that keeps a share of the gap leaves out what an agent prefers only if
//
//	share·d·(d - reach) < dt·(to·goal)
//
// where d·(d - reach) is at least half of d² - reach². With a share of a half that is
//
//	d² < reach² + 4·dt·(to·goal)
//
// as HalfPlanes tests it, with the pairs at hand.
//
// Who is so near nobody can guess: so that is found without branches.
func (s *Solver) addGaps(others *Others, first, n int, limit, dt float64) {
	p := &s.pairs
	reaches := p.reach[first:n]
	shares, dx, dy := p.share[first:n][:len(reaches)], p.dx[first:n][:len(reaches)], p.dy[first:n][:len(reaches)]
	s.roomForClose(len(reaches))
	near, found := s.close[:len(reaches)], 0
	for i, reach := range reaches {
		share, way := shares[i], float64(limit*dt)
		if !(reach >= 0) {
			reach = max(reach, 0)
		}
		if share > 0.5 {
			way += float64((2*share - 1) * float64(vec.Norm(others.At(i).Velocity)*dt))
		}
		far, d2 := float64(share*reach)+way, float64(dx[i]*dx[i])+float64(dy[i]*dy[i])
		near[found] = uint32(i)
		found += asInt(float64(float64(share*share)*d2) < float64(far*far)) & asInt(share > 0) & asInt(d2 > 0)
	}
	s.planes = slices.Grow(s.planes, found)[:len(s.planes)+found]
	planes := s.planes[len(s.planes)-found:]
	for k, i := range near[:found] {
		share, reach := shares[i], max(reaches[i], 0)
		to := r2.Vec{X: dx[i], Y: dy[i]}
		d := math.Sqrt(vec.Norm2(to))
		h := halfPlane{n: vec.Scale(-1/d, to)}
		if gap := d - reach; gap > 0 {
			h.c = -float64(share*gap) / dt
			if share > 0.5 {
				h.c += float64((2*share - 1) * max(vec.Dot(h.n, others.At(int(i)).Velocity), 0))
			}
			h.c = min(h.c, 0)
		}
		planes[k] = h
	}
}

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

// parting returns the direction in which an agent leaves another at the same
// place, a unit vector that is opposite for the two: as if each stood at a point
// nearby that is a hash of it. So of many in one place there are always some on the
// outside, who leave first. Agents of one identity go the same way.
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
