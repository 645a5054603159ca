package kernel

// Part is the range of rows [Lo, Hi).
type Part struct{ Lo, Hi uint32 }

// Crowd points to the columns of a snapshot of agents. Each has Lanes readable rows past the end.
type Crowd struct {
	X, Y, VX, VY, Radius *float64
	DirX, DirY           *float64
}

// Pairs points to the columns of pairs of package orca. Each has Lanes rows past the end. Kernels may
// overwrite these rows in the columns that they set.
type Pairs struct {
	DX, DY, UX, UY, Reach, Share, Of, NX, NY, C *float64
}

// Against is the cosine of 120 degrees. Two agents whose directions differ by at least this angle
// oppose each other, and neither gives way. With 90 degrees, agents that come to a narrow gate from both
// sides would block it.
const Against = -0.5

// Ranks of an agent relative to a neighbor that does not oppose it. They are the fractional part of Pairs.Of.
// The integer part is the row of the neighbor.
const (
	Ahead  = 0.25
	Behind = 0.5
	Level  = 0.75 // the IDs decide
)

// MostSeekers is the largest number of agents per call to Near.
const MostSeekers = 64

// Seekers are consecutive agents of a crowd that search for neighbors.
type Seekers struct {
	First, N int
	Limit    float64 // m², squared range
	Most     int     // number of nearest neighbors to keep

	_ [5]float64 // scratch

	// Results. Ends: where the pairs of each agent end, and those of the next one begin. Found: the number of
	// neighbors in range. Because of ties, an agent may have more than Most pairs.
	Ends, Found [MostSeekers]uint32
}

// Bounds are the parameters of half-planes.
type Bounds struct {
	Horizon, Step, Closing float64 // 1/s, inverses of the horizon, the step, and the time to restore a distance
	Wider                  float64 // factor by which the reach grows for an agent that is behind
	YieldShare             float64 // share of the avoidance at which ranks apply; below 0 means never
	Side                   float64 // if below 0, agents that meet head-on pass on the right
}

// Preferred is the preferred velocity of an agent.
type Preferred struct {
	From, To   int     // range of the agent's pairs
	X, Y       float64 // m/s, relative to the agent's velocity
	Slack      float64 // m/s, tolerance for violations
	GapX, GapY float64 // m, slightly more than 4 times the displacement in a step; NaN means that gaps are ignored

	Displacement float64 // m, just over twice the largest displacement in a step; -1 if gaps are ignored

	// Results, with bit i%64 for pair From+i. Hindering: the preferred velocity violates the half-plane by more
	// than Slack, or may close more than half of the gap. Close: the gap is less than Displacement.
	Hindering, Close uint64
}
