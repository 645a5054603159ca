package orca

import (
	"math"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// addOthers takes so many others to the pairs of those that limit the agent. If it is
// firm, it appends the half-planes of the gaps to those that it could touch within a step.
//
// Who is behind whom nobody can guess: so that is found without branches.
func (s *Solver) addOthers(a *Agent, others *Others, avoids int, goal r2.Vec, limit, dt, keep float64) {
	horizon := max(a.Horizon, dt)
	step := dt
	if step == 0 {
		step = horizon
	}
	// Over the horizon, the step in which those who touch part, and the time in which one
	// who is behind is to get to its distance.
	perTimes := [4]float64{1 / horizon, 1 / step, 1 / horizon, 1 / max(closing, step)}
	wider, more := [2]float64{1, 1 + keep}, [2]float64{0, 0.5}
	yields, heeds := asInt(a.Yield), asInt(horizon > 0)

	n := s.pairs.n
	p := s.pairs.room(avoids)
	x, y, vx, vy, radius, ways := others.X, others.Y, others.VX, others.VY, others.Radius, others.Way
	y, vx, vy, radius, ways = y[:len(x)], vx[:len(x)], vy[:len(x)], radius[:len(x)], ways[:len(x)]
	share, farthest := 0.5, 0.
	if a.Firm {
		farthest = float64(limit * dt)
	}
	for i, k := range others.Of[:avoids] {
		to, way := r2.Vec{X: x[k] - a.Position.X, Y: y[k] - a.Position.Y}, ways[k]
		if others.Share != nil {
			share = others.Share[i]
		}
		d2, reach := vec.Norm2(to), a.Radius+radius[k]
		if reach < 0 {
			reach = 0
		}
		if touch := float64(0.5*reach) + farthest; a.Firm && (float64(0.25*d2) < float64(touch*touch) || share != 0.5) {
			o := others.At(i)
			s.addGap(a, &o, to, d2, reach, limit, dt)
		}

		own, theirs := vec.Dot(to, a.Way), -vec.Dot(to, way)
		order := yields & asInt(share == 0.5) & asInt(vec.Dot(a.Way, way) > 0)
		behind := order & asInt(own > theirs)
		if own == theirs {
			behind = order & asInt(a.ID > others.ID[k])
		}
		ahead := order &^ behind

		touching := asInt(!(d2 > float64(reach*reach)))
		reach = float64(reach * wider[behind])
		near := asInt(!(d2 > float64(reach*reach)))
		if d2 == 0 {
			s.pairs.parted = append(s.pairs.parted, parted{n, parting(a.ID, others.ID[k])})
		}
		p.dx[n], p.dy[n] = to.X, to.Y
		p.ux[n], p.uy[n] = a.Velocity.X-vx[k], a.Velocity.Y-vy[k]
		p.reach[n], p.share[n], p.perTime[n] = reach, share+more[behind], perTimes[near|(behind&^touching)<<1]
		p.with[n] = vec.Dot(way, goal)
		n += asInt(share > 0) &^ ahead & heeds
	}
	s.pairs.n = n
}

// asInt returns 1 for true.
func asInt(b bool) (i int) {
	if b {
		i = 1
	}
	return i
}

// addGap appends the half-plane of another one if the agent could touch it within a
// step. If two agents take their shares of the gap, they touch at most. An agent
// that does less than half is expected to go on as it does.
func (s *Solver) addGap(a *Agent, o *Other, to r2.Vec, d2, reach, limit, dt float64) {
	share, way := o.Share, float64(limit*dt)
	if share > 0.5 {
		way += float64((2*share - 1) * float64(vec.Norm(o.Velocity)*dt))
	}
	if near := float64(share*reach) + way; !(share > 0) || !(float64(float64(share*share)*d2) < float64(near*near)) || d2 == 0 {
		return
	}
	d := math.Sqrt(d2)
	h := halfPlane{n: vec.Scale(-1/d, to)}
	if gap := d - reach; gap > 0 {
		h.c = -float64(share*gap) / dt
		if share > 0.5 {
			h.c += float64((2*share - 1) * max(vec.Dot(h.n, o.Velocity), 0))
		}
		h.c = min(h.c, 0)
	}
	s.planes = append(s.planes, h)
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
