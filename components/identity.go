package components

import "github.com/mlange-42/arche/ecs"

// IDOf returns the id that an agent goes by everywhere: in hashes, draws, lists
// and records, and where two are as near as each other. It is that of its Agent,
// and of an agent without one, which is nil here, that of its entity:
// generation<<32 | id. So an entity that arche uses again is another agent.
//
// The ids of some may be those of entities that others are: give Agent to all
// agents of a world, or to none.
func IDOf(agent *Agent, e ecs.Entity) uint64 {
	if agent != nil {
		return agent.ID
	}
	return uint64(e.Generation())<<32 | uint64(e.ID())
}
