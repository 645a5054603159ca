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

// Flee steers straight away from a point of its own, so that an agent can
// arrive at one point and flee from another at the same time.
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

// OpposingArrival is the arrival that brakes by a force opposed to the way to
// the Target. It writes Velocity.
type OpposingArrival struct {
	Gain          float64 // share of the rule's acceleration; 0 pauses
	SlowingRadius float64 // m
	TimeConstant  float64 // s, the time in which the velocity would follow; the source has 1
}

// DampedArrival is the arrival that damps the velocity towards the way to the
// Target within SlowingRadius. It writes Velocity.
type DampedArrival struct {
	Gain          float64 // share of the rule's acceleration; 0 pauses
	SlowingRadius float64 // m
	TimeConstant  float64 // s, the time in which the velocity would follow; the source has 1
}

// SmoothArrival slows down by a smooth step between two distances from the
// Target. It sets the Speed of an agent with Drive, and steers all others.
type SmoothArrival struct {
	Gain float64 // kg/s; 0 pauses
	Min  float64 // m, the distance at which the speed is zero
	Max  float64 // m, the distance at which slowing begins
}

// Facing turns the Heading towards the velocity.
type Facing struct {
	Rate float64 // 1/s, the share of the angle that goes in a unit of time; 0 pauses
}

// TurnTowards turns the Heading to the Target by a limited angle a step.
type TurnTowards struct {
	Rate float64 // rad/s; 0 pauses
}

// TurnAway turns the Heading away from the point of Flee by a limited angle a
// step. The zone of effect of that Flee applies.
type TurnAway struct {
	Rate float64 // rad/s; 0 pauses
}

// Drive moves the agent along its Heading, in place of Integration. If the
// agent has a Velocity it is set to what the agent does.
type Drive struct {
	Speed    float64 // m/s, what the agent moves at; 0 pauses
	TopSpeed float64 // m/s, what SmoothArrival slows down from
}

// Path makes the waypoints of a shared path, one after another, the Target.
type Path struct {
	Index   uint32  // which path of the Paths resource
	Next    uint32  // which waypoint is the target now
	Reached float64 // m, a waypoint is left when it is within this distance
	Loop    bool    // begin again after the last waypoint; otherwise stay there
}

// Itinerary makes one stop of a shared itinerary after another what the agent
// does, by setting its Target and its top speed.
type Itinerary struct {
	Index   uint32  // which itinerary of the Itineraries resource
	Next    uint32  // which stop the agent is at now
	Since   float64 // s, when that stop began
	Reached float64 // m, a place is reached within this distance
	Done    bool    // whether the last stop is behind it
}

// Follow keeps the Target on another entity's position, as of the start of the
// step. When that entity dies, the last point stays.
type Follow struct{ Entity ecs.Entity }

// FleeFrom keeps the point of Flee on another entity's position, as of the
// start of the step. When that entity dies, the last point stays.
type FleeFrom struct{ Entity ecs.Entity }

// Goal tells when the agent has arrived at its Target.
type Goal struct {
	Radius float64 // m, arrived at this distance or less
	Since  float64 // s, when the way to the present target began
	Visits uint32  // how often the agent has arrived
	Inside bool    // whether it was within Radius after the last step
	Remove bool    // whether a world.World removes the agent when it arrives
}
