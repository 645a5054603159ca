package systems

import (
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// TestResourcesHaveValues verifies that a step leaves no resource registered without a value,
// because a library that saves the world would panic.
func TestResourcesHaveValues(t *testing.T) {
	w := ecs.NewWorld()
	f := frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &PathFollowing{}, &Itinerary{}, &Wander{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	f.Update(&w)
	ids := ecs.ResourceIDs(&w)
	testkit.Equal(t, len(ids), 6, "number of resources")
	for _, id := range ids {
		if typ, _ := ecs.ResourceType(&w, id); !w.Resources().Has(id) {
			t.Errorf("%v: got no value, want one", typ)
		}
	}
}
