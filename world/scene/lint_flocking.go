package scene

import "math"

// flocks tells whether the group has a rule that looks at neighbors.
func (l *linter) flocks() bool {
	return l.Separation != nil || l.Alignment != nil || l.Cohesion != nil || l.Unaligned != nil
}

// sight finds rules that look at nobody.
func (l *linter) sight() {
	look := func(has bool, name string, radius func() float64) {
		l.warn(has && radius() == 0, "%s.radius is 0 m, so that it sees nobody; raise it", name)
	}
	look(l.Separation != nil, "separation", func() float64 { return l.Separation.NeighborDist })
	look(l.Alignment != nil, "alignment", func() float64 { return l.Alignment.NeighborDist })
	look(l.Cohesion != nil, "cohesion", func() float64 { return l.Cohesion.NeighborDist })
	look(l.Unaligned != nil, "unaligned-collision-avoidance", func() float64 { return l.Unaligned.NeighborDist })
	if l.Layers != nil && (l.flocks() || l.ORCA != nil) {
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
	if b := l.Unaligned; b != nil && b.NeighborDist > 0 {
		need := float64(2*l.speed()*b.Horizon) + b.Clearance
		l.warn(b.NeighborDist < need/4 && !math.IsInf(need, 1), "unaligned-collision-avoidance.radius is %v m, and two that meet at max-speed are %.4g m apart at its horizon of %v s; raise radius, or lower horizon", b.NeighborDist, need, b.Horizon)
	}
}
