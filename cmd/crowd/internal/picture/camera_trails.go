package picture

import (
	"maps"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// A picture shows the ways of all agents if they are few, and of none if they
// are many.
const (
	agentsWithTrails = 300
	pointsOfTrail    = 1000
)

// Trails remembers the ways that agents come, for the picture.
type Trails struct {
	world  *world.World
	agents *generic.Filter2[c.Agent, c.Position]
	ways   map[uint64][]r2.Vec // by the id of the agent
	every  int                 // steps from point to point; doubled when trails grow long
	steps  int
}

// NewTrails returns trails for a number of agents, nil if there are too many of them.
func NewTrails(w *world.World, agents int) *Trails {
	if agents > agentsWithTrails {
		return nil
	}
	t := &Trails{world: w, agents: generic.NewFilter2[c.Agent, c.Position](), ways: map[uint64][]r2.Vec{}, every: 1}
	t.Note()
	return t
}

// Note remembers where the agents are, at some steps.
func (t *Trails) Note() {
	if t == nil {
		return
	}
	if t.steps++; (t.steps-1)%t.every != 0 {
		return
	}
	long := false
	q := t.agents.Query(t.world.ECS)
	for q.Next() {
		agent, pos := q.Get()
		way := append(t.ways[agent.ID], pos.Vec)
		t.ways[agent.ID] = way
		long = long || len(way) >= pointsOfTrail
	}
	if long {
		t.thin()
	}
}

// thin keeps every other point.
func (t *Trails) thin() {
	t.every *= 2
	for id, way := range t.ways {
		kept := way[:0]
		for i := 0; i < len(way); i += 2 {
			kept = append(kept, way[i])
		}
		t.ways[id] = kept
	}
}

// All returns the ways, by id.
func (t *Trails) All() [][]r2.Vec {
	if t == nil {
		return nil
	}
	var all [][]r2.Vec
	for _, id := range slices.Sorted(maps.Keys(t.ways)) {
		all = append(all, t.ways[id])
	}
	return all
}
