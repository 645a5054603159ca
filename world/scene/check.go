package scene

import (
	"errors"
	"fmt"
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// Limits of what a scene may ask for.
const (
	maxGroups    = 10_000
	maxObstacles = 1_000_000 // of each kind
	maxRandom    = 50_000
	maxSteps     = 100_000_000
)

// problem is something that keeps a scene from being built. It names the key of
// the scene file that it is about, such as groups[0].seek.gain.
type problem struct{ key, text string }

// check refuses what Build cannot make.
func (s *Scene) check() error {
	var all []error
	for _, p := range s.problems() {
		all = append(all, fmt.Errorf("scene %s: %s %s", s.Name, p.key, p.text))
	}
	return errors.Join(all...)
}

// problems returns what is wrong beyond the range of one number. The ranges are
// those of the world, which checks them when agents are spawned.
func (s *Scene) problems() (all []problem) {
	add := func(is bool, key, format string, args ...any) {
		if is {
			all = append(all, problem{key, fmt.Sprintf(format, args...)})
		}
	}
	if !(s.Dt > 0) || math.IsInf(s.Dt, 1) {
		return []problem{{"dt", fmt.Sprintf("is %v s, want a finite number above 0", s.Dt)}}
	}
	n := s.Agents()
	add(len(s.Groups) > maxGroups, "groups", "are %d, want at most %d", len(s.Groups), maxGroups)
	add(n < 1 || n > world.MaxAgents, "groups", "have %d agents, want 1 to %d", n, world.MaxAgents)
	if len(s.Groups) > maxGroups {
		return all
	}
	noBox := s.noBox()
	add(noBox && s.Bounds != systems.BoundsNone, "bounds", "need a box")
	s.combinationProblems(add)
	if p := s.Pointer; p != nil {
		add(len(p.Way) < 2, "pointer.way", "has %d points, want 2 or more", len(p.Way))
		add(!(p.Speed > 0) || math.IsInf(p.Speed, 1), "pointer.speed", "is %v m/s, want a finite number above 0", p.Speed)
	}
	if p := s.Obstacles.Pillars; p != nil {
		add(p.Columns < 1 || p.Rows < 1 || p.Columns > maxObstacles/p.Rows, "obstacles.pillars", "are %d × %d, want 1 to %d", p.Columns, p.Rows, maxObstacles)
		add(noBox, "obstacles.pillars", "need a box of the scene, in whose center they stand")
	}
	for i, l := range s.Lines {
		add(l.A == l.B, fmt.Sprintf("lines[%d]", i), "is from [%v, %v] to the same point, want two points that differ", l.A.X, l.A.Y)
	}
	random := 0
	for i := range s.Obstacles.Random {
		o := &s.Obstacles.Random[i]
		key := fmt.Sprintf("obstacles.random[%d]", i)
		random += min(o.Count, maxRandom)
		add(o.Count < 0 || o.Count > maxRandom || random > maxRandom, key, "is beyond %d random circles in all", maxRandom)
		add(o.Box == (r2.Box{}) && noBox, key, "needs a box, its own or that of the scene")
	}
	names := map[string]bool{"pointer": true}
	for i := range s.Groups {
		g, key := &s.Groups[i], fmt.Sprintf("groups[%d]", i)
		add(g.Name != "" && names[g.Name], key+".name", "is %q, which is taken", g.Name)
		names[g.Name] = true
		g.problems(s, noBox, func(is bool, k, format string, args ...any) {
			add(is, key+k, format, args...)
		})
	}
	return all
}

// noBox tells whether the scene has no area.
func (s *Scene) noBox() bool {
	size := vec.Sub(s.Box.Max, s.Box.Min)
	return !(size.X > 0 && size.Y > 0)
}

// problems reports what is wrong with a group.
func (g *Group) problems(s *Scene, noBox bool, add func(is bool, key, format string, args ...any)) {
	add(g.Count < 0, ".count", "is %d, want 0 or more", g.Count)
	add(g.Speed > 0 && g.Velocity != (r2.Vec{}), ".velocity", "and start-speed are both there, want one")
	add(g.At.needsBox() && noBox, ".at", "is drawn from the box of the scene, which has none: want points, ring, grid, rows, disc or rectangle, or a box of the scene")
	if g.Target != nil {
		add(g.Target.needsBox() && noBox, ".target", "is drawn from the box of the scene, which has none: want points, ring, grid, rows, disc or rectangle, or a box of the scene")
		add(g.TargetPointer || g.TargetGroup != "", ".target", "is a place and something to follow, want one")
	}
	add((g.TargetPointer || g.FleePointer) && s.Pointer == nil, either(g.TargetPointer, ".target", ".flee.from"), "is a pointer, but the scene has no pointer")
	for _, b := range []struct{ key, name string }{{".quarry", g.Quarry}, {".pursuer", g.Pursuer}} {
		add(b.name == pointerName && s.Pointer == nil, b.key, "is a pointer, but the scene has no pointer")
	}
	g.needs(s, add)
	smooth, slows := Behavior[c.SmoothArrival](g)
	add(slows && !(smooth.Min < smooth.Max), ".smooth-arrival.max", "is %v m, want above min, %v", smooth.Max, smooth.Min)
	if path, is := Behavior[c.Path](g); is {
		add(int(path.Index) >= len(s.Paths), ".path.index", "is %d, but the scene has %d paths, counted from 0", path.Index, len(s.Paths))
		add(slows && !(path.Reached > smooth.Min), ".path.reached",
			"is %v m, want above %v, the distance at which smooth arrival stops", path.Reached, smooth.Min)
	}
	if s.Scan != systems.ScanExact && has[c.ThreatScan](g) {
		add(g.Radius.most() > 0, ".radius", "is %v m, but the configured scan knows only agents that are points", g.Radius)
		o := &s.Obstacles
		add(len(o.Walls)+len(o.Polygons)+len(o.Boxes) > 0, ".threat-scan", "is by probes or nearest-first, which know only circles, but there are other obstacles")
	}
	g.stops(s, add)
	g.gains(s, add)
}

// needs reports a behavior without what it cannot do without.
func (g *Group) needs(s *Scene, add func(is bool, key, format string, args ...any)) {
	for _, b := range []struct {
		has  bool
		name string
	}{
		{has[c.Seek](g), "seek"}, {has[c.KinematicSeek](g), "kinematic-seek"}, {has[c.Arrival](g), "arrival"},
		{has[c.OpposingArrival](g), "opposing-arrival"}, {has[c.DampedArrival](g), "damped-arrival"},
		{has[c.SmoothArrival](g), "smooth-arrival"}, {has[c.TurnTowards](g), "turn-towards"}, {g.Goal != nil, "goal"},
	} {
		add(b.has && !g.hasTarget(), "."+b.name, "needs a target or a path")
	}
	add((g.FleePointer || g.FleeGroup != "") && !has[c.Flee](g), ".flee", "is missing, but there is something to flee from")
	add(has[c.TurnAway](g) && !has[c.Flee](g), ".turn-away", "needs flee, which says from what")
	add(has[c.Avoidance](g) && !has[c.ThreatScan](g), ".avoidance", "needs threat-scan, which finds what to avoid")
	add(g.Goal != nil && g.Goal.Then == Wander && g.Target == nil && g.hasTarget(), ".goal.then", "is \"wander\", which needs a target that is a place")
	add(g.Goal != nil && g.Goal.Then == Repeat && len(g.Itineraries) == 0, ".goal.then", "is \"repeat\", which needs itineraries")
	add(has[c.Pursuit](g) && g.Quarry == "", ".pursuit", "needs quarry, which says whom")
	add(has[c.OffsetPursuit](g) && g.Quarry == "", ".offset-pursuit", "needs quarry, which says whom")
	add(has[c.Evasion](g) && g.Pursuer == "", ".evasion", "needs pursuer, which says whom")
	for _, b := range []struct{ key, name string }{
		{".target", g.TargetGroup}, {".flee.from", g.FleeGroup}, {".quarry", g.Quarry}, {".pursuer", g.Pursuer},
	} {
		add(b.name != "" && b.name != pointerName && s.group(b.name) < 0, b.key, "is %q, want \"pointer\" or the name of a group", b.name)
	}
}

// gains reports a gain that would remove more than the whole error in a step.
func (g *Group) gains(s *Scene, add func(is bool, key, format string, args ...any)) {
	mass := 1.
	if !g.Mass.Zero() {
		mass = g.Mass.least()
	}
	for _, b := range g.Behaviors {
		name, gain := "", 0.
		switch b := b.(type) {
		case c.Seek:
			name, gain = "seek", b.Gain
		case c.Flee:
			name, gain = "flee", b.Gain
		case c.Arrival:
			name, gain = "arrival", b.Gain
		case c.SmoothArrival:
			name, gain = "smooth-arrival", b.Gain
		case c.Pursuit:
			name, gain = "pursuit", b.Gain
		case c.Evasion:
			name, gain = "evasion", b.Gain
		case c.OffsetPursuit:
			name, gain = "offset-pursuit", b.Gain
		case c.Wander:
			name, gain = "wander", b.Gain
		case c.Containment:
			name, gain = "containment", b.Gain
		case c.WallFollowing:
			name, gain = "wall-following", b.Gain
		case c.Separation:
			name, gain = "separation", b.Gain
		case c.Alignment:
			name, gain = "alignment", b.Gain
		case c.Cohesion:
			name, gain = "cohesion", b.Gain
		case c.UnalignedCollisionAvoidance:
			name, gain = "unaligned-collision-avoidance", b.Gain
		default:
			continue
		}
		add(!(gain*s.Dt/mass >= 0 && gain*s.Dt/mass <= 1), "."+name+".gain", "is %v kg/s, want 0 to mass/dt = %v", gain, mass/s.Dt)
	}
}

// needsBox tells whether the places are drawn in the box of the scene.
func (p *Place) needsBox() bool { return p.drawn() && p.Disc == nil && p.Box == (r2.Box{}) }
