package orca

import (
	"math"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// pairs are agents with one other each that limits them: those of one agent after those
// of another.
type pairs struct {
	columns
	n      int      // how many rows count
	parted []parted // that are at the same place
	odd    []int    // pairs, whose half-planes take more care
}

// columns are what is known of pairs. They are as long as each other.
type columns struct {
	dx, dy  []float64 // m, from the agent to the other
	ux, uy  []float64 // m/s, the agent's velocity, less the other's
	reach   []float64 // m, the distance at which they touch
	share   []float64 // of the avoidance, that falls to the agent
	perTime []float64 // 1/s, over the time for which they shall not touch; if they do, in which they shall part
	with    []float64 // m²/s², product of the agent's goal and the other's way

	// The half-planes: those velocities v of the agent, in m/s, with n·(v - velocity) ≥ c.
	nx, ny, c []float64
}

// parted is in which direction the agent of a pair leaves the other one.
type parted struct {
	pair int
	n    r2.Vec
}

func (p *pairs) reset() { p.n, p.parted = 0, p.parted[:0] }

// room returns the columns, after it has made room for some more pairs.
func (p *pairs) room(more int) columns {
	if n := p.n + more; n > len(p.dx) {
		for _, column := range p.all() {
			longer := make([]float64, max(2*n, 256))
			copy(longer, *column)
			*column = longer
		}
	}
	return p.columns
}

func (c *columns) all() [11]*[]float64 {
	return [...]*[]float64{&c.dx, &c.dy, &c.ux, &c.uy, &c.reach, &c.share, &c.perTime, &c.with, &c.nx, &c.ny, &c.c}
}

// HalfPlanes finds the half-planes of all agents that were added.
//
// The velocities that would lead the agent into the other within the time are the
// velocity obstacle: a disc, that of where it would be after that time, and all that it
// shadows as seen from zero. The half-plane lies at its border, where that is nearest to
// the velocity of the one relative to the other, on the disc or on one of two legs; and
// takes a share of the way there.
func (s *Solver) HalfPlanes() {
	p := &s.pairs
	p.odd = p.odd[:0]
	n := p.n
	dx, dy, ux, uy, reaches, shares, perTimes := p.dx[:n], p.dy[:n], p.ux[:n], p.uy[:n], p.reach[:n], p.share[:n], p.perTime[:n]
	nx, ny, c := p.nx[:n], p.ny[:n], p.c[:n]
	for i := range dx {
		x, y, u, v, reach, perTime := dx[i], dy[i], ux[i], uy[i], reaches[i], perTimes[i]
		d2, reach2 := float64(x*x)+float64(y*y), float64(reach*reach)
		wx, wy := u-float64(perTime*x), v-float64(perTime*y) // from the center of the disc
		w2, along := float64(wx*wx)+float64(wy*wy), float64(wx*x)+float64(wy*y)

		var depth float64 // of the velocity in the obstacle; negative outside
		if !(d2 > reach2) || along < 0 && float64(along*along) > float64(reach2*w2) {
			if !(w2 >= vec.MinNorm2 && w2 <= vec.MaxNorm2) {
				p.odd = append(p.odd, i)
				continue
			}
			l := math.Sqrt(w2)
			f := 1 / l
			nx[i], ny[i] = float64(f*wx), float64(f*wy)
			depth = float64(reach*perTime) - l
		} else {
			side := float64(x*v) - float64(y*u)
			if side == 0 {
				p.odd = append(p.odd, i)
				continue
			}
			leg, f := math.Copysign(math.Sqrt(d2-reach2), side), 1/d2
			nx[i] = float64(f * (float64(-reach*x) - float64(leg*y)))
			ny[i] = float64(f * (float64(leg*x) - float64(reach*y)))
			depth = -(float64(nx[i]*u) + float64(ny[i]*v))
		}
		c[i] = float64(shares[i] * depth)
	}
	for _, i := range p.odd {
		s.oddHalfPlane(i)
	}
}

// oddHalfPlane finds the half-plane of a pair of which one is right in front of the
// other, or at the center of the disc, or that moves so fast or so slowly that a square is
// out of range.
func (s *Solver) oddHalfPlane(i int) {
	p := &s.pairs
	to, u, reach, perTime := r2.Vec{X: p.dx[i], Y: p.dy[i]}, r2.Vec{X: p.ux[i], Y: p.uy[i]}, p.reach[i], p.perTime[i]
	d2, reach2 := vec.Norm2(to), float64(reach*reach)
	w := vec.AddScaled(u, -perTime, to)
	w2, along := vec.Norm2(w), vec.Dot(w, to)
	var n r2.Vec
	var depth float64
	if !(d2 > reach2) || along < 0 && float64(along*along) > float64(reach2*w2) {
		l := vec.Norm(w)
		switch {
		case l > 0:
			n = vec.Unit(w)
		case to != r2.Vec{}:
			n = vec.Unit(vec.Scale(-1, to))
		default:
			n = p.parting(i)
		}
		depth = float64(reach*perTime) - l
	} else {
		f := 1 / d2
		leg := math.Copysign(float64(f*math.Sqrt(d2-reach2)), -s.agentOf(i).side)
		n = vec.AddScaled(vec.Scale(float64(-f*reach), to), leg, vec.Left(to))
		depth = -vec.Dot(n, u)
	}
	p.nx[i], p.ny[i], p.c[i] = n.X, n.Y, float64(p.share[i]*depth)
}

// agentOf returns the agent of a pair.
func (s *Solver) agentOf(pair int) *choice {
	i := 0
	for s.choices[i].to <= pair {
		i++
	}
	return &s.choices[i]
}

// parting returns in which direction the agent of a pair leaves the other one, if they
// are at the same place.
func (p *pairs) parting(pair int) r2.Vec {
	i := len(p.parted) - 1
	for p.parted[i].pair != pair {
		i--
	}
	return p.parted[i].n
}
