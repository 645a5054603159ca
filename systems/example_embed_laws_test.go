package systems_test

import (
	"testing"

	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world/crowdtest"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestSwim verifies the laws of a host's behavior with one call.
func TestSwim(t *testing.T) { crowdtest.Behavior(t, swim) }

// TestWind does the same for a system without an entry, whose agents have a component that crowdtest
// cannot generate.
func TestWind(t *testing.T) {
	sails := crowdtest.Options{
		Agent: func(d *crowdtest.Draw, _ int) []any { return []any{Sail{Area: d.Float64()}} },
	}
	sails.System(t, catalog.Translation|catalog.Finite|catalog.NoAllocation, func() any {
		return &wind{force: r2.Vec{X: 0.25}}
	})
}
