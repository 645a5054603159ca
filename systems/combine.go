package systems

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Combination selects how the forces of an agent's behaviors are combined. Behaviors that write
// Velocity or Position instead of Steering are not combined.
type Combination int

const (
	// CombineSum adds all forces; Integration truncates the sum to MaxForce. Source: Reynolds 1987,
	// "averaging"; 1999, "blending".
	CombineSum Combination = iota

	// CombinePriority grants forces in the order of their priority until the sum of their
	// magnitudes is MaxForce; the force that exceeds it is truncated, and those after it are
	// dropped. So a less important force never cancels a swerve. If all fit, or without a limit, it
	// is the sum. Source: Reynolds 1987, "prioritized acceleration allocation".
	CombinePriority

	// CombineDithering grants one force per step. In the order of priority, each behavior with a
	// nonzero force is drawn with its chance, and the first one drawn steers: by its force, divided
	// by the probability that it was this one. So the mean over many steps is the sum, before
	// Integration truncates; a behavior with chance 1 and a nonzero force suppresses all behaviors
	// after it. Source: Reynolds 1993 and 1999, "prioritized dithering"; the division is ours.
	CombineDithering
)

// DefaultChance is the default chance of a behavior in dithering.
const DefaultChance = 0.5

// String returns the name in scene files.
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

// Combine adds the force that one behavior has just added to Steering to the agent's
// ForceCombination, as far as the combination allows, and resets Steering for the next behavior. It
// follows each behavior in the list of a frame; CombineForces makes such a list.
//
// The draws of dithering are a hash of seed, agent, tick and the behavior's name. A force that is
// not finite is granted, so that Integration detects it.
//
// Reads Agent, and Limits for MaxForce, if present; an agent without Agent is identified by its
// entity (components.IDOf), and without Limits it has no limit. Writes Steering, ForceCombination.
// Forces of agents without ForceCombination are added, as are those of agents with Drive, which do
// not move by them.
type Combine struct {
	Mode   Combination
	Of     string             // name of the behavior
	Chance float64            // chance of the behavior, for CombineDithering: 0 to 1
	Seed   uint64             // seed of the draws
	First  bool               // it is the first of the step
	Last   bool               // it is the last: Steering becomes the granted force
	Rows   func(*frame.Needs) // matches agents that have the behavior, such as With[components.Seek]; nil: all

	steer  frame.Out[c.Steering]
	sum    frame.Out[c.ForceCombination]
	limits frame.In[c.Limits]
	agent  frame.In[c.Agent]
}

// SystemName returns a name with that of the behavior before it.
func (s *Combine) SystemName() string {
	if s.Of == "" {
		return "Combine"
	}
	return "Combine(" + s.Of + ")"
}

// PriorityEntry is a behavior in the order of priority.
type PriorityEntry struct {
	System any                // which adds to Steering
	Chance float64            // for CombineDithering; DefaultChance is usual
	Rows   func(*frame.Needs) // matches agents that have it, such as With[components.Seek], for speed; nil: all that steer
}

// CombineForces returns the behaviors in order, interleaved with the systems that combine their
// forces, for the list of a frame. A force that is in Steering before them comes first, with
// DefaultChance; forces added after them are added to the result.
func CombineForces(mode Combination, seed uint64, order ...PriorityEntry) []any {
	last := &Combine{Mode: mode, Of: "Steering", Chance: DefaultChance, Seed: seed, First: true}
	list := []any{last}
	for _, r := range order {
		last = &Combine{Mode: mode, Of: frame.NameOf(r.System), Chance: r.Chance, Seed: seed, Rows: r.Rows}
		list = append(list, r.System, last)
	}
	if len(order) > 0 { // agents without the last behavior must finish too
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

// allocate grants a force within what is left, and returns the granted sum and what is left then,
// both in N.
func allocate(sum r2.Vec, left float64, force r2.Vec) (r2.Vec, float64) {
	size := vec.Norm(force)
	if size <= left {
		return vec.Add(sum, force), left - size
	}
	return vec.Add(sum, vec.WithNorm(force, left)), 0
}

// dither grants a force if the draw is below its chance; left is the probability of reaching this
// behavior. It returns the granted force, in N, and the probability of reaching the next one.
func dither(left, chance, draw float64, force r2.Vec) (r2.Vec, float64) {
	if !(draw < chance) {
		return r2.Vec{}, left * (1 - chance)
	}
	return vec.Scale(1/(left*chance), force), 0
}

// useOf returns the use of a behavior's draws: a hash of its name (FNV-1a), distinct from all
// numbered uses.
func useOf(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return h | 1<<63
}
