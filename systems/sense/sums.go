package sense

import (
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Sums are what the rules of a flock have to know of the neighbors of an agent at p.
// Rules that look for the same neighbors share them, because the way to the neighbors
// takes more time than the sums.
type Sums struct {
	N        int
	Repel    r2.Vec // Σ (p - q) / |p - q|², 1/m, but for those who are very near
	Away     r2.Vec // Σ (p - q), m
	Apart    r2.Vec // Σ (p - q)^ of those who are very near; of those in the same place half the difference of two unit vectors, a hash of the ID of each
	Velocity r2.Vec // mean, m/s
}

// sumsOfBlock are those of the agents of a Block, as far as they are known.
type sumsOfBlock struct {
	known [blockSize]bool
	of    [blockSize]Look
	all   [blockSize]Sums
}

// Sums returns the sums over Others of the k-th agent.
func (b *Block) Sums(k int, look Look) *Sums {
	s := &b.sums
	if !s.known[k] || s.of[k] != look {
		s.known[k], s.of[k] = true, look
		if !b.sumAll(k, look, &s.all[k]) {
			s.all[k] = SumsOf(b.Agents(), b.Index(k), b.Others(k, look), look.NeighborDist)
		}
	}
	return &s.all[k]
}

// sumAll sums over all that the k-th agent looks for without a list of them, if it looks
// for all around it and sees them. It does not if the sum of velocities overflows.
func (b *Block) sumAll(k int, look Look, f *Sums) bool {
	if limited(look.FieldOfView) || look.MaxNeighbors > 0 || b.dists[k] != look.NeighborDist {
		return false
	}
	if !b.neighbors.crowd.Sum(&b.gatherer, b.Index(k), look.NeighborDist, float64(look.NeighborDist*VeryNear), (*space.Sums)(f)) {
		return false
	}
	b.counts[k] = max(b.counts[k], uint32(f.N))
	return true
}

// VeryNear is the distance up to which neighbors are very near, as a share of
// NeighborDist.
const VeryNear = 0x1p-10

// SumsOf returns the sums over others for an agent, all by their indexes, that looks as
// far as radius meters.
func SumsOf(agents *Agents, index uint32, others []uint32, radius float64) (f Sums) {
	f.N = len(others)
	if f.N == 0 {
		return f
	}
	p := agents.Position(index)
	least := max(float64(float64(radius*VeryNear)*float64(radius*VeryNear)), vec.MinNorm2)
	var repel, away, velocity r2.Vec
	for _, i := range others {
		to := vec.Sub(p, agents.Position(i))
		away = vec.Add(away, to)
		velocity = vec.Add(velocity, agents.Velocity(i))
		n2 := vec.Norm2(to)
		if n2 > least {
			repel = vec.AddScaled(repel, 1/n2, to)
		} else {
			f.Apart = vec.Add(f.Apart, apart(agents, index, i, to))
		}
	}
	share := 1 / float64(f.N)
	f.Repel, f.Away, f.Velocity = repel, away, vec.Scale(share, velocity)
	if !vec.Finite(f.Velocity) {
		f.Velocity = r2.Vec{}
		for _, i := range others {
			f.Velocity = vec.AddScaled(f.Velocity, share, agents.Velocity(i))
		}
	}
	return f
}

// apart returns the unit vector along which an agent leaves another one that is very
// near, or if that is in the same place what drives them asunder.
func apart(agents *Agents, self, other uint32, away r2.Vec) r2.Vec {
	if away == (r2.Vec{}) {
		return agents.Asunder(self, other)
	}
	return vec.Unit(away)
}
