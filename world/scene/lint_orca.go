package scene

import (
	"math"

	c "github.com/8f878440/crowd/components"
)

// orca finds an orca that cannot do what it should.
func (l *linter) orca() {
	b, ok := Behavior[c.ORCA](l.Group)
	if !ok || b.Gain == 0 {
		return
	}
	l.warn(has[c.Drive](l.Group), "drive moves the agents, and takes no notice of orca")
	l.warn(l.Radius.Zero(), "orca keeps only the centers of agents apart, because they have no radius")
	l.warn(b.NeighborDist > 0 && b.NeighborDist <= 2*l.Radius.most(), "orca.neighbor-dist is %v m, so that it sees others only when they touch; raise it, to about (max-speed + theirs)·time-horizon", b.NeighborDist)
	l.warn(math.Max(b.TimeHorizon, b.TimeHorizonObst) < l.Dt, "the time horizons of orca are below a step of %v s; raise them", l.Dt)
}
