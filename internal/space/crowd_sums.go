package space

import (
	"math"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Sums are sums over the neighbors of an agent at p:
//
//	N        int
//	Repel    r2.Vec // Σ (p - q)^ / |p - q|, 1/m; see Crowd.Sums for those that are very near
//	Away     r2.Vec // Σ (p - q), m
//	Velocity r2.Vec // mean, m/s
//	Far      int    // how many of the N are not very near
type Sums = kernel.FlockSums

// sumLanes is in how many lanes neighbors are summed: a candidate counts in the lane of
// its number among all candidates modulo sumLanes. So vectors of any width make the same sums.
const sumLanes = kernel.Lanes

// Sums sets to to the sums over the agents within radius meters of each of the agents from a
// place on, where those no farther than near meters are very near. It is for agents that see
// all others, and looks that go no farther than a cell is wide: of the rest it returns false.
// A sum of velocities may overflow.
//
// An agent very near counts for Repel as if near meters away; and in the same place as if there,
// with Asunder.
//
// Candidates are the agents in the cells around that of the agent: it sums over those that are
// near by a mask, without listing them.
func (x *Crowd) Sums(g *Gatherer, first uint32, radius, near float64, to []Sums) bool {
	if x.agents.On != nil || !(radius <= float64(x.size*(1-margin))) || !(radius >= 0) {
		return false
	}
	limit, least := squared(radius), max(squared(near), vec.MinNorm2)
	g.heaped = false
	for len(to) > 0 {
		among, n := x.beside(first, len(to), radius)
		x.sums(g, &among, first, limit, least, to[:n])
		for k := range n {
			if f := &to[k]; f.N > f.Far {
				very := x.sumApart(g, &among, first+uint32(k), min(limit, least))
				f.Repel = vec.AddScaled(f.Repel, PerMeter(near), very)
			}
		}
		first, to = first+uint32(n), to[n:]
	}
	return true
}

// PerMeter returns what those near meters away, or nearer, count for Repel, in 1/m.
func PerMeter(near float64) float64 { return 1 / max(near, 0x1p-1000) }

// beside returns where the candidates of the agent in a place are, and of how many agents
// there and behind it, at most most. A row of cells that is out of reach is left out.
func (x *Crowd) beside(place uint32, most int, radius float64) (among kernel.Stretches, n int) {
	p := x.agents.Position(place)
	column, row := x.cell(p.X), x.cell(p.Y)
	f := patch{column - 1, column + 1, row - 1, row + 1}
	if radius > float64(x.size*(3./4)) { // few would be
		xs, ys := x.agents.X[place:], x.agents.Y[place:]
		for n = 1; n < most && x.cell(xs[n]) == column && x.cell(ys[n]) == row; n++ {
		}
	} else {
		r := around(radius)
		f.bottom, f.top, n = max(x.cell(p.Y-r), row-1), min(x.cell(p.Y+r), row+1), 1 // r may be infinite
	}
	for k := f.bottom; k <= f.top; k++ {
		a, b := x.row(&f, k)
		i := 2 * (k - row + 1)
		among[i], among[i+1] = [2]uint32{a.lo, a.hi}, [2]uint32{b.lo, b.hi}
	}
	return among, n
}

// sums sets to to the sums of the agents from a place on; in Repel without those that are very near.
func (x *Crowd) sums(g *Gatherer, among *kernel.Stretches, first uint32, limit, least float64, to []Sums) {
	a := &x.agents
	if !kernel.Flock(a.X, a.Y, a.VX, a.VY, among, first, limit, least, &g.room, to) {
		flock(a, among, first, limit, least, &g.room, to)
	}
}

// flock sets to to the sums of the agents from a place on, which have the same candidates.
//
// Candidates are copied together first, so that the loops over them are long and the same for
// all these agents.
func flock(a *Agents, among *kernel.Stretches, first uint32, limit, least float64, room *kernel.FlockRoom, to []Sums) {
	candidates, _ := among.Len()
	x, y, vx, vy := room.Columns(candidates)
	n, own := 0, 0
	for _, s := range among {
		if s[0] <= first && first < s[1] {
			own = n + int(first-s[0])
		}
		for i := s[0]; i < s[1]; i++ {
			x[n], y[n], vx[n], vy[n] = a.X[i], a.Y[i], a.VX[i], a.VY[i]
			n++
		}
	}
	for k := range to {
		to[k] = flockOf(x[:n], y[:n], vx[:n], vy[:n], own+k, limit, least)
	}
}

// someCandidates is how many candidates are tested before those that are near are summed.
const someCandidates = 32 * sumLanes

// flockOf returns the sums over candidates for one of them.
//
// First those that are near are written down without branches, which would often be
// guessed wrong.
func flockOf(x, y, vx, vy []float64, own int, limit, least float64) (f Sums) {
	var found [someCandidates]uint32
	var lanes [sumLanes][6]float64
	p := r2.Vec{X: x[own], Y: y[own]}
	x[own] = math.Inf(1) // no agent is near itself
	for lo := 0; lo < len(x); lo += someCandidates {
		hi := min(lo+someCandidates, len(x))
		x, y := x[lo:hi], y[lo:hi]
		vx, vy := vx[lo:hi][:len(x)], vy[lo:hi][:len(x)]
		y = y[:len(x)]
		n := 0
		for i := range x {
			found[n%someCandidates] = uint32(i)
			within := 0
			if vec.Norm2(r2.Vec{X: p.X - x[i], Y: p.Y - y[i]}) <= limit { // no branch: it sets within
				within = 1
			}
			n += within
		}
		f.N += n
		for _, i := range found[:n] {
			l := &lanes[i%sumLanes]
			dx, dy := p.X-x[i], p.Y-y[i]
			l[2] += dx
			l[3] += dy
			l[4] += vx[i]
			l[5] += vy[i]
			if d2 := float64(dx*dx) + float64(dy*dy); d2 > least {
				inverse := 1 / d2
				l[0] += float64(dx * inverse)
				l[1] += float64(dy * inverse)
				f.Far++
			}
		}
	}
	x[own] = p.X
	for half := sumLanes / 2; half > 0; half /= 2 { // halves are added to halves
		for i := range half {
			to, from := &lanes[i], &lanes[i+half]
			for k := range to {
				to[k] += from[k]
			}
		}
	}
	l := &lanes[0]
	f.Repel, f.Away, f.Velocity = r2.Vec{X: l[0], Y: l[1]}, r2.Vec{X: l[2], Y: l[3]}, r2.Vec{X: l[4], Y: l[5]}
	if f.N > 0 {
		f.Velocity = vec.Scale(1/float64(f.N), f.Velocity)
	}
	return f
}

// sumApart sums the unit vectors to the agent in a place from the candidates that are no
// farther than the root of limit; see Asunder for those in the same place.
func (x *Crowd) sumApart(g *Gatherer, among *kernel.Stretches, place uint32, limit float64) r2.Vec {
	a, p := &x.agents, x.agents.Position(place)
	var sums [2]float64
	odd, ok := kernel.Apart(a.X, a.Y, among, place, limit, vec.MinNorm2, &sums)
	if !ok {
		odd = apart(a, among, place, limit, vec.MinNorm2, &sums)
	}
	away := r2.Vec{X: sums[0], Y: sums[1]}
	if odd == 0 {
		return away
	}
	n, ways := g.samePlace(x, among, p)
	away = vec.AddScaled(away, 0.5, vec.Sub(vec.Scale(n, x.agents.way(place)), ways))
	if float64(odd) < n {
		return away
	}
	for _, s := range among {
		for i := s[0]; i < s[1]; i++ {
			if to := vec.Sub(p, a.Position(i)); to != (r2.Vec{}) && vec.Norm2(to) < vec.MinNorm2 && vec.Norm2(to) <= limit {
				away = vec.Add(away, vec.Unit(to))
			}
		}
	}
	return away
}

// apart sets sums to the sum of the unit vectors to the agent in a place from those no farther
// than the root of limit, and returns how many there are nearer than that of least, which are
// not in it.
func apart(a *Agents, among *kernel.Stretches, place uint32, limit, least float64, sums *[2]float64) (odd int) {
	var lanes [sumLanes][2]float64
	p := a.Position(place)
	for _, s := range among {
		x, y := a.X[s[0]:s[1]], a.Y[s[0]:s[1]]
		y = y[:len(x)]
		for i := range x {
			dx, dy := x[i]-p.X, y[i]-p.Y
			switch d2 := float64(dx*dx) + float64(dy*dy); {
			case s[0]+uint32(i) == place:
			case d2 < least:
				odd++
			case d2 <= limit:
				inverse, l := 1/math.Sqrt(d2), &lanes[i%sumLanes]
				l[0] -= float64(dx * inverse)
				l[1] -= float64(dy * inverse)
			}
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
// asks, and the sum of their ways. It remembers the last place with the agent that asks:
// in a heap all ask for the same.
func (g *Gatherer) samePlace(x *Crowd, among *kernel.Stretches, p r2.Vec) (n float64, ways r2.Vec) {
	if !g.heaped || g.heap != p {
		g.heaped, g.heap, g.inHeap, g.ways = true, p, 0, r2.Vec{}
		for _, s := range among {
			for i := s[0]; i < s[1]; i++ {
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
