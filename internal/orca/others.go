package orca

import (
	"math"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// addOthers appends the half-planes of those others that limit the agent. Of
// those in the way of the velocity goal it returns who comes against it most: the
// least cosine between goal and Way, or infinity without any.
func (s *Solver) addOthers(a *Agent, others []Other, limit, dt float64, goal r2.Vec) (against float64) {
	horizon := max(a.Horizon, dt)
	if against = math.Inf(1); !(horizon > 0) {
		return against
	}
	straight := vec.Unit(goal)
	if dt == 0 {
		dt = horizon
	}
	perHorizon, perStep := 1/horizon, 1/dt
	n := len(s.planes)
	s.planes = grown(s.planes, len(others))
	for i := range others {
		o := &others[i]
		if !(o.Share > 0) {
			continue
		}
		h := &s.planes[n]
		to, v := vec.Sub(o.Position, a.Position), vec.Sub(a.Velocity, o.Velocity)
		reach, share, perPart := max(a.Radius+o.Radius, 0), o.Share, perStep
		d2, reach2 := vec.Norm2(to), float64(reach*reach)
		if a.Yield && share == 0.5 {
			switch order(a, o, to) {
			case ahead:
				continue
			case behind:
				if d2 > reach2 {
					perPart = 1 / max(closing, dt)
				}
				share, reach = 1, float64(reach*(1+s.keep))
				reach2 = float64(reach * reach)
			}
		}
		w := vec.AddScaled(v, -perHorizon, to)
		w2, along := vec.Norm2(w), vec.Dot(w, to)

		var depth float64 // of v in the velocity obstacle; negative outside
		switch {
		case !(d2 > reach2):
			h.n, depth = apart(a, o, to, v, reach, perPart)
		case along < 0 && float64(along*along) > float64(reach2*w2):
			l := math.Sqrt(w2)
			h.n, depth = vec.Scale(1/l, w), float64(reach*perHorizon)-l
		default:
			f := 1 / d2
			side := vec.Cross(to, w)
			if side == 0 {
				side = -a.Side
			}
			leg := math.Copysign(float64(f*math.Sqrt(d2-reach2)), side)
			h.n = vec.AddScaled(vec.Scale(float64(-f*reach), to), leg, vec.Left(to))
			depth = -vec.Dot(h.n, v)
		}
		h.c = vec.Dot(h.n, a.Velocity) + float64(share*depth)
		if h.c > -limit { // or else it holds all velocities, or is none
			n++
			if h.violation(goal) > limit*rounding {
				against = min(against, vec.Dot(o.Way, straight))
			}
		}
	}
	s.planes = s.planes[:n]
	return against
}

// addGaps appends the half-planes of others that the agent could touch within a
// step. If two agents take their shares of the gap, they touch at most. An agent
// that does less than half is expected to go on as it does.
func (s *Solver) addGaps(a *Agent, others []Other, limit, dt float64) {
	for i := range others {
		o := &others[i]
		to, share := vec.Sub(o.Position, a.Position), o.Share
		d2, way := vec.Norm2(to), float64(limit*dt)
		if share > 0.5 {
			way += float64((2*share - 1) * float64(vec.Norm(o.Velocity)*dt))
		}
		reach := max(a.Radius+o.Radius, 0)
		if near := float64(share*reach) + way; !(share > 0) || !(float64(float64(share*share)*d2) < float64(near*near)) || d2 == 0 {
			continue
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
}

// apart returns the half-plane of two bodies that are nearer than reach, which
// separates them within a step, or the time that perStep stands for.
func apart(a *Agent, o *Other, to, v r2.Vec, reach, perStep float64) (n r2.Vec, depth float64) {
	w := vec.AddScaled(v, -perStep, to)
	l := vec.Norm(w)
	switch {
	case l > 0:
		n = vec.Unit(w)
	case to != r2.Vec{}:
		n = vec.Unit(vec.Scale(-1, to))
	default:
		n = parting(a.ID, o.ID)
	}
	return n, float64(reach*perStep) - l
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

// grown returns the list with more places at its end, of any content.
func grown(list []halfPlane, more int) []halfPlane {
	n := len(list) + more
	for cap(list) < n {
		list = append(list[:cap(list)], halfPlane{})
	}
	return list[:n]
}
