package scene

import (
	"errors"
	"fmt"
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	maxGroups    = 10_000
	maxObstacles = 1_000_000 // of each kind except doors and random circles
	maxPortals   = 100
	maxZones     = 1000
	maxRandom    = 50_000
	maxSteps     = 100_000_000
	maxFeatured  = 5
)

// problem is an error at a key of the scene file, such as groups[0].seek.gain.
type problem struct{ key, text string }

func (s *Scene) check() error {
	if err := s.checkCatalog(); err != nil {
		return fmt.Errorf("scene %s: %w", s.Name, err)
	}
	var all []error
	for _, p := range slices.Concat(s.problems(), s.featuredProblems()) {
		all = append(all, fmt.Errorf("scene %s: %s %s", s.Name, p.key, p.text))
	}
	return errors.Join(all...)
}

// problems returns what is wrong with the scene. It checks few ranges of single numbers; the world checks
// the others when it spawns agents.
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
	add(len(s.Groups) > maxGroups, "groups", "contains %d tables, want at most %d", len(s.Groups), maxGroups)
	add(n < 1 || n > world.MaxAgents, "groups", "has %d agents, want 1 to %d", n, world.MaxAgents)
	if len(s.Groups) > maxGroups {
		return all
	}
	noBox := s.noBox()
	add(noBox && s.Bounds != systems.BoundsNone, "bounds", "needs a box")
	s.combinationProblems(add)
	if p := s.Pointer; p != nil {
		add(len(p.Way) < 2, "pointer.way", "is a list of length %d, want 2 or more points", len(p.Way))
		add(!(p.Speed > 0) || math.IsInf(p.Speed, 1), "pointer.speed", "is %v m/s, want a finite number above 0", p.Speed)
	}
	if p := s.Obstacles.Pillars; p != nil {
		add(p.Columns < 1 || p.Rows < 1 || p.Columns > maxObstacles/p.Rows, "obstacles.pillars", "is %d × %d, want 1 to %d in all", p.Columns, p.Rows, maxObstacles)
		add(noBox, "obstacles.pillars", "needs a scene with a box, because the pillars stand in its center")
	}
	for i, l := range s.Lines {
		add(l.A == l.B, fmt.Sprintf("lines[%d]", i), "is from [%v, %v] to the same point, want two different points", l.A.X, l.A.Y)
	}
	i, fault := sense.Portals(s.Portals).Fault()
	add(fault != "", fmt.Sprintf("portals[%d]", i), "%s", fault)
	add(len(s.Zones) > maxZones, "zones", "contains %d tables, want at most %d", len(s.Zones), maxZones)
	for i := range s.Zones {
		part, fault := s.Zones[i].Fault()
		add(fault != "", fmt.Sprintf("zones[%d].%s", i, part), "%s", fault)
	}
	random := 0
	for i := range s.Obstacles.Random {
		o := &s.Obstacles.Random[i]
		key := fmt.Sprintf("obstacles.random[%d]", i)
		random += min(o.Count, maxRandom)
		add(o.Count < 0 || o.Count > maxRandom || random > maxRandom, key, "has %d circles, want 0 or more, and at most %d in all", o.Count, maxRandom)
		add(o.Box == (r2.Box{}) && noBox, key, "needs a box of its own, or a scene with a box")
	}
	names := map[string]bool{"pointer": true}
	for i := range s.Groups {
		g, key := &s.Groups[i], fmt.Sprintf("groups[%d]", i)
		add(g.Name != "" && names[g.Name], key+".name", "is %q, which is taken", g.Name)
		names[g.Name] = true
		report := func(is bool, k, format string, args ...any) { add(is, key+k, format, args...) }
		g.formProblems(s, noBox, report)
		g.numberProblems(s, report)
	}
	return all
}

func (s *Scene) noBox() bool {
	size := vec.Sub(s.Box.Max, s.Box.Min)
	return !(size.X > 0 && size.Y > 0)
}

const wantPlace = "needs points, ring, grid, rows, disc, rectangle or exits, or a scene with a box"

func (g *Group) formProblems(s *Scene, noBox bool, add func(is bool, key, format string, args ...any)) {
	add(g.Count < 0, ".count", "is %d, want 0 or more", g.Count)
	add(g.Speed > 0 && g.Velocity != (r2.Vec{}), ".velocity", "and start-speed are both set, want one")
	add(g.At.needsBox() && noBox, ".at", wantPlace)
	if g.Target != nil {
		add(g.Target.needsBox() && noBox, ".target", wantPlace)
		add(g.TargetPointer || g.TargetGroup != "", ".target", "is a place and something to follow, want one of them")
	}
	g.sourceProblems(s, add)
	g.others(s, add)
	g.needs(s, add)
	g.stops(s, add)
}

func (g *Group) numberProblems(s *Scene, add func(is bool, key, format string, args ...any)) {
	g.behaviorProblems(s, add)
	smooth, slows := Behavior[c.SmoothArrival](g)
	path, follows := Behavior[c.Path](g)
	add(follows && slows && !(path.Reached > smooth.Min), ".path.reached",
		"is %v m, want above %v m, the distance at which smooth arrival stops", path.Reached, smooth.Min)
	if s.Scan != systems.ScanExact && has[c.ThreatScan](g) {
		add(g.Radius.Most() > 0, ".radius", "is %v m, but the configured scan supports only agents without a radius", g.Radius)
		o := &s.Obstacles
		add(len(o.Walls)+len(o.Doors)+len(o.Polygons)+len(o.Boxes) > 0, ".threat-scan", "uses probes or nearest-first, which support only circles, but there are other obstacles")
	}
}

func (p *Place) needsBox() bool {
	return p.drawn() && p.Disc == nil && p.Box == (r2.Box{}) && len(p.Exits) == 0
}
