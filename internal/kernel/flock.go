package kernel

import "gonum.org/v1/gonum/spatial/r2"

// Stretches are ranges of rows, each with its first row and the row after its last. Columns must have Lanes
// readable elements past the largest end.
type Stretches [6][2]uint32

// Len returns the total length of the stretches, and the largest of their ends.
func (s *Stretches) Len() (n int, end uint32) {
	for _, part := range s {
		if part[0] < part[1] {
			n += int(part[1] - part[0])
		}
		if end < part[1] {
			end = part[1]
		}
	}
	return n, end
}

// FlockSums are the sums over the neighbors of an agent: see space.Sums. They fill a cache line.
type FlockSums struct {
	Repel, Away, Velocity r2.Vec
	N, Far                int
}

// FlockRoom is scratch memory for candidates.
type FlockRoom struct{ numbers []float64 }

// hold makes room for the candidates in four columns, and returns the length of each column.
func (r *FlockRoom) hold(candidates int) (stride int) {
	const usual = 120
	if need := candidates + Lanes; 4*need > len(r.numbers) {
		r.numbers = make([]float64, 4*max(2*need, usual+Lanes))
	}
	return len(r.numbers) / 4
}

// Columns returns four columns with room for the given number of candidates and Lanes more elements. Their
// contents are unspecified; the next call reuses their memory.
func (r *FlockRoom) Columns(candidates int) (x, y, vx, vy []float64) {
	stride, all := r.hold(candidates), r.numbers
	return all[:stride], all[stride:][:stride], all[2*stride:][:stride], all[3*stride:]
}
