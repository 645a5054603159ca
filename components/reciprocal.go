package components

import "gonum.org/v1/gonum/spatial/r2"

// ORCA makes an agent avoid others that do so too, each its share, and walls: it
// takes the velocity nearest to what steers it that is free of collisions.
//
// It avoids only the MaxNeighbors nearest, by their centers. If more bodies than that can
// touch it within a step, those that it does not heed can overlap it: with MaxNeighbors 4
// among bodies of unequal radii overlaps of 0.48 m were measured, with MaxNeighbors 10
// among bodies alike none. Where large bodies are among small ones, let
// NeighborDist and MaxNeighbors be enough for the large ones too. Nobody is seen across wrapped edges.
//
// Where behaviors are combined by priority, their forces are so within
// Limits.MaxForce before ORCA takes them; else MaxForce is of no account.
type ORCA struct {
	Gain            float64 // kg/s: the agent prefers Velocity + Steering/Gain; 0 pauses
	TimeHorizon     float64 // s, how long there shall be no collision with others; at least a step
	TimeHorizonObst float64 // s, how long there shall be none with obstacles; at least a step
	NeighborDist    float64 // m, how far it looks at the centers of others; 0: it sees nobody
	MaxNeighbors    int     // how many others it heeds, the nearest ones; 0: nobody
	Priority        float64 // who has three times that of another takes a quarter of the avoidance, the other three
}

// PreferredVelocity is the velocity that an agent with ORCA preferred, in m/s, as of the last
// step in which it chose one: while it is paused it stays. Others can tell it: who is ahead of them on the same way, and who is against
// them. ORCA keeps it.
type PreferredVelocity struct{ r2.Vec }
