package scene

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
)

// arrivals finds arrivals that overshoot. With the share tau = gain·dt/mass and
// k = max-speed·dt/slowing-radius, the error goes to zero if k < 4/tau-2,
// and without overshoot if k ≤ (1-√(1-tau))²/tau, which for small steps is
// slowing-radius ≥ 4·mass·max-speed/gain.
func (l *linter) arrivals() {
	arrival, ok := Behavior[c.Arrival](l.Group)
	if !ok || arrival.Gain == 0 || has[c.Drive](l.Group) || has[c.ORCA](l.Group) {
		return
	}
	mass := Same(1)
	if !l.Mass.Zero() {
		mass = l.Mass
	}
	radius, speed := arrival.SlowingRadius, l.speed()
	tau := arrival.Gain * l.Dt / mass.most()
	k := speed * l.Dt / radius
	numbers := fmt.Sprintf("with slowing-radius %v m, gain %v, mass %v kg, max-speed %v m/s and dt %v s", radius, arrival.Gain, mass.most(), speed, l.Dt)
	root := 1 - math.Sqrt(1-tau)
	enough := speed * l.Dt * tau / (root * root)
	const slack = 1 + 1e-9 // for rounding at the limit itself
	switch {
	case !(speed > 0):
	case k >= 4/tau-2:
		l.warn(true, "arrival never comes to rest %s: raise slowing-radius to %.4g m", numbers, enough)
	case radius*slack < enough:
		l.warn(true, "arrival passes its target and comes back %s: raise slowing-radius to %.4g m, or gain", numbers, enough)
	}
	brake := mass.most() * speed * speed / radius
	l.warn(radius > 0 && l.MaxForce.least() > 0 && l.MaxForce.least() < brake,
		"arrival needs %.4g N to slow down within slowing-radius %v m, and max-force is %v N: raise either", brake, radius, l.MaxForce.least())
}

// kinematicArrivals finds agents that stop short of their target for good.
func (l *linter) kinematicArrivals() {
	b, ok := Behavior[c.OpposingArrival](l.Group)
	if !ok || b.Gain == 0 {
		return
	}
	need := b.SlowingRadius / (2 * b.TimeConstant)
	l.warn(l.MaxSpeed.least() < need,
		"opposing-arrival stops short of the target for good: max-speed is %v m/s, and crossing slowing-radius %v m takes %.4g m/s; lower slowing-radius",
		l.MaxSpeed.least(), b.SlowingRadius, need)
}
