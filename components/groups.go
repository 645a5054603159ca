package components

import (
	"gonum.org/v1/gonum/spatial/r2"
)

// Separation keeps away from neighbors.
type Separation struct {
	Gain         float64 // kg/s; 0 pauses
	NeighborDist float64 // m, how near neighbors are, from center to center
	FieldOfView  float64 // rad, width of the field of view around the velocity; 0, or 2π and more: all round
	MaxNeighbors uint32  // how many neighbors count, the nearest ones; 0: all
}

// Alignment matches the velocity of neighbors.
type Alignment struct {
	Gain         float64 // kg/s; 0 pauses
	NeighborDist float64 // m, how near neighbors are, from center to center
	FieldOfView  float64 // rad, width of the field of view around the velocity; 0, or 2π and more: all round
	MaxNeighbors uint32  // how many neighbors count, the nearest ones; 0: all
}

// Cohesion steers at the middle of neighbors.
type Cohesion struct {
	Gain         float64 // kg/s; 0 pauses
	NeighborDist float64 // m, how near neighbors are, from center to center
	FieldOfView  float64 // rad, width of the field of view around the velocity; 0, or 2π and more: all round
	MaxNeighbors uint32  // how many neighbors count, the nearest ones; 0: all
}

// UnalignedCollisionAvoidance makes way for the agent that it would hit first.
type UnalignedCollisionAvoidance struct {
	Gain         float64 // kg/s; 0 pauses
	Horizon      float64 // s, how far ahead it looks for collisions; 0 pauses
	NeighborDist float64 // m, how far it looks, from center to center
	FieldOfView  float64 // rad, width of the field of view around the velocity; 0, or 2π and more: all round
	Clearance    float64 // m, between bodies that pass each other; less counts as a collision
}

// LeaderFollowing goes to a point behind a leader, and makes way for it.
type LeaderFollowing struct {
	Gain          float64       // kg/s; 0 pauses
	Leader        TrackedEntity // the system keeps it up to date
	Distance      float64       // m, from the leader to the point behind it
	Length        float64       // m, of the box ahead of the leader that is kept clear; 0: none
	Width         float64       // m, of that box
	SlowingRadius float64       // m; 0: full speed up to the point
}

// Queueing brakes behind slower neighbors that go the same way.
type Queueing struct {
	Gain         float64 // kg/s; 0 pauses
	Horizon      float64 // s, in which the agent may close the gap to them
	NeighborDist float64 // m, how far ahead it looks, from center to center
	Width        float64 // m, of the box ahead in which it looks
}

// Hiding goes to a place where an obstacle hides the agent from a pursuer, and evades while
// there is none.
type Hiding struct {
	Gain          float64       // kg/s; 0 pauses
	From          TrackedEntity // the pursuer; the system keeps it up to date
	Radius        float64       // m, it hides while the pursuer is within this distance; 0: everywhere
	Range         float64       // m, how far away an obstacle is at most
	Distance      float64       // m, between the surfaces of obstacle and body
	Horizon       float64       // s, how far ahead it predicts at most, when it evades
	SlowingRadius float64       // m; 0: full speed up to the place
}

func (h Hiding) MarshalJSON() ([]byte, error)     { return marshal(h) }
func (h *Hiding) UnmarshalJSON(data []byte) error { return unmarshal(data, h) }

// Formation makes the Target of an agent from its place in a formation that moves with a
// leader. All with the same leader, spacing, files, slant and distance are one formation: a
// line with no Files, a column with one, a wedge with no Files and a slant, else a block.
type Formation struct {
	Leader   TrackedEntity // that the formation moves with; the system keeps it up to date
	Spacing  float64       // m, between neighbors in a rank, and from rank to rank; 0 pauses
	Files    uint32        // how many stand abreast; 0: all of them
	Slant    float64       // how far the sides of a rank hang back, per meter from its middle; negative: they are ahead
	Distance float64       // m, from the leader to the first rank; 0: the leader stands in the middle of it

	TurnRate float64 // rad/s, how fast the formation wheels; 0: it does not
	Lead     float64 // s, how far ahead of its place an agent aims
	TopSpeed float64 // m/s; MaxSpeed is what takes the agent there in time, up to this; 0: MaxSpeed stays as it is

	Number uint32 // of the place of the agent, counted from 1; 0: it has none yet
	Of     uint32 // how many places there are
	Own    bool   // whether a host sets Slot; then the agent takes no place of others
	Slot   r2.Vec // m, the place: X ahead of the leader, Y to the left
	Course r2.Vec // unit vector, where the formation faces; zero: not known yet
	Facing r2.Vec // unit vector, where the leader goes, or faces; zero: nowhere
}

// Interpose steers to the middle between two other entities.
type Interpose struct {
	Gain          float64       // kg/s; 0 pauses
	First, Second TrackedEntity // the two; the system keeps them up to date
	Horizon       float64       // s, how far ahead it predicts at most; 0: it goes to the middle between where they are
	SlowingRadius float64       // m; 0: full speed up to the middle
}

func (i Interpose) MarshalJSON() ([]byte, error)     { return marshal(i) }
func (i *Interpose) UnmarshalJSON(data []byte) error { return unmarshal(data, i) }
