package scene

import (
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
)

// GoesToPlaces reports whether the agents of the group have goals at places that stay, and obstacles
// hold them on their way: they are solid or have ORCA, and neither follow others nor flock nor wander.
func (g *Group) GoesToPlaces() bool {
	avoids, _ := Behavior[c.ORCA](g)
	if g.Count == 0 || g.Goal == nil || g.Goal.Then == Wander || !has[c.Solid](g) && avoids.Gain == 0 || len(g.Whom) > 0 {
		return false
	}
	if g.Target == nil && len(g.Itineraries) == 0 || g.TargetPointer || g.TargetGroup != "" {
		return false
	}
	for _, stops := range g.Itineraries {
		if slices.ContainsFunc(stops, func(stop systems.Stop) bool { return stop.GoesBy() || stop.Endless() != "" }) {
			return false
		}
	}
	for _, b := range g.Behaviors {
		switch b.(type) {
		case c.Wander, c.Cohesion, c.Alignment:
			return false
		}
		of := reflect.TypeOf(b)
		if slices.ContainsFunc(systems.Catalog(), func(e catalog.Entry) bool {
			return reflect.TypeOf(e.Component) == of && e.Does.Has(catalog.SetsTarget)
		}) {
			return false
		}
	}
	return true
}
