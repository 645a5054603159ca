package scene

import (
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"gonum.org/v1/gonum/spatial/r2"
)

// Lint returns what is allowed, but known to go wrong: one line each, with the
// group, the numbers, the condition and the cure. It looks at parameters only,
// and cannot see what the crowd does.
func (s *Scene) Lint() []string {
	l := &linter{Scene: s, found: s.combinations()}
	for i := range s.Groups {
		l.Group = &s.Groups[i]
		l.label = fmt.Sprintf("groups[%d]", i)
		if l.Group.Name != "" {
			l.label += fmt.Sprintf(" (%s)", l.Group.Name)
		}
		if l.Group.Count > 0 {
			l.motion()
			l.arrivals()
			l.kinematicArrivals()
			l.goals()
			l.turns()
			l.threats()
			l.edges()
			l.others()
			l.wander()
			l.walls()
			l.neighbors()
			l.orca()
			l.solids()
		}
	}
	return l.found
}

// lint returns what Lint does, with the name of the file.
func (s *Scene) lint(file string) (all []string) {
	for _, text := range s.Lint() {
		all = append(all, file+": "+text)
	}
	return all
}

// linter looks at one group after another.
type linter struct {
	*Scene
	*Group
	label string
	found []string
}

func (l *linter) warn(is bool, format string, args ...any) {
	if is {
		l.found = append(l.found, l.label+": "+fmt.Sprintf(format, args...))
	}
}

// speed returns the greatest speed of the group, in m/s.
func (l *linter) speed() float64 {
	if drive, ok := Behavior[c.Drive](l.Group); ok {
		return max(drive.Speed, drive.TopSpeed)
	}
	return l.MaxSpeed.most()
}

// stride returns the longest way of a step, in m.
func (l *linter) stride() float64 { return l.speed() * l.Dt }

// does tells whether the group has a behavior with an effect.
func (l *linter) does(effect catalog.Effect) bool {
	for _, e := range l.known(l.Group) {
		if e.Does.Has(effect) {
			return true
		}
	}
	return false
}

// steers tells whether a force moves the group.
func (l *linter) steers() bool { return l.does(catalog.Steers) && !l.does(catalog.Moves) }

// motion finds groups that cannot move.
func (l *linter) motion() {
	kinematic := false
	for _, e := range l.known(l.Group) {
		kinematic = kinematic || e.Does.Has(catalog.SetsVelocity) && e.Phase == catalog.Steer
	}
	still := l.Group.Speed == 0 && l.Velocity == (r2.Vec{})
	l.warn(!l.steers() && !kinematic && !has[c.Drive](l.Group) && still,
		"nothing moves it: give it a behavior such as seek, or start-speed")
	l.warn(!has[c.Drive](l.Group) && (l.steers() || kinematic) && l.MaxSpeed.most() == 0,
		"max-speed is 0, so that it never moves")
	l.warn(l.steers() && l.MaxForce.most() == 0,
		"max-force is 0, so that no behavior can steer it; leave it out for no limit")
	l.warn((has[c.OpposingArrival](l.Group) || has[c.DampedArrival](l.Group)) && !l.steers() && !has[c.KinematicSeek](l.Group) && still,
		"opposing-arrival and damped-arrival turn a velocity and never make one: an agent at rest stays; give it start-speed")
}

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

// turns finds vehicles that can circle round a target for ever: at a distance d
// at which speed/rate ≥ d, and which is not near enough to have arrived.
func (l *linter) turns() {
	drive, drives := Behavior[c.Drive](l.Group)
	turn, _ := Behavior[c.TurnTowards](l.Group)
	if !drives || turn.Rate == 0 {
		return
	}
	near, key := 0., "a goal"
	if path, ok := Behavior[c.Path](l.Group); ok {
		near, key = path.Reached, "path.reached"
	}
	if l.Goal != nil && l.Goal.Radius.least() > near {
		near, key = l.Goal.Radius.least(), "goal.radius"
	}
	slow := func(float64) float64 { return drive.Speed }
	far := near
	if b, ok := Behavior[c.SmoothArrival](l.Group); ok && b.Gain != 0 {
		slow = func(d float64) float64 { return drive.TopSpeed * smooth(d, b.Min, b.Max) }
		far = max(near, b.Max)
	}
	const parts = 64
	for i := range parts + 1 {
		d := near + float64((far-near)*(float64(i)/parts))
		if radius := slow(d) / turn.Rate; radius > d {
			l.warn(true, "it can circle round its target for ever: at %.4g m/s and turn-towards.rate %v rad/s the turning circle is %.4g m, and %s is %.4g m; raise the rate or %s, or lower drive.speed",
				slow(d), turn.Rate, radius, key, near, key)
			return
		}
	}
}

// smooth is the share of the speed that smooth-arrival leaves at distance d.
func smooth(d, near, far float64) float64 {
	s := max(0, min((d-near)/(far-near), 1))
	return s * s * (3 - float64(2*s))
}

// threats finds scans that miss what is ahead.
func (l *linter) threats() {
	scan, ok := Behavior[c.ThreatScan](l.Group)
	if !ok {
		return
	}
	ahead := scan.LookAhead
	l.warn(ahead < l.stride(), "threat-scan.look-ahead is %v m, less than a step of %.4g m, so that obstacles are seen too late; raise it", ahead, l.stride())
	l.warn(!has[c.Avoidance](l.Group), "threat-scan finds obstacles, but nothing avoids them; add avoidance")
	if smallest := l.smallestCircle(); l.Scan != systems.ScanExact && smallest < ahead/4 {
		l.warn(true, "probes %v m apart miss a circle of radius %v m between them; lower look-ahead to %v m, or take scan = \"exact\"",
			ahead/2, smallest, 4*smallest)
	}
}

// smallestCircle returns the least radius of all circles, infinite if there are
// none.
func (s *Scene) smallestCircle() float64 {
	least := math.Inf(1)
	for _, o := range s.Obstacles.Circles {
		least = min(least, o.Radius)
	}
	if p := s.Obstacles.Pillars; p != nil {
		least = min(least, p.Radius)
	}
	for i := range s.Obstacles.Random {
		least = min(least, s.Obstacles.Random[i].Radius.least())
	}
	return least
}

// edges finds what the bounds make impossible.
func (l *linter) edges() {
	if l.Bounds == systems.BoundsNone {
		return
	}
	outside := func(points []r2.Vec) (r2.Vec, bool) {
		for _, p := range points {
			if p.X < l.Box.Min.X || p.X > l.Box.Max.X || p.Y < l.Box.Min.Y || p.Y > l.Box.Max.Y {
				return p, true
			}
		}
		return r2.Vec{}, false
	}
	if p, is := outside(l.At.Points); is {
		l.warn(l.Bounds == systems.BoundsFaithful, "an agent starts at [%v, %v], outside the box, where faithful-bounce turns it round in every step; start inside, or take bounce", p.X, p.Y)
	}
	if l.Target != nil {
		p, is := outside(l.Target.Points)
		l.warn(is, "the target [%v, %v] is outside the box, where bounds let nobody go; enlarge the box, or leave out bounds", p.X, p.Y)
	}
	if path, ok := Behavior[c.Path](l.Group); ok && int(path.Index) < len(l.Paths) {
		p, is := outside(l.Paths[path.Index])
		l.warn(is, "the waypoint [%v, %v] is outside the box, where bounds let nobody go; enlarge the box, or leave out bounds", p.X, p.Y)
	}
}
