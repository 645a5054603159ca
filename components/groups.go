package components

import (
	"gonum.org/v1/gonum/spatial/r2"
)

// Separation keeps the agent away from its neighbors.
type Separation struct {
	Gain         float64 // kg/s; 0 pauses
	NeighborDist float64 // m, range, from center to center
	FieldOfView  float64 // rad, width of the field of view around the velocity; 0, or 2π and more, means all around
	MaxNeighbors uint32  // maximum number of nearest neighbors that count; 0 means all
}

// Alignment matches the velocity of the agent's neighbors.
type Alignment struct {
	Gain         float64 // kg/s; 0 pauses
	NeighborDist float64 // m, range, from center to center
	FieldOfView  float64 // rad, width of the field of view around the velocity; 0, or 2π and more, means all around
	MaxNeighbors uint32  // maximum number of nearest neighbors that count; 0 means all
}

// Cohesion steers toward the center of the agent's neighbors.
type Cohesion struct {
	Gain         float64 // kg/s; 0 pauses
	NeighborDist float64 // m, range, from center to center
	FieldOfView  float64 // rad, width of the field of view around the velocity; 0, or 2π and more, means all around
	MaxNeighbors uint32  // maximum number of nearest neighbors that count; 0 means all
}

// UnalignedCollisionAvoidance makes way for the agent that this agent would hit first.
type UnalignedCollisionAvoidance struct {
	Gain         float64 // kg/s; 0 pauses
	Horizon      float64 // s, time ahead in which the agent expects collisions; 0 pauses
	NeighborDist float64 // m, range, from center to center
	FieldOfView  float64 // rad, width of the field of view around the velocity; 0, or 2π and more, means all around
	Clearance    float64 // m, minimum distance between passing bodies; any less counts as a collision
}

// LeaderFollowing steers to a point behind a leader and keeps out of the leader's way.
type LeaderFollowing struct {
	Gain          float64       // kg/s; 0 pauses
	Leader        TrackedEntity // updated by the system
	Distance      float64       // m, from the leader to the point behind it
	Length        float64       // m, length of the box ahead of the leader that the agent keeps clear; 0 means no box
	Width         float64       // m, width of that box
	SlowingRadius float64       // m; 0 means full speed all the way to the point
}

// Queueing brakes behind slower neighbors that stand or move in the same direction.
type Queueing struct {
	Gain         float64 // kg/s; 0 pauses
	Horizon      float64 // s, time in which the agent may close the gap to those neighbors; 0 pauses
	NeighborDist float64 // m, range ahead, from center to center
	Width        float64 // m, width of the box ahead; 0 pauses
}

// Hiding steers to a place where an obstacle hides the agent from a pursuer. If there is no such
// place, the agent evades the pursuer.
type Hiding struct {
	Gain          float64       // kg/s; 0 pauses
	From          TrackedEntity // the pursuer; updated by the system
	Radius        float64       // m, distance to the pursuer within which the agent hides; 0 means everywhere
	Range         float64       // m, range of the search for obstacles
	Distance      float64       // m, minimum distance between the surfaces of the obstacle and the body
	Horizon       float64       // s, longest prediction while the agent evades; 0 uses the pursuer's current position
	SlowingRadius float64       // m; 0 means full speed all the way to the place
}

func (h Hiding) MarshalJSON() ([]byte, error)     { return marshal(h) }
func (h *Hiding) UnmarshalJSON(data []byte) error { return unmarshal(data, h) }

// Formation sets the Target, or the Destination if present, to a place in a formation that moves with a leader.
// Agents with the same leader, spacing, files, slant and distance are one formation: a line if Files
// and Slant are 0, a wedge if only Files is 0, a column if Files is 1, and otherwise a block.
type Formation struct {
	Leader   TrackedEntity // updated by the system
	Spacing  float64       // m, between neighbors in a rank and between ranks; 0 pauses
	Files    uint32        // number of agents abreast; 0 means all
	Slant    float64       // distance by which the sides of a rank fall back, per meter from its middle; below 0 means ahead
	Distance float64       // m, from the leader to the first rank; 0 puts the leader in the middle of that rank

	TurnRate float64 // rad/s, maximum rate at which the formation wheels; 0 means that the formation does not turn
	Lead     float64 // s, time ahead: the agent aims at the point where its place will be after this time
	TopSpeed float64 // m/s, maximum of MaxSpeed, which each step sets so that the agent arrives in time; 0 keeps MaxSpeed

	Number uint32 // number of the agent's place, counted from 1; 0 means none yet
	Of     uint32 // number of places in the formation
	Own    bool   // the host sets Slot, and the agent takes no numbered place
	Slot   r2.Vec // m, the agent's place: X ahead of the leader, Y to the left
	Course r2.Vec // unit vector, direction the formation faces; zero means unknown
	Facing r2.Vec // unit vector, direction the leader moves in or faces; zero means none
}

// Interpose steers to the midpoint between two other entities.
type Interpose struct {
	Gain          float64       // kg/s; 0 pauses
	First, Second TrackedEntity // updated by the system
	Horizon       float64       // s, longest prediction; 0 uses the midpoint of the current positions
	SlowingRadius float64       // m; 0 means full speed all the way to the midpoint
}

func (i Interpose) MarshalJSON() ([]byte, error)     { return marshal(i) }
func (i *Interpose) UnmarshalJSON(data []byte) error { return unmarshal(data, i) }
