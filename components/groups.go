package components

import (
	"gonum.org/v1/gonum/spatial/r2"
)

// Separation keeps away from neighbors.
type Separation struct {
	Gain         float64 // kg/s; 0 pauses
	NeighborDist float64 // m, range, from center to center
	FieldOfView  float64 // rad, width of the field of view around the velocity; 0, or 2π and more: all around
	MaxNeighbors uint32  // number of neighbors that count, the nearest; 0: all
}

// Alignment matches the velocity of neighbors.
type Alignment struct {
	Gain         float64 // kg/s; 0 pauses
	NeighborDist float64 // m, range, from center to center
	FieldOfView  float64 // rad, width of the field of view around the velocity; 0, or 2π and more: all around
	MaxNeighbors uint32  // number of neighbors that count, the nearest; 0: all
}

// Cohesion steers toward the center of neighbors.
type Cohesion struct {
	Gain         float64 // kg/s; 0 pauses
	NeighborDist float64 // m, range, from center to center
	FieldOfView  float64 // rad, width of the field of view around the velocity; 0, or 2π and more: all around
	MaxNeighbors uint32  // number of neighbors that count, the nearest; 0: all
}

// UnalignedCollisionAvoidance makes way for the agent that it would hit first.
type UnalignedCollisionAvoidance struct {
	Gain         float64 // kg/s; 0 pauses
	Horizon      float64 // s, how far ahead it looks for collisions; 0 pauses
	NeighborDist float64 // m, range, from center to center
	FieldOfView  float64 // rad, width of the field of view around the velocity; 0, or 2π and more: all around
	Clearance    float64 // m, least distance between passing bodies; less counts as a collision
}

// LeaderFollowing goes to a point behind a leader, and makes way for it.
type LeaderFollowing struct {
	Gain          float64       // kg/s; 0 pauses
	Leader        TrackedEntity // updated by the system
	Distance      float64       // m, from the leader to the point behind it
	Length        float64       // m, length of the box ahead of the leader that it keeps clear; 0: none
	Width         float64       // m, width of that box
	SlowingRadius float64       // m; 0: full speed up to the point
}

// Queueing brakes behind slower neighbors that go the same way.
type Queueing struct {
	Gain         float64 // kg/s; 0 pauses
	Horizon      float64 // s, in which the agent may close the gap to them
	NeighborDist float64 // m, range ahead, from center to center
	Width        float64 // m, width of the box ahead
}

// Hiding goes to a place where an obstacle hides the agent from a pursuer, and evades if there is
// none.
type Hiding struct {
	Gain          float64       // kg/s; 0 pauses
	From          TrackedEntity // the pursuer; updated by the system
	Radius        float64       // m, distance of the pursuer within which it hides; 0: everywhere
	Range         float64       // m, range in which it looks for obstacles
	Distance      float64       // m, between the surfaces of obstacle and body
	Horizon       float64       // s, longest prediction when it evades
	SlowingRadius float64       // m; 0: full speed up to the place
}

func (h Hiding) MarshalJSON() ([]byte, error)     { return marshal(h) }
func (h *Hiding) UnmarshalJSON(data []byte) error { return unmarshal(data, h) }

// Formation sets the Target of an agent to its place in a formation that moves with a leader.
// Agents with the same leader, spacing, files, slant and distance are one formation: a line if
// Files is 0, a column if 1, a wedge if Files is 0 and there is a slant, otherwise a block.
type Formation struct {
	Leader   TrackedEntity // updated by the system
	Spacing  float64       // m, between neighbors in a rank, and from rank to rank; 0 pauses
	Files    uint32        // agents abreast; 0: all
	Slant    float64       // how far the sides of a rank fall back, per meter from its middle; negative: forward
	Distance float64       // m, from the leader to the first rank; 0: the leader is in the middle of it

	TurnRate float64 // rad/s, rate at which the formation wheels; 0: it does not
	Lead     float64 // s, how far ahead of its place an agent aims
	TopSpeed float64 // m/s; MaxSpeed is set to what takes the agent there in time, up to this; 0: MaxSpeed is unchanged

	Number uint32 // number of the agent's place, from 1; 0: none yet
	Of     uint32 // number of places
	Own    bool   // the host sets Slot; then the agent takes no place of others
	Slot   r2.Vec // m, place: X ahead of the leader, Y to the left
	Course r2.Vec // unit vector, where the formation faces; zero: unknown
	Facing r2.Vec // unit vector, where the leader goes, or faces; zero: nowhere
}

// Interpose steers to the midpoint between two other entities.
type Interpose struct {
	Gain          float64       // kg/s; 0 pauses
	First, Second TrackedEntity // the two; updated by the system
	Horizon       float64       // s, longest prediction; 0: the midpoint of their present positions
	SlowingRadius float64       // m; 0: full speed up to the midpoint
}

func (i Interpose) MarshalJSON() ([]byte, error)     { return marshal(i) }
func (i *Interpose) UnmarshalJSON(data []byte) error { return unmarshal(data, i) }
