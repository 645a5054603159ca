package orca

import (
	"math"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// addOthers takes so many others to the pairs of those that may limit the agent. If it is
// firm, it appends the half-planes of the gaps to those that it could touch within a step.
func (s *Solver) addOthers(a *Agent, others *Others, avoids int, limit, dt float64) {
	of := others.Of[:avoids]
	n, first := len(of), s.pairs.n
	s.pairs.add(n)
	s.ids = others.ID
	p := &s.pairs

	x, radius := others.X, others.Radius[:len(others.X)]
	y := others.Y[:len(x)]
	dx, dy, reach, index := p.dx[first:][:n], p.dy[first:][:n], p.reach[first:][:n], p.of[first:][:n]
	for i, k := range of {
		dx[i], dy[i] = x[k]-a.Position.X, y[k]-a.Position.Y
		reach[i], index[i] = a.Radius+radius[k], k
	}
	vx, ways := others.VX, others.Way[:len(others.VX)]
	vy := others.VY[:len(vx)]
	ux, uy, wx, wy := p.ux[first:][:n], p.uy[first:][:n], p.wx[first:][:n], p.wy[first:][:n]
	for i, k := range of {
		ux[i], uy[i] = a.Velocity.X-vx[k], a.Velocity.Y-vy[k]
		wx[i], wy[i] = ways[k].X, ways[k].Y
	}
	share := p.share[first:][:n]
	if others.Share == nil {
		for i := range share {
			share[i] = 0.5
		}
	} else {
		copy(share, others.Share)
	}
	if a.Firm {
		s.addGaps(others, first, limit, dt)
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
