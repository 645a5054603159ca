package components

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
