package scene

import (
	c "github.com/8f878440/crowd/components"
)

// goals finds targets and waypoints that are never reached, or stepped over.
func (l *linter) goals() {
	slows := has[c.Arrival](l.Group) || has[c.SmoothArrival](l.Group) || has[c.OpposingArrival](l.Group) || has[c.DampedArrival](l.Group)
	over := func(reach float64, key string) {
		l.warn(!slows && reach > 0 && 2*reach < l.stride(), "%s is %v m, and a step of %.4g m can lead across it; raise it to %.4g m, or lower dt",
			key, reach, l.stride(), l.stride()/2)
	}
	if path, ok := Behavior[c.Path](l.Group); ok {
		l.warn(path.Reached == 0, "path.reached is 0 m, so that no waypoint is ever left; raise it above half the way of a step, %.4g m", l.stride()/2)
		l.warn(l.Target != nil || l.TargetPointer || l.TargetGroup != "", "target is not used, because path sets it in every step; leave one of them out")
		over(path.Reached, "path.reached")
	}
	l.warn(l.FieldCell > 0 && !l.followsField(), "field-cell is not used, because way is neither \"field\" nor \"quickest\"; leave it out")
	if l.Goal == nil {
		return
	}
	radius := l.Goal.Radius.least()
	over(radius, "goal.radius")
	smooth, _ := Behavior[c.SmoothArrival](l.Group)
	l.warn(smooth.Gain != 0 && !(radius > smooth.Min),
		"goal.radius is %v m, but smooth-arrival stops at %v m and never gets there; raise goal.radius above it", radius, smooth.Min)
	kinematic, jumps := Behavior[c.KinematicSeek](l.Group)
	jumps = jumps && !(kinematic.Gain*l.stride() <= radius) // or else it is within the radius on both sides
	l.warn(!slows && !has[c.Drive](l.Group) && l.Goal.Then == Stay && (has[c.Seek](l.Group) || jumps),
		"seek does not stop at its goal, but passes it and comes back for ever; use arrival, or goal.then = \"leave\"")
}
