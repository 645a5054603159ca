package measure

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/hash"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Hash sums up the state of a crowd: the bits of Position, Velocity and Heading
// of every agent, mixed with its id. The sum does not depend on the order of
// rows, on the number of workers or on archetypes. It moves nothing: put it
// into a frame of its own and run that when the hash is wanted.
//
// Reads Position, and Velocity, Heading, Agent if there are any. Entities with
// Obstacle are no agents. An agent without Agent goes by its entity: see
// components.IDOf.
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

// Observe sums up what the workers have.
func (s *Hash) Observe(*ecs.World) {
	s.sum = 0
	s.workers.Each(func(sum *uint64) {
		s.sum += *sum
		*sum = 0
	})
}

// Sum returns the hash as of the last step of its frame.
func (s *Hash) Sum() uint64 { return s.sum }

// Trace folds the hashes of a crowd at several times into one, in their order. So
// it tells apart crowds that end alike, such as those that everybody has left. The
// zero value is ready.
type Trace struct{ sum uint64 }

// Add folds in the next hash.
func (t *Trace) Add(sum uint64) { t.sum = hash.Mix(t.sum ^ sum) }

// Sum returns the hash of all that was added, 0 if nothing was.
func (t *Trace) Sum() uint64 { return t.sum }

// TraceEvery is how many steps lie between the hashes that a trace_hash folds: it
// begins with that before the first step.
const TraceEvery = 10

func mixVec(h uint64, v r2.Vec) uint64 {
	return hash.Mix(hash.Mix(h^math.Float64bits(v.X)) ^ math.Float64bits(v.Y))
}
