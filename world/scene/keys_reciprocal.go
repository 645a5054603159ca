package scene

import (
	"math"

	c "github.com/8f878440/crowd/components"
)

// mostNeighbors is how many others an agent of a scene heeds at most.
const mostNeighbors = 1000

func orcaKeys(b *c.ORCA) []key {
	return []key{
		may("gain", &b.Gain, notNegative, defaultGain, "kg/s, that of what steers, so that it prefers what that desires; 0 pauses"),
		must("horizon", &b.TimeHorizon, notNegative, "s, how long there shall be no collision with others"),
		must("obstacle-horizon", &b.TimeHorizonObst, notNegative, "s, how long there shall be none with obstacles"),
		must("range", &b.NeighborDist, notNegative, "m, how far it looks for the centers of others"),
		may("neighbors", &b.MaxNeighbors, integer[int](0, mostNeighbors), 10, "how many others it heeds, the nearest ones"),
		may("priority", &b.Priority, number(orInfinite), 1, "who has three times that of another takes a quarter of the avoidance, the other three"),
	}
}

// reciprocal finds an orca that cannot do what it should.
func (l *linter) reciprocal() {
	b, ok := Behavior[c.ORCA](l.Group)
	if !ok || b.Gain == 0 {
		return
	}
	l.warn(has[c.Drive](l.Group), "drive moves the agents, and takes no notice of orca")
	l.warn(l.Radius.Zero(), "orca keeps only the centers of agents apart, because they have no radius")
	l.warn(b.MaxNeighbors == 0, "orca.neighbors is 0, so that it avoids obstacles only; raise it, to about 10")
	l.warn(b.MaxNeighbors > 0 && b.NeighborDist <= 2*l.Radius.most(), "orca.range is %v m, so that it sees others only when they touch; raise it, to about (max-speed + theirs)·horizon", b.NeighborDist)
	l.warn(math.Max(b.TimeHorizon, b.TimeHorizonObst) < l.Dt, "the horizons of orca are below a step of %v s; raise them", l.Dt)
}
