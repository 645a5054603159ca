package components

import (
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Seek steers straight toward the Target at full speed.
type Seek struct {
	Gain float64 // kg/s; 0 pauses
}

// KinematicSeek sets a velocity straight toward the Target, without a force.
type KinematicSeek struct {
	Gain float64 // share of Limits.MaxSpeed; 0 keeps the velocity
}

// Flee steers directly away from a point, and ignores the Target.
type Flee struct {
	From   r2.Vec  // m; FleeFrom, if present, sets it
	Gain   float64 // kg/s; 0 pauses
	Radius float64 // m, of the zone of effect, rim included; 0 means everywhere
}

// Arrival steers toward the Target and slows down linearly within SlowingRadius.
type Arrival struct {
	Gain          float64 // kg/s; 0 pauses
	SlowingRadius float64 // m; 0 means full speed all the way
}

// OpposingArrival steers toward the Target and, within SlowingRadius, brakes by accelerating away from the
// Target. It writes Velocity.
type OpposingArrival struct {
	Gain          float64 // share of the acceleration; 0 pauses
	SlowingRadius float64 // m
	TimeConstant  float64 // s, of the velocity
}

// DampedArrival steers toward the Target and damps the velocity within SlowingRadius. It writes Velocity.
type DampedArrival struct {
	Gain          float64 // share of the acceleration; 0 pauses
	SlowingRadius float64 // m
	TimeConstant  float64 // s, of the velocity
}

// SmoothArrival slows the agent down along a smoothstep curve between two distances from the Target. It sets
// the Speed of Drive or, if the agent has no Drive, steers.
type SmoothArrival struct {
	Gain float64 // kg/s; 0 pauses; with Drive, other values make no difference
	Min  float64 // m, distance at which the speed is zero
	Max  float64 // m, distance at which slowing begins
}

// Facing turns the Heading toward the velocity while the speed is above 0.1 m/s.
type Facing struct {
	Rate float64 // 1/s, relative rate at which the angle to the velocity shrinks; 0 pauses
}

// TurnTowards turns the Heading toward the Target at a limited rate.
type TurnTowards struct {
	Rate float64 // rad/s; 0 pauses
}

// TurnAway turns the Heading away from the point of Flee at a limited rate, within the zone of Flee.
type TurnAway struct {
	Rate float64 // rad/s; 0 pauses
}

// Drive moves the agent along its Heading, in place of systems.Integration. It sets the Velocity, if
// present.
type Drive struct {
	Speed    float64 // m/s; 0 pauses
	TopSpeed float64 // m/s, before SmoothArrival reduces it
}

// Path sets the Target, or the Destination if present, to the waypoints of a shared path, one after another.
type Path struct {
	Index   uint32  // index in the resource systems.Paths
	Next    uint32  // index of the current waypoint
	Reached float64 // m, distance at which a waypoint is reached; 0 means never
	Loop    bool    // start again after the last waypoint
}

// Itinerary leads the agent through the stops of a shared itinerary. It sets the Target, or the Destination
// if present. At a stop with a speed, it also sets the FreeSpeed or, if there is none, Limits.MaxSpeed.
type Itinerary struct {
	Index   uint32  // index in the resource systems.Itineraries
	Next    uint32  // index of the current stop
	Since   float64 // s, start of the current stop
	Reached float64 // m, distance at which a place is reached
	Done    bool    // the last stop has ended
}

// Follow sets the Target, or the Destination if present, to the position of another entity at the start of
// the step. If that entity dies or has no finite position, its last position is kept.
type Follow struct{ Entity ecs.Entity }

// FleeFrom sets the point of Flee as Follow sets the Target.
type FleeFrom struct{ Entity ecs.Entity }

// Goal defines when the agent has arrived at its Target.
type Goal struct {
	Radius float64 // m, distance from the Target that counts as arrival; less than 1 mm counts as 1 mm
	Since  float64 // s, start of the trip to the Target
	Visits uint32  // number of arrivals
	Inside bool    // after the last step, the agent was within Radius or, with an Itinerary, the last stop had ended
	Remove bool    // world.World removes the agent when it arrives
}

// CrowdedGoal lets the agent stop short of a goal that other agents occupy.
type CrowdedGoal struct {
	Share    float64 // share of the disc around the goal, out to the agent, that other agents must cover
	Patience float64 // s, time without progress after which the agent may stop
	Settled  bool    // the agent has stopped
	Place    r2.Vec  // m, where it has stopped
	Goal     r2.Vec  // m, current goal
	Nearest  float64 // m, shortest distance to the goal so far; 0 means unknown
	Since    float64 // s, time at which the agent reached the distance Nearest
}

// ForceCombination is the part of the behaviors' forces granted so far in a step that combines forces by
// priority or by dithering. The combining systems reset it in every step.
type ForceCombination struct {
	r2.Vec         // N
	Left   float64 // by priority, the force left, in N; by dithering, the probability of reaching the next behavior; 0 means no more force
}

func (c ForceCombination) MarshalJSON() ([]byte, error)     { return marshal(c) }
func (c *ForceCombination) UnmarshalJSON(data []byte) error { return unmarshal(data, c) }
