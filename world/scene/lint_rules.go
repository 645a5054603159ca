package scene

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"gonum.org/v1/gonum/spatial/r2"
)

// arrivals finds arrivals that overshoot, never come to rest, or need more than max-force to slow down. With
// tau = gain·dt/mass and k = max-speed·dt/slowing-radius, the distance converges to zero if k < 4/tau-2, and
// does so without overshoot if k ≤ (1-√(1-tau))²/tau. For small steps, the latter condition is slowing-radius
// ≥ 4·mass·max-speed/gain.
func (l *linter) arrivals() {
	arrival, ok := Behavior[c.Arrival](l.Group)
	if !ok || arrival.Gain == 0 || has[c.Drive](l.Group) || has[c.ORCA](l.Group) {
		return
	}
	radius, speed := arrival.SlowingRadius, l.speed()
	mass, tau, enough := l.braking(arrival.Gain, speed*l.Dt)
	k := speed * l.Dt / radius
	numbers := fmt.Sprintf("slowing-radius is %v m, gain %v kg/s, mass %v kg, max-speed %v m/s and dt %.4g s", radius, arrival.Gain, mass, speed, l.Dt)
	switch {
	case !(speed > 0):
	case k >= 4/tau-2:
		l.warn(true, "arrival never comes to rest: %s; raise slowing-radius to %.4g m", numbers, enough)
	case radius*slack < enough:
		l.warn(true, "arrival overshoots its target: %s; raise slowing-radius to %.4g m, or raise gain", numbers, enough)
	}
	brake := mass * speed * speed / radius
	l.warn(radius > 0 && l.MaxForce.least() > 0 && l.MaxForce.least() < brake,
		"arrival needs %.4g N to slow down within the slowing-radius of %v m, but max-force is %v N; raise slowing-radius or max-force", brake, radius, l.MaxForce.least())
}

const slack = 1 + 1e-9 // for rounding errors at the limit

// braking returns the greatest mass; tau, as in arrivals; and the length or time that suffices to slow down
// without overshoot, in the unit of the parameter step.
func (l *linter) braking(gain, step float64) (mass, tau, enough float64) {
	mass = 1
	if !l.Mass.Zero() {
		mass = l.Mass.Most()
	}
	tau = gain * l.Dt / mass
	root := 1 - math.Sqrt(1-tau)
	return mass, tau, step * tau / (root * root)
}

func (l *linter) kinematicArrivals() {
	b, ok := Behavior[c.OpposingArrival](l.Group)
	if !ok || b.Gain == 0 {
		return
	}
	need := b.SlowingRadius / (2 * b.TimeConstant)
	l.warn(l.MaxSpeed.least() < need,
		"opposing-arrival stops short of the target and stays there: max-speed is %v m/s, but crossing the slowing-radius of %v m requires %.4g m/s; lower slowing-radius",
		l.MaxSpeed.least(), b.SlowingRadius, need)
}

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
		l.warn(l.Bounds == systems.BoundsFaithful, "an agent starts at [%v, %v], outside the box, where faithful-bounce turns it around in every step; start inside, or use bounce", p.X, p.Y)
	}
	if l.Target != nil {
		p, is := outside(l.Target.Points)
		l.warn(is, "the target [%v, %v] is outside the box, where agents cannot go; enlarge the box, or leave out bounds", p.X, p.Y)
		b := l.Target.Box
		l.warn(b.Min.X > l.Box.Max.X || b.Max.X < l.Box.Min.X || b.Min.Y > l.Box.Max.Y || b.Max.Y < l.Box.Min.Y,
			"the target [[%v, %v], [%v, %v]] is outside the box, where agents cannot go; enlarge the box, or leave out bounds", b.Min.X, b.Min.Y, b.Max.X, b.Max.Y)
	}
	if path, ok := Behavior[c.Path](l.Group); ok && int(path.Index) < len(l.Paths) {
		p, is := outside(l.Paths[path.Index])
		l.warn(is, "the waypoint [%v, %v] is outside the box, where agents cannot go; enlarge the box, or leave out bounds", p.X, p.Y)
	}
}

func (l *linter) others() {
	for b, e := range l.known(l.Group) {
		if params := e.Params(pointerTo(b)); len(params) != 1 || params[0].Key != "" {
			continue // more than a reference
		}
		var users []string
		of, used := reflect.TypeOf(b), false
		for _, other := range l.entries() {
			if slices.ContainsFunc(other.Needs, func(need any) bool { return reflect.TypeOf(need) == of }) {
				users = append(users, other.Name)
				used = used || l.index(reflect.TypeOf(other.Component)) >= 0
			}
		}
		l.warn(!used, "%s", fmt.Sprintf("%s is not used; add %s", e.Name, strings.Join(users, " or ")))
	}
}

func (l *linter) goals() {
	slows := has[c.Arrival](l.Group) || has[c.SmoothArrival](l.Group) || has[c.OpposingArrival](l.Group) || has[c.DampedArrival](l.Group)
	over := func(reach float64, key string) {
		l.warn(!slows && reach > 0 && 2*reach < l.stride(), "%s is %v m, and a step of %.4g m can cross it; raise it to %.4g m, or lower dt",
			key, reach, l.stride(), l.stride()/2)
	}
	if path, ok := Behavior[c.Path](l.Group); ok {
		l.warn(path.Reached == 0, "path.reached is 0 m, so agents never go on to the next waypoint; raise it above half the length of a step, %.4g m", l.stride()/2)
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
		"smooth-arrival stops %v m from the target, so agents never get within goal.radius, %v m; raise goal.radius above %v m", smooth.Min, radius, smooth.Min)
	kinematic, jumps := Behavior[c.KinematicSeek](l.Group)
	jumps = jumps && !(kinematic.Gain*l.stride() <= radius) // otherwise agents stay within the radius
	l.warn(!slows && !has[c.Drive](l.Group) && l.Goal.Then == Stay && (has[c.Seek](l.Group) || jumps),
		"agents do not stop at their goal, but pass it and come back again and again; use arrival, or goal.then = \"leave\"")
}

func (l *linter) neighbors() {
	looks := false
	for b, e := range l.known(l.Group) {
		if !e.Does.Has(catalog.SeesAgents) {
			continue
		}
		for _, p := range e.Params(pointerTo(b)) {
			if x, _ := p.Number(); p.Key == "neighbor-dist" {
				looks = true
				l.warn(x == 0, "%s.%s is 0 m, so agents see no other agent; raise it", e.Name, p.Key)
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
		l.warn(on&l.Layers.Sees == 0, "no agent is on any layer of layers.sees, so agents see no other agents; correct layers.sees or layers.on")
	}
	if b, ok := Behavior[c.UnalignedCollisionAvoidance](l.Group); ok && b.NeighborDist > 0 {
		need := float64(2*l.speed()*b.Horizon) + b.Clearance
		l.warn(b.NeighborDist < need/4 && !math.IsInf(need, 1), "unaligned-collision-avoidance.neighbor-dist is %v m, but two agents that approach each other at max-speed are still %.4g m apart %v s (the horizon) before they meet; raise neighbor-dist, or lower horizon", b.NeighborDist, need, b.Horizon)
	}
}

func (l *linter) orca() {
	b, ok := Behavior[c.ORCA](l.Group)
	if !ok || b.Gain == 0 {
		return
	}
	l.warn(has[c.Drive](l.Group), "drive moves the agents and ignores orca")
	l.warn(l.Radius.Zero(), "agents have no radius, so orca keeps only their centers apart")
	l.warn(b.NeighborDist > 0 && b.NeighborDist <= 2*l.Radius.Most(), "orca.neighbor-dist is %v m, so agents see one another only when they touch; raise it to about the sum of the two agents' max-speeds, times time-horizon", b.NeighborDist)
	l.warn(math.Max(b.TimeHorizon, b.TimeHorizonObst) < l.Dt, "the time horizons of orca are shorter than a step of %v s; raise them", l.Dt)
}

func (s *Scene) longSteps() (found []string) {
	for i := range s.Groups {
		if s.Groups[i].Count == 0 {
			continue
		}
		for _, e := range s.known(&s.Groups[i]) {
			line := fmt.Sprintf("dt is %.4g s, longer than %v s, the longest step for which %s follows its source; lower dt", s.Dt, e.MaxDt, e.Name)
			if longer(s.Dt, e.MaxDt) && !slices.Contains(found, line) {
				found = append(found, line)
			}
		}
	}
	return found
}

// strayDoors finds doors that close no gap.
func (s *Scene) strayDoors() (found []string) {
	box := s.Box
	for i, d := range s.Obstacles.Doors {
		switch {
		case d.A == d.B && d.Radius == 0:
			found = append(found, fmt.Sprintf("obstacles.doors[%d]: from and to are both [%v, %v], so the door closes no gap; move one of them", i, d.A.X, d.A.Y))
		case box != (r2.Box{}) && (max(d.A.X, d.B.X) < box.Min.X || min(d.A.X, d.B.X) > box.Max.X || max(d.A.Y, d.B.Y) < box.Min.Y || min(d.A.Y, d.B.Y) > box.Max.Y):
			found = append(found, fmt.Sprintf("obstacles.doors[%d]: the door from [%v, %v] to [%v, %v] is outside the box; move it, or enlarge the box", i, d.A.X, d.A.Y, d.B.X, d.B.Y))
		}
	}
	return found
}

// longer reports whether dt exceeds longest. If longest is 0, there is no limit.
func longer(dt, longest float64) bool {
	const rounding = 1e-9
	return longest > 0 && dt > longest*(1+rounding)
}

func (l *linter) threats() {
	scan, ok := Behavior[c.ThreatScan](l.Group)
	if !ok {
		return
	}
	ahead := scan.LookAhead
	l.warn(ahead < l.stride(), "threat-scan.look-ahead is %v m, less than a step of %.4g m, so obstacles are seen too late; raise it", ahead, l.stride())
	l.warn(!has[c.Avoidance](l.Group), "threat-scan finds obstacles, but nothing avoids them; add avoidance")
	if smallest := l.smallestCircle(); l.Scan != systems.ScanExact && smallest < ahead/4 {
		l.warn(true, "probes %v m apart can miss a circle of radius %v m between them; lower look-ahead to %v m, or use scan = \"exact\"",
			ahead/2, smallest, 4*smallest)
	}
}

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

// turns finds vehicles that can circle a target forever, at a distance d < speed/rate that does not
// count as arrival.
func (l *linter) turns() {
	drive, drives := Behavior[c.Drive](l.Group)
	turn, _ := Behavior[c.TurnTowards](l.Group)
	if !drives || turn.Rate == 0 {
		return
	}
	near, key := 0., "goal.radius"
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
			l.warn(true, "agents can circle their target forever: at %.4g m/s and turn-towards.rate %v rad/s, the turning radius is %.4g m, but %s is %.4g m; raise the rate or %s, or lower drive.speed",
				slow(d), turn.Rate, radius, key, near, key)
			return
		}
	}
}

func smooth(d, near, far float64) float64 {
	s := max(0, min((d-near)/(far-near), 1))
	return s * s * (3 - float64(2*s))
}

// walls checks Containment and WallFollowing. Containment brakes like arrival, with 1/horizon instead of
// max-speed/slowing-radius: see arrivals.
func (l *linter) walls() {
	if b, ok := Behavior[c.Containment](l.Group); ok && b.Gain != 0 && !l.FaithfulWalls {
		mass, _, enough := l.braking(b.Gain, l.Dt)
		l.warn(b.Horizon*slack < enough, "containment reacts too late and swings beyond the edge: horizon is %v s, gain %v kg/s, mass %v kg and dt %.4g s; raise horizon to %.4g s, or raise gain",
			b.Horizon, b.Gain, mass, l.Dt, enough)
		brake := mass * l.speed() / b.Horizon
		l.warn(l.MaxForce.least() > 0 && l.MaxForce.least() < brake,
			"containment needs %.4g N to stop within the horizon of %v s, but max-force is %v N; raise horizon or max-force", brake, b.Horizon, l.MaxForce.least())
	}
	if b, ok := Behavior[c.Containment](l.Group); ok {
		l.warn(l.filled(b).(c.Containment).Box == (r2.Box{}) && l.bare(), "containment has nothing to keep agents in: there is neither a box nor an obstacle; add one, or leave out containment")
	}
	if b, ok := Behavior[c.WallFollowing](l.Group); ok && b.Gain != 0 {
		l.warn(l.bare(), "wall-following has no obstacle to follow; add one, or leave out wall-following")
		l.warn(!l.bare() && b.Range < b.Offset, "wall-following.range is %v m, less than the offset of %v m, so agents lose the wall; raise range", b.Range, b.Offset)
	}
}

// bare reports whether the scene has no obstacles. Doors count as obstacles, because agents see closed doors.
func (s *Scene) bare() bool {
	single, polygons, _ := s.Obstacles.count()
	return single+polygons == 0
}

func (l *linter) wander() {
	b, ok := Behavior[c.Wander](l.Group)
	if !ok || b.Gain == 0 {
		return
	}
	l.warn(b.Radius == 0, "wander.radius is 0 m, so agents go straight ahead; raise it to about wander.distance")
	l.warn(b.Distance == 0 && b.Radius > 0, "wander.distance is 0 m, so agents aim backward half of the time; raise it to about wander.radius")
	l.warn(b.Rate*l.Dt > 1, "wander.rate is %v/s, more than one new point in a step of %.4g s; lower it", b.Rate, l.Dt)
}
