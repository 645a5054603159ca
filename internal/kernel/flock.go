package kernel

import "gonum.org/v1/gonum/spatial/r2"

// Stretches are parts of columns, each from one index to before another. Behind the last
// element of a column as many as Lanes may be read.
type Stretches [6][2]uint32

// FlockSums are the sums over the neighbors of an agent: see space.Sums.
type FlockSums struct {
	Repel, Away, Velocity r2.Vec
	Near, Far             int // how many are near, and how many of them not very near
}
