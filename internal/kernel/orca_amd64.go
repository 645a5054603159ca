//go:build !noasm

package kernel

// Near is orca.Solver.near: it sets the pairs from one on to those of each agent with all others
// of some parts of a crowd that are no farther than it looks, in their order, and returns where
// they end.
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

// HalfPlanes is that of orca: it finds the half-planes of agents from the first on, and
// returns of how many it did.
func HalfPlanes(p *Pairs, agents []Bounds) int {
	if used == Off || len(agents) == 0 {
		return 0
	}
	if used == AVX2 {
		return halfPlanesAVX2(p, len(agents), &agents[0])
	}
	return halfPlanesAVX512(p, len(agents), &agents[0])
}

//go:noescape
func halfPlanesAVX2(p *Pairs, agents int, bounds *Bounds) int

//go:noescape
func halfPlanesAVX512(p *Pairs, agents int, bounds *Bounds) int
