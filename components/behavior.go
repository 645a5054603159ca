package components

import (
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Seek steers straight toward the Target at full speed.
type Seek struct {
	Gain float64 // kg/s; 0 pauses
}

// KinematicSeek sets the velocity straight toward the Target, without a force.
type KinematicSeek struct {
	Gain float64 // share of Limits.MaxSpeed; 0 pauses and leaves the velocity unchanged
}

// Flee steers straight away from a point. The point is separate from Target, so an agent can arrive
// at one point and flee from another at the same time.
type Flee struct {
	From   r2.Vec  // m; FleeFrom keeps it on a moving entity
	Gain   float64 // kg/s; 0 pauses
	Radius float64 // m, zone of effect including its rim; 0: everywhere
}

// Arrival steers toward the Target and slows down linearly within SlowingRadius.
type Arrival struct {
	Gain          float64 // kg/s; 0 pauses
	SlowingRadius float64 // m; 0: full speed up to the target
}

// OpposingArrival is the arrival that brakes by a force opposed to the direction of the Target. It
// writes Velocity.
type OpposingArrival struct {
	Gain          float64 // share of the rule's acceleration; 0 pauses
	SlowingRadius float64 // m
	TimeConstant  float64 // s, time constant of the velocity; 1 in the source
}

// DampedArrival is the arrival that damps the velocity within SlowingRadius. It writes Velocity.
type DampedArrival struct {
	Gain          float64 // share of the rule's acceleration; 0 pauses
	SlowingRadius float64 // m
	TimeConstant  float64 // s, time constant of the velocity; 1 in the source
}

// SmoothArrival slows down by a smooth step between two distances from the Target. It sets the
// Speed of an agent with Drive, and steers all others.
type SmoothArrival struct {
	Gain float64 // kg/s; 0 pauses
	Min  float64 // m, the distance at which the speed is zero
	Max  float64 // m, the distance at which slowing begins
}

// Facing turns the Heading toward the velocity.
type Facing struct {
	Rate float64 // 1/s, rate at which the angle between them shrinks; 0 pauses
}

// TurnTowards turns the Heading toward the Target at a limited rate.
type TurnTowards struct {
	Rate float64 // rad/s; 0 pauses
}

// TurnAway turns the Heading away from the point of Flee at a limited rate, within
// the zone of that Flee.
type TurnAway struct {
	Rate float64 // rad/s; 0 pauses
}

// Drive moves the agent along its Heading, instead of Integration. It sets the
// Velocity, if the agent has one.
type Drive struct {
	Speed    float64 // m/s, of the agent; 0 pauses
	TopSpeed float64 // m/s, full speed, which SmoothArrival reduces
}

// Path sets the Target to one waypoint of a shared path after another.
type Path struct {
	Index   uint32  // index in the Paths resource
	Next    uint32  // index of the present waypoint
	Reached float64 // m, distance at which a waypoint is reached
	Loop    bool    // start again after the last waypoint; otherwise stay there
}

// Itinerary leads the agent through the stops of a shared itinerary, by setting its Target and its
// maximum speed.
type Itinerary struct {
	Index   uint32  // index in the Itineraries resource
	Next    uint32  // index of the present stop
	Since   float64 // s, start of that stop
	Reached float64 // m, distance at which a place is reached
	Done    bool    // the last stop has ended
}

// Follow sets the Target to the position of another entity, as of the start of the step. If that
// entity dies, the last point stays.
type Follow struct{ Entity ecs.Entity }

// FleeFrom sets the point of Flee to the position of another entity, as of the start of the step.
// If that entity dies, the last point stays.
type FleeFrom struct{ Entity ecs.Entity }

// Goal defines when the agent has arrived at its Target.
type Goal struct {
	Radius float64 // m, distance at which it has arrived, at least 1 mm
	Since  float64 // s, start of the trip to the present target
	Visits uint32  // number of arrivals
	Inside bool    // it was within Radius after the last step
	Remove bool    // world.World removes the agent when it arrives
}

// CrowdedGoal lets the agent stop where it stands if others fill its goal.
type CrowdedGoal struct {
	Share    float64 // share of the disc between it and its goal that others cover if the goal is full; above 1: never
	Patience float64 // s without progress after which it may stop
	Settled  bool    // it has stopped, at Place
	Place    r2.Vec  // m, where it has stopped
	Goal     r2.Vec  // m, where it goes
	Nearest  float64 // m, its shortest distance so far; 0: unknown
	Since    float64 // s, when that was
}

// ForceCombination is the part of the behaviors' forces granted so far in a step, if forces are
// combined by priority or by dithering. The systems that combine reset it in every step.
type ForceCombination struct {
	r2.Vec         // N, granted so far
	Left   float64 // by priority: N, what may still be granted; by dithering: the probability of reaching this behavior; 0: nothing more is granted
}

func (c ForceCombination) MarshalJSON() ([]byte, error)     { return marshal(c) }
func (c *ForceCombination) UnmarshalJSON(data []byte) error { return unmarshal(data, c) }
