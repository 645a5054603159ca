package world

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
)

// checkModes refuses what the configured rules do not know, and waypoints that
// an arrival would never reach.
func (w *World) checkModes(r *Rows) error {
	for i, body := range Column[c.Radius](r) {
		if w.config.Scan != systems.ScanExact && body.Meters > 0 && Column[c.ThreatScan](r) != nil {
			return fmt.Errorf("agent %d: radius is %v m, but the configured scan knows only agents that are points", Column[c.Agent](r)[i].ID, body.Meters)
		}
	}
	if smooth := Column[c.SmoothArrival](r); smooth != nil {
		for i, p := range Column[c.Path](r) {
			if !(p.Reached > smooth[i].Min) {
				return fmt.Errorf("agent %d: reached distance of path is %v m, want above %v, the distance at which smooth arrival stops", Column[c.Agent](r)[i].ID, p.Reached, smooth[i].Min)
			}
		}
	}
	return nil
}
