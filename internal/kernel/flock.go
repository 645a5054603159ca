package kernel

import "gonum.org/v1/gonum/spatial/r2"

// Stretches are parts of columns, each from one index to before another. Behind the last
// element of a column as many as Lanes may be read.
type Stretches [6][2]uint32

// Len returns how many elements they have together.
func (s *Stretches) Len() (n int) {
	for _, part := range s {
		n += int(max(part[0], part[1]) - part[0])
	}
	return n
}

// FlockSums are the sums over the neighbors of an agent: see space.Sums. They are as large as
// a line of the cache.
type FlockSums struct {
	Repel, Away, Velocity r2.Vec
	N, Far                int
}

// FlockRoom returns how many numbers of memory Flock needs for as many candidates.
func FlockRoom(candidates int) int { return 4 * (candidates + Lanes) }
