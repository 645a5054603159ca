//go:build !noasm

package kernel

// Near implements orca.Solver.near, followed by orca.pairs.nearest, for the given Seekers. It writes their
// pairs with the nearest neighbors in the given parts of the crowd to the rows of Pairs that begin at row
// from. It returns the row after the last pair. ok reports whether it ran; if not, end is from.
func Near(to *Pairs, from int, of *Crowd, parts []Part, by *Seekers) (end int, ok bool) {
	if used == Off || len(parts) == 0 || by.N <= 0 || by.N > MostSeekers {
		return from, false
	}
	if used == AVX2 {
		return nearAVX2(to, from, of, &parts[0], len(parts), by), true
	}
	return nearAVX512(to, from, of, &parts[0], len(parts), by), true
}

//go:noescape
func nearAVX2(to *Pairs, from int, of *Crowd, parts *Part, count int, by *Seekers) int

//go:noescape
func nearAVX512(to *Pairs, from int, of *Crowd, parts *Part, count int, by *Seekers) int

// HalfPlanes implements orca.Solver.halfPlane for the pairs in [from, to). It returns the index at which it
// stopped: that of the first pair of a group with an unusual pair, or else an index at or past the end of the
// range.
func HalfPlanes(p *Pairs, from, to int, bounds *Bounds) int {
	switch used {
	case Off:
		return from
	case AVX2:
		return halfPlanesAVX2(p, from, to, bounds)
	}
	return halfPlanesAVX512(p, from, to, bounds)
}

//go:noescape
func halfPlanesAVX2(p *Pairs, from, to int, bounds *Bounds) int

//go:noescape
func halfPlanesAVX512(p *Pairs, from, to int, bounds *Bounds) int

// Hindering finds the pairs that hinder agents (see Preferred), and reports whether it did.
func Hindering(p *Pairs, agents []Preferred) bool {
	switch {
	case used == Off || len(agents) == 0:
		return false
	case used == AVX2:
		hinderingAVX2(p, len(agents), &agents[0])
	default:
		hinderingAVX512(p, len(agents), &agents[0])
	}
	return true
}

//go:noescape
func hinderingAVX2(p *Pairs, agents int, aims *Preferred)

//go:noescape
func hinderingAVX512(p *Pairs, agents int, aims *Preferred)

// Worst implements orca.worstOf. ok reports whether it ran. Columns must have Lanes readable elements past
// the end.
func Worst(nx, ny, c []float64, x, y, least float64) (at int, most float64, ok bool) {
	switch {
	case used == Off || len(c) == 0:
		return 0, 0, false
	case used == AVX2:
		at, most = worstAVX2(&nx[0], &ny[0], &c[0], len(c), x, y, least)
	default:
		at, most = worstAVX512(&nx[0], &ny[0], &c[0], len(c), x, y, least)
	}
	return at, most, true
}

//go:noescape
func worstAVX2(nx, ny, c *float64, n int, x, y, least float64) (at int, most float64)

//go:noescape
func worstAVX512(nx, ny, c *float64, n int, x, y, least float64) (at int, most float64)
