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
	Gain float64 // fraction of Limits.MaxSpeed; 0 pauses and keeps the velocity
}

// Flee steers straight away from a point. The point is separate from Target, so an agent can arrive
// at one point and flee from another at the same time.
type Flee struct {
	From   r2.Vec  // m; FleeFrom sets it to the position of another entity
	Gain   float64 // kg/s; 0 pauses
	Radius float64 // m, radius of the zone of effect, including its rim; 0 means everywhere
}

// Arrival steers toward the Target and slows down linearly within SlowingRadius.
type Arrival struct {
	Gain          float64 // kg/s; 0 pauses
	SlowingRadius float64 // m; 0 means full speed all the way to the Target
}

// OpposingArrival steers toward the Target and, within SlowingRadius, brakes with an acceleration
// opposite to the direction of the Target. It writes Velocity.
type OpposingArrival struct {
	Gain          float64 // share of the rule's acceleration; 0 pauses
	SlowingRadius float64 // m
	TimeConstant  float64 // s, time constant of the velocity; the source uses 1
}

// DampedArrival steers toward the Target and damps the velocity within SlowingRadius. It writes Velocity.
type DampedArrival struct {
	Gain          float64 // share of the rule's acceleration; 0 pauses
	SlowingRadius float64 // m
	TimeConstant  float64 // s, time constant of the velocity; the source uses 1
}

// SmoothArrival slows the agent down along a smoothstep curve between two distances from the Target. It
// sets the Speed of an agent with Drive, and steers any other agent.
type SmoothArrival struct {
	Gain float64 // kg/s; 0 pauses
	Min  float64 // m, distance at which the speed is zero
	Max  float64 // m, distance at which slowing begins
}

// Facing turns the Heading toward the velocity while the speed is above 0.1 m/s.
type Facing struct {
	Rate float64 // 1/s, rate at which the angle to the velocity shrinks; 0 pauses
}

// TurnTowards turns the Heading toward the Target at a limited rate.
type TurnTowards struct {
	Rate float64 // rad/s; 0 pauses
}

// TurnAway turns the Heading away from the point of Flee at a limited rate, within the Flee zone.
type TurnAway struct {
	Rate float64 // rad/s; 0 pauses
}

// Drive, instead of Integration, moves the agent along its Heading. It also sets the Velocity, if the
// agent has one.
type Drive struct {
	Speed    float64 // m/s; 0 pauses
	TopSpeed float64 // m/s, full speed before SmoothArrival reduces it
}

// Path sets the Target, or the Destination if present, to the waypoints of a shared path, one after another.
type Path struct {
	Index   uint32  // index in the Paths resource
	Next    uint32  // index of the current waypoint
	Reached float64 // m, distance at which a waypoint counts as reached; 0 means never
	Loop    bool    // start again after the last waypoint instead of staying there
}

// Itinerary leads the agent through the stops of a shared itinerary. It sets the Target, or the
// Destination if present. If a stop has a speed, it also sets the FreeSpeed or, if there is none,
// Limits.MaxSpeed.
type Itinerary struct {
	Index   uint32  // index in the Itineraries resource
	Next    uint32  // index of the current stop
	Since   float64 // s, start of the current stop
	Reached float64 // m, distance at which a place counts as reached
	Done    bool    // the last stop has ended
}

// Follow sets the Target, or the Destination if present, to the position that another entity has at the
// start of the step. If the entity dies or has no finite position, the last position is kept.
type Follow struct{ Entity ecs.Entity }

// FleeFrom sets the point of Flee to the position that another entity has at the start of the step.
// If the entity dies or has no finite position, the last position is kept.
type FleeFrom struct{ Entity ecs.Entity }

// Goal defines when the agent has arrived at its Target.
type Goal struct {
	Radius float64 // m, distance from the Target within which the agent has arrived; less than 1 mm counts as 1 mm
	Since  float64 // s, start of the trip to the current target
	Visits uint32  // number of arrivals
	Inside bool    // after the last step, the agent was within Radius or, with an Itinerary, its Itinerary was Done
	Remove bool    // world.World removes the agent when it arrives
}

// CrowdedGoal lets the agent stop short of its goal if other agents fill the goal.
type CrowdedGoal struct {
	Share    float64 // share of the disc around the goal, out to the agent, that others must cover to fill the goal
	Patience float64 // s, time without progress after which the agent may stop
	Settled  bool    // the agent has stopped, at Place
	Place    r2.Vec  // m, where the agent has stopped
	Goal     r2.Vec  // m, the current goal
	Nearest  float64 // m, shortest distance to the goal so far; 0 means unknown
	Since    float64 // s, time at which the agent reached the distance Nearest
}

// ForceCombination is the part of the behaviors' forces that a step has granted so far, if forces are
// combined by priority or by dithering. The combining systems reset it in every step.
type ForceCombination struct {
	r2.Vec         // N, granted so far
	Left   float64 // by priority, the force left, in N; by dithering, the probability of reaching this behavior; 0 means no more force
}

func (c ForceCombination) MarshalJSON() ([]byte, error)     { return marshal(c) }
func (c *ForceCombination) UnmarshalJSON(data []byte) error { return unmarshal(data, c) }
