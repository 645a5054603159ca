package scene

import (
	"cmp"
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/8f878440/crowd/internal/suggest"
	"gonum.org/v1/gonum/spatial/r2"
)

// settings are the numbers of a scene that Set changes, in all groups that have
// them. Each returns how many groups that were.
var settings = map[string]func(g *Group, x float64) bool{
	"radius":    func(g *Group, x float64) bool { g.Radius = Same(x); return true },
	"mass":      func(g *Group, x float64) bool { g.Mass = Same(x); return true },
	"max-speed": func(g *Group, x float64) bool { g.MaxSpeed = Same(x); return true },
	"max-force": func(g *Group, x float64) bool { g.MaxForce = Same(x); return true },
	"start-speed": func(g *Group, x float64) bool {
		g.Speed, g.Velocity = x, r2.Vec{}
		return true
	},
	"gain":           setGain,
	"slowing-radius": setSlowingRadius,
	"look-ahead":     func(g *Group, x float64) bool { return put(g.ThreatScan != nil, func() { g.ThreatScan.LookAhead = x }) },
	"avoidance":      func(g *Group, x float64) bool { return put(g.Avoidance != nil, func() { g.Avoidance.MaxForce = x }) },
	"goal-radius":    func(g *Group, x float64) bool { return put(g.Goal != nil, func() { g.Goal.Radius = Same(x) }) },
	"flee-radius":    func(g *Group, x float64) bool { return put(g.Flee != nil, func() { g.Flee.Radius = x }) },
	"facing":         func(g *Group, x float64) bool { return put(g.Facing != nil, func() { g.Facing.Rate = x }) },
	"turn-rate":      setTurnRate,
	"drive-speed": func(g *Group, x float64) bool {
		return put(g.Drive != nil, func() { g.Drive.Speed, g.Drive.TopSpeed = x, x })
	},
}

// put calls set if the group has what is to be set, and returns whether it has.
func put(has bool, set func()) bool {
	if has {
		set()
	}
	return has
}

func setGain(g *Group, x float64) bool {
	has := put(g.Seek != nil, func() { g.Seek.Gain = x })
	has = put(g.KinematicSeek != nil, func() { g.KinematicSeek.Gain = x }) || has
	has = put(g.Flee != nil, func() { g.Flee.Gain = x }) || has
	has = put(g.Arrival != nil, func() { g.Arrival.Gain = x }) || has
	has = put(g.OpposingArrival != nil, func() { g.OpposingArrival.Gain = x }) || has
	has = put(g.DampedArrival != nil, func() { g.DampedArrival.Gain = x }) || has
	has = put(g.Pursuit != nil, func() { g.Pursuit.Gain = x }) || has
	has = put(g.Evasion != nil, func() { g.Evasion.Gain = x }) || has
	has = put(g.OffsetPursuit != nil, func() { g.OffsetPursuit.Gain = x }) || has
	has = put(g.Wander != nil, func() { g.Wander.Gain = x }) || has
	has = put(g.Containment != nil, func() { g.Containment.Gain = x }) || has
	has = put(g.WallFollowing != nil, func() { g.WallFollowing.Gain = x }) || has
	has = put(g.Separation != nil, func() { g.Separation.Gain = x }) || has
	has = put(g.Alignment != nil, func() { g.Alignment.Gain = x }) || has
	has = put(g.Cohesion != nil, func() { g.Cohesion.Gain = x }) || has
	has = put(g.Unaligned != nil, func() { g.Unaligned.Gain = x }) || has
	has = put(g.ORCA != nil, func() { g.ORCA.Gain = x }) || has
	return put(g.SmoothArrival != nil, func() { g.SmoothArrival.Gain = x }) || has
}

func setSlowingRadius(g *Group, x float64) bool {
	has := put(g.Arrival != nil, func() { g.Arrival.SlowingRadius = x })
	has = put(g.OpposingArrival != nil, func() { g.OpposingArrival.SlowingRadius = x }) || has
	return put(g.DampedArrival != nil, func() { g.DampedArrival.SlowingRadius = x }) || has
}

func setTurnRate(g *Group, x float64) bool {
	has := put(g.TurnTowards != nil, func() { g.TurnTowards.Rate = x })
	return put(g.TurnAway != nil, func() { g.TurnAway.Rate = x }) || has
}

// Settings returns the names that Set knows.
func Settings() []string {
	var names []string
	for name := range settings {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Set changes a number in all groups of the scene that have it, such as
// "look-ahead" to 5. It is an error if there is no such number or no such group.
func (s *Scene) Set(name string, x float64) error {
	set, ok := settings[name]
	if !ok {
		hint := cmp.Or(suggest.DidYouMean(name, Settings()), "want one of "+strings.Join(Settings(), ", "))
		return fmt.Errorf("nothing is named %q, %s", name, hint)
	}
	if math.IsNaN(x) {
		return fmt.Errorf("%s is %v, want a number", name, x)
	}
	if name == "mass" && !(x > 0) { // in a Group, 0 is an agent without Mass
		return fmt.Errorf("mass is %v kg, want a number above 0", x)
	}
	done := false
	for i := range s.Groups {
		done = set(&s.Groups[i], x) || done
	}
	if !done {
		return fmt.Errorf("%s: no agent of scene %s has it", name, s.Name)
	}
	return nil
}
