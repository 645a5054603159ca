package components

import "gonum.org/v1/gonum/spatial/r2"

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
