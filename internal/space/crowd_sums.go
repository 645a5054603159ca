package space

import (
	"math"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Sums are sums over the neighbors of an agent at p.
type Sums struct {
	N        int
	Repel    r2.Vec // Σ (p - q) / |p - q|², 1/m, but for those who are very near
	Away     r2.Vec // Σ (p - q), m
	Apart    r2.Vec // Σ (p - q)^ of those who are very near; see Asunder
	Velocity r2.Vec // mean, m/s
}

// sumLanes is in how many lanes neighbors are summed: a candidate counts in the lane of
// its number modulo sumLanes. So vectors of any width make the same sums.
const sumLanes = kernel.Lanes

// Sum sums over the agents within radius meters of the one in a place, where those no
// farther than near meters are very near. It is for agents that see all others, and
// looks that go no farther than a cell is wide: of the rest, and if the sum of velocities
// overflows, it returns false.
func (x *Crowd) Sum(g *Gatherer, place uint32, radius, near float64, f *Sums) bool {
	p := x.agents.Position(place)
	if x.agents.On != nil || !(radius <= float64(x.size*(1-margin))) || !(radius >= 0) || !x.candidates(g, p) {
		return false
	}
	g.takeVelocities(x)
	lo, hi := g.rows(x, p.Y, radius)
	lo, hi = lo&^(sumLanes-1), (hi+sumLanes-1)&^(sumLanes-1)
	self, limit, least := g.own+place-g.first, squared(radius), max(squared(near), vec.MinNorm2)
	g.x[self] = math.MaxFloat64 // its square is infinite
	*f = Sums{}
	if veryNear := g.sum(lo, hi, p, limit, least, f); veryNear > 0 {
		g.sumApart(x, lo, hi, place, min(limit, least), f)
	}
	g.x[self] = p.X
	if f.N > 0 {
		f.Velocity = vec.Scale(1/float64(f.N), f.Velocity)
	}
	return vec.Finite(f.Velocity)
}

// takeVelocities copies the velocities of the candidates, unless it has them.
func (g *Gatherer) takeVelocities(x *Crowd) {
	if g.moving {
		return
	}
	if g.moving = true; cap(g.vx) < cap(g.x) {
		g.vx, g.vy = make([]float64, cap(g.x)), make([]float64, cap(g.x))
	}
	g.vx, g.vy = g.vx[:cap(g.x)], g.vy[:cap(g.x)]
	n := 0
	for _, s := range g.stretches {
		if s.lo < s.hi {
			copy(g.vx[n:], x.agents.VX[s.lo:s.hi])
			n += copy(g.vy[n:], x.agents.VY[s.lo:s.hi])
		}
	}
}

// sum sums over the candidates from lo to hi around p, but for Apart, and returns how
// many are very near. Both are multiples of sumLanes.
func (g *Gatherer) sum(lo, hi int, p r2.Vec, limit, least float64, f *Sums) (veryNear int) {
	xs, ys, vx, vy := g.x[lo:hi], g.y[lo:hi], g.vx[lo:hi], g.vy[lo:hi]
	var sums [6]float64
	near, far, ok := kernel.Flock(xs, ys, vx, vy, p.X, p.Y, limit, least, &sums)
	if !ok {
		near, far = flock(xs, ys, vx, vy, g.found[lo:hi], p, limit, least, &sums)
	}
	f.N = near
	f.Repel, f.Away, f.Velocity = r2.Vec{X: sums[0], Y: sums[1]}, r2.Vec{X: sums[2], Y: sums[3]}, r2.Vec{X: sums[4], Y: sums[5]}
	return near - far
}

// flock sets sums to those around p: x and y of Repel, Away and Velocity, and returns how
// many are near, and how many of them not very near. It has found as memory.
//
// First those that are near are written down without branches, which would often be
// guessed wrong.
func flock(x, y, vx, vy []float64, found []uint32, p r2.Vec, limit, least float64, sums *[6]float64) (near, far int) {
	y, vx, vy, found = y[:len(x)], vx[:len(x)], vy[:len(x)], found[:len(x)]
	for i := range x {
		found[near] = uint32(i)
		within := 0
		if vec.Norm2(r2.Vec{X: x[i] - p.X, Y: y[i] - p.Y}) <= limit { // no branch: it sets within
			within = 1
		}
		near += within
	}
	var lanes [sumLanes][6]float64
	for _, i := range found[:near] {
		l := &lanes[i%sumLanes]
		dx, dy := x[i]-p.X, y[i]-p.Y
		l[2] -= dx
		l[3] -= dy
		l[4] += vx[i]
		l[5] += vy[i]
		if d2 := float64(dx*dx) + float64(dy*dy); d2 > least {
			inverse := 1 / d2
			l[0] -= float64(dx * inverse)
			l[1] -= float64(dy * inverse)
			far++
		}
	}
	for half := sumLanes / 2; half > 0; half /= 2 { // halves are added to halves
		for i := range half {
			to, from := &lanes[i], &lanes[i+half]
			for k := range to {
				to[k] += from[k]
			}
		}
	}
	*sums = lanes[0]
	return near, far
}

// sumApart sums Apart over the candidates from lo to hi that are no farther from the
// agent in a place than the root of limit.
func (g *Gatherer) sumApart(x *Crowd, lo, hi int, place uint32, limit float64, f *Sums) {
	p := x.agents.Position(place)
	xs, ys := g.x[lo:hi], g.y[lo:hi]
	var sums [2]float64
	odd, ok := kernel.Apart(xs, ys, p.X, p.Y, limit, vec.MinNorm2, &sums)
	if !ok {
		odd = apart(xs, ys, p, limit, vec.MinNorm2, &sums)
	}
	f.Apart = r2.Vec{X: sums[0], Y: sums[1]}
	if odd == 0 {
		return
	}
	n, ways := g.samePlace(x, p)
	f.Apart = vec.AddScaled(f.Apart, 0.5, vec.Sub(vec.Scale(n, x.agents.way(place)), ways))
	if float64(odd) < n {
		return
	}
	for i, q := range xs {
		if to := (r2.Vec{X: p.X - q, Y: p.Y - ys[i]}); to != (r2.Vec{}) && vec.Norm2(to) < vec.MinNorm2 && vec.Norm2(to) <= limit {
			f.Apart = vec.Add(f.Apart, vec.Unit(to))
		}
	}
}

// apart sets sums to the sum of the unit vectors to p from those no farther than the root of
// limit, and returns how many there are nearer than that of least, which are not in it.
func apart(x, y []float64, p r2.Vec, limit, least float64, sums *[2]float64) (odd int) {
	y = y[:len(x)]
	var lanes [sumLanes][2]float64
	for i := range x {
		dx, dy := x[i]-p.X, y[i]-p.Y
		switch d2 := float64(dx*dx) + float64(dy*dy); {
		case d2 < least:
			odd++
		case d2 <= limit:
			inverse, l := 1/math.Sqrt(d2), &lanes[i%sumLanes]
			l[0] -= float64(dx * inverse)
			l[1] -= float64(dy * inverse)
		}
	}
	for half := sumLanes / 2; half > 0; half /= 2 {
		for i := range half {
			lanes[i][0] += lanes[i+half][0]
			lanes[i][1] += lanes[i+half][1]
		}
	}
	*sums = lanes[0]
	return odd
}

// samePlace returns how many candidates are in the very place p, but for the one that
// asks, and the sum of their ways. It remembers the last place with the one who asks:
// in a heap all ask for the same.
func (g *Gatherer) samePlace(x *Crowd, p r2.Vec) (n float64, ways r2.Vec) {
	if !g.heaped || g.heap != p {
		g.heaped, g.heap, g.inHeap, g.ways = true, p, 0, r2.Vec{}
		for _, s := range g.stretches {
			for i := s.lo; i < s.hi; i++ {
				if x.agents.Position(i) == p {
					g.inHeap++
					g.ways = vec.Add(g.ways, x.agents.way(i))
				}
			}
		}
	}
	return g.inHeap, g.ways
}

// Asunder returns half the difference between the ways of two agents in the same place:
// along it the first one leaves the other. Both go opposite ways.
func (x *Agents) Asunder(self, other uint32) r2.Vec {
	return vec.Scale(0.5, vec.Sub(x.way(self), x.way(other)))
}

// way returns the unit vector along which an agent leaves a place where others are too,
// by a hash of its ID. Of agents with the same ID, which a host should not give, each has
// its own: they are neighbors in the snapshot if they are in one place.
func (x *Agents) way(i uint32) r2.Vec {
	id, alike := x.ID[i], uint64(0)
	for k := i; k > 0 && x.ID[k-1] == id; k-- {
		alike++
	}
	sin, cos := vec.SinCos(float64(hash.Float(hash.Mix(hash.Mix(id)+alike)) * (2 * math.Pi)))
	return r2.Vec{X: cos, Y: sin}
}
