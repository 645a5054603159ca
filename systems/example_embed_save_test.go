//go:build !tiny

package systems_test

import (
	"encoding/json"
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
)

// After Attach and Register, a library that saves worlds can fill in resources and components.
func Example_loadInto() {
	w := ecs.NewWorld()
	_ = ecs.ComponentID[Patience](&w) // the game's own types
	systems.Register(&w)              // and ours
	crowd, err := world.Attach(&w, world.Default())
	check(err)
	defer crowd.Close()
	// Here the library reads the file into w.

	for _, id := range ecs.ResourceIDs(&w) {
		typ, _ := ecs.ResourceType(&w, id)
		fmt.Println(typ, w.Resources().Has(id))
	}
	limits, err := json.Marshal(c.Limits{MaxSpeed: 1.4, MaxForce: math.Inf(1)})
	fmt.Println(string(limits), err)
	// Output:
	// world.Attachment true
	// frame.Clock true
	// systems.Paths true
	// systems.Itineraries true
	// systems.TrackedEntities true
	// systems.Zones true
	// sense.Polygons true
	// sense.Portals true
	// systems.Routes true
	// sense.FlowFields true
	// {"MaxSpeed":1.4,"MaxForce":"Infinity"} <nil>
}
