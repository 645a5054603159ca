package sense

import (
	"math"

	"github.com/8f878440/crowd/internal/hash"
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
	Apart    r2.Vec // Σ (p - q)^ of those who are very near
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
		s.all[k] = SumsOf(b.Agents(), b.Index(k), b.Others(k, look), look.NeighborDist)
	}
	return &s.all[k]
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

// apart returns the unit vector along which an agent leaves another one that is
// very near, or in the same place.
func apart(agents *Agents, self, other uint32, away r2.Vec) r2.Vec {
	if away != (r2.Vec{}) {
		return vec.Unit(away)
	}
	a, b, side := agents.ID[self], agents.ID[other], 1.
	if b < a || b == a && agents.Entity[other].ID() < agents.Entity[self].ID() {
		a, b, side = b, a, -1
	}
	sin, cos := vec.SinCos(float64(hash.Mix(hash.Mix(a)^b)>>11) * (0x1p-53 * 2 * math.Pi))
	return r2.Vec{X: side * cos, Y: side * sin}
}
