package orca

import (
	"math"
	"math/bits"
	"slices"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Kind is what a half-plane is about.
type Kind int

const (
	OfWall     Kind = iota // an edge that the agent could run into; never violated
	OfGap                  // the own share of the gap to another one, see Agent.Firm; never violated
	OfTouching             // an edge that the body is in
	OfBody                 // another body
)

// Plane is a half-plane that limits an agent's choice: it leaves the velocities v
// with Normal·v ≥ Least.
type Plane struct {
	Normal r2.Vec  // unit vector
	Least  float64 // m/s
	Kind   Kind
}

// Planes returns the half-planes of the last answer of Choose that leave out any velocity
// within the greatest speed, and Aim what that was to be nearest to: the preferred
// velocity within the greatest speed, turned to the side if another one was in the way.
func (s *Solver) Planes() []Plane {
	c := s.last
	if c == nil {
		return nil
	}
	var list []Plane
	s.program.open(c, s)
	for i := range s.program.len() {
		h, kind := s.program.plane(i), OfBody
		switch i += c.first; {
		case i < c.fixed:
			kind = OfWall
		case i < c.hard:
			kind = OfGap
		case i < c.end:
			kind = OfTouching
		}
		if kind != OfBody || h.c > -c.limit {
			list = append(list, Plane{h.n, h.c, kind})
		}
	}
	return list
}

// Aim is described at Planes.
func (s *Solver) Aim() r2.Vec { return s.aim }

// Neighbors are the others of an agent that was added, in columns.
type Neighbors struct {
	DX, DY []float64 // m, the way there
	UX, UY []float64 // m/s, the agent's velocity, less the other's
	Reach  []float64 // m, the distance at which they touch

	of    []float64
	crowd *Crowd
	id    uint64
}

// Neighbors returns the others of agent i. They are valid until Keep, KeepNearest, or Near and Add.
func (s *Solver) Neighbors(i int) Neighbors {
	c, p := &s.choices[i], &s.pairs
	return Neighbors{
		p.dx[c.from:c.to], p.dy[c.from:c.to], p.ux[c.from:c.to], p.uy[c.from:c.to], p.reach[c.from:c.to],
		p.of[c.from:c.to], s.crowd, s.crowd.ID[c.self],
	}
}

// ID returns that of the k-th other.
func (n *Neighbors) ID(k int) uint64 { return n.crowd.ID[uint32(n.of[k])] }

// Way returns that of the k-th other.
func (n *Neighbors) Way(k int) r2.Vec { return n.crowd.way(uint32(n.of[k])) }

// Behind reports whether the agent is behind the k-th other, and both prefer about the same direction.
func (n *Neighbors) Behind(k int) bool {
	rank := n.of[k] - math.Floor(n.of[k])
	return rank == kernel.Behind || rank == kernel.Level && n.id > n.ID(k)
}

// Share returns the index in the crowd of the k-th other of agent i, and the agent's share of the avoidance.
func (s *Solver) Share(i, k int) (of uint32, share float64) {
	at := s.choices[i].from + k
	return uint32(s.pairs.of[at]), s.pairs.share[at]
}

// Keep removes from the others of agent i those for which keep returns false.
func (s *Solver) Keep(i int, keep func(of uint32) bool) {
	c, p := &s.choices[i], &s.pairs
	to := c.from
	for i := c.from; i < c.to; i++ {
		if keep(uint32(p.of[i])) {
			p.move(i, to)
			to++
		}
	}
	c.to = to
}

// KeepNearest removes all others of agent i but the nearest, at most that many.
func (s *Solver) KeepNearest(i, most int) {
	if c := &s.choices[i]; c.to-c.from > most {
		c.to = s.pairs.keepNearest(c.from, c.to, most, s.crowd.ID)
	}
}

// Blocked reports whether walls forbid a velocity to agent i.
func (s *Solver) Blocked(i int, v r2.Vec) bool {
	c := &s.choices[i]
	return blocked(s.planes[c.first:c.fixed], v, c.limit)
}

// rounding is what counts as nothing: the sine of two directions that are one,
// and, times the greatest speed, the violation of a half-plane that is met. The
// points where nearly parallel borders cross would be noise without it.
const rounding = 0x1p-32

// halfPlane holds the velocities v with n·v ≥ c, in m/s; n is a unit vector.
type halfPlane struct {
	n r2.Vec
	c float64
}

// violation returns by how much v misses the half-plane, in m/s; negative if it
// lies within.
func (h *halfPlane) violation(v r2.Vec) float64 { return h.c - vec.Dot(h.n, v) }

// program is a linear program: half-planes that limit an agent.
//
// Few of them matter, for most agents none. So it is solved by cutting planes: the
// half-plane that the best velocity so far violates most is taken, and the best
// velocity in those that were taken lies on its border.
type program struct {
	of          *choice
	given       []halfPlane // the first of all
	hard        int         // how many of them are never violated
	own         r2.Vec      // m/s, to which the others are relative: n·(v - own) ≥ c
	nx, ny, c   []float64   // the others
	limit       float64     // m/s, of the velocity
	slack       float64     // m/s, the violation that counts as none
	cuts        []halfPlane // that were taken
	taken       []int       // which those are
	constraints []halfPlane // of least
}

// open makes it the program of an agent.
func (p *program) open(c *choice, s *Solver) {
	p.of, p.given, p.hard, p.own = c, s.planes[c.first:c.end], c.hard-c.first, s.velocity(c.self)
	p.nx, p.ny, p.c = s.pairs.nx[c.from:c.to], s.pairs.ny[c.from:c.to], s.pairs.c[c.from:c.to]
	p.limit, p.slack, p.taken = c.limit, float64(c.limit*rounding), p.taken[:0]
}

func (p *program) len() int { return len(p.given) + len(p.nx) }

// plane returns half-plane i.
func (p *program) plane(i int) halfPlane {
	if i < len(p.given) {
		return p.given[i]
	}
	i -= len(p.given)
	n := r2.Vec{X: p.nx[i], Y: p.ny[i]}
	return halfPlane{n, p.c[i] + vec.Dot(n, p.own)}
}

// first returns worst(goal), and of the others that it violates, which are among those whose bits are
// set, the least product of way and goal, and the agent's share of the avoidance of that one.
func (s *Solver) first(c *choice, hindering uint64) (worst int, least, share float64) {
	p := &s.program
	worst, least = -1, math.Inf(1)
	most, v := p.slack, vec.Sub(c.goal, p.own)
	for ; hindering != 0; hindering &= hindering - 1 {
		for i := bits.TrailingZeros64(hindering); i < len(p.nx); i += 64 {
			d := p.c[i] - (float64(p.nx[i]*v.X) + float64(p.ny[i]*v.Y))
			if !(d > p.slack) {
				continue
			}
			of := uint32(s.pairs.of[c.from+i])
			if way := vec.Dot(s.crowd.way(of), c.goal); way < least {
				least, share = way, s.pairs.share[c.from+i]
			}
			if d > most || d == most && i < worst {
				worst, most = i, d
			}
		}
	}
	if worst >= 0 {
		worst += len(p.given)
	}
	for i := range p.given {
		if d := p.given[i].violation(c.goal); d > most {
			worst, most = i, d
		}
	}
	if math.IsInf(least, 1) {
		share = 0.5
	}
	return worst, least, share
}

// worst returns the half-plane that v violates most, of those from the given one on, and by
// more than a velocity in m/s; -1: none. Those that are not hard are eased by another
// velocity. Of equal ones it is the first of the others, or else the first.
func (p *program) worst(v r2.Vec, from int, more, ease float64) int {
	u := vec.Sub(v, p.own)
	worst, most := worstOf(p.nx, p.ny, p.c, u, more+ease)
	if worst >= 0 {
		worst += len(p.given)
	}
	for i := from; i < len(p.given); i++ {
		d := p.given[i].violation(v)
		if i < p.hard {
			d += ease
		}
		if d > most {
			worst, most = i, d
		}
	}
	if worst >= 0 && slices.Contains(p.taken, worst) {
		return p.worstNew(v, from, more, ease)
	}
	return worst
}

// worstOf returns which of some half-planes v violates most, the first of equal ones, and by how much;
// -1 and least if by no more than least. Behind them, kernel.Lanes more may be read.
func worstOf(nx, ny, c []float64, v r2.Vec, least float64) (worst int, most float64) {
	if worst, most, ok := kernel.Worst(nx, ny, c, v.X, v.Y, least); ok {
		return worst, most
	}
	worst, most = -1, least
	for i, c := range c {
		if d := c - (float64(nx[i]*v.X) + float64(ny[i]*v.Y)); d > most {
			worst, most = i, d
		}
	}
	return worst, most
}

// worstNew is worst among those that were not taken: rounding violates those that were.
func (p *program) worstNew(v r2.Vec, from int, more, ease float64) int {
	worst, most := -1, more
	for i := from; i < p.len(); i++ {
		h := p.plane(i)
		d := h.violation(v)
		if i >= p.hard {
			d -= ease
		}
		if d > most && !slices.Contains(p.taken, i) {
			worst, most = i, d
		}
	}
	return worst
}

// solve returns the velocity within the limit that lies in all half-planes and is
// nearest to goal, which is within the limit, and violates worst most; or if there is
// none, false, and that of least.
func (p *program) solve(goal r2.Vec, worst int) (v r2.Vec, feasible bool) {
	v, feasible = p.nearest(goal, worst, 0)
	if !feasible {
		v = hold(p.given[:p.hard], p.least(v, goal), p.limit)
	}
	return v, feasible
}

// hold returns v, or if rounding has let it violate one of the half-planes, all of
// which hold zero, as much of it as lies in them.
func hold(planes []halfPlane, v r2.Vec, limit float64) r2.Vec {
	for i := range planes {
		if h := &planes[i]; h.violation(v) > limit*rounding {
			v = vec.Scale(min(max(h.c, -limit), 0)/vec.Dot(h.n, v), v)
		}
	}
	return v
}

// nearest returns the velocity that lies in all half-planes and is nearest to goal, where
// those that are not hard are eased by a velocity in m/s. If there is none, v is the
// nearest in those that were taken before the one that leaves none.
func (p *program) nearest(goal r2.Vec, worst int, ease float64) (v r2.Vec, feasible bool) {
	p.cuts, p.taken = p.cuts[:0], p.taken[:0]
	v = goal
	for ; worst >= 0; worst = p.worst(v, 0, p.slack, ease) {
		h := p.plane(worst)
		if worst >= p.hard {
			h.c -= ease
		}
		lo, hi := h.border(p.cuts, p.limit, p.slack)
		if !(lo <= hi) {
			return v, false
		}
		v = h.at(min(max(vec.Dot(vec.Left(h.n), goal), lo), hi))
		p.cuts, p.taken = append(p.cuts, h), append(p.taken, worst)
	}
	return v, true
}

// least returns the velocity for which the greatest violation of the half-planes that are
// not hard is least, among those that lie in the hard ones, and of several the one nearest
// to goal. It starts from v, the answer for those that were taken; or if that violates a
// hard one, from zero, which lies in all of them.
//
// The greatest violation is a third unknown. A half-plane that is violated more
// than all that were taken is the worst one at the answer: so the answer goes as far
// into it as the others allow, each of which is violated less on one side of the
// line where the two are violated equally.
func (p *program) least(v, goal r2.Vec) r2.Vec {
	violated, soft := 0., p.cuts[:0] // of those that were taken
	if blocked(p.given[:p.hard], v, p.limit) {
		v, p.taken = r2.Vec{}, p.taken[:0]
	}
	for k, i := range p.taken {
		if i >= p.hard {
			soft, p.taken[len(soft)] = append(soft, p.cuts[k]), i
		}
	}
	p.taken = p.taken[:len(soft)]
	for {
		worst := p.worst(v, p.hard, violated+p.slack, 0)
		if worst < 0 {
			break
		}
		h := p.plane(worst)
		p.constraints = append(p.constraints[:0], p.given[:p.hard]...)
		for i := range soft {
			o := &soft[i]
			n := vec.Sub(o.n, h.n)
			d2 := vec.Norm2(n)
			if d2 <= rounding*rounding { // both are violated more or less together
				continue
			}
			f := 1 / math.Sqrt(d2)
			p.constraints = append(p.constraints, halfPlane{vec.Scale(f, n), float64(f * (o.c - h.c))})
		}
		// It fails by rounding only, and then what was there before is as good.
		if u, ok := farthest(p.constraints, p.limit, h.n); ok {
			v = u
		}
		violated = max(violated, h.violation(v))
		soft, p.taken = append(soft, h), append(p.taken, worst)
	}
	p.cuts = soft
	// With two half-planes that face one another, what is between them is as bad
	// along all of their borders.
	p.taken = p.taken[:0]
	if u, ok := p.nearest(goal, p.worst(goal, 0, p.slack, violated), violated); ok {
		v = u
	}
	return v
}

// farthest returns the velocity within the limit that lies in all half-planes and goes
// farthest in a direction, a unit vector; false if there is none. It takes one half-plane
// after another.
//
// Source: de Berg, Cheong, van Kreveld, Overmars, "Computational Geometry", 4.3.
func farthest(planes []halfPlane, limit float64, direction r2.Vec) (v r2.Vec, ok bool) {
	v = vec.Scale(limit, direction)
	slack := float64(limit * rounding)
	for i := range planes {
		h := &planes[i]
		if h.violation(v) <= slack {
			continue
		}
		lo, hi := h.border(planes[:i], limit, slack)
		if !(lo <= hi) {
			return v, false
		}
		t := lo
		if vec.Dot(vec.Left(h.n), direction) > 0 {
			t = hi
		}
		v = h.at(t)
	}
	return v, true
}

// at returns the point of the border that is so many meters per second to the left of the
// foot of its normal.
func (h *halfPlane) at(t float64) r2.Vec {
	return vec.AddScaled(vec.Scale(h.c, h.n), t, vec.Left(h.n))
}

// border returns which part of the border of the half-plane, in meters per second
// to the left of the foot of its normal, lies within the limit and in all of
// some others; lo > hi, or NaN, if none does.
func (h *halfPlane) border(others []halfPlane, limit, slack float64) (lo, hi float64) {
	n, c := h.n, h.c
	if c > limit+slack {
		return 1, 0
	}
	hi = math.Sqrt(max(float64((limit-c)*(limit+c)), 0))
	lo = -hi
	for i := range others {
		p := &others[i]
		sin := vec.Cross(n, p.n)
		need := p.c - float64(c*vec.Dot(n, p.n))
		switch t := need / sin; {
		case sin > rounding:
			lo = max(lo, t)
		case sin < -rounding:
			hi = min(hi, t)
		case need > slack:
			return 1, 0
		}
	}
	// Borders that meet in one point miss one another by rounding.
	if lo > hi && lo-hi <= slack {
		lo = (lo + hi) / 2
		hi = lo
	}
	return lo, hi
}
