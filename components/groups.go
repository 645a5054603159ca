package components

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
