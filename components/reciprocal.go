package components

import "gonum.org/v1/gonum/spatial/r2"

// ORCA makes an agent avoid walls and other agents, of which each does its share: it
// takes the collision-free velocity nearest to the preferred one.
//
// It avoids only the MaxNeighbors nearest agents, by their centers; with FollowingDistance ten
// at most. If more bodies than
// that can touch it within a step, the others may overlap it: with MaxNeighbors 4 and
// bodies of different radii overlaps of 0.48 m were measured, with MaxNeighbors 10 and
// equal bodies none. Where large bodies are among small ones, choose NeighborDist and
// MaxNeighbors for the large ones. Nobody is seen across wrapped edges.
//
// MaxForce has no effect, except that forces combined by priority are limited to it
// before ORCA takes them.
type ORCA struct {
	Gain            float64 // kg/s: the agent prefers Velocity + Steering/Gain; 0 pauses
	TimeHorizon     float64 // s, for how long it avoids collisions with others; at least a step
	TimeHorizonObst float64 // s, for how long it avoids collisions with obstacles; at least a step
	NeighborDist    float64 // m, how far it looks, from center to center; 0: it sees nobody
	MaxNeighbors    int     // how many others it avoids, the nearest ones; 0: all
	Priority        float64 // an agent with three times that of another does one quarter of the avoidance, the other one three
}

func (o ORCA) MarshalJSON() ([]byte, error)     { return marshal(o) }
func (o *ORCA) UnmarshalJSON(data []byte) error { return unmarshal(data, o) }

// PreferredVelocity is the velocity that an agent with ORCA preferred, in m/s, in the
// last step in which it chose one; while it is paused it stays. It tells others whether
// the agent is ahead of them on the same way, or comes toward them. ORCA sets it.
type PreferredVelocity struct{ r2.Vec }
