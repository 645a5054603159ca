package scene

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/systems/catalog"
)

// Model names a model of how pedestrians walk to their goals among obstacles. See Models and
// Scene.SetModel.
type Model string

const (
	ModelORCA                 Model = "orca"
	ModelSteer                Model = "steer"
	ModelSocialForce1995      Model = "social-force-1995"
	ModelSocialForce2000      Model = "social-force-2000"
	ModelCollisionFreeSpeed   Model = "collision-free-speed"
	ModelAnticipationVelocity Model = "anticipation-velocity"

	DefaultModel = ModelORCA // for files that do not say how agents steer
)

// ModelInfo describes a model.
type ModelInfo struct {
	Model  Model
	Short  string  // for table headers, up to 5 characters
	Text   string  // how people walk, in one line
	Source string  // publication
	MaxDt  float64 // s, longest step for its equations; 0 means no limit

	behaviors func(dt float64) []any // for steps of dt seconds
}

var models = []ModelInfo{
	{
		Model: ModelORCA, Short: "ORCA", Text: "take the collision-free velocity nearest to the preferred one, and keep distances as people do",
		Source: "van den Berg, Guy, Lin, Manocha 2011; the rules of walking are from this project",
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

func ofCatalog(m Model, short string, component any) ModelInfo {
	e := byType[reflect.TypeOf(component)]
	return ModelInfo{
		Model: m, Short: short, Text: e.Text, Source: e.Source, MaxDt: e.MaxDt,
		behaviors: func(float64) []any { return []any{pointedAt(e.New())} },
	}
}

var solidBody = c.Solid{Push: 0.8}

// gainFor returns the gain, in kg/s, that gives an agent of 1 kg a time constant of 0.5 s or dt,
// whichever is longer.
func gainFor(dt float64) float64 { return min(2, 1/dt) }

// Models returns descriptions of all models.
func Models() []ModelInfo { return slices.Clone(models) }

// ModelNames returns the names of all models.
func ModelNames() (names []string) {
	for i := range models {
		names = append(names, string(models[i].Model))
	}
	return names
}

// Info returns the description of the model. For an unknown name, the error suggests names.
func (m Model) Info() (ModelInfo, error) {
	i := slices.IndexFunc(models, func(info ModelInfo) bool { return info.Model == m })
	if i < 0 {
		return ModelInfo{}, fmt.Errorf("model is %q, %s", string(m), suggest.OneOf(string(m), ModelNames()))
	}
	return models[i], nil
}

// UnmarshalText sets m to the model named in text.
func (m *Model) UnmarshalText(text []byte) error {
	if _, err := Model(text).Info(); err != nil {
		return err
	}
	*m = Model(text)
	return nil
}

// ModelParameters returns the parameters of Solid and of the model's behaviors in the syntax of a scene file:
// "seek = {gain = 2}; …". They come from the first group that has the behavior. The max-force of groups[0]
// follows if it is one finite number above 0. Without a model, the result is "".
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
	if len(s.Groups) == 0 {
		return strings.Join(all, "; ")
	}
	if f := s.Groups[0].MaxForce; f.All > 0 && len(f.Each) == 0 && f.Spread == nil && !math.IsInf(f.All, 1) {
		all = append(all, "max-force = "+formatNumber(f.All))
	}
	return strings.Join(all, "; ")
}

// SetModel makes all agents with targets walk according to model m. It replaces the behaviors that lead
// agents to their targets and past one another, except those that m also has, which keep their
// parameters. Of the behaviors of m, groups without targets get only ThreatScan and Avoidance. SetModel
// removes Facing if m turns agents. If m needs shorter steps, SetModel lowers Dt and raises Steps, so
// the duration stays the same. If behaviors change, it clears Try and, if Files is empty, Notes, and
// removes names that no longer exist from Featured.
//
// It returns an error, and changes nothing, if m does not exist or does not fit: no agent has a target,
// an agent follows the pointer or does something that no model does, such as flee, or lengths are in
// pixels.
func (s *Scene) SetModel(m Model) error {
	info, err := m.Info()
	if err != nil {
		return err
	}
	if why := s.noModel(); why != "" {
		return fmt.Errorf("a model needs pedestrians with targets, but in %s, %s", s.Name, why)
	}
	if s.walkBy(info) { // texts describe the former behaviors
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

func (s *Scene) steer(m Model) {
	for i := range s.Groups {
		g := &s.Groups[i]
		g.Way = Route
		g.Set(solidBody)
		if g.MaxForce.Zero() {
			g.MaxForce = Same(formats.MaxForce)
		}
	}
	if info, err := m.Info(); err == nil {
		s.walkBy(info)
	}
}

// walkBy implements SetModel, and reports whether behaviors changed.
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

func (g *Group) stays() bool { return g.Goal != nil && g.Goal.Then == Stay }

// shortenSteps divides steps longer than the limit, in s, into equal parts. A limit of 0 means none.
func (s *Scene) shortenSteps(longest float64) {
	if !longer(s.Dt, longest) {
		return
	}
	const rounding = 1e-9
	parts := math.Ceil(s.Dt/longest - rounding)
	s.Dt /= parts
	s.Steps = int(min(float64(s.Steps)*parts, maxSteps))
}

// noModel returns the reason why the scene cannot have a model, or "".
func (s *Scene) noModel() string {
	if s.InPixels() {
		return "lengths are in pixels"
	}
	going := false
	for i := range s.Groups {
		g, name := &s.Groups[i], fmt.Sprintf("agents of groups[%d]", i)
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
			if !isWalking(b) && !fitsAnyModel(e) {
				return fmt.Sprintf("%s have %s", name, e.Name)
			}
		}
		going = going || g.hasTarget()
	}
	if !going {
		return "no agent has a target"
	}
	return ""
}

func fitsAnyModel(e *catalog.Entry) bool {
	const acts = catalog.Steers | catalog.TakesForces | catalog.SetsVelocity | catalog.Moves | catalog.SetsSpeed
	return e.Name == "solid" || e.Does&acts == 0 && (e.Phase >= catalog.Move || e.Does&(catalog.SetsTarget|catalog.LimitsSpeed) != 0)
}

// isWalking reports whether b leads agents to their targets or past one another, so models replace it.
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

func isOneOf(behaviors []any, b any) bool {
	return slices.ContainsFunc(behaviors, func(a any) bool { return reflect.TypeOf(a) == reflect.TypeOf(b) })
}
