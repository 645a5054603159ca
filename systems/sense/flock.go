package sense

import (
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
	"math"
)

// Flock is what Separation, Alignment and Cohesion have to know of the neighbors
// of an agent. They share it if they mind the same ones, because the way to the
// neighbors takes more time than the sums.
type Flock struct {
	N        int
	repel    r2.Vec // Σ (p - q) / |p - q|², 1/m
	away     r2.Vec // Σ (p - q), m
	apart    r2.Vec // Σ (p - q)^ of those who are very near, in place of repel
	Velocity r2.Vec // mean, m/s
}

// Minds says whom an agent minds.
type Minds struct {
	Radius, View float64
	Most         uint32
}

// flocks are those of the agents of a Meeting, as far as they are known.
type flocks struct {
	known [AtOnce]bool
	of    [AtOnce]Minds
	all   [AtOnce]Flock
}

// Flock returns that of the k-th agent.
func (m *Meeting) Flock(k int, of Minds) *Flock {
	f := &m.flocks
	if !f.known[k] || f.of[k] != of {
		f.known[k], f.of[k] = true, of
		f.all[k] = FlockOf(m.Agents(), m.Place(k), m.minded(k, &m.eyes, of.View, of.Most), of.Radius)
	}
	return &f.all[k]
}

// nearest is the least distance that counts, as a share of the radius.
const nearest = 0x1p-10

// FlockOf sums up what the agent in a place has to know of others.
func FlockOf(agents []Neighbor, place uint32, others []uint32, radius float64) (f Flock) {
	f.N = len(others)
	if f.N == 0 {
		return f
	}
	self := &agents[place]
	p := self.Position
	least := max(float64(float64(radius*nearest)*float64(radius*nearest)), vec.MinNorm2)
	var repel, away, velocity r2.Vec
	for _, i := range others {
		o := &agents[i]
		to := vec.Sub(p, o.Position)
		away = vec.Add(away, to)
		velocity = vec.Add(velocity, o.Velocity)
		n2 := vec.Norm2(to)
		if n2 > least {
			repel = vec.AddScaled(repel, 1/n2, to)
		} else {
			f.apart = vec.Add(f.apart, apart(self, o, to))
		}
	}
	share := 1 / float64(f.N)
	f.repel, f.away, f.Velocity = repel, away, vec.Scale(share, velocity)
	if !vec.Finite(f.Velocity) {
		f.Velocity = r2.Vec{}
		for _, i := range others {
			f.Velocity = vec.AddScaled(f.Velocity, share, agents[i].Velocity)
		}
	}
	return f
}

// Push returns what drives an agent from its neighbors, at most 1.
func (f *Flock) Push(radius float64) (push r2.Vec) {
	if f.N == 0 {
		return push
	}
	push = vec.AddScaled(r2.Vec{X: -f.away.X / radius, Y: -f.away.Y / radius}, radius, f.repel)
	return vec.Truncate(vec.AddScaled(push, 1/nearest, f.apart), 1)
}

// Pull returns what draws an agent to the middle of its neighbors, at most 1.
func (f *Flock) Pull(radius float64) (pull r2.Vec) {
	if f.N == 0 {
		return pull
	}
	mean := vec.Scale(-1/float64(f.N), f.away)
	return vec.Truncate(r2.Vec{X: mean.X / radius, Y: mean.Y / radius}, 1)
}

// apart returns the unit vector along which an agent leaves another one that is
// very near, or in the same place.
func apart(self, other *Neighbor, away r2.Vec) r2.Vec {
	if away != (r2.Vec{}) {
		return vec.Unit(away)
	}
	a, b, side := self, other, 1.
	if b.ID < a.ID || b.ID == a.ID && b.Entity.ID() < a.Entity.ID() {
		a, b, side = b, a, -1
	}
	sin, cos := vec.SinCos(float64(hash.Mix(hash.Mix(a.ID)^b.ID)>>11) * (0x1p-53 * 2 * math.Pi))
	return r2.Vec{X: side * cos, Y: side * sin}
}
