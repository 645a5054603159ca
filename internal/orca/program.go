package orca

import (
	"math"
	"math/bits"
	"slices"

	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Kind is the source of a half-plane.
type Kind int

const (
	OfWall     Kind = iota // an edge within the horizon; never violated
	OfGap                  // the agent's part of the gap to another, see Rule.Firm; never violated
	OfTouching             // an edge that the body overlaps
	OfBody                 // another body
)

// Plane is a half-plane of permitted velocities v, with Normal·v ≥ Least.
type Plane struct {
	Normal r2.Vec  // unit vector
	Least  float64 // m/s
	Kind   Kind
}

// Planes returns the half-planes of the last call to Choose, except for those of other bodies that exclude no
// velocity within the maximum speed. It returns nil if Choose has not been called since Reset.
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

// Aim returns the velocity that the last call to Choose tried to stay near: the preferred one, perhaps turned
// to the side.
func (s *Solver) Aim() r2.Vec { return s.aim }

// Neighbors holds the neighbors of an agent, in columns.
type Neighbors struct {
	DX, DY []float64 // m, from the agent to the neighbor
	UX, UY []float64 // m/s, the agent's velocity relative to the neighbor
	Reach  []float64 // m, the distance at which the two touch

	of    []float64
	crowd *Crowd
	id    uint64
}

// Neighbors returns the neighbors of agent i, valid until the next call to Keep, KeepNearest, Near, Add or
// Reset.
func (s *Solver) Neighbors(i int) Neighbors {
	c, p := &s.choices[i], &s.pairs
	return Neighbors{
		p.dx[c.from:c.to], p.dy[c.from:c.to], p.ux[c.from:c.to], p.uy[c.from:c.to], p.reach[c.from:c.to],
		p.of[c.from:c.to], s.crowd, s.crowd.ID[c.self],
	}
}

// ID returns the ID of the k-th neighbor.
func (n *Neighbors) ID(k int) uint64 { return n.crowd.ID[uint32(n.of[k])] }

// Direction returns the preferred direction of the k-th neighbor: a unit vector, or zero if unknown.
func (n *Neighbors) Direction(k int) r2.Vec { return n.crowd.direction(uint32(n.of[k])) }

// Behind reports whether the agent is behind the k-th neighbor, and the two do not oppose each other. If they
// are level, the one with the larger ID is behind.
func (n *Neighbors) Behind(k int) bool {
	rank := n.of[k] - math.Floor(n.of[k])
	return rank == kernel.Behind || rank == kernel.Level && n.id > n.ID(k)
}

// Share returns the row, in the crowd, of the k-th neighbor of agent i, and the agent's share of the
// avoidance.
func (s *Solver) Share(i, k int) (of uint32, share float64) {
	at := s.choices[i].from + k
	return uint32(s.pairs.of[at]), s.pairs.share[at]
}

// Keep removes the neighbors of agent i for which keep returns false. Call it before Prefer.
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

// KeepNearest removes the farthest neighbors of agent i until at most the given number remain. It may change
// the order of the rest. Call it before Prefer.
func (s *Solver) KeepNearest(i, most int) {
	if c := &s.choices[i]; c.to-c.from > most {
		c.to = s.pairs.keepNearest(c.from, c.to, most, s.crowd.ID)
	}
}

// Blocked reports whether a wall rules out the velocity v for agent i.
func (s *Solver) Blocked(i int, v r2.Vec) bool {
	c := &s.choices[i]
	return blocked(s.planes[c.first:c.fixed], v, c.limit)
}

// rounding is the sine of the angle up to which directions count as parallel, because the crossings of nearly
// parallel borders would be noise. Multiplied by the maximum speed, it is the largest violation that counts
// as none.
const rounding = 0x1p-32

// halfPlane holds the velocities v with n·v ≥ c, in m/s; n is a unit vector.
type halfPlane struct {
	n r2.Vec
	c float64
}

// violation returns how far v lies outside the half-plane, in m/s.
func (h *halfPlane) violation(v r2.Vec) float64 { return h.c - vec.Dot(h.n, v) }

// program is the linear program of an agent. It repeatedly takes the half-plane that the current velocity
// violates most, because few half-planes matter. The best velocity in all taken half-planes then lies on the
// border of the one taken last.
type program struct {
	of          *choice
	given       []halfPlane // of walls, gaps and overlapped edges; they have the lowest indexes
	hard        int         // number of given half-planes that are never violated
	gx, gy, gc  []float64   // given, in columns
	own         r2.Vec      // m/s, the agent's velocity
	nx, ny, c   []float64   // of neighbors, relative to own: n·(v - own) ≥ c
	limit       float64     // m/s
	slack       float64     // m/s, violations up to this count as none
	cuts        []halfPlane // taken
	taken       []int       // indexes of cuts
	constraints []halfPlane // scratch of least
}

func (p *program) open(c *choice, s *Solver) {
	if p.of != c {
		p.of = c
		p.give(s.planes[c.first:c.end])
	}
	p.hard, p.own = c.hard-c.first, s.velocity(c.self)
	p.nx, p.ny, p.c = s.pairs.nx[c.from:c.to], s.pairs.ny[c.from:c.to], s.pairs.c[c.from:c.to]
	p.limit, p.slack, p.taken = c.limit, float64(c.limit*rounding), p.taken[:0]
}

func (p *program) give(planes []halfPlane) {
	n := len(planes)
	p.given, p.gx, p.gy, p.gc = planes, padded(p.gx, n), padded(p.gy, n), padded(p.gc, n)
	for i := range planes {
		h := &planes[i]
		p.gx[i], p.gy[i], p.gc[i] = h.n.X, h.n.Y, h.c
	}
}

// padded returns a column of n elements that reuses s if possible, with room for those that kernels read
// beyond the end. It makes room for many elements at once, so that it does not grow again in a later step.
func padded(s []float64, n int) []float64 { return slices.Grow(s[:0], max(n, 64)+kernel.Lanes)[:n] }

func (p *program) len() int { return len(p.given) + len(p.nx) }

func (p *program) plane(i int) halfPlane {
	if i < len(p.given) {
		return p.given[i]
	}
	i -= len(p.given)
	n := r2.Vec{X: p.nx[i], Y: p.ny[i]}
	return halfPlane{n, p.c[i] + vec.Dot(n, p.own)}
}

// first returns the index of the half-plane that the goal violates most, or -1. Of the neighbors whose
// half-planes the goal violates, it finds the one with the smallest dot product of direction and goal. It
// returns this product and the agent's share of the avoidance of that neighbor, or +Inf and 0.5 if there is
// none. It tests only the neighbors whose bits are set in hindering, by index modulo 64.
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
			if way := vec.Dot(s.crowd.direction(of), c.goal); way < least {
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

// worst returns the index of the half-plane that v violates most, by more than the parameter more, in m/s, or
// -1. It considers those that are not taken and have an index ≥ from. Soft half-planes are eased by ease, in
// m/s. Ties go to the first half-plane of a neighbor, then to the first given one.
func (p *program) worst(v r2.Vec, from int, more, ease float64) int {
	u := vec.Sub(v, p.own)
	worst, most := worstOf(p.nx, p.ny, p.c, u, more+ease)
	if worst >= 0 {
		worst += len(p.given)
	}
	soft := from
	for ; ease > 0 && soft < p.hard; soft++ {
		if d := p.given[soft].violation(v) + ease; d > most {
			worst, most = soft, d
		}
	}
	if i, _ := worstOf(p.gx[soft:], p.gy[soft:], p.gc[soft:], v, most); i >= 0 {
		worst = soft + i
	}
	if worst >= 0 && slices.Contains(p.taken, worst) {
		return p.worstNew(v, from, more, ease)
	}
	return worst
}

// worstOf returns the index of the half-plane that v violates most, the first of equal ones, and the
// violation, or -1 and least if no violation exceeds least. It may read kernel.Lanes rows beyond the end.
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

// worstNew is like worst, but passes over taken half-planes, which v may violate by rounding. Ties go to the
// lowest index.
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

// solve returns the velocity nearest to goal that lies in all half-planes, or the result of least and false
// if there is none. goal must lie within the limit. worst is the index of the half-plane that goal violates
// most, or -1.
func (p *program) solve(goal r2.Vec, worst int) (v r2.Vec, feasible bool) {
	v, feasible = p.nearest(goal, worst, 0)
	if !feasible {
		v = hold(p.given[:p.hard], p.least(v, goal), p.limit)
	}
	return v, feasible
}

// hold returns v, shortened if rounding has put it outside a half-plane. All of them contain the origin.
func hold(planes []halfPlane, v r2.Vec, limit float64) r2.Vec {
	for i := range planes {
		if h := &planes[i]; h.violation(v) > limit*rounding {
			v = vec.Scale(min(max(h.c, -limit), 0)/vec.Dot(h.n, v), v)
		}
	}
	return v
}

// nearest returns the velocity nearest to goal that lies in all half-planes, with soft ones eased by ease, in
// m/s. If there is none, v is the nearest in the half-planes taken so far.
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

// least returns the velocity in all hard half-planes with the smallest maximum violation of the soft ones or,
// of several such velocities, the one nearest to goal. It starts from v, the result for the taken
// half-planes, or from zero if v violates a hard one.
//
// The maximum violation is a third unknown. The half-plane that v violates most, and more than all taken
// ones, is also the one that the new result violates most. So the result moves into that half-plane as far as
// the taken ones allow: none of them may be violated more, and each of these conditions is a half-plane too.
func (p *program) least(v, goal r2.Vec) r2.Vec {
	violated, soft := 0., p.cuts[:0] // of taken half-planes
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
			if d2 <= rounding*rounding { // both violations change together
				continue
			}
			f := 1 / math.Sqrt(d2)
			p.constraints = append(p.constraints, halfPlane{vec.Scale(f, n), float64(f * (o.c - h.c))})
		}
		// farthest fails only by rounding; then the previous v is as good.
		if u, ok := farthest(p.constraints, p.limit, h.n); ok {
			v = u
		}
		violated = max(violated, h.violation(v))
		soft, p.taken = append(soft, h), append(p.taken, worst)
	}
	p.cuts = soft
	// Between two half-planes that face one another, all points along the borders are equally bad.
	p.taken = p.taken[:0]
	if u, ok := p.nearest(goal, p.worst(goal, 0, p.slack, violated), violated); ok {
		v = u
	}
	return v
}

// farthest returns the velocity within the limit and in all half-planes that goes farthest in the given
// direction, a unit vector, and false if there is none.
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

// at returns the point of the border that is t m/s to the left of the foot of its normal.
func (h *halfPlane) at(t float64) r2.Vec {
	return vec.AddScaled(vec.Scale(h.c, h.n), t, vec.Left(h.n))
}

// border returns the part of the border that lies within the limit and in all other given half-planes, in m/s
// to the left of the foot of its normal. If there is none, lo > hi, or one of them is NaN.
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
	// Borders that meet in one point may miss it by rounding.
	if lo > hi && lo-hi <= slack {
		lo = (lo + hi) / 2
		hi = lo
	}
	return lo, hi
}
