package systems

import (
	"reflect"
	"slices"
	"sync"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/mlange-42/arche/ecs"
)

// Catalog returns what there is to know of all behaviors, in the order in which their
// systems run. Each entry stands beside its rule.
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

// Register registers every component of this module in a world, in a fixed order. A
// library that loads saved worlds wants that; without it a component is registered when
// the first entity has it, which leaves room for those of a host: arche has 256, its
// tiny build 64. That is fewer than this module has: there Register panics, and a library that
// loads registers those that it saved.
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
