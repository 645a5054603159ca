//go:build !amd64 || noasm

package kernel

import c "github.com/8f878440/crowd/components"

// Aim returns 0: the caller computes all sweeps.
func Aim([]Way, []c.Position, []c.Velocity, []c.ThreatScan, []c.Radius, []c.Threat, *[4]float64) int {
	return 0
}

// Sift returns no ways as ready: the caller looks up all of them.
func Sift([]Way, *Sifter) (ready int, single bool, lists, done, found int) {
	return 0, true, 0, 0, 0
}
