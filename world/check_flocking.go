package world

import c "github.com/8f878440/crowd/components"

func checkSeparation(b *c.Separation) error {
	return checkEyes("separation", b.NeighborDist, b.FieldOfView)
}
func checkAlignment(b *c.Alignment) error {
	return checkEyes("alignment", b.NeighborDist, b.FieldOfView)
}
func checkCohesion(b *c.Cohesion) error { return checkEyes("cohesion", b.NeighborDist, b.FieldOfView) }

func checkUnaligned(b *c.UnalignedCollisionAvoidance) error {
	if err := atLeast("horizon of unaligned collision avoidance", b.Horizon, "s"); err != nil {
		return err
	}
	if err := atLeast("clearance of unaligned collision avoidance", b.Clearance, "m"); err != nil {
		return err
	}
	return checkEyes("unaligned collision avoidance", b.NeighborDist, b.FieldOfView)
}

// checkEyes refuses what is no distance to look, and no angle.
func checkEyes(name string, radius, view float64) error {
	if err := atLeast("radius of "+name, radius, "m"); err != nil {
		return err
	}
	return atLeast("field of view of "+name, view, "rad")
}

// checkFlockingShares is checkShares for the rules that look at neighbors.
func checkFlockingShares(r *Rows, share func(name string, i int, gain float64) error) error {
	for i, s := range Column[c.Separation](r) {
		if err := share("separation", i, s.Gain); err != nil {
			return err
		}
	}
	for i, s := range Column[c.Alignment](r) {
		if err := share("alignment", i, s.Gain); err != nil {
			return err
		}
	}
	for i, s := range Column[c.Cohesion](r) {
		if err := share("cohesion", i, s.Gain); err != nil {
			return err
		}
	}
	for i, s := range Column[c.UnalignedCollisionAvoidance](r) {
		if err := share("unaligned collision avoidance", i, s.Gain); err != nil {
			return err
		}
	}
	return nil
}
