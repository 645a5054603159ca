package kernel

// Part is the rows of columns from Lo on, up to Hi, which is not one of them.
type Part struct{ Lo, Hi uint32 }

// Crowd is where the columns of a snapshot of agents begin. Behind their rows there are as
// many as Lanes that may be read.
type Crowd struct {
	X, Y, VX, VY, Radius *float64
	WayX, WayY           *float64
}

// Pairs is where the columns of pairs of package orca begin. Each has as many rows as Lanes
// behind those that count, where anything may be written to those that a kernel sets.
type Pairs struct {
	DX, DY, UX, UY, WX, WY, Reach, Share, NX, NY, C, Of *float64
}

// Seeker is an agent that looks for others.
type Seeker struct {
	X, Y, VX, VY, Radius float64
	Limit                float64 // m², the square of how far it looks
	Self                 float64 // its row
	Step                 float64 // m, how far it may go in a step
}

// Bounds are parameters of HalfPlanes, of one agent: its way, x and y; one over the horizon,
// the step, and the time to get to a distance, in 1/s; the factor of reach of one who is
// behind; and the share that those have who may give way, or NaN.
type Bounds [7]float64
