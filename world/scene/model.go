package scene

import (
	"fmt"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/suggest"
)

// Model says how the agents of files steer that leave that to the simulator, as
// those of SteerBench, UMANS and Vadere do. Agents of other scenes have behaviors of
// their own.
type Model string

const (
	ModelORCA   Model = "orca"   // seek or arrival, and ORCA, as people walk, with solid bodies
	ModelPeople Model = "people" // the same, but looking less far, as in a throng and at doors
	ModelSteer  Model = "steer"  // seek or arrival, and Reynolds' rules: avoidance of obstacles and of one another, separation; solid bodies

	DefaultModel = ModelORCA
)

// models are all there are.
var models = []Model{ModelORCA, ModelPeople, ModelSteer}

// Models returns the names of all, with commas between them.
func Models() string {
	var all []string
	for _, m := range models {
		all = append(all, string(m))
	}
	return strings.Join(all, ",")
}

func (m Model) check() error {
	if slices.Contains(models, m) {
		return nil
	}
	return fmt.Errorf("model is %q, %s", string(m), suggest.OneOf(string(m), strings.Split(Models(), ",")))
}

// UnmarshalText reads the name of a model.
func (m *Model) UnmarshalText(text []byte) error {
	model := Model(text)
	if err := model.check(); err != nil {
		return err
	}
	*m = model
	return nil
}

// modelForce is the greatest force in N, with a mass of 1 kg, of an agent whose
// file knows none.
const modelForce = 5

// behaviors returns what agents of the model have, for steps of dt seconds. It is
// the same for all files.
func (m Model) behaviors(dt float64) Group {
	gain := min(2, 1/dt) // kg/s: half a second to turn, but not more than a step allows
	g := Group{Behaviors: []any{c.Seek{Gain: gain}, c.Arrival{Gain: gain, SlowingRadius: 3}, c.CrowdedGoal{Share: 0.3, Patience: 2}, c.Solid{Push: 0.8}}}
	switch m {
	case ModelORCA, ModelPeople:
		orca := c.ORCA{Gain: gain, TimeHorizon: 3, TimeHorizonObst: 1, NeighborDist: 8, MaxNeighbors: 24, Priority: 1}
		if m == ModelPeople {
			orca.TimeHorizon, orca.TimeHorizonObst, orca.NeighborDist = 1, 0.5, 3
		}
		g.Set(orca)
		g = g.walking()
	case ModelSteer:
		g.Set(
			c.ThreatScan{LookAhead: 2}, c.Avoidance{MaxForce: 4},
			c.UnalignedCollisionAvoidance{Gain: gain, Horizon: 5, NeighborDist: 10, Clearance: 0.1},
			c.Separation{Gain: min(3, 1/dt), NeighborDist: 2})
	}
	return g
}

// steer gives all groups of a scene the behaviors of the model: who stays at a
// goal arrives there, others seek it. Who has none goes its way, and neither comes
// back to it nor avoids others.
func (s *Scene) steer(m Model) {
	s.Model = m
	for i := range s.Groups {
		g, all := &s.Groups[i], m.behaviors(s.Dt)
		g.Way = Route
		for _, b := range all.Behaviors {
			switch b.(type) {
			case c.CrowdedGoal:
			case c.Arrival:
				if g.Goal != nil && g.Goal.Then == Stay {
					g.Set(b)
				}
			case c.Seek:
				if g.Goal != nil && g.Goal.Then != Stay {
					g.Set(b)
				}
			case c.ORCA, c.FollowingDistance, c.FundamentalDiagram, c.Passing, c.Inertia, c.UnalignedCollisionAvoidance, c.Separation:
				if g.Goal != nil {
					g.Set(b)
				}
			default:
				g.Set(b)
			}
		}
		if g.MaxForce.Zero() {
			g.MaxForce = Same(modelForce)
		}
	}
}

// Parameters says which numbers the behaviors of a model have, for steps of dt
// seconds: "seek = {gain = 2}; …", as in a scene file. It is empty for no model.
func (m Model) Parameters(dt float64) string {
	if m.check() != nil {
		return ""
	}
	var all []string
	b := m.behaviors(dt)
	for _, k := range new(Scene).groupKeys(&b) {
		if k.inside == nil || k.isReset() {
			continue
		}
		var numbers []string
		for _, k := range k.inside() {
			var w writer
			k.write(&w)
			numbers = append(numbers, k.name+" = "+w.String())
		}
		all = append(all, k.name+" = {"+strings.Join(numbers, ", ")+"}")
	}
	return strings.Join(append(all, "max-force = "+formatNumber(modelForce)), "; ")
}
