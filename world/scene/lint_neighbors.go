package scene

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
)

// neighbors finds behaviors that look at nobody.
func (l *linter) neighbors() {
	looks := false
	for b, e := range l.known(l.Group) {
		if !e.Does.Has(catalog.SeesAgents) {
			continue
		}
		for _, p := range e.Params(pointerTo(b)) {
			if x, _ := p.Number(); p.Key == neighborDist {
				looks = true
				l.warn(x == 0, "%s.%s is 0 m, so that it sees nobody; raise it", e.Name, p.Key)
			}
		}
	}
	if l.Layers != nil && looks {
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
		l.warn(b.NeighborDist < need/4 && !math.IsInf(need, 1), "unaligned-collision-avoidance.neighbor-dist is %v m, and two that meet at max-speed are %.4g m apart at its horizon of %v s; raise neighbor-dist, or lower horizon", b.NeighborDist, need, b.Horizon)
	}
}

// neighborDist is the key of how far a behavior looks at other agents.
const neighborDist = "neighbor-dist"
