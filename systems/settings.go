package systems

import (
	"reflect"
	"slices"
	"sync"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Settings configures the rules of the catalog for a whole crowd, as one of the catalog.Options.
type Settings struct {
	Seed             uint64     // of all random draws
	Prediction       Prediction // of pursuit, evasion, offset-pursuit, interpose and hiding
	Scan             ScanMode   // of threat-scan
	AvoidOutward     bool       // avoidance pushes along the normal of the threat instead of sideways
	FaithfulArrivals bool       // opposing-arrival and damped-arrival follow their sources
	FaithfulFacing   bool       // facing follows its source
	FaithfulWalls    bool       // containment and wall-following follow their sources
	FaithfulORCA     bool       // orca follows its source
}

func settings(o catalog.Options) Settings { return catalog.Get[Settings](o) }

// Prediction selects how far ahead in time a behavior predicts another agent's position, at constant
// velocity. The horizon of the behavior limits the time.
type Prediction int

const (
	// PredictMeeting selects the time in which the agent, at its top speed s, can reach the other agent. With
	// d the distance, b the component of the other's velocity away from the agent, and k the component across
	// that direction, the time is d/(√(s²-k²)-b), where a negative s²-k² counts as 0. It is infinite if the
	// denominator is not positive.
	PredictMeeting Prediction = iota
	// PredictDistance selects d/s: Reynolds' first rule, T = D·c with c = 1/s. If the other agent approaches
	// at the same or a higher speed, the predicted point is at the agent or behind it: a pursuer brakes or
	// turns back, and an evader runs toward the other agent.
	PredictDistance
	// PredictBearing multiplies the time of PredictDistance by 0.5 to 4, depending on whether the other agent
	// is ahead, to the side or behind, and on whether the courses are alike, across or opposite: Reynolds'
	// refinement by dot products, with OpenSteer's factors. The steering jumps between sectors.
	PredictBearing
)

// ScanMode selects how ThreatScan finds obstacles.
type ScanMode int

const (
	// ScanExact sweeps the body along the path ahead and takes the first contact.
	ScanExact ScanMode = iota
	// ScanProbes tests two points, at the look-ahead distance and at half that distance. Among the circles
	// that contain either, it takes the circle with the nearest center.
	ScanProbes
	// ScanNearestFirst tests only the circle with the nearest center, with the agent's position as a third
	// point. It misses a threat behind a nearer harmless circle.
	ScanNearestFirst
)

// Catalog returns the entries of all behaviors, in the order in which their systems run.
func Catalog() []catalog.Entry {
	return []catalog.Entry{
		followEntry, fleeFromEntry, quarryEntry, pursuerEntry,
		itineraryEntry, freeSpeedEntry, pathEntry, formationEntry, routeEntry, flowFieldEntry, boundaryFollowingEntry,
		kinematicSeekEntry, seekEntry, fleeEntry, arrivalEntry, opposingArrivalEntry, dampedArrivalEntry, smoothArrivalEntry,
		pursuitEntry, evasionEntry, offsetPursuitEntry, interposeEntry, leaderFollowingEntry, hidingEntry, wanderEntry,
		separationEntry, alignmentEntry, cohesionEntry, unalignedEntry, queueingEntry,
		threatScanEntry, avoidanceEntry, wallFollowingEntry, containmentEntry,
		turnTowardsEntry, turnAwayEntry,
		orcaEntry, followingDistanceEntry, fundamentalDiagramEntry, passingEntry, inertiaEntry,
		socialForce1995Entry, socialForce2000Entry, collisionFreeSpeedEntry, anticipationVelocityEntry,
		driveEntry, solidEntry, facingEntry,
		crowdedGoalEntry, goalEntry,
	}
}

// Components returns the zero value of every component of this module.
func Components() []any { return slices.Clone(allComponents()) }

var allComponents = sync.OnceValue(func() []any {
	all := []any{ // of entities, not of behaviors
		c.Agent{}, c.Position{}, c.Velocity{}, c.Heading{}, c.Mass{}, c.Radius{}, c.Limits{}, c.Target{}, c.Destination{}, c.Steering{}, c.Layers{},
		c.Obstacle{}, c.Door{}, c.Threat{}, c.PreferredVelocity{}, c.PreviousPosition{}, c.ForceCombination{},
	}
	for _, e := range Catalog() {
		all = append(all, e.Component)
	}
	return all
})

// Register registers all components of this module in a world, in a fixed order, as libraries that load saved
// worlds require. Without Register, a component is registered when the first entity gets that component.
// arche allows 256 components. Its tiny build allows 64, fewer than this module has, so Register panics
// there: register only the components that were saved.
func Register(w *ecs.World) {
	for _, component := range allComponents() {
		ecs.TypeID(w, reflect.TypeOf(component))
	}
}

func entryOf(component any, more []catalog.Entry) *catalog.Entry {
	t := reflect.TypeOf(component)
	if e, ok := entries()[t]; ok {
		return e
	}
	for i := range more {
		if reflect.TypeOf(more[i].Component) == t {
			return &more[i]
		}
	}
	return nil
}

var entries = sync.OnceValue(func() map[reflect.Type]*catalog.Entry {
	all, by := Catalog(), map[reflect.Type]*catalog.Entry{}
	for i := range all {
		by[reflect.TypeOf(all[i].Component)] = &all[i]
	}
	return by
})

func send(target []c.Target, dest []c.Destination, i int, to r2.Vec) {
	if dest != nil {
		dest[i].Vec = to
		return
	}
	target[i].Vec = to
}
