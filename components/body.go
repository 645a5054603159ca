package components

import (
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Agent identifies an agent in hashes, recordings and lists. For agents without it, see IDOf.
type Agent struct{ ID uint64 }

// Position is the center of the agent, in meters.
type Position struct{ r2.Vec }

// Velocity is the velocity of the agent, in meters per second.
type Velocity struct{ r2.Vec }

// Heading is the direction the agent faces, a unit vector.
type Heading struct{ r2.Vec }

// Mass is the mass of the agent, in kilograms, above zero. An agent without it weighs 1 kg.
type Mass struct{ Kilograms float64 }

// Radius is the radius of the body in meters, zero or more. An agent without it is a point.
type Radius struct{ Meters float64 }

// Limits are the maximum speed and steering force of an agent, both zero or more. An infinite MaxForce
// means no limit.
type Limits struct {
	MaxSpeed float64 // meters per second
	MaxForce float64 // newtons
}

func (l Limits) MarshalJSON() ([]byte, error)     { return marshal(l) }
func (l *Limits) UnmarshalJSON(data []byte) error { return unmarshal(data, l) }

// Target is the point, in meters, toward which Seek, Arrival, TurnTowards and others steer. A host sets it,
// or a component such as Follow, Path or Route does.
type Target struct{ r2.Vec }

// Steering is the force, in newtons, to which behaviors and hosts add during a step. systems.Integration
// truncates it to Limits.MaxForce, applies it and resets it to zero.
type Steering struct{ r2.Vec }

// Layers define which agents see which: an agent sees those that are On at least one layer that it Sees.
// Each bit is a layer. An agent without Layers is on layer 0, the lowest bit, and sees all layers.
type Layers struct {
	On   uint32
	Sees uint32
}

// IDOf returns agent.ID or, if agent is nil, generation<<32 | ID of the entity, so an entity that reuses an ID
// counts as another agent.
//
// IDs of the two kinds may coincide: give Agent to all agents of a world, or to none.
func IDOf(agent *Agent, e ecs.Entity) uint64 {
	if agent != nil {
		return agent.ID
	}
	return uint64(e.Generation())<<32 | uint64(e.ID())
}

// Solid makes a body solid: obstacles stop it, and overlapping bodies are pushed apart.
type Solid struct {
	// Push is the share, 0 to 1, of half an overlap by which the agent moves in a step. At 0, only
	// obstacles are solid to the agent, and it pushes no body.
	Push float64
}

// PreviousPosition is the position of the agent at the start of the step, in meters. Solid needs it.
type PreviousPosition struct{ r2.Vec }

// FreeSpeed is the speed of an agent with nothing in its way, and the time at which it starts to walk.
// systems.FreeSpeed sets Limits.MaxSpeed from it.
type FreeSpeed struct {
	Speed float64 // m/s, outside zones
	Start float64 // s; until then, the agent stands still
}
