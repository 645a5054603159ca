package world

import (
	"slices"

	"github.com/8f878440/crowd/systems/sense"
)

// SetPortals makes these the portals of the world, in place of those that there were, between two
// steps: stairs and lifts between floors that lie beside one another, tunnels, teleporters. Agents who
// find their way by Route or FlowField find it through them, and fields and routes are found anew as when
// an obstacle changes.
func (w *World) SetPortals(all ...sense.Portal) error {
	portals := sense.Portals(slices.Clone(all))
	if err := portals.Check(); err != nil {
		return err
	}
	*resource(w.ECS, &sense.Portals{}) = portals
	return nil
}

// Portals returns a copy of the portals of the world.
func (w *World) Portals() []sense.Portal { return slices.Clone(*resource(w.ECS, &sense.Portals{})) }
