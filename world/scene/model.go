package scene

import (
	"fmt"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
)

// Model says how the agents of files steer that leave that to the simulator, as
// those of SteerBench and UMANS do. Agents of other scenes have behaviours of
// their own.
type Model string

const (
	ModelSteer Model = "steer" // seek or arrival, and avoidance of obstacles

	DefaultModel = ModelSteer
)

// models are all there are.
var models = []Model{ModelSteer}

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
	return fmt.Errorf("model is %q, want one of %q", string(m), models)
}

// modelForce is the greatest force in N, with a mass of 1 kg, of an agent whose
// file knows none.
const modelForce = 5

// behaviours returns what agents of the model have, for steps of dt seconds. It is
// the same for all files.
func (m Model) behaviours(dt float64) Group {
	gain := min(2, 1/dt) // kg/s: half a second to turn, but not more than a step allows
	return Group{
		Seek:       &c.Seek{Gain: gain},
		Arrival:    &c.Arrival{Gain: gain, SlowingRadius: 3},
		ThreatScan: &c.ThreatScan{LookAhead: 3},
		Avoidance:  &c.Avoidance{MaxForce: 4},
	}
}

// notes say what the model does not simulate.
func (m Model) notes() []string { return []string{"agents do not avoid one another"} }

// steer gives all groups of a scene the behaviours of the model: who stays at a
// goal arrives there, and others seek it.
func (s *Scene) steer(m Model) {
	s.Model = m
	s.Notes = append(m.notes(), s.Notes...)
	for i := range s.Groups {
		g, b := &s.Groups[i], m.behaviours(s.Dt)
		g.ThreatScan, g.Avoidance = b.ThreatScan, b.Avoidance
		if g.MaxForce.Zero() {
			g.MaxForce = Same(modelForce)
		}
		switch {
		case g.Goal == nil:
		case g.Goal.Then == Stay:
			g.Arrival = b.Arrival
		default:
			g.Seek = b.Seek
		}
	}
}

// Parameters says which numbers the behaviours of a model have, for steps of dt
// seconds: "seek = {gain = 2}; …", as in a scene file. It is empty for no model.
func (m Model) Parameters(dt float64) string {
	if m.check() != nil {
		return ""
	}
	var all []string
	b := m.behaviours(dt)
	for _, k := range groupKeys(&b) {
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
