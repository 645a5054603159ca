package scene

import c "github.com/8f878440/crowd/components"

// wander finds wanderers that do not wander.
func (l *linter) wander() {
	b, ok := Behavior[c.Wander](l.Group)
	if !ok || b.Gain == 0 {
		return
	}
	l.warn(b.Radius == 0, "wander.radius is 0 m, so that it goes straight on; raise it, to about wander.distance")
	l.warn(b.Distance == 0 && b.Radius > 0, "wander.distance is 0 m, so that it turns on the spot as often as not; raise it, to about wander.radius")
	l.warn(b.Rate*l.Dt > 1, "wander.rate is %v/s, more than one new point in a step of %v s; lower it", b.Rate, l.Dt)
}
