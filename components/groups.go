package components

import (
	"gonum.org/v1/gonum/spatial/r2"
)

// Separation keeps the agent away from its neighbors.
type Separation struct {
	Gain         float64 // kg/s; 0 pauses
	NeighborDist float64 // m, range, between centers
	FieldOfView  float64 // rad, field of view around the velocity; 0 or at least 2π means all around
	MaxNeighbors uint32  // how many of the nearest neighbors count; 0 means all
}

// Alignment steers to match the mean velocity of the agent's neighbors.
type Alignment struct {
	Gain         float64 // kg/s; 0 pauses
	NeighborDist float64 // m, range, between centers
	FieldOfView  float64 // rad, field of view around the velocity; 0 or at least 2π means all around
	MaxNeighbors uint32  // how many of the nearest neighbors count; 0 means all
}

// Cohesion steers toward the center of the agent's neighbors.
type Cohesion struct {
	Gain         float64 // kg/s; 0 pauses
	NeighborDist float64 // m, range, between centers
	FieldOfView  float64 // rad, field of view around the velocity; 0 or at least 2π means all around
	MaxNeighbors uint32  // how many of the nearest neighbors count; 0 means all
}

// UnalignedCollisionAvoidance makes way for the agent that this agent would hit first.
type UnalignedCollisionAvoidance struct {
	Gain         float64 // kg/s; 0 pauses
	Horizon      float64 // s, how far ahead collisions count; 0 and +Inf pause
	NeighborDist float64 // m, range, between centers
	FieldOfView  float64 // rad, field of view around the velocity; 0 or at least 2π means all around
	Clearance    float64 // m; bodies that pass closer than this count as colliding
}

// LeaderFollowing steers to a point behind a leader, and out of the leader's way.
type LeaderFollowing struct {
	Gain          float64       // kg/s; 0 pauses
	Leader        TrackedEntity // updated by the system
	Distance      float64       // m, from the leader to the point behind it
	Length        float64       // m, length of the box that the agent keeps clear ahead of the leader; 0 means no box
	Width         float64       // m, width of that box
	SlowingRadius float64       // m; 0 means full speed all the way
}

// Queueing brakes behind slower neighbors that are not oncoming.
type Queueing struct {
	Gain         float64 // kg/s; 0 pauses
	Horizon      float64 // s, minimum time to close the gap to those neighbors; 0 pauses
	NeighborDist float64 // m, range ahead, between centers
	Width        float64 // m, of the box ahead; 0 pauses
}

// Hiding steers to a place where an obstacle hides the agent from a pursuer or, if there is no such place,
// evades the pursuer.
type Hiding struct {
	Gain          float64       // kg/s; 0 pauses
	From          TrackedEntity // the pursuer; updated by the system
	Radius        float64       // m, distance to the pursuer within which the agent hides; 0 means any distance
	Range         float64       // m, range of the search for obstacles
	Distance      float64       // m, minimum gap between obstacle and body
	Horizon       float64       // s, longest prediction while the agent evades; 0 means none
	SlowingRadius float64       // m; 0 means full speed all the way
}

func (h Hiding) MarshalJSON() ([]byte, error)     { return marshal(h) }
func (h *Hiding) UnmarshalJSON(data []byte) error { return unmarshal(data, h) }

// Formation sets the Target, or the Destination if present, to a place in a formation that moves with a
// leader. Agents with the same leader, spacing, files, slant and distance are one formation: a line if
// Files and Slant are 0, a wedge if only Files is 0, a column if Files is 1, and otherwise a block.
type Formation struct {
	Leader   TrackedEntity // updated by the system
	Spacing  float64       // m, between neighbors in a rank, and between ranks; 0 pauses unless Own
	Files    uint32        // agents abreast; 0 means all
	Slant    float64       // how far the sides of a rank fall back per meter from its middle; negative means ahead
	Distance float64       // m, from the leader to the first rank; 0 puts the leader in that rank's middle

	TurnRate float64 // rad/s, maximum rate at which the formation wheels; 0 means that it does not turn
	Lead     float64 // s; the agent aims at the point where its place will be after this time
	TopSpeed float64 // m/s; each step sets MaxSpeed, up to this speed, so that the agent arrives in time; 0 keeps MaxSpeed

	Number uint32 // number of the agent's place, from 1; 0 means none yet
	Of     uint32 // number of places in the formation
	Own    bool   // the host sets Slot; the agent takes no numbered place
	Slot   r2.Vec // m, place: X ahead of the leader, Y to the left
	Course r2.Vec // unit vector, direction in which the formation faces; zero means unknown
	Facing r2.Vec // unit vector, direction in which the leader moves or faces; zero means none
}

// Interpose steers to the midpoint between two other entities.
type Interpose struct {
	Gain          float64       // kg/s; 0 pauses
	First, Second TrackedEntity // updated by the system
	Horizon       float64       // s, longest prediction; 0 means none
	SlowingRadius float64       // m; 0 means full speed all the way
}

func (i Interpose) MarshalJSON() ([]byte, error)     { return marshal(i) }
func (i *Interpose) UnmarshalJSON(data []byte) error { return unmarshal(data, i) }
