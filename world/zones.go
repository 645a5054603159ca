package world

import (
	"slices"

	"github.com/8f878440/crowd/systems"
)

// SetZones makes these the zones of the world, in place of those that there were, between two
// steps: stairs, slopes, smoke. Agents with FreeSpeed walk slower in them, or faster.
func (w *World) SetZones(all ...systems.Zone) error {
	zones := systems.Zones(slices.Clone(all))
	if err := zones.Check(); err != nil {
		return err
	}
	*resource(w.ECS, &systems.Zones{}) = zones
	return nil
}

// Zones returns a copy of the zones of the world.
func (w *World) Zones() []systems.Zone { return slices.Clone(*resource(w.ECS, &systems.Zones{})) }
