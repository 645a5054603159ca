package space

import (
	"math"

	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Sums holds sums over the neighbors of an agent at p, with q the position of a neighbor:
//
//	N        int    // number of neighbors
//	Repel    r2.Vec // Σ (p - q) / |p - q|², 1/m; see Crowd.Sums for agents that are very near
//	Away     r2.Vec // Σ (p - q), m
//	Velocity r2.Vec // mean, m/s
//	Far      int    // number of neighbors that are not very near
type Sums = kernel.FlockSums

// sumLanes is the number of partial sums. Candidate i goes to lane i modulo sumLanes, so vectors of every
// width give the same sums.
const sumLanes = kernel.Lanes

// Sums computes the sums for len(to) agents at consecutive places from first on, over the other agents within
// radius meters. It returns false if agents have layers, or if radius is negative or not below the cell size.
// A sum of velocities may overflow.
//
// In Repel, an agent nearer than the distance near, in meters, counts as if it were at that distance. See
// Agents.Asunder for the direction of an agent at the same position.
func (x *Crowd) Sums(g *Gatherer, first uint32, radius, near float64, to []Sums) bool {
	if x.agents.On != nil || !(radius <= float64(x.size*(1-margin))) || !(radius >= 0) {
		return false
	}
	limit, least := squared(radius), max(squared(near), vec.MinNorm2)
	g.heaped = false
	for len(to) > 0 {
		among, n := x.beside(first, len(to), radius)
		// The kernel and flock leave very near agents out of Repel.
		a, some := &x.agents, to[:n]
		if !kernel.Flock(a.X, a.Y, a.VX, a.VY, &among, first, limit, least, &g.room, some) {
			flock(a, &among, first, limit, least, &g.room, some)
		}
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

// PerMeter returns the weight in Repel, in 1/m, of agents at most near meters away.
func PerMeter(near float64) float64 { return 1 / max(near, 0x1p-1000) }

// beside returns the stretches of candidates for the agent at the given place, and the number n ≤ most of
// consecutive agents that share them. It skips rows of cells that are out of reach.
func (x *Crowd) beside(place uint32, most int, radius float64) (among kernel.Stretches, n int) {
	p := x.agents.Position(place)
	column, row := x.cell(p.X), x.cell(p.Y)
	f := patch{column - 1, column + 1, row - 1, row + 1}
	if radius > float64(x.size*(3./4)) { // almost no row would be skipped
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

// flock computes the sums for the agents from place first on, which share candidates. Agents are neighbors up
// to the squared distance limit, and very near up to the squared distance least. Copying all candidates into
// one array replaces many short loops with one long loop.
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

const someCandidates = 32 * sumLanes

// flockOf returns the sums over the candidates for the one with index own. It first lists the near
// candidates, without branches, which would often be mispredicted.
func flockOf(x, y, vx, vy []float64, own int, limit, least float64) (f Sums) {
	var found [someCandidates]uint32
	var lanes [sumLanes][6]float64
	p := r2.Vec{X: x[own], Y: y[own]}
	x[own] = math.Inf(1) // excludes the agent itself
	for lo := 0; lo < len(x); lo += someCandidates {
		hi := min(lo+someCandidates, len(x))
		x, y := x[lo:hi], y[lo:hi]
		vx, vy := vx[lo:hi][:len(x)], vy[lo:hi][:len(x)]
		y = y[:len(x)]
		n := 0
		for i := range x {
			found[n%someCandidates] = uint32(i)
			within := 0
			if vec.Norm2(r2.Vec{X: p.X - x[i], Y: p.Y - y[i]}) <= limit { // compiles without a branch
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
	for half := sumLanes / 2; half > 0; half /= 2 {
		for i := range half {
			for k := range lanes[i] {
				lanes[i][k] += lanes[i+half][k]
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

// sumApart returns the sum of the unit vectors to the agent at the given place from candidates whose squared
// distance is at most limit. See Agents.Asunder for candidates at the same position.
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

// apart sets sums to the sum of the unit vectors to the agent at the given place from other agents whose
// squared distance is at most limit. It leaves out agents whose squared distance is below least, and returns
// their number.
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

// samePlace returns the number of candidates at p and the sum of the directions in which they leave. It
// caches its last answer.
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

// Asunder returns half the difference between the directions in which two agents leave the position that they
// share. The first agent leaves along this vector, and the second along its opposite.
func (a *Agents) Asunder(self, other uint32) r2.Vec {
	return vec.Scale(0.5, vec.Sub(a.way(self), a.way(other)))
}

// way returns the unit vector along which an agent leaves a position that it shares. It is a hash of the ID
// and of the number of agents with that ID right before this one, so that agents with equal IDs differ.
func (a *Agents) way(i uint32) r2.Vec {
	id, alike := a.ID[i], uint64(0)
	for k := i; k > 0 && a.ID[k-1] == id; k-- {
		alike++
	}
	sin, cos := vec.SinCos(float64(hash.Float(hash.Mix(hash.Mix(id)+alike)) * (2 * math.Pi)))
	return r2.Vec{X: cos, Y: sin}
}
