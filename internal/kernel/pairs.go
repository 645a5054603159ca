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

// MostSeekers is how many agents look for others together.
const MostSeekers = 64

// Seekers are agents of a crowd, one after another, that look for others.
type Seekers struct {
	First, N int
	Limit    float64 // m², the square of how far they look

	Most int // how many they make do with, the nearest

	VX, VY, Radius float64 // memory

	// Set: of each, where its pairs end, and those of the next one begin, and how many others
	// are near. More than Most are left if some are as near as others.
	Ends, Found [MostSeekers]uint32
}

// Bounds are what the half-planes of an agent depend on.
type Bounds struct {
	From, To int // its pairs

	// Hindering is set by HalfPlanes: bit i%64, if the Aim violates the half-plane of pair i
	// by more than Slack, or what the agent prefers may close more than half of a gap.
	Hindering uint64

	WayX, WayY             float64 // see orca.Agent.Way
	Horizon, Step, Closing float64 // 1/s, one over the horizon, the step, and the time to get to a distance
	Wider                  float64 // factor of reach of one who is behind
	YieldShare             float64 // the share that those have who may give way, or NaN
	AimX, AimY             float64 // m/s, what it prefers, less its velocity
	Slack                  float64 // m/s
	GapX, GapY             float64 // m, 4 times as far as what it prefers leads in a step, and a little more; NaN: gaps are of no account
}
