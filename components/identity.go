package components

import "github.com/mlange-42/arche/ecs"

// IDOf returns the id of an agent for hashes, random draws, lists, records and ties.
// It is that of its Agent, or if agent is nil, that of its entity:
// generation<<32 | id. So an entity that arche uses again is another agent.
//
// Ids of both kinds may be equal: give Agent to all agents of a world, or to none.
func IDOf(agent *Agent, e ecs.Entity) uint64 {
	if agent != nil {
		return agent.ID
	}
	return uint64(e.Generation())<<32 | uint64(e.ID())
}
