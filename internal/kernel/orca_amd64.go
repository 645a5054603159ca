//go:build !noasm

package kernel

// Near is orca.Solver.near: it sets the pairs from one on to those of an agent with all others
// of some parts of a crowd that are no farther than it looks, in their order, and returns
// how many they are, and whether any may have a gap to the agent that it could close in a
// step.
func Near(to *Pairs, from int, of *Crowd, parts []Part, by *Seeker) (n int, gaps, ok bool) {
	if used == Off || len(parts) == 0 {
		return 0, false, false
	}
	var some int
	if used == AVX2 {
		n, some = nearAVX2(to, from, of, &parts[0], len(parts), by)
	} else {
		n, some = nearAVX512(to, from, of, &parts[0], len(parts), by)
	}
	return n, some != 0, true
}

//go:noescape
func nearAVX2(to *Pairs, from int, of *Crowd, parts *Part, count int, by *Seeker) (n, gaps int)

//go:noescape
func nearAVX512(to *Pairs, from int, of *Crowd, parts *Part, count int, by *Seeker) (n, gaps int)

// HalfPlanes is that of orca: it finds the half-planes of the pairs from lo on, up to hi, and
// returns up to where it did.
func HalfPlanes(p *Pairs, lo, hi int, par *Bounds) int {
	if used == Off || lo >= hi {
		return lo
	}
	if used == AVX2 {
		return min(hi, halfPlanesAVX2(p, lo, hi, par))
	}
	return min(hi, halfPlanesAVX512(p, lo, hi, par))
}

//go:noescape
func halfPlanesAVX2(p *Pairs, lo, hi int, par *Bounds) int

//go:noescape
func halfPlanesAVX512(p *Pairs, lo, hi int, par *Bounds) int
