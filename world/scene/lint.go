package scene

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
	"gonum.org/v1/gonum/spatial/r2"
)

// Lint returns what is allowed, but known to go wrong: one line each, with the
// group, the numbers, the condition and the cure. It looks at parameters only,
// and cannot see what the crowd does.
func (s *Scene) Lint() []string {
	l := &linter{Scene: s, found: append(s.combinations(), s.longSteps()...)}
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
			l.openings()
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

// does reports whether the group has a behavior with an effect.
func (l *linter) does(effect catalog.Effect) bool {
	for _, e := range l.known(l.Group) {
		if e.Does.Has(effect) {
			return true
		}
	}
	return false
}

// steers reports whether a force moves the group.
func (l *linter) steers() bool { return l.does(catalog.Steers) && !l.does(catalog.Moves) }

// motion finds groups that cannot move.
func (l *linter) motion() {
	kinematic := false
	for _, e := range l.known(l.Group) {
		kinematic = kinematic || e.Does.Has(catalog.SetsVelocity) && !e.Does.Has(catalog.TakesForces) && e.Phase <= catalog.Choose
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
