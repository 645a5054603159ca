package world_test

import (
	"testing"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world/crowdtest"
)

// TestLaws verifies that each behavior obeys the laws of its entry and no others, and all else
// that a host's behaviors are held to.
func TestLaws(t *testing.T) {
	for _, e := range systems.Catalog() {
		t.Run(e.Name, func(t *testing.T) { crowdtest.Behavior(t, e) })
	}
}
