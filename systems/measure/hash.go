// Package measure measures trips, collisions, flow across lines and density in areas, and hashes the state.
// Its systems do not affect agents. Results are bitwise equal for any order of rows and any number of
// workers.
package measure

import (
	"math"
	"math/bits"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Hash computes a hash of the Position, Velocity and Heading of every agent, mixed with the agent's ID. The
// hash does not depend on archetypes. Put Hash into its own frame, and run that frame when needed.
//
// Hash reads Position and, if present, Velocity, Heading and Agent, of entities without Obstacle. An
// agent without Agent is identified by its entity: see components.IDOf.
type Hash struct {
	pos     frame.In[c.Position]
	vel     frame.In[c.Velocity]
	heading frame.In[c.Heading]
	agent   frame.In[c.Agent]
	workers frame.Scratch[uint64]
	sum     uint64
}

func (s *Hash) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	n.Optional(&s.vel, &s.heading, &s.agent)
	frame.Without[c.Obstacle](n)
	n.Scratch(&s.workers)
}

func (s *Hash) Run(b *frame.Batch) {
	pos, vel, heading, agent := s.pos.Of(b), s.vel.Of(b), s.heading.Of(b), s.agent.Of(b)
	sum := s.workers.Of(b)
	for i := range pos {
		h := mixVec(hash.Mix(b.ID(agent, i)), pos[i].Vec)
		if vel != nil {
			h = mixVec(h, vel[i].Vec)
		}
		if heading != nil {
			h = mixVec(h, heading[i].Vec)
		}
		*sum += h
	}
}

// Observe combines the sums of the workers.
func (s *Hash) Observe(*ecs.World) {
	s.sum = 0
	s.workers.Each(func(sum *uint64) {
		s.sum += *sum
		*sum = 0
	})
}

// Sum returns the hash after the last step of its frame.
func (s *Hash) Sum() uint64 { return s.sum }

func mixVec(h uint64, v r2.Vec) uint64 {
	return hash.Mix(hash.Mix(h^math.Float64bits(v.X)) ^ math.Float64bits(v.Y))
}

// exactSum adds numbers in 128-bit fixed point, so that their order does not matter. It rounds them to
// multiples of 2^-32 and clamps them to ±2^30; NaN counts as zero.
type exactSum struct {
	hi int64
	lo uint64
}

const (
	sumScale = 1 << 32
	sumLimit = 1 << 30
)

func (s *exactSum) add(x float64) {
	if x != x {
		return
	}
	x = min(max(x, -sumLimit), sumLimit)
	n := int64(math.Floor(float64(x*sumScale) + 0.5))
	s.merge(exactSum{n >> 63, uint64(n)})
}

func (s *exactSum) merge(t exactSum) {
	lo, carry := bits.Add64(s.lo, t.lo, 0)
	s.lo = lo
	s.hi += t.hi + int64(carry)
}

func (s exactSum) value() float64 {
	if s.hi < 0 {
		lo, borrow := bits.Sub64(0, s.lo, 0)
		return -exactSum{-s.hi - int64(borrow), lo}.value()
	}
	return float64(float64(s.hi)*0x1p32) + float64(float64(s.lo)*0x1p-32)
}

func (s exactSum) mean(n int) float64 {
	if n == 0 {
		return 0
	}
	return s.value() / float64(n)
}

// histogram has 64 bins per octave, from 2^-20 to 2^24. Larger numbers have no bin.
type histogram struct {
	bins  [histogramBins]uint64
	total uint64
}

const (
	histogramShift = 46 // keeps 6 bits after the exponent
	histogramFirst = (1023 - 20) << 6
	histogramBins  = (24 + 20) << 6
)

func (h *histogram) add(x float64) {
	h.total++
	if k := int(math.Float64bits(x)>>histogramShift) - histogramFirst; k < histogramBins {
		h.bins[max(k, 0)]++
	}
}

// quantile returns a quantile, rounded to the middle of a bin, or false if there are no numbers or the
// quantile is beyond all bins.
func (h *histogram) quantile(share float64) (float64, bool) {
	rank := min(uint64(share*float64(h.total)), h.total-1)
	for k, n := range h.bins {
		if rank < n {
			lo := math.Float64frombits(uint64(k+histogramFirst) << histogramShift)
			hi := math.Float64frombits(uint64(k+1+histogramFirst) << histogramShift)
			return (lo + hi) / 2, true
		}
		rank -= n
	}
	return 0, false
}
