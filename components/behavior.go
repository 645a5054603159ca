package components

import (
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Seek steers straight at the Target at full speed.
type Seek struct {
	Gain float64 // kg/s; 0 pauses
}

// KinematicSeek sets the velocity straight at the Target, without a force.
type KinematicSeek struct {
	Gain float64 // share of Limits.MaxSpeed; 0 pauses and leaves the velocity alone
}

// Flee steers straight away from a point. That point is its own, so that an agent
// can arrive at one point and flee from another at the same time.
type Flee struct {
	From   r2.Vec  // m; FleeFrom keeps it on a moving entity
	Gain   float64 // kg/s; 0 pauses
	Radius float64 // m, zone of effect including its rim; 0: everywhere
}

// Arrival steers at the Target and slows down linearly within SlowingRadius.
type Arrival struct {
	Gain          float64 // kg/s; 0 pauses
	SlowingRadius float64 // m; 0: full speed up to the target
}

// OpposingArrival is the arrival that brakes by a force that opposes the way to
// the Target. It writes Velocity.
type OpposingArrival struct {
	Gain          float64 // share of the rule's acceleration; 0 pauses
	SlowingRadius float64 // m
	TimeConstant  float64 // s, the time in which the velocity follows; the source has 1
}

// DampedArrival is the arrival that damps the velocity within SlowingRadius. It
// writes Velocity.
type DampedArrival struct {
	Gain          float64 // share of the rule's acceleration; 0 pauses
	SlowingRadius float64 // m
	TimeConstant  float64 // s, the time in which the velocity follows; the source has 1
}

// SmoothArrival slows down by a smooth step between two distances from the
// Target. It sets the Speed of an agent with Drive, and steers all others.
type SmoothArrival struct {
	Gain float64 // kg/s; 0 pauses
	Min  float64 // m, the distance at which the speed is zero
	Max  float64 // m, the distance at which slowing begins
}

// Facing turns the Heading toward the velocity.
type Facing struct {
	Rate float64 // 1/s, how fast the angle between them shrinks; 0 pauses
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
	TopSpeed float64 // m/s, from which SmoothArrival slows down
}

// Path makes one waypoint of a shared path after another the Target.
type Path struct {
	Index   uint32  // which path of the Paths resource
	Next    uint32  // which waypoint is the target now
	Reached float64 // m, a waypoint is left when it is within this distance
	Loop    bool    // begin again after the last waypoint; otherwise stay there
}

// Itinerary makes the agent do one stop of a shared itinerary after another, by
// setting its Target and its maximum speed.
type Itinerary struct {
	Index   uint32  // which itinerary of the Itineraries resource
	Next    uint32  // which stop the agent is at now
	Since   float64 // s, when that stop began
	Reached float64 // m, a place is reached within this distance
	Done    bool    // whether the last stop is behind it
}

// Follow keeps the Target on the position of another entity, as of the start of the
// step. When that entity dies, the last point stays.
type Follow struct{ Entity ecs.Entity }

// FleeFrom keeps the point of Flee on the position of another entity, as of the
// start of the step. When that entity dies, the last point stays.
type FleeFrom struct{ Entity ecs.Entity }

// Goal says when the agent has arrived at its Target.
type Goal struct {
	Radius float64 // m, arrived at this distance or less, and within 1 mm in any case
	Since  float64 // s, when the trip to the current target began
	Visits uint32  // how often the agent has arrived
	Inside bool    // whether it was within Radius after the last step
	Remove bool    // whether a world.World removes the agent when it arrives
}

// CrowdedGoal lets the agent arrive where it stands when others fill the place to which it goes.
type CrowdedGoal struct {
	Share    float64 // of the disc between it and its goal that others cover when the goal is full; above 1: never
	Patience float64 // s, for which it has not come closer when it stays
	Settled  bool    // whether it has arrived in this way, and stays at Place
	Place    r2.Vec  // m, where it stays
	Goal     r2.Vec  // m, where it goes
	Nearest  float64 // m, how short its way has been; 0: it has not been looked at
	Since    float64 // s, when that was
}

// ForceCombination is the part of the behaviors' forces that a step has granted so
// far, where forces are combined by priority or by dithering. The systems that
// combine set it anew in every step.
type ForceCombination struct {
	r2.Vec         // N, granted so far
	Left   float64 // by priority: N, what may still be granted; by dithering: the chance that it came to this behavior; 0: nothing more is granted
}

func (c ForceCombination) MarshalJSON() ([]byte, error)     { return marshal(c) }
func (c *ForceCombination) UnmarshalJSON(data []byte) error { return unmarshal(data, c) }
