package crowdtest

import (
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems/catalog"
)

// effect says so if a behavior that does more than look changes nothing: neither where agents
// are and go, nor anything else of theirs if it is of a system without an entry.
func (k *kit) effect() string {
	if e := k.entry; e != nil && e.Does&^(catalog.SeesAgents|catalog.SeesObstacles) == 0 && e.Phase != catalog.Choose {
		return ""
	}
	for seed := range uint64(seeds) {
		v := plain(seed)
		v.without = true
		without := k.crowd(v)
		for range steps {
			without.step()
		}
		if !slices.Equal(k.track(seed).states[steps], without.states()) {
			return ""
		}
		if k.entry == nil && k.track(seed).crowd.snapshot().difference(without.snapshot(), nil) != "" {
			return ""
		}
	}
	return "agents with it move as those without"
}

// noAllocation says so if a step allocates, where columns are not copies.
func (k *kit) noAllocation() string {
	crowd := k.crowd(plain(1))
	crowd.step()
	crowd.step()
	if n := testing.AllocsPerRun(20, crowd.step); n > 0 && !column.Copies {
		return "a step allocates"
	}
	return ""
}
