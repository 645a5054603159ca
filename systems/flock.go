package systems

import (
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// flock is what Separation, Alignment and Cohesion have to know of the neighbors
// of an agent. They share it if they mind the same ones, because the way to the
// neighbors takes more time than the sums.
type flock struct {
	n        int
	repel    r2.Vec // Σ (p - q) / |p - q|², 1/m
	away     r2.Vec // Σ (p - q), m
	apart    r2.Vec // Σ (p - q)^ of those who are very near, in place of repel
	velocity r2.Vec // mean, m/s
}

// minds says whom an agent minds.
type minds struct {
	radius, view float64
	most         uint32
}

// flocks are those of the agents of a Meeting, as far as they are known.
type flocks struct {
	eyes  eyes
	known [meetAtOnce]bool
	of    [meetAtOnce]minds
	all   [meetAtOnce]flock
}

// flock returns that of the k-th agent.
func (m *Meeting) flock(k int, of minds) *flock {
	f := &m.flocks
	if !f.known[k] || f.of[k] != of {
		f.known[k], f.of[k] = true, of
		f.all[k] = flockOf(m.Agents(), m.Place(k), m.minded(k, &f.eyes, of.view, of.most), of.radius)
	}
	return &f.all[k]
}

// nearest is the least distance that counts, as a share of the radius.
const nearest = 0x1p-10

// flockOf sums up what the agent in a place has to know of others.
func flockOf(agents []Neighbor, place uint32, others []uint32, radius float64) (f flock) {
	f.n = len(others)
	if f.n == 0 {
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
	share := 1 / float64(f.n)
	f.repel, f.away, f.velocity = repel, away, vec.Scale(share, velocity)
	if !vec.Finite(f.velocity) {
		f.velocity = r2.Vec{}
		for _, i := range others {
			f.velocity = vec.AddScaled(f.velocity, share, agents[i].Velocity)
		}
	}
	return f
}

// push returns what drives an agent from its neighbors, at most 1.
func (f *flock) push(radius float64) (push r2.Vec) {
	if f.n == 0 {
		return push
	}
	push = vec.AddScaled(r2.Vec{X: -f.away.X / radius, Y: -f.away.Y / radius}, radius, f.repel)
	return vec.Truncate(vec.AddScaled(push, 1/nearest, f.apart), 1)
}

// pull returns what draws an agent to the middle of its neighbors, at most 1.
func (f *flock) pull(radius float64) (pull r2.Vec) {
	if f.n == 0 {
		return pull
	}
	mean := vec.Scale(-1/float64(f.n), f.away)
	return vec.Truncate(r2.Vec{X: mean.X / radius, Y: mean.Y / radius}, 1)
}
