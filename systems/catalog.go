package systems

import (
	"slices"
	"sync"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
)

// Catalog returns what there is to know of all behaviors, in the order in which their
// systems run. Each entry stands beside its rule.
func Catalog() []catalog.Entry {
	return []catalog.Entry{
		followEntry, fleeFromEntry, quarryEntry, pursuerEntry,
		itineraryEntry, pathEntry,
		kinematicSeekEntry, seekEntry, fleeEntry, arrivalEntry, opposingArrivalEntry, dampedArrivalEntry, smoothArrivalEntry,
		pursuitEntry, evasionEntry, offsetPursuitEntry, interposeEntry, wanderEntry,
		separationEntry, alignmentEntry, cohesionEntry, unalignedEntry,
		threatScanEntry, avoidanceEntry, wallFollowingEntry, containmentEntry,
		turnTowardsEntry, turnAwayEntry,
		orcaEntry,
		driveEntry, solidEntry, facingEntry,
		goalEntry,
	}
}

// Components returns the zero value of every component of this module, for whoever
// registers, binds or saves all of them.
func Components() []any { return slices.Clone(allComponents()) }

var allComponents = sync.OnceValue(func() []any {
	all := c.State()
	for _, e := range Catalog() {
		all = append(all, e.Component)
	}
	return all
})

// Settings are how the rules of the catalog work: of a whole crowd, and of no agent by
// itself. They are one of the options that their systems are made with; the snapshot
// *Obstacles is another.
type Settings struct {
	Seed             uint64     // of all draws
	Prediction       Prediction // for when pursuit, offset-pursuit and evasion predict
	Scan             ScanMode   // how threat-scan looks
	AvoidOutward     bool       // avoidance pushes out of the obstacle, not sideways
	FaithfulArrivals bool       // opposing-arrival and damped-arrival as their source has them
	FaithfulFacing   bool       // facing as its source has it
	FaithfulWalls    bool       // containment and wall-following as their source has them
	FaithfulORCA     bool       // orca as its source has it
}

func settings(o catalog.Options) Settings { return catalog.Get[Settings](o) }

// What behaviors that look at neighbors have in common.

func neighborDist(at *float64) catalog.Param {
	return catalog.Number("neighbor-dist", at, "m", "how near neighbors are, from center to center").Older("radius")
}

func fieldOfView(at *float64) catalog.Param {
	return catalog.Number("field-of-view", at, "", "width of the field of view around the velocity; 0, or 360 and more: all round").InDegrees().Or(0.).Older("view")
}

func maxNeighbors(at *uint32) catalog.Param {
	return catalog.Count("max-neighbors", at, "how many neighbors count, the nearest ones; 0: all").Or(uint32(0)).Older("most")
}
