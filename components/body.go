package components

import (
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Agent is the identity of an agent: hashes, recordings and lists use it, and never
// the row. For an agent without it they use the entity: see IDOf.
type Agent struct{ ID uint64 }

// Position is where the agent's center is, in meters.
type Position struct{ r2.Vec }

// Velocity is in meters per second.
type Velocity struct{ r2.Vec }

// Heading is the direction the agent faces, a unit vector.
type Heading struct{ r2.Vec }

// Mass is in kilograms and above zero. An agent without it weighs 1 kg.
type Mass struct{ Kilograms float64 }

// Radius is the radius of the agent's body in meters, zero or more. An agent
// without it is a point.
type Radius struct{ Meters float64 }

// Limits are the greatest speed and the greatest steering force of an agent,
// both zero or more. An infinite MaxForce means no limit of force.
type Limits struct {
	MaxSpeed float64 // meters per second
	MaxForce float64 // newtons
}

func (l Limits) MarshalJSON() ([]byte, error)     { return marshal(l) }
func (l *Limits) UnmarshalJSON(data []byte) error { return unmarshal(data, l) }

// Target is the point that seek, arrival and turning go to, in meters. Set it
// directly, or let Follow or Path set it.
type Target struct{ r2.Vec }

// Steering is the force that behaviors and hosts add to during a step, in
// newtons. Integration truncates it to Limits.MaxForce, applies it and sets it
// back to zero.
type Steering struct{ r2.Vec }

// Layers say which agents see which: an agent sees those that are On at least
// one of the layers that it Sees. Each bit is a layer. An agent without it is on
// layer 0, which is the lowest bit, and sees all layers.
type Layers struct {
	On   uint32
	Sees uint32
}

// IDOf returns the id of an agent for hashes, random draws, lists, records and ties.
// It is that of its Agent, or if agent is nil, that of its entity:
// generation<<32 | id. So an entity that arche uses again is another agent.
//
// Ids of both kinds may be equal: give Agent to all agents of a world, or to none.
func IDOf(agent *Agent, e ecs.Entity) uint64 {
	if agent != nil {
		return agent.ID
	}
	return uint64(e.Generation())<<32 | uint64(e.ID())
}

// Solid makes the body of an agent, its Radius, solid: walls and obstacles hold it,
// and bodies that overlap are pushed apart.
type Solid struct {
	// Push is the share, 0 to 1, of its half of an overlap with another solid body by
	// which the agent gives way in a step. 0: only obstacles are solid to it, and it
	// pushes no body away.
	Push float64
}

// PreviousPosition is where an agent was at the start of the step, in meters. Solid needs
// it to know the way to where it is now.
type PreviousPosition struct{ r2.Vec }

// FreeSpeed is how fast the agent walks when nothing is in its way, and from when on. It
// decides Limits.MaxSpeed.
type FreeSpeed struct {
	Speed float64 // m/s, where no zone changes it
	Start float64 // s, the time of the clock until which the agent stays where it is
}
