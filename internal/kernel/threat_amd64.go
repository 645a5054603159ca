//go:build !noasm

package kernel

import c "github.com/8f878440/crowd/components"

// Threatened implements threatened of systems. It tests the first threats, stores in rows the indexes of
// those with an obstacle, and returns the numbers of threats tested and of indexes stored.
func Threatened(threat []c.Threat, rows *[SiftWays]uint8) (done, found int) {
	n := min(len(threat), len(rows)) &^ 3
	if used == Off || n == 0 {
		return 0, 0
	}
	return n, listThreatened(n, &threat[0], &rows[0])
}

//go:noescape
func listThreatened(n int, threat *c.Threat, rows *uint8) int

// Touch sets distances[k] to how far the disc of ways[which[k]] moves until it touches pieces[k], or to
// NaN if it does not. Touch returns the number of pieces done. bounds points to the bounds of all pieces,
// 32 bytes each, beginning with x, y and radius.
func Touch(pieces []uint32, which []uint8, bounds *float64, ways []Way, distances *[SiftQueue]float64) int {
	n := min(len(pieces), len(which), len(distances)) &^ 3
	if used == Off || n == 0 {
		return 0
	}
	touchAVX2(n, &pieces[0], &which[0], bounds, &ways[0], &distances[0])
	return n
}

//go:noescape
func touchAVX2(n int, pieces *uint32, which *uint8, bounds *float64, ways *Way, distances *float64)

// Meet implements Index.hit of internal/space for circles, for each way ways[which[k]]. It sets the contact
// points and normals of the first ways, and returns the number of these ways. hits points to the first
// contact point, which is followed by the normal; the next hit begins 56 bytes later. contacts points to the
// contacts of all ways, 16 bytes each: a distance and a piece. For bounds, see Touch.
func Meet(which []uint8, contacts, bounds *float64, ways []Way, hits *float64) int {
	if used == Off || len(which) == 0 {
		return 0
	}
	return meetAVX2(len(which), &which[0], contacts, bounds, &ways[0], hits)
}

//go:noescape
func meetAVX2(n int, which *uint8, contacts, bounds *float64, ways *Way, hits *float64) int

// Avoid implements systems.Avoidance for the given rows of the columns.
func Avoid(rows []uint8, vel []c.Velocity, threat []c.Threat, par []c.Avoidance, steer []c.Steering) int {
	if used == Off || len(rows) == 0 {
		return 0
	}
	return avoidAVX2(len(rows), &rows[0], &vel[0], &threat[0], &par[0], &steer[0])
}

//go:noescape
func avoidAVX2(n int, rows *uint8, vel *c.Velocity, threat *c.Threat, par *c.Avoidance, steer *c.Steering) int
