package scene

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"gonum.org/v1/gonum/spatial/r2"
)

// Lint returns warnings, one line each, about settings that are allowed but known to fail. It does not run
// the scene.
func (s *Scene) Lint() []string {
	l := &linter{Scene: s, found: slices.Concat(s.combinations(), s.longSteps(), s.strayDoors())}
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
			l.warn(has[c.Solid](l.Group) && l.Radius.Zero(), "solid agents have no radius, so solid acts only on their centers; add radius")
		}
	}
	return l.found
}

func (s *Scene) lint(file string) (all []string) {
	for _, text := range s.Lint() {
		all = append(all, file+": "+text)
	}
	return all
}

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

func (l *linter) speed() float64 {
	if drive, ok := Behavior[c.Drive](l.Group); ok {
		return max(drive.Speed, drive.TopSpeed)
	}
	return l.MaxSpeed.Most()
}

func (l *linter) stride() float64 { return l.speed() * l.Dt }

func (l *linter) does(effect catalog.Effect) bool {
	for _, e := range l.known(l.Group) {
		if e.Does.Has(effect) {
			return true
		}
	}
	return false
}

func (l *linter) steers() bool { return l.does(catalog.Steers) && !l.does(catalog.Moves) }

func (l *linter) motion() {
	kinematic := false
	for _, e := range l.known(l.Group) {
		kinematic = kinematic || e.Does.Has(catalog.SetsVelocity) && !e.Does.Has(catalog.TakesForces) && e.Phase <= catalog.Choose
	}
	still := l.Group.Speed == 0 && l.Velocity == (r2.Vec{})
	l.warn(!l.steers() && !kinematic && !has[c.Drive](l.Group) && still,
		"nothing moves the agents: give them a behavior such as seek, or a start-speed")
	l.warn(!has[c.Drive](l.Group) && (l.steers() || kinematic) && l.MaxSpeed.Most() == 0,
		"max-speed is 0, so agents never move")
	l.warn(l.steers() && l.MaxForce.Most() == 0,
		"max-force is 0, so no behavior can steer the agents; leave max-force out for no limit")
	l.warn((has[c.OpposingArrival](l.Group) || has[c.DampedArrival](l.Group)) && !l.steers() && !has[c.KinematicSeek](l.Group) && still,
		"opposing-arrival and damped-arrival turn a velocity but never create one: an agent at rest stays at rest; add a start-speed")
}

// mostPosts limits the check of openings, which compares all pairs of posts.
const mostPosts = 1000

type post struct {
	at     r2.Vec
	radius float64
	of     int // number of the obstacle
}

// openings finds the first opening through which only some agents of the group fit.
func (l *linter) openings() {
	least, most := 2*l.Radius.least(), 2*l.Radius.Most()
	if !(least > 0 && least < most) {
		return
	}
	posts, sides := l.posts()
	if len(posts) > mostPosts {
		return
	}
	for i, p := range posts {
		for _, q := range posts[:i] {
			way := vec.Sub(q.at, p.at)
			width := vec.Norm(way) - p.radius - q.radius
			if p.of == q.of || width < least || width >= most {
				continue
			}
			middle := vec.AddScaled(vec.Scale(0.5, vec.Add(p.at, q.at)), float64((p.radius-q.radius)/2), vec.Unit(way))
			if clearance(middle, sides) < 0.49*width {
				continue // another obstacle is nearer
			}
			l.warn(true, "an opening at [%.4g, %.4g] is %.4g m wide, and bodies are up to %.4g m wide: the largest ones stop in front of it and block other agents; widen it, or lower radius", middle.X, middle.Y, width, most)
			return
		}
	}
}

func (s *Scene) posts() (posts []post, sides []Wall) {
	obstacle := 0
	outline := func(corners []r2.Vec) {
		for i, p := range corners {
			posts = append(posts, post{p, 0, obstacle})
			sides = append(sides, Wall{A: p, B: corners[(i+1)%len(corners)]})
		}
		obstacle++
	}
	o := &s.Obstacles
	for _, w := range o.Walls {
		posts = append(posts, post{w.A, w.Radius, obstacle}, post{w.B, w.Radius, obstacle})
		sides = append(sides, w)
		obstacle++
	}
	for _, p := range o.Polygons {
		outline(p)
	}
	for i := range o.Boxes {
		outline(o.Boxes[i].corners())
	}
	return posts, sides
}

func clearance(p r2.Vec, sides []Wall) float64 {
	nearest := math.Inf(1)
	for _, w := range sides {
		along, to := vec.Sub(w.B, w.A), vec.Sub(p, w.A)
		u := 0.
		if l2 := vec.Norm2(along); l2 > 0 {
			u = min(max(vec.Dot(to, along)/l2, 0), 1)
		}
		nearest = min(nearest, vec.Norm(vec.Sub(to, vec.Scale(u, along)))-w.Radius)
	}
	return nearest
}

// GoesToPlaces reports whether agents have goals at fixed places and can be held up on the way: they are
// solid or have ORCA, and neither refer to other agents or the pointer, nor follow paths, flock or wander.
func (g *Group) GoesToPlaces() bool {
	avoids, _ := Behavior[c.ORCA](g)
	if g.Count == 0 || g.Goal == nil || g.Goal.Then == Wander || !has[c.Solid](g) && avoids.Gain == 0 || len(g.References) > 0 {
		return false
	}
	if g.Target == nil && len(g.Itineraries) == 0 || g.TargetPointer || g.TargetGroup != "" {
		return false
	}
	for _, stops := range g.Itineraries {
		if slices.ContainsFunc(stops, func(stop systems.Stop) bool { return stop.GoesBy() || stop.Endless() != "" }) {
			return false
		}
	}
	for _, b := range g.Behaviors {
		switch b.(type) {
		case c.Wander, c.Cohesion, c.Alignment:
			return false
		}
		if e := byType[reflect.TypeOf(b)]; e != nil && e.Does.Has(catalog.SetsTarget) {
			return false
		}
	}
	return true
}
