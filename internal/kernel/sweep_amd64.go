//go:build !noasm

package kernel

import c "github.com/8f878440/crowd/components"

// Aim computes the ways of systems.ThreatScan for the first rows, and returns the number of these rows. It
// updates far, which holds four partial maxima of half the length of a way plus its radius. If radius is
// shorter than ways, all radii count as 0. Aim prefetches threat, which must be as long as ways.
func Aim(ways []Way, pos []c.Position, vel []c.Velocity, scan []c.ThreatScan, radius []c.Radius, threat []c.Threat, far *[4]float64) int {
	if used == Off || len(ways) == 0 {
		return 0
	}
	var body *c.Radius
	if len(radius) >= len(ways) {
		body = &radius[0]
	}
	return aimAVX2(len(ways), &pos[0], &vel[0], &scan[0], body, &threat[0], &ways[0], far)
}

//go:noescape
func aimAVX2(n int, pos *c.Position, vel *c.Velocity, scan *c.ThreatScan, radius *c.Radius, threat *c.Threat, ways *Way, far *[4]float64) int

// Sift implements the lookup and the rough test of space.Sweeps, for the first ways. It returns how many
// these are, whether one lookup is enough for all of them, and the numbers of ways with a list, of lists
// done, and of pieces found.
func Sift(ways []Way, s *Sifter) (ready int, single bool, lists, done, found int) {
	n := len(ways) &^ 3
	if used == Off || n == 0 {
		return 0, true, 0, 0, 0
	}
	single, lists, done, found = siftAVX2(n, &ways[0], s)
	return n, single, lists, done, found
}

//go:noescape
func siftAVX2(n int, ways *Way, s *Sifter) (single bool, lists, done, found int)
