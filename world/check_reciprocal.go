package world

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
)

func checkORCA(b *c.ORCA) error {
	if err := atLeast("orca gain", b.Gain, "kg/s"); err != nil {
		return err
	}
	if err := atLeast("horizon of orca", b.TimeHorizon, "s"); err != nil {
		return err
	}
	if err := atLeast("obstacle horizon of orca", b.TimeHorizonObst, "s"); err != nil {
		return err
	}
	if err := atLeast("range of orca", b.NeighborDist, "m"); err != nil {
		return err
	}
	if b.MaxNeighbors < 0 {
		return fmt.Errorf("neighbors of orca are %d at most, want 0 or more", b.MaxNeighbors)
	}
	if !(b.Priority >= 0) { // infinity means that all others give way
		return fmt.Errorf("priority of orca is %v, want 0 or more", b.Priority)
	}
	return nil
}
