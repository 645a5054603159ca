package scene

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"gonum.org/v1/gonum/spatial/r2"
)

// walls finds containment that does not contain, and walls that cannot be
// followed. Containment brakes as arrival does, with 1/horizon in place of
// max-speed/slowing-radius: see arrivals.
func (l *linter) walls() {
	if b, ok := Behavior[c.Containment](l.Group); ok && b.Gain != 0 && !l.FaithfulWalls {
		mass := Same(1)
		if !l.Mass.Zero() {
			mass = l.Mass
		}
		tau := b.Gain * l.Dt / mass.most()
		root := 1 - math.Sqrt(1-tau)
		enough := l.Dt * tau / (root * root)
		const slack = 1 + 1e-9 // for rounding at the limit itself
		l.warn(b.Horizon*slack < enough, "containment looks ahead too late, and swings beyond the edge, with horizon %v s, gain %v, mass %v kg and dt %v s: raise horizon to %.4g s, or gain",
			b.Horizon, b.Gain, mass.most(), l.Dt, enough)
		brake := mass.most() * l.speed() / b.Horizon
		l.warn(l.MaxForce.least() > 0 && l.MaxForce.least() < brake,
			"containment needs %.4g N to stop within horizon %v s, and max-force is %v N: raise either", brake, b.Horizon, l.MaxForce.least())
	}
	if b, ok := Behavior[c.Containment](l.Group); ok {
		l.warn(l.filled(b).(c.Containment).Box == (r2.Box{}) && l.bare(), "containment has neither a box nor obstacles to keep to")
	}
	if b, ok := Behavior[c.WallFollowing](l.Group); ok && b.Gain != 0 {
		l.warn(l.bare(), "wall-following has no obstacle to follow")
		l.warn(!l.bare() && b.Range < b.Offset, "wall-following.range is %v m, and it loses the wall at the offset that it keeps, %v m; raise range", b.Range, b.Offset)
	}
}

// bare reports whether the scene has no obstacles.
func (s *Scene) bare() bool {
	o := &s.Obstacles
	return len(o.Circles)+len(o.Walls)+len(o.Polygons)+len(o.Boxes)+len(o.Random) == 0 && o.Pillars == nil
}
