package components

// Separation keeps away from neighbors.
type Separation struct {
	Gain         float64 // kg/s; 0 pauses
	NeighborDist float64 // m, who is within it is a neighbor, from center to center
	FieldOfView  float64 // rad, width of the field of view about the velocity; 0, or 2π and more: all round
	MaxNeighbors uint32  // how many of them count, the nearest ones; 0: all
}

// Alignment moves as neighbors do.
type Alignment struct {
	Gain         float64 // kg/s; 0 pauses
	NeighborDist float64 // m, who is within it is a neighbor, from center to center
	FieldOfView  float64 // rad, width of the field of view about the velocity; 0, or 2π and more: all round
	MaxNeighbors uint32  // how many of them count, the nearest ones; 0: all
}

// Cohesion keeps to the middle of neighbors.
type Cohesion struct {
	Gain         float64 // kg/s; 0 pauses
	NeighborDist float64 // m, who is within it is a neighbor, from center to center
	FieldOfView  float64 // rad, width of the field of view about the velocity; 0, or 2π and more: all round
	MaxNeighbors uint32  // how many of them count, the nearest ones; 0: all
}

// UnalignedCollisionAvoidance keeps out of the way of agents that cross its own.
type UnalignedCollisionAvoidance struct {
	Gain         float64 // kg/s; 0 pauses
	Horizon      float64 // s, collisions later than that are of no account; 0: it rests
	NeighborDist float64 // m, how far it looks, from center to center
	FieldOfView  float64 // rad, width of the field of view about the velocity; 0, or 2π and more: all round
	Clearance    float64 // m, between bodies that pass; less is a collision
}
