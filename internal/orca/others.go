package orca

import (
	"math"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// addNear takes the nearest of all that are near, as Others says, in any order.
func (s *Solver) addNear(a *Agent, others *Others, limit, dt float64) {
	p, first := &s.pairs, s.pairs.n
	gaps := s.near(a, others, float64(limit*dt))
	others.Found = p.n - first
	if others.Found > others.Most {
		p.keepNearest(first, others.Most, others.ID)
	}
	if a.Firm && gaps {
		s.addGaps(others, first, limit, dt)
	}
}

// near takes all others that are near, and tells whether any of them may have a gap to
// the agent that it could close by a step, in meters.
func (s *Solver) near(a *Agent, others *Others, step float64) (gaps bool) {
	p := &s.pairs
	p.room(others.Room)
	if s.ids = others.ID; !s.opened {
		s.opened, s.crowd = true, kernel.Crowd{
			X: &others.X[0], Y: &others.Y[0], VX: &others.VX[0], VY: &others.VY[0], Radius: &others.Radius[0],
			WayX: &others.WayX[0], WayY: &others.WayY[0],
		}
	}
	s.seeker = kernel.Seeker{
		X: a.Position.X, Y: a.Position.Y, VX: a.Velocity.X, VY: a.Velocity.Y, Radius: a.Radius,
		Limit: others.Limit, Self: float64(others.Self), Step: step,
	}
	if found, gaps, ok := kernel.Near(&p.at, p.n, &s.crowd, others.Parts, &s.seeker); ok {
		p.n += found
		return gaps
	}
	if others.Room > len(s.close) {
		s.close = make([]uint32, 2*others.Room)
	}
	near, n := s.close, 0
	for _, part := range others.Parts {
		x, y := others.X[part.Lo:part.Hi], others.Y[part.Lo:part.Hi]
		for i := range x {
			k := part.Lo + uint32(i)
			near[n] = k
			d := r2.Vec{X: x[i] - a.Position.X, Y: y[i] - a.Position.Y}
			n += asInt(vec.Norm2(d) <= others.Limit) & asInt(k != others.Self)
		}
	}
	s.addPairs(a, others, near[:n])
	return true
}

// keepNearest leaves of the pairs from first on those whose others are nearest, that many;
// of those as near those with the lowest IDs.
func (p *pairs) keepNearest(first, most int, ids []uint64) {
	for p.n > first+most {
		dx, dy := p.dx[first:p.n], p.dy[first:p.n]
		far, at := -1., 0
		for i, x := range dx {
			d2 := float64(x*x) + float64(dy[i]*dy[i])
			if d2 > far || d2 == far && ids[uint32(p.of[first+i])] > ids[uint32(p.of[first+at])] {
				far, at = d2, i
			}
		}
		at, p.n = first+at, p.n-1
		for _, column := range [...][]float64{p.dx, p.dy, p.ux, p.uy, p.wx, p.wy, p.reach, p.of} {
			column[at] = column[p.n]
		}
	}
}

// addOthers takes so many others to the pairs of those that may limit the agent. If it is
// firm, it appends the half-planes of the gaps to those that it could touch within a step.
func (s *Solver) addOthers(a *Agent, others *Others, avoids int, limit, dt float64) {
	first := s.pairs.n
	s.pairs.room(avoids)
	s.ids = others.ID
	s.addPairs(a, others, others.Of[:avoids])
	if others.Share != nil {
		copy(s.pairs.share[first:], others.Share[:avoids])
	}
	if a.Firm {
		s.addGaps(others, first, limit, dt)
	}
}

// addPairs takes others that share the avoidance with the agent. There is room.
func (s *Solver) addPairs(a *Agent, others *Others, of []uint32) {
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
	share := p.share[first:][:n]
	for i := range share {
		share[i] = 0.5
	}
}

// addGaps appends the half-planes of others that the agent could touch within a
// step. If two agents take their shares of the gap, they touch at most. An agent
// that does less than half is expected to go on as it does.
func (s *Solver) addGaps(others *Others, first int, limit, dt float64) {
	p, n := &s.pairs, s.pairs.n
	shares, reaches, dx, dy := p.share[first:n], p.reach[first:n], p.dx[first:n], p.dy[first:n]
	for i, reach := range reaches {
		share, way := shares[i], float64(limit*dt)
		to := r2.Vec{X: dx[i], Y: dy[i]}
		if !(reach >= 0) {
			reach = max(reach, 0)
		}
		if share > 0.5 {
			way += float64((2*share - 1) * float64(vec.Norm(others.At(i).Velocity)*dt))
		}
		near, d2 := float64(share*reach)+way, vec.Norm2(to)
		if !(float64(float64(share*share)*d2) < float64(near*near)) || !(share > 0) || d2 == 0 {
			continue
		}
		d := math.Sqrt(d2)
		h := halfPlane{n: vec.Scale(-1/d, to)}
		if gap := d - reach; gap > 0 {
			h.c = -float64(share*gap) / dt
			if share > 0.5 {
				h.c += float64((2*share - 1) * max(vec.Dot(h.n, others.At(i).Velocity), 0))
			}
			h.c = min(h.c, 0)
		}
		s.planes = append(s.planes, h)
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
