package scene

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/catalog"
)

// SetModel lets all groups of the scene walk by a model: it takes the place of what leads
// them to their targets and past one another. Targets, itineraries and ways, goals, delays,
// sources, bodies and speeds stay as they are, and so do behaviors that are of the model
// already, with their numbers. Steps become shorter where the model needs that, and more, so
// that they last as long as before.
//
// The error says why a scene cannot have a model: nobody in it has a place to go to, somebody
// does what no model does, such as to flee, or its lengths are pixels. Then nothing changes.
func (s *Scene) SetModel(m Model) error {
	info, err := m.Info()
	if err != nil {
		return err
	}
	if why := s.noModel(); why != "" {
		return fmt.Errorf("a model is for people with places to go to, and in %s %s", s.Name, why)
	}
	if s.walkBy(info) { // what it says of how they walk no longer holds
		s.Try = ""
		if len(s.Files) == 0 {
			s.Notes = nil
		}
		s.Featured = slices.DeleteFunc(s.Featured, func(name string) bool {
			_, wrong := s.findKeys(name)
			return wrong != ""
		})
	}
	return nil
}

// modelForce is the greatest force in N, with a mass of 1 kg, of an agent whose file knows
// none.
const modelForce = 5

// steer lets agents of a file walk by a model that leaves to the simulator how they do:
// they find the shortest way, and their bodies are solid. Who has no goal goes its way, and
// avoids obstacles at most.
func (s *Scene) steer(m Model) {
	for i := range s.Groups {
		g := &s.Groups[i]
		g.Way = Route
		g.Set(solidBody)
		if g.MaxForce.Zero() {
			g.MaxForce = Same(modelForce)
		}
	}
	if info, err := m.Info(); err == nil {
		s.walkBy(info)
	}
}

// walkBy gives all groups the behaviors of a model, takes those of others from them, and
// reports whether that changed anything.
func (s *Scene) walkBy(info ModelInfo) (changed bool) {
	s.Model = info.Model
	s.shortenSteps(info.MaxDt)
	given := info.behaviors(s.Dt)
	turns := slices.ContainsFunc(given, func(b any) bool { return s.entry(b).Does.Has(catalog.Turns) })
	for i := range s.Groups {
		g := &s.Groups[i]
		had := len(g.Behaviors)
		g.Behaviors = slices.DeleteFunc(slices.Clone(g.Behaviors), func(b any) bool {
			_, faces := b.(c.Facing)
			return isWalking(b) && !isOneOf(given, b) || faces && turns
		})
		changed = changed || len(g.Behaviors) < had
		seeks, arrives := has[c.Seek](g), has[c.Arrival](g)
		for _, b := range given {
			take := g.hasTarget() && g.index(reflect.TypeOf(b)) < 0
			switch b.(type) {
			case c.ThreatScan, c.Avoidance:
				take = g.index(reflect.TypeOf(b)) < 0
			case c.Arrival:
				take = take && !seeks && g.stays()
			case c.Seek:
				take = take && !arrives && !g.stays()
			}
			if take {
				g.Set(b)
				changed = true
			}
		}
	}
	s.sortBehaviors()
	return changed
}

// stays reports whether the agents of the group stay at their goals.
func (g *Group) stays() bool { return g.Goal != nil && g.Goal.Then == Stay }

// shortenSteps cuts steps that are longer than a time in seconds into equal parts; 0: any
// are short enough.
func (s *Scene) shortenSteps(longest float64) {
	if !longer(s.Dt, longest) {
		return
	}
	const rounding = 1e-9
	parts := math.Ceil(s.Dt/longest - rounding)
	s.Dt /= parts
	s.Steps = int(min(float64(s.Steps)*parts, maxSteps))
}

// noModel says why the scene can't have a model; nothing if it can.
func (s *Scene) noModel() string {
	if s.InPixels() {
		return "lengths are pixels"
	}
	somebody := false
	for i := range s.Groups {
		g, name := &s.Groups[i], fmt.Sprintf("groups[%d]", i)
		if g.Name != "" {
			name += fmt.Sprintf(" (%s)", g.Name)
		}
		if g.Count == 0 {
			continue
		}
		if g.TargetPointer {
			return name + " follow the pointer"
		}
		for b, e := range s.known(g) {
			if !isWalking(b) && !leadsOrStays(e) {
				return fmt.Sprintf("%s have %s", name, e.Name)
			}
		}
		somebody = somebody || g.hasTarget()
	}
	if !somebody {
		return "nobody has one"
	}
	return ""
}

// leadsOrStays reports whether a behavior goes with any model: it chooses targets and ways, says
// how fast people may be, turns their heads, or is about bodies and arriving.
func leadsOrStays(e *catalog.Entry) bool {
	const acts = catalog.Steers | catalog.TakesForces | catalog.SetsVelocity | catalog.Moves | catalog.SetsSpeed
	return e.Name == "solid" || e.Does&acts == 0 && (e.Phase >= catalog.Move || e.Does&(catalog.SetsTarget|catalog.LimitsSpeed) != 0)
}

// isWalking reports whether a behavior leads people to their targets and past one another, and so
// is what a model takes the place of.
func isWalking(b any) bool {
	if _, body := b.(c.Solid); body {
		return false
	}
	for i := range models {
		if isOneOf(models[i].behaviors(1), b) {
			return true
		}
	}
	return isOneOf([]any{c.KinematicSeek{}, c.OpposingArrival{}, c.DampedArrival{}, c.Queueing{}, c.Containment{}, c.WallFollowing{}}, b)
}

// isOneOf reports whether a behavior is of the type of one of some.
func isOneOf(behaviors []any, b any) bool {
	return slices.ContainsFunc(behaviors, func(a any) bool { return reflect.TypeOf(a) == reflect.TypeOf(b) })
}
