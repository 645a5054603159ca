package orca

import (
	"math"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// pairs are agents with one other each that may limit them: those of one agent after those
// of another.
type pairs struct {
	columns
	n  int // how many rows count
	at kernel.Pairs
}

// columns are what is known of pairs. They are as long as each other.
type columns struct {
	dx, dy []float64 // m, from the agent to the other
	ux, uy []float64 // m/s, the agent's velocity, less the other's
	wx, wy []float64 // the other's way
	reach  []float64 // m, the distance at which they touch
	share  []float64 // of the avoidance, that falls to the agent
	of     []float64 // the other, in the crowd

	// The half-planes: those velocities v of the agent, in m/s, with n·(v - velocity) ≥ c.
	nx, ny, c []float64
}

func (c *columns) all() [12]*[]float64 {
	return [...]*[]float64{&c.dx, &c.dy, &c.ux, &c.uy, &c.wx, &c.wy, &c.reach, &c.share, &c.of, &c.nx, &c.ny, &c.c}
}

// room makes room for some more pairs, and for what kernels write behind them.
func (p *pairs) room(more int) {
	if p.n+more+kernel.Lanes <= len(p.dx) {
		return
	}
	size := max(2*(p.n+more), 256) + kernel.Lanes
	for _, column := range p.all() {
		*column = append(make([]float64, 0, size), *column...)[:size]
	}
	p.at = kernel.Pairs{
		DX: &p.dx[0], DY: &p.dy[0], UX: &p.ux[0], UY: &p.uy[0], WX: &p.wx[0], WY: &p.wy[0],
		Reach: &p.reach[0], Share: &p.share[0], NX: &p.nx[0], NY: &p.ny[0], C: &p.c[0], Of: &p.of[0],
	}
}

// bounds are what the half-planes of others depend on, of an agent.
type bounds struct {
	id       uint64
	velocity r2.Vec  // m/s
	way      r2.Vec  // see Agent.Way
	side     float64 // see Agent.Side
	yields   int     // 1: to those ahead that prefer to go about the same way

	// 1/s, over the time for which others shall not be touched, by one who is not behind
	// and one who is; and that in which those part who touch, and those who are behind get to
	// their distance.
	perTime [4]float64
	wider   [2]float64 // factor of reach, of those who are not behind and of those who are

	kernel kernel.Bounds // the same
}

// bound sets them for steps of dt seconds. An agent keeps back from those ahead by a share
// of the distance at which the two would touch.
func (b *bounds) bound(a *Agent, dt, keep float64) {
	b.id, b.velocity, b.way, b.side, b.yields = a.ID, a.Velocity, a.Way, a.Side, asInt(a.Yield)
	horizon := max(a.Horizon, dt)
	if dt == 0 {
		dt = horizon
	}
	b.perTime = [4]float64{1 / horizon, 1 / dt, 1 / horizon, 1 / max(closing, dt)}
	b.wider = [2]float64{1, 1 + keep}
	b.kernel = kernel.Bounds{b.way.X, b.way.Y, b.perTime[0], b.perTime[1], b.perTime[3], b.wider[1], math.NaN()}
	if b.yields > 0 {
		b.kernel[6] = 0.5
	}
}

// HalfPlanes finds the half-planes of all agents that were added.
func (s *Solver) HalfPlanes() {
	for i := range s.choices {
		c := &s.choices[i]
		s.halfPlanes(&c.bounds, c.from, c.to)
	}
}

// halfPlanes finds those of some pairs, of one agent. The kernel may write to those behind.
func (s *Solver) halfPlanes(b *bounds, lo, hi int) {
	p := &s.pairs
	for lo < hi {
		lo = kernel.HalfPlanes(&p.at, lo, hi, &b.kernel)
		if lo < hi {
			end := kernel.Until(lo, hi)
			s.someHalfPlanes(b, lo, end)
			lo = end
		}
	}
}

// someHalfPlanes finds those of some pairs, of one agent.
//
// The velocities that would lead the agent into the other within the time are the
// velocity obstacle: a disc, that of where it would be after that time, and all that it
// shadows as seen from zero. The half-plane lies at its border, where that is nearest to
// the velocity of the one relative to the other, on the disc or on one of two legs; and
// takes a share of the way there. That of one who is behind, and gives way, is all of
// it, and the one ahead is not limited.
//
// Who is behind whom nobody can guess: so that is found without branches.
func (s *Solver) someHalfPlanes(b *bounds, lo, hi int) {
	p := &s.pairs
	dx := p.dx[lo:hi]
	n := len(dx)
	dy, ux, uy, wayX, wayY := p.dy[lo:][:n], p.ux[lo:][:n], p.uy[lo:][:n], p.wx[lo:][:n], p.wy[lo:][:n]
	reaches, shares, nx, ny, c := p.reach[lo:][:n], p.share[lo:][:n], p.nx[lo:][:n], p.ny[lo:][:n], p.c[lo:][:n]
	way := b.way
	for i, x := range dx {
		y, u, v, reach, share := dy[i], ux[i], uy[i], reaches[i], shares[i]
		d2 := float64(x*x) + float64(y*y)
		touching := asInt(!(d2 > float64(reach*reach)))
		own, theirs := float64(x*way.X)+float64(y*way.Y), -(float64(x*wayX[i]) + float64(y*wayY[i]))
		yields := b.yields & asInt(share == 0.5) & asInt(float64(way.X*wayX[i])+float64(way.Y*wayY[i]) > 0)
		behind := yields & asInt(own > theirs)

		reach = float64(reach * b.wider[behind])
		reach2 := float64(reach * reach)
		near := asInt(!(d2 > reach2))
		perTime := b.perTime[near|(behind&^touching)<<1]
		wx, wy := u-float64(perTime*x), v-float64(perTime*y) // from the center of the disc
		w2, along := float64(wx*wx)+float64(wy*wy), float64(wx*x)+float64(wy*y)

		var depth float64 // of the velocity in the obstacle; negative outside
		if near != 0 || along < 0 && float64(along*along) > float64(reach2*w2) {
			if !(w2 >= vec.MinNorm2 && w2 <= vec.MaxNorm2) || own == theirs && yields > 0 || !(reach >= 0) {
				s.oddHalfPlane(b, lo+i)
				continue
			}
			l := math.Sqrt(w2)
			f := 1 / l
			nx[i], ny[i] = float64(f*wx), float64(f*wy)
			depth = float64(reach*perTime) - l
		} else {
			side := float64(x*v) - float64(y*u)
			if side == 0 || own == theirs && yields > 0 || !(reach >= 0) {
				s.oddHalfPlane(b, lo+i)
				continue
			}
			leg, f := math.Copysign(math.Sqrt(d2-reach2), side), 1/d2
			nx[i] = float64(f * (float64(-reach*x) - float64(leg*y)))
			ny[i] = float64(f * (float64(leg*x) - float64(reach*y)))
			depth = -(float64(nx[i]*u) + float64(ny[i]*v))
		}
		c[i] = float64((share+half[behind])*depth) + never[yields&^behind|asInt(!(share > 0))]
	}
}

// half is what one who is behind does more, and never makes a half-plane one of all
// velocities.
var half, never = [2]float64{0, 0.5}, [2]float64{0, math.Inf(-1)}

// oddHalfPlane finds the half-plane of a pair of which one is right in front of the
// other, or at the center of the disc, or level with it, or that moves so fast or so slowly
// that a square is out of range.
func (s *Solver) oddHalfPlane(b *bounds, i int) {
	p := &s.pairs
	to, u := r2.Vec{X: p.dx[i], Y: p.dy[i]}, r2.Vec{X: p.ux[i], Y: p.uy[i]}
	other := Other{ID: s.ids[uint32(p.of[i])], Way: r2.Vec{X: p.wx[i], Y: p.wy[i]}}
	reach, share, back := max(p.reach[i], 0), p.share[i], 0
	if b.yields > 0 && share == 0.5 {
		switch order(&Agent{ID: b.id, Way: b.way}, &other, to) {
		case ahead:
			p.nx[i], p.ny[i], p.c[i] = 0, 0, math.Inf(-1)
			return
		case behind:
			share, back = 1, 1
		}
	}
	d2 := vec.Norm2(to)
	touching := asInt(!(d2 > float64(reach*reach)))
	reach = float64(reach * b.wider[back])
	reach2 := float64(reach * reach)
	near := asInt(!(d2 > reach2))
	perTime := b.perTime[near|(back&^touching)<<1]
	w := vec.AddScaled(u, -perTime, to)
	w2, along := vec.Norm2(w), vec.Dot(w, to)

	var n r2.Vec
	var depth float64
	if near != 0 || along < 0 && float64(along*along) > float64(reach2*w2) {
		l := vec.Norm(w)
		switch {
		case l > 0:
			n = vec.Unit(w)
		case to != r2.Vec{}:
			n = vec.Unit(vec.Scale(-1, to))
		default:
			n = parting(b.id, other.ID)
		}
		depth = float64(reach*perTime) - l
	} else {
		side := vec.Cross(to, u)
		if side == 0 {
			side = -b.side
		}
		f := 1 / d2
		leg := math.Copysign(float64(f*math.Sqrt(d2-reach2)), side)
		n = vec.AddScaled(vec.Scale(float64(-f*reach), to), leg, vec.Left(to))
		depth = -vec.Dot(n, u)
	}
	p.nx[i], p.ny[i], p.c[i] = n.X, n.Y, float64(share*depth)+never[asInt(!(share > 0))]
}
