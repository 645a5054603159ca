package world

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
)

// tables are the resources of this module that are saved.
type tables struct {
	nextID      uint64
	clock       frame.Clock
	paths       systems.Paths
	itineraries systems.Itineraries
	sightings   systems.TrackedEntities
	zones       systems.Zones
	polygons    sense.Polygons
	portals     sense.Portals
	fields      sense.FlowFields
	ways        *systems.Ways
}

// ourResources returns the types of the resources that are saved as tables.
func ourResources() []reflect.Type {
	all := []reflect.Type{reflect.TypeFor[Attachment]()}
	for f := range reflect.TypeFor[tables]().Fields() {
		t := f.Type
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.PkgPath() != "" { // it is no plain number
			all = append(all, t)
		}
	}
	return all
}

// savedTables returns those of the world, which they share.
func (w *World) savedTables() *tables {
	return &tables{
		nextID: w.attachment.NextID, clock: *w.Clock,
		paths: *resource(w.ECS, &systems.Paths{}), itineraries: *resource(w.ECS, &systems.Itineraries{}),
		sightings: *resource(w.ECS, &systems.TrackedEntities{}), zones: *resource(w.ECS, &systems.Zones{}),
		polygons: *resource(w.ECS, &sense.Polygons{}), portals: *resource(w.ECS, &sense.Portals{}),
		fields: *resource(w.ECS, &sense.FlowFields{}), ways: resource(w.ECS, &systems.Ways{}),
	}
}

// keep writes them, or reads them into tables that share nothing with a world.
func (t *tables) keep(a *archive.Archive) {
	a.Block("world.Attachment", func() { a.Keep(&t.nextID) })
	a.Block("frame.Clock", func() {
		a.Keep(&t.clock)
		if c := &t.clock; a.Reading() && !(c.Dt >= 0 && c.Dt <= math.MaxFloat64 && math.Abs(c.Time) <= math.MaxFloat64) {
			a.Fail("clock is at %v s with steps of %v s, want finite numbers, and steps of 0 or more", c.Time, c.Dt)
		}
	})
	a.Block("systems.Paths", func() { a.Keep(&t.paths) })
	a.Block("systems.Itineraries", func() { a.Keep(&t.itineraries) })
	a.Block("systems.TrackedEntities", func() { a.Keep(&t.sightings) })
	a.Block("systems.Zones", func() { a.Keep(&t.zones) })
	a.Block("sense.Polygons", func() { a.Keep(&t.polygons) })
	a.Block("sense.Portals", func() { a.Keep(&t.portals) })
	a.Block("sense.FlowFields", func() { a.Keep(&t.fields) })
	a.Block("systems.Ways", func() { t.ways.Keep(a) })
}

// put makes them those of the world.
func (t *tables) put(w *World) {
	w.attachment.NextID, *w.Clock, w.fullPolygons = t.nextID, t.clock, 0
	*resource(w.ECS, &systems.Paths{}) = t.paths
	*resource(w.ECS, &systems.Itineraries{}) = t.itineraries
	*resource(w.ECS, &systems.TrackedEntities{}) = t.sightings
	*resource(w.ECS, &systems.Zones{}) = t.zones
	*resource(w.ECS, &sense.Polygons{}) = t.polygons
	*resource(w.ECS, &sense.Portals{}) = t.portals
	*resource(w.ECS, &sense.FlowFields{}) = t.fields
	*resource(w.ECS, &systems.Ways{}) = *t.ways
}

// checkJoin returns an error if they cannot be added to those of the world.
func (t *tables) checkJoin(w *World) error {
	all := slices.Concat(*resource(w.ECS, &sense.Portals{}), t.portals)
	if err := all.Check(); err != nil {
		return fmt.Errorf("with those that are there: %w", err)
	}
	return nil
}

// join adds them to those of the world. Ways are those of agents that have new entities.
func (t *tables) join(w *World, owners map[uint64]uint64) {
	for i := range t.itineraries {
		for k := range t.itineraries[i] {
			if stop := &t.itineraries[i][k]; stop.GoesBy() {
				stop.Other = shifted(stop.Other, len(*resource(w.ECS, &systems.TrackedEntities{})))
			}
		}
	}
	now := w.savedTables()
	w.attachment.NextID = max(now.nextID, t.nextID)
	*resource(w.ECS, &systems.Paths{}) = append(now.paths, t.paths...)
	*resource(w.ECS, &systems.Itineraries{}) = append(now.itineraries, t.itineraries...)
	*resource(w.ECS, &systems.TrackedEntities{}) = append(now.sightings, t.sightings...)
	*resource(w.ECS, &systems.Zones{}) = append(now.zones, t.zones...)
	*resource(w.ECS, &sense.Polygons{}) = append(now.polygons, t.polygons...)
	*resource(w.ECS, &sense.Portals{}) = append(now.portals, t.portals...)
	*resource(w.ECS, &sense.FlowFields{}) = append(now.fields, t.fields...)
	now.ways.Join(t.ways, owners)
}

// shifted adds to an index; one that is beyond all tables stays so.
func shifted(index uint32, by int) uint32 {
	return uint32(min(uint64(index)+uint64(by), math.MaxUint32))
}
