package systems

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Combination selects how the forces of an agent's behaviors are combined. It does not affect behaviors
// that write Velocity or Position.
type Combination int

const (
	// CombineSum adds all forces; Integration truncates the sum to MaxForce. Source: Reynolds 1987,
	// "averaging"; 1999, "blending".
	CombineSum Combination = iota

	// CombinePriority grants forces in order of priority until the sum of their magnitudes is MaxForce. It
	// truncates the force that would exceed this limit, and drops all later ones. Source: Reynolds 1987,
	// "prioritized acceleration allocation".
	CombinePriority

	// CombineDithering grants at most one force per step. In the order of priority, each behavior with a
	// nonzero force is selected with probability Chance, until one is selected. Its force is divided by the
	// probability of this choice, so if all chances are above 0 and below 1, the mean over many steps is the
	// sum of all forces, before truncation. Source: Reynolds 1993 and 1999, "prioritized dithering"; the
	// division is ours.
	CombineDithering
)

// DefaultChance is the default chance of a behavior under CombineDithering.
const DefaultChance = 0.5

// String returns the name used in scene files.
func (c Combination) String() string {
	switch c {
	case CombineSum:
		return "sum"
	case CombinePriority:
		return "priority"
	case CombineDithering:
		return "dithering"
	}
	return fmt.Sprintf("Combination(%d)", int(c))
}

// Combine adds the force in Steering to the agent's ForceCombination, as far as the combination allows, and
// resets Steering. A Combine follows each behavior in the list of a frame: see CombineForces.
//
// The draws of dithering are hashes of the seed, the agent, the tick and the behavior's name.
//
// Reads Agent and Limits, if present. Without Limits, there is no limit. Writes Steering, ForceCombination.
// The forces of agents without ForceCombination or with Drive are summed.
type Combine struct {
	Mode   Combination
	Of     string             // name of the behavior
	Chance float64            // for CombineDithering: 0 to 1
	Seed   uint64             // seed of the draws
	First  bool               // first behavior of the step
	Last   bool               // last behavior: Steering becomes the granted force
	Rows   func(*frame.Needs) // selects the agents with the behavior; for example, frame.With[components.Seek]; nil means all agents

	steer  frame.Out[c.Steering]
	sum    frame.Out[c.ForceCombination]
	limits frame.In[c.Limits]
	agent  frame.In[c.Agent]
}

// SystemName returns "Combine(Of)", or "Combine" if Of is empty.
func (s *Combine) SystemName() string {
	if s.Of == "" {
		return "Combine"
	}
	return "Combine(" + s.Of + ")"
}

// PriorityEntry is a behavior in a list ordered by priority.
type PriorityEntry struct {
	System any                // system that adds to Steering
	Chance float64            // for CombineDithering; usually DefaultChance
	Rows   func(*frame.Needs) // as in Combine; nil means all agents that steer
}

// CombineForces returns systems for the list of a frame: those of the behaviors in order, each followed by a
// Combine. A force already in Steering comes first, with DefaultChance. Forces from later systems are added
// to the result.
func CombineForces(mode Combination, seed uint64, order ...PriorityEntry) []any {
	last := &Combine{Mode: mode, Of: "Steering", Chance: DefaultChance, Seed: seed, First: true}
	list := []any{last}
	for _, r := range order {
		last = &Combine{Mode: mode, Of: frame.NameOf(r.System), Chance: r.Chance, Seed: seed, Rows: r.Rows}
		list = append(list, r.System, last)
	}
	if len(order) > 0 { // also for agents without the last behavior
		list = append(list, &Combine{Mode: mode, Last: true})
		return list
	}
	last.Last = true
	return list
}

func (s *Combine) Needs(n *frame.Needs) {
	n.Write(&s.steer, &s.sum)
	n.Optional(&s.limits, &s.agent)
	frame.Without[c.Drive](n)
	if s.Rows != nil {
		s.Rows(n)
	}
}

func (s *Combine) Run(b *frame.Batch) {
	steer, sum, limits := s.steer.Of(b), s.sum.Of(b), s.limits.Of(b)
	agent, use := s.agent.Of(b), useOf(s.Of)
	sum = sum[:len(steer)]
	for i := range steer {
		a, f := &sum[i], steer[i].Vec
		steer[i].Vec = r2.Vec{}
		if s.First {
			*a = c.ForceCombination{Left: 1}
			if s.Mode == CombinePriority {
				if a.Left = math.Inf(1); limits != nil {
					a.Left = limits[i].MaxForce
				}
			}
		}
		if f != (r2.Vec{}) && a.Left > 0 {
			switch s.Mode {
			case CombinePriority:
				a.Vec, a.Left = allocate(a.Vec, a.Left, f)
			case CombineDithering:
				a.Vec, a.Left = dither(a.Left, s.Chance, frame.HashFloat(s.Seed, b.ID(agent, i), b.Tick, use), f)
			default:
				a.Vec = vec.Add(a.Vec, f)
			}
		}
		if s.Last {
			steer[i].Vec = a.Vec
		}
	}
}

// allocate grants a force up to the remaining limit, and returns the new sum and limit.
func allocate(sum r2.Vec, left float64, force r2.Vec) (r2.Vec, float64) {
	size := vec.Norm(force)
	if size <= left {
		return vec.Add(sum, force), left - size
	}
	return vec.Add(sum, vec.WithNorm(force, left)), 0
}

// dither returns the granted force and the probability of reaching the next behavior. The parameter left is
// the probability of reaching this one.
func dither(left, chance, draw float64, force r2.Vec) (r2.Vec, float64) {
	if !(draw < chance) {
		return r2.Vec{}, left * (1 - chance)
	}
	return vec.Scale(1/(left*chance), force), 0
}

// useOf returns a use of frame.HashFloat distinct from all others: an FNV-1a hash with the highest bit set.
func useOf(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return h | 1<<63
}
