package space

import (
	"math"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Sums are sums over the neighbors of an agent at p.
type Sums struct {
	N        int
	Repel    r2.Vec // Σ (p - q) / |p - q|², 1/m, but for those who are very near
	Away     r2.Vec // Σ (p - q), m
	Apart    r2.Vec // Σ (p - q)^ of those who are very near; see Asunder
	Velocity r2.Vec // Σ, m/s
}

// sumLanes is in how many lanes neighbors are summed: a candidate counts in the lane of
// its number modulo sumLanes. So vectors of any width make the same sums.
const sumLanes = 8

// sumLane is one lane of Sums.
type sumLane struct{ repelX, repelY, awayX, awayY, velocityX, velocityY float64 }

// Sum sums over the agents within radius meters of the one in a place, where those no
// farther than near meters are very near. It is for agents that see all others, and
// looks that go no farther than a cell is wide: of the rest it returns false.
func (x *Crowd) Sum(g *Gatherer, place uint32, radius, near float64) (f Sums, ok bool) {
	p := x.agents.Position(place)
	if x.agents.On != nil || !(radius <= float64(x.size*(1-margin))) || !(radius >= 0) || !x.candidates(g, p) {
		return f, false
	}
	g.takeVelocities(x)
	lo, hi := g.rows(x, p.Y, radius)
	lo, hi = lo&^(sumLanes-1), (hi+sumLanes-1)&^(sumLanes-1)
	self, limit, least := g.own+place-g.first, squared(radius), max(squared(near), vec.MinNorm2)
	g.x[self] = math.MaxFloat64 // its square is infinite
	veryNear := g.sum(lo, hi, p, limit, least, &f)
	if veryNear > 0 {
		g.sumApart(x, lo, hi, place, min(limit, least), &f)
	}
	g.x[self] = p.X
	return f, true
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
		copy(g.vx[n:], x.agents.VX[s.lo:s.hi])
		copy(g.vy[n:], x.agents.VY[s.lo:s.hi])
		n += int(s.hi - s.lo)
	}
}

// sum sums over the candidates from lo to hi around p, but for Apart, and returns how
// many are very near. Both are multiples of sumLanes.
//
// First those that are near are written down without branches, which would often be
// guessed wrong.
func (g *Gatherer) sum(lo, hi int, p r2.Vec, limit, least float64, f *Sums) (veryNear int) {
	xs := g.x[lo:hi]
	ys, vx, vy, near := g.y[lo:hi][:len(xs)], g.vx[lo:hi][:len(xs)], g.vy[lo:hi][:len(xs)], g.found[lo:hi][:len(xs)]
	n := 0
	for i := range xs {
		near[n] = uint32(i)
		n += 1 - int(math.Float64bits(limit-vec.Norm2(r2.Vec{X: xs[i] - p.X, Y: ys[i] - p.Y}))>>63)
	}
	var lanes [sumLanes]sumLane
	for _, i := range near[:n] {
		l := &lanes[i%sumLanes]
		dx, dy := xs[i]-p.X, ys[i]-p.Y
		l.awayX -= dx
		l.awayY -= dy
		l.velocityX += vx[i]
		l.velocityY += vy[i]
		if d2 := float64(dx*dx) + float64(dy*dy); d2 > least {
			inverse := 1 / d2
			l.repelX -= float64(dx * inverse)
			l.repelY -= float64(dy * inverse)
		} else {
			veryNear++
		}
	}
	f.N = n
	for k := sumLanes / 2; k > 0; k /= 2 { // halves are added to halves
		for i := range k {
			lanes[i].add(&lanes[i+k])
		}
	}
	l := &lanes[0]
	f.Repel, f.Away, f.Velocity = r2.Vec{X: l.repelX, Y: l.repelY}, r2.Vec{X: l.awayX, Y: l.awayY}, r2.Vec{X: l.velocityX, Y: l.velocityY}
	return veryNear
}

func (l *sumLane) add(m *sumLane) {
	l.repelX += m.repelX
	l.repelY += m.repelY
	l.awayX += m.awayX
	l.awayY += m.awayY
	l.velocityX += m.velocityX
	l.velocityY += m.velocityY
}

// sumApart sums Apart over the candidates from lo to hi that are no farther from the
// agent in a place than the root of limit.
func (g *Gatherer) sumApart(x *Crowd, lo, hi int, place uint32, limit float64, f *Sums) {
	p := x.agents.Position(place)
	xs := g.x[lo:hi]
	ys := g.y[lo:hi][:len(xs)]
	var lanes [sumLanes]r2.Vec
	same := false
	for i := range xs {
		to := r2.Vec{X: p.X - xs[i], Y: p.Y - ys[i]}
		d2 := vec.Norm2(to)
		if d2 > limit {
			continue
		}
		if d2 >= vec.MinNorm2 {
			inverse := 1 / math.Sqrt(d2)
			l := &lanes[i%sumLanes]
			l.X += float64(to.X * inverse)
			l.Y += float64(to.Y * inverse)
		} else if to == (r2.Vec{}) {
			same = true
		} else {
			f.Apart = vec.Add(f.Apart, vec.Unit(to))
		}
	}
	for k := sumLanes / 2; k > 0; k /= 2 {
		for i := range k {
			lanes[i] = vec.Add(lanes[i], lanes[i+k])
		}
	}
	f.Apart = vec.Add(f.Apart, lanes[0])
	if same {
		n, ways := g.samePlace(x, p)
		f.Apart = vec.AddScaled(f.Apart, 0.5, vec.Sub(vec.Scale(n, x.agents.way(place)), ways))
	}
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
