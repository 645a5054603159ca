package scene

import (
	"math"

	c "github.com/8f878440/crowd/components"
)

// flocks tells whether the group has a rule that looks at neighbors.
func (l *linter) flocks() bool {
	return has[c.Separation](l.Group) || has[c.Alignment](l.Group) || has[c.Cohesion](l.Group) || has[c.UnalignedCollisionAvoidance](l.Group)
}

// sight finds rules that look at nobody.
func (l *linter) sight() {
	look := func(name string, radius float64) {
		l.warn(radius == 0, "%s.radius is 0 m, so that it sees nobody; raise it", name)
	}
	for _, b := range l.Behaviors {
		switch b := b.(type) {
		case c.Separation:
			look("separation", b.NeighborDist)
		case c.Alignment:
			look("alignment", b.NeighborDist)
		case c.Cohesion:
			look("cohesion", b.NeighborDist)
		case c.UnalignedCollisionAvoidance:
			look("unaligned-collision-avoidance", b.NeighborDist)
		}
	}
	if l.Layers != nil && (l.flocks() || has[c.ORCA](l.Group)) {
		on := uint32(0)
		for i := range l.Groups {
			if g := &l.Groups[i]; g.Layers == nil {
				on |= 1
			} else {
				on |= g.Layers.On
			}
		}
		l.warn(on&l.Layers.Sees == 0, "layers.sees has no layer that anybody is on")
	}
	if b, ok := Behavior[c.UnalignedCollisionAvoidance](l.Group); ok && b.NeighborDist > 0 {
		need := float64(2*l.speed()*b.Horizon) + b.Clearance
		l.warn(b.NeighborDist < need/4 && !math.IsInf(need, 1), "unaligned-collision-avoidance.radius is %v m, and two that meet at max-speed are %.4g m apart at its horizon of %v s; raise radius, or lower horizon", b.NeighborDist, need, b.Horizon)
	}
}
