package world

import (
	"reflect"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
)

// What agents and obstacles take beside their components, in bytes. A test
// compares the whole with what crowds take.
const (
	entityBytes     = 8 + 8 + 16      // the entity: in its archetype, in the pool, and where it is
	snapshotBytes   = 64 + 4 + 8 + 16 // in Neighbors
	queryBytes      = 80              // the answer and the parameters of a sense.Query
	recordBytes     = 120 + 8         // in TripMetrics, and a time of arrival
	moveBytes       = 32              // there, too, if anybody asks for it
	bodyBytes       = 2*72 + 8 + 128  // in AgentCollisions: bodies and cells; pairs that overlap come on top
	checkpointBytes = 5 * 16
	obstacleBytes   = 650 // a circle or a wall: its components, shape, piece and lists
	cornerBytes     = 300 // of a polygon
	edgeBytes       = 550 // of what ORCA knows of a circle, a wall or a side of a polygon
	fieldEdgeBytes  = 170 // of what fields know of it
	wayBytes        = 400 // in Ways
	cellBytes       = 13  // of a field
	memberBytes     = 120 // in FormationKeeping, when places are given
	fixedBytes      = 160 << 10
)

// Memory is about how many bytes a crowd needs from when it is built until it has
// done some steps: a little more than it takes, rather than less.
type Memory struct {
	config *Config
	agents uint64 // how many
	rows   uint64 // bytes of all that grows with agents
	looks  bool
	fixed  uint64
}

// NewMemory returns the memory of a crowd without agents.
func (config *Config) NewMemory() *Memory { return &Memory{config: config} }

// Agents counts n agents with these components: see World.Spawn.
func (m *Memory) Agents(n int, components []any) {
	all, _ := m.config.complete(components) // Spawn says what is wrong with them
	has := map[reflect.Type]bool{}
	one := uint64(entityBytes + checkpointBytes)
	for _, comp := range all {
		has[reflect.TypeOf(comp)] = true
		one += uint64(reflect.TypeOf(comp).Size())
	}
	if has[reflect.TypeFor[c.Route]()] {
		one += wayBytes
	}
	if has[reflect.TypeFor[c.Formation]()] {
		one += memberBytes
	}
	for _, e := range m.config.behaviors() {
		if e.Does.Has(catalog.SeesAgents) && has[reflect.TypeOf(e.Component)] {
			one, m.looks = one+queryBytes, true
		}
	}
	if m.config.measures() {
		one += recordBytes
	}
	if m.config.Safety || len(m.config.Lines)+len(m.config.Areas) > 0 {
		one += moveBytes
	}
	if m.config.Safety {
		one += bodyBytes
	}
	m.agents += uint64(n)
	m.rows += uint64(n) * one
}

// Obstacles counts n circles and walls, and polygons with n corners in
// all.
func (m *Memory) Obstacles(n, polygons, corners int) {
	m.fixed += uint64(n+polygons)*obstacleBytes + uint64(corners)*cornerBytes
}

// Edges counts n circles, walls and sides of polygons once more, if there are ORCA or fields:
// each has an index of its own.
func (m *Memory) Edges(n int, orca, fields bool) {
	if orca {
		m.fixed += uint64(n) * edgeBytes
	}
	if fields {
		m.fixed += uint64(n) * fieldEdgeBytes
	}
}

// Field counts a field of n cells.
func (m *Memory) Field(n int) { m.fixed += uint64(n) * cellBytes }

// Bytes returns how much that is altogether.
func (m *Memory) Bytes() uint64 {
	rows := m.rows
	if m.looks { // then everybody is in the snapshot
		rows += m.agents * snapshotBytes
	}
	return rows + rows/2 + m.fixed + fixedBytes // garbage until it is collected
}
