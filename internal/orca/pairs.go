package orca

import (
	"math"
	"slices"

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
		DX: &p.dx[0], DY: &p.dy[0], UX: &p.ux[0], UY: &p.uy[0], WX: &p.wx[0], WY: &p.wy[0],
		Reach: &p.reach[0], Share: &p.share[0], NX: &p.nx[0], NY: &p.ny[0], C: &p.c[0], Of: &p.of[0],
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

// gapRounding is more than rounding does to a square.
const gapRounding = 0x1p-30

// bound sets what the half-planes of the agent that is added last depend on, for steps of dt
// seconds. It keeps back from those ahead by a share of the distance at which the two would
// touch.
func (s *Solver) bound(a *Agent, c *choice, dt, keep float64) {
	horizon := max(a.Horizon, dt)
	if dt == 0 {
		dt = horizon
	}
	if t := &s.times; t.horizon != horizon || t.step != dt || t.perStep == 0 {
		*t = times{horizon, dt, 1 / horizon, 1 / dt, 1 / max(closing, dt)}
	}
	s.bounds = slices.Grow(s.bounds, 1)[:len(s.bounds)+1]
	b := &s.bounds[len(s.bounds)-1]
	b.From, b.To, b.Hindering = c.from, c.to, 0
	b.WayX, b.WayY = a.Way.X, a.Way.Y
	b.Horizon, b.Step, b.Closing = s.times.perHorizon, s.times.perStep, s.times.perClosing
	b.Wider, b.YieldShare = 1+keep, math.NaN()
	if a.Yield {
		b.YieldShare = 0.5
	}
	aim := vec.Sub(c.goal, a.Velocity)
	b.AimX, b.AimY, b.Slack = aim.X, aim.Y, float64(c.limit*rounding)
	b.GapX, b.GapY = math.NaN(), math.NaN()
	if c.gaps {
		far := float64(4 * (1 + gapRounding) * c.dt)
		b.GapX, b.GapY = float64(far*c.goal.X), float64(far*c.goal.Y)
	}
}

// times are a horizon and a step, in s, and over them, and over the time that those who are
// behind take to get to their distance.
type times struct {
	horizon, step                   float64
	perHorizon, perStep, perClosing float64 // 1/s
}

// HalfPlanes finds the half-planes of all agents that were added.
func (s *Solver) HalfPlanes() {
	for i := 0; i < len(s.bounds); i++ {
		i += kernel.HalfPlanes(&s.pairs.at, s.bounds[i:])
		if i < len(s.bounds) {
			s.halfPlanes(i)
		}
	}
}

// halfPlanes finds those of an agent, and leaves it to look to see which of them hinder it.
//
// The velocities that would lead the agent into the other within the time are the
// velocity obstacle: a disc, that of where it would be after that time, and all that it
// shadows as seen from zero. The half-plane lies at its border, where that is nearest to
// the velocity of the one relative to the other, on the disc or on one of two legs; and
// takes a share of the way there. That of one who is behind, and gives way, is all of
// it, and the one ahead is not limited.
//
// Who is behind whom nobody can guess: so that is found without branches.
func (s *Solver) halfPlanes(agent int) {
	p, b := &s.pairs, &s.bounds[agent]
	b.Hindering = ^uint64(0)
	lo := b.From
	dx := p.dx[lo:b.To]
	n := len(dx)
	dy, ux, uy, wayX, wayY := p.dy[lo:][:n], p.ux[lo:][:n], p.uy[lo:][:n], p.wx[lo:][:n], p.wy[lo:][:n]
	reaches, shares, nx, ny, c := p.reach[lo:][:n], p.share[lo:][:n], p.nx[lo:][:n], p.ny[lo:][:n], p.c[lo:][:n]
	way, yielding := r2.Vec{X: b.WayX, Y: b.WayY}, asInt(b.YieldShare == 0.5)
	allWider, allPerTime := factors(b)
	for i, x := range dx {
		y, u, v, reach, share := dy[i], ux[i], uy[i], reaches[i], shares[i]
		d2 := float64(x*x) + float64(y*y)
		touching := asInt(!(d2 > float64(reach*reach)))
		own, theirs := float64(x*way.X)+float64(y*way.Y), -(float64(x*wayX[i]) + float64(y*wayY[i]))
		yields := yielding & asInt(share == 0.5) & asInt(float64(way.X*wayX[i])+float64(way.Y*wayY[i]) > 0)
		behind := yields & asInt(own > theirs)

		reach = float64(reach * allWider[behind])
		reach2 := float64(reach * reach)
		near := asInt(!(d2 > reach2))
		perTime := allPerTime[near|(behind&^touching)<<1]
		wx, wy := u-float64(perTime*x), v-float64(perTime*y) // from the center of the disc
		w2, along := float64(wx*wx)+float64(wy*wy), float64(wx*x)+float64(wy*y)

		var depth float64 // of the velocity in the obstacle; negative outside
		if near != 0 || along < 0 && float64(along*along) > float64(reach2*w2) {
			if !(w2 >= vec.MinNorm2 && w2 <= vec.MaxNorm2) || own == theirs && yields > 0 || !(reach >= 0) {
				s.oddHalfPlane(agent, lo+i)
				continue
			}
			l := math.Sqrt(w2)
			f := 1 / l
			nx[i], ny[i] = float64(f*wx), float64(f*wy)
			depth = float64(reach*perTime) - l
		} else {
			side := float64(x*v) - float64(y*u)
			if side == 0 || own == theirs && yields > 0 || !(reach >= 0) {
				s.oddHalfPlane(agent, lo+i)
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

// factors returns those of reach, of one who is not behind and of one who is; and one over the
// time for which others shall not be touched, in 1/s, by one who is not behind and by one who is: if
// they are farther away than that, or nearer.
func factors(b *kernel.Bounds) (wider [2]float64, perTime [4]float64) {
	return [2]float64{1, b.Wider}, [4]float64{b.Horizon, b.Step, b.Horizon, b.Closing}
}

// half is what one who is behind does more, and never makes a half-plane one of all
// velocities.
var half, never = [2]float64{0, 0.5}, [2]float64{0, math.Inf(-1)}

// oddHalfPlane finds the half-plane of a pair of which one is right in front of the
// other, or at the center of the disc, or level with it, or that moves so fast or so slowly
// that a square is out of range.
func (s *Solver) oddHalfPlane(agent, i int) {
	p, b, a := &s.pairs, &s.bounds[agent], &s.choices[agent]
	allWider, allPerTime := factors(b)
	to, u := r2.Vec{X: p.dx[i], Y: p.dy[i]}, r2.Vec{X: p.ux[i], Y: p.uy[i]}
	other := Other{ID: s.ids[uint32(p.of[i])], Way: r2.Vec{X: p.wx[i], Y: p.wy[i]}}
	reach, share, back := max(p.reach[i], 0), p.share[i], 0
	if b.YieldShare == 0.5 && share == 0.5 {
		switch order(&Agent{ID: a.id, Way: r2.Vec{X: b.WayX, Y: b.WayY}}, &other, to) {
		case ahead:
			p.nx[i], p.ny[i], p.c[i] = 0, 0, math.Inf(-1)
			return
		case behind:
			share, back = 1, 1
		}
	}
	d2 := vec.Norm2(to)
	touching := asInt(!(d2 > float64(reach*reach)))
	reach = float64(reach * allWider[back])
	reach2 := float64(reach * reach)
	near := asInt(!(d2 > reach2))
	perTime := allPerTime[near|(back&^touching)<<1]
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
			n = parting(a.id, other.ID)
		}
		depth = float64(reach*perTime) - l
	} else {
		side := vec.Cross(to, u)
		if side == 0 {
			side = -a.side
		}
		f := 1 / d2
		leg := math.Copysign(float64(f*math.Sqrt(d2-reach2)), side)
		n = vec.AddScaled(vec.Scale(float64(-f*reach), to), leg, vec.Left(to))
		depth = -vec.Dot(n, u)
	}
	p.nx[i], p.ny[i], p.c[i] = n.X, n.Y, float64(share*depth)+never[asInt(!(share > 0))]
}
