package scene

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/suggest"
)

// Model is the name of a model of how people walk to their goals, among obstacles and one
// another. See Models and Scene.SetModel.
type Model string

// The models.
const (
	ModelORCA                 Model = "orca"
	ModelSteer                Model = "steer"
	ModelSocialForce1995      Model = "social-force-1995"
	ModelSocialForce2000      Model = "social-force-2000"
	ModelCollisionFreeSpeed   Model = "collision-free-speed"
	ModelAnticipationVelocity Model = "anticipation-velocity"

	DefaultModel = ModelORCA // of files that leave to the simulator how agents steer
)

// ModelInfo says what a model is.
type ModelInfo struct {
	Model  Model
	Short  string  // in the heads of tables: at most 5 letters
	Text   string  // what people do, in one line
	Source string  // where it was published
	MaxDt  float64 // s, the longest step with which its equations are solved; 0: any

	behaviors func(dt float64) []any // of people with a place to go to, for steps of dt seconds
}

// models are all there are.
var models = []ModelInfo{
	{
		Model: ModelORCA, Short: "ORCA", Text: "take the collision-free velocity nearest to the preferred one, and keep distances as people do",
		Source: "van den Berg, Guy, Lin, Manocha 2011; the rules of people are of this project",
		behaviors: func(dt float64) []any {
			return append([]any{
				c.Seek{Gain: gainFor(dt)}, c.Arrival{Gain: gainFor(dt), SlowingRadius: 3},
				c.ORCA{Gain: gainFor(dt), TimeHorizon: 3, TimeHorizonObst: 1, NeighborDist: 8, MaxNeighbors: 24, Priority: 1},
			}, Walking()...)
		},
	},
	{
		Model: ModelSteer, Short: "steer", Text: "avoid obstacles and agents that they would hit, and keep apart, by forces; bodies are solid",
		Source: "Reynolds 1999",
		behaviors: func(dt float64) []any {
			return []any{
				c.Seek{Gain: gainFor(dt)}, c.Arrival{Gain: gainFor(dt), SlowingRadius: 3}, solidBody,
				c.ThreatScan{LookAhead: 2}, c.Avoidance{MaxForce: 4},
				c.UnalignedCollisionAvoidance{Gain: gainFor(dt), Horizon: 5, NeighborDist: 10, Clearance: 0.1},
				c.Separation{Gain: min(3, 1/dt), NeighborDist: 2},
			}
		},
	},
	ofCatalog(ModelSocialForce1995, "SF95", c.SocialForce1995{}),
	ofCatalog(ModelSocialForce2000, "SF00", c.SocialForce2000{}),
	ofCatalog(ModelCollisionFreeSpeed, "CFS", c.CollisionFreeSpeed{}),
	ofCatalog(ModelAnticipationVelocity, "AVM", c.AnticipationVelocity{}),
}

// ofCatalog returns a model that is a behavior of the catalog, with the numbers of its source.
func ofCatalog(m Model, short string, component any) ModelInfo {
	e := byType[reflect.TypeOf(component)]
	return ModelInfo{
		Model: m, Short: short, Text: e.Text, Source: e.Source, MaxDt: e.MaxDt,
		behaviors: func(float64) []any { return []any{pointedAt(e.New())} },
	}
}

// solidBody keeps people out of walls and apart.
var solidBody = c.Solid{Push: 0.8}

// gainFor is a gain in kg/s, with a mass of 1 kg: half a second to turn, but not more than a
// step of dt seconds allows.
func gainFor(dt float64) float64 { return min(2, 1/dt) }

// Models returns what there is to know of all models.
func Models() []ModelInfo { return slices.Clone(models) }

// ModelNames returns the names of all models.
func ModelNames() (names []string) {
	for i := range models {
		names = append(names, string(models[i].Model))
	}
	return names
}

// Info says what the model is. The error lists the names of all.
func (m Model) Info() (ModelInfo, error) {
	i := slices.IndexFunc(models, func(info ModelInfo) bool { return info.Model == m })
	if i < 0 {
		return ModelInfo{}, fmt.Errorf("model is %q, %s", string(m), suggest.OneOf(string(m), ModelNames()))
	}
	return models[i], nil
}

// UnmarshalText reads the name of a model.
func (m *Model) UnmarshalText(text []byte) error {
	if _, err := Model(text).Info(); err != nil {
		return err
	}
	*m = Model(text)
	return nil
}

// ModelParameters says which numbers the behaviors of the scene's model have: "seek = {gain = 2};
// …", as in a scene file. Of behaviors that differ from group to group it has those of the
// first. It is empty for a scene without a model.
func (s *Scene) ModelParameters() string {
	info, err := s.Model.Info()
	if err != nil {
		return ""
	}
	var given Group
	for i := range s.Groups {
		for _, b := range s.Groups[i].Behaviors {
			if (isOneOf(info.behaviors(s.Dt), b) || isOneOf([]any{solidBody}, b)) && !isOneOf(given.Behaviors, b) {
				given.Set(b)
			}
		}
	}
	var all []string
	for _, k := range new(Scene).groupKeys(&given) {
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
	if f := s.Groups[0].MaxForce; f.All > 0 && len(f.Each) == 0 && f.Spread == nil && !math.IsInf(f.All, 1) {
		all = append(all, "max-force = "+formatNumber(f.All))
	}
	return strings.Join(all, "; ")
}
