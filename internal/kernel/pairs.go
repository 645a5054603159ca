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
	DX, DY, UX, UY, Reach, Share, Of, NX, NY, C *float64
}

// Against is the cosine of the angle between the ways of two agents from which on they go against one
// another, and neither gives way: 120 degrees. With 90, two that come to a narrow gate from both
// sides block it.
const Against = -0.5

// Ranks of an agent toward another one that does not go against it, which Of has besides the row.
const (
	Ahead  = 0.25
	Behind = 0.5
	Level  = 0.75 // the identity decides
)

// MostSeekers is how many agents look for others together.
const MostSeekers = 64

// Seekers are agents of a crowd, one after another, that look for others.
type Seekers struct {
	First, N int
	Limit    float64 // m², the square of how far they look
	Most     int     // how many they make do with, the nearest

	_ [5]float64 // memory of the kernel

	// Set: of each, where its pairs end, and those of the next one begin, and how many others
	// are near. More than Most are left if some are as near as others.
	Ends, Found [MostSeekers]uint32
}

// Bounds are what half-planes of pairs depend on.
type Bounds struct {
	Horizon, Step, Closing float64 // 1/s, one over the horizon, the step, and the time to get to a distance
	Wider                  float64 // factor of the reach of an agent that is behind
	YieldShare             float64 // the share of the avoidance with which ranks count; below 0: never
	Side                   float64 // below 0: an agent passes another one that it meets head-on on the right
}

// Preferred is what an agent prefers.
type Preferred struct {
	From, To   int     // the pairs of the agent
	X, Y       float64 // m/s, less its velocity
	Slack      float64 // m/s, the violation of a half-plane that counts as none
	GapX, GapY float64 // m, 4 times as far as it leads in a step, and a little more; NaN: gaps do not count

	Way float64 // m, twice as far as the agent goes in a step at most

	// Set, bit i%64 for pair i. Hindering: the aim violates its half-plane by more than Slack, or may
	// close more than half of the gap. Close: the gap is less than Way.
	Hindering, Close uint64
}
