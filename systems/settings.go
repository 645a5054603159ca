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

// Settings configures the rules of the catalog for a whole crowd. Systems are created with these
// settings, among other options.
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

// Prediction selects the time for which a behavior that pursues or evades another agent predicts
// its position, assuming constant velocity. The time never exceeds the behavior's horizon.
type Prediction int

const (
	// PredictMeeting predicts the time in which the agent can be where the other
	// one is then, at its top speed s: with the distance d, and the parts of the
	// other's velocity away from the agent, b, and across, k, it is
	// d/(√(s²-k²)-b), where s²-k² counts as 0 if it is less; never if the
	// denominator is not above 0.
	PredictMeeting Prediction = iota
	// PredictDistance predicts d/s: Reynolds' first rule, T = D·c with c = 1/s.
	// When the other one comes towards the agent at the same speed or a higher one,
	// the predicted point is at the agent or behind it: a pursuer brakes or turns
	// back, and an evader runs into the other's arms.
	PredictDistance
	// PredictBearing is PredictDistance times a factor from 0.5 to 4 that goes by
	// whether the other one is ahead, aside or behind, and whether the two move
	// alike, across or against one another: Reynolds' refinement by dot products,
	// with the factors of his OpenSteer. The steering jumps from sector to sector.
	PredictBearing
)

// ScanMode selects how ThreatScan finds obstacles.
type ScanMode int

const (
	// ScanExact sweeps the body along the path ahead and takes the first contact.
	ScanExact ScanMode = iota
	// ScanProbes tests two points, at the look-ahead and at half of it, and takes the circle with
	// the nearest center among those that contain one.
	ScanProbes
	// ScanNearestFirst takes the circle with the nearest center and tests only
	// that one, with the agent's own position as a third point. It
	// misses a threat behind a nearer harmless circle.
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

// Components returns the zero value of every component of this module, for code that
// registers, binds or saves all of them.
func Components() []any { return slices.Clone(allComponents()) }

var allComponents = sync.OnceValue(func() []any {
	all := []any{ // what says how an entity is, and not what it does
		c.Agent{}, c.Position{}, c.Velocity{}, c.Heading{}, c.Mass{}, c.Radius{}, c.Limits{}, c.Target{}, c.Destination{}, c.Steering{}, c.Layers{},
		c.Obstacle{}, c.Door{}, c.Threat{}, c.PreferredVelocity{}, c.PreviousPosition{}, c.ForceCombination{},
	}
	for _, e := range Catalog() {
		all = append(all, e.Component)
	}
	return all
})

// Register registers all components of this module in a world, in a fixed order, as libraries that
// load saved worlds require. Otherwise a component is registered when the first entity gets it,
// which leaves room for a host's components: arche allows 256, its tiny build 64. Register panics
// in the tiny build, because this module has more; such a library must register the components that
// it saved.
func Register(w *ecs.World) {
	for _, component := range allComponents() {
		ecs.TypeID(w, reflect.TypeOf(component))
	}
}

// entryOf returns the entry whose component a value is, nil if there is none.
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

// entries are those of the catalog, by the type of the component.
var entries = sync.OnceValue(func() map[reflect.Type]*catalog.Entry {
	all, by := Catalog(), map[reflect.Type]*catalog.Entry{}
	for i := range all {
		by[reflect.TypeOf(all[i].Component)] = &all[i]
	}
	return by
})

// send sets where an agent goes: its Destination, or, if agents of the batch have none, its
// Target.
func send(target []c.Target, dest []c.Destination, i int, to r2.Vec) {
	if dest != nil {
		dest[i].Vec = to
		return
	}
	target[i].Vec = to
}
