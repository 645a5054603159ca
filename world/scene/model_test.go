package scene

import (
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestModels(t *testing.T) {
	path := dynamicFile(t, "quick")
	for _, info := range Models() {
		m := info.Model
		s := opened(t, path, OpenOptions{Model: m})
		if s.Model != m || has[c.Arrival](&s.Groups[0]) || !has[c.Solid](&s.Groups[0]) || s.Groups[0].Way != Route {
			t.Errorf("%s: got=%+v, want agents that do not stay, with solid bodies and routes", m, s.Groups[0])
		}
		for _, b := range info.behaviors(s.Dt) {
			if _, arrives := b.(c.Arrival); !arrives && !isOneOf(s.Groups[0].Behaviors, b) {
				t.Errorf("%s: got=%+v, want=behaviors that include %+v", m, s.Groups[0].Behaviors, b)
			}
		}
		if got := s.ModelParameters(); !strings.Contains(got, "max-force = 5") || !strings.Contains(got, "solid = {push = 0.8}") {
			t.Errorf("%s: parameters: got=%s, want max-force = 5 and solid = {push = 0.8} among them", m, got)
		}
		sameAgain(t, s, 100)
	}
	s, err := Open(path, OpenOptions{})
	if err != nil || s.Model != DefaultModel || !has[c.Seek](&s.Groups[0]) {
		t.Errorf("no model given: got=%v, error %v, want=%v", s.Model, err, DefaultModel)
	}
	if got := s.ModelParameters(); !strings.HasPrefix(got, "seek = {gain = 2}; orca = {") {
		t.Errorf("default model: parameters: got=%s, want seek and orca first", got)
	}
}

func TestSetModel(t *testing.T) {
	for _, name := range []string{"evacuation", "bottleneck", "crossing", "concert", "antipodal", "office", "floors", "city", "maze", "siege", "queue", "plaza", "rvo-circle", "rvo-blocks", "formation"} {
		for _, info := range Models() {
			own := loaded(t, name)
			s := own.Clone()
			if err := s.SetModel(info.Model); err != nil {
				t.Errorf("%s by %s: got=%v, want=no error", name, info.Model, err)
				continue
			}
			for i := range s.Groups {
				g, was := &s.Groups[i], &own.Groups[i]
				for _, b := range g.Behaviors {
					if isWalking(b) && !isOneOf(info.behaviors(s.Dt), b) {
						t.Errorf("%s by %s: groups[%d]: got=%+v among the behaviors, want=no behavior of another model", name, info.Model, i, b)
					}
				}
				kept := *g
				kept.Behaviors = was.Behaviors
				if !reflect.DeepEqual(kept, *was) {
					t.Errorf("%s by %s: groups[%d]: got=%+v, want=%+v", name, info.Model, i, kept, *was)
				}
			}
			if err := s.check(); err != nil {
				t.Errorf("%s by %s: got=%v, want=no error", name, info.Model, err)
			}
			if length := float64(s.Steps) * s.Dt; math.Abs(length-float64(own.Steps)*own.Dt) > 1e-6 || info.MaxDt > 0 && s.Dt > info.MaxDt {
				t.Errorf("%s by %s: got=%v s in steps of %v s, want=%v s in steps that the model allows", name, info.Model, length, s.Dt, float64(own.Steps)*own.Dt)
			}
		}
	}
	s := loaded(t, "evacuation")
	own := s.Clone()
	noError(t, s.SetModel(ModelORCA))
	own.Model = ModelORCA
	if !reflect.DeepEqual(s, own) {
		t.Errorf("the model that the scene has: got=%+v, want=%+v", s, own)
	}
	if err := s.SetModel(ModelSteer); err != nil || s.Try != "" || !slices.Equal(s.Featured, []string{"max-speed"}) {
		t.Errorf("another model: got=%v, try %q, featured %v, want=no error, try \"\", featured [max-speed]", err, s.Try, s.Featured)
	}
}

func TestShorterSteps(t *testing.T) {
	for _, tc := range []struct {
		dt, longest, want float64
		steps             int
	}{{0.1, 0, 0.1, 60}, {0.1, 0.1, 0.1, 60}, {0.1, 0.2, 0.1, 60}, {0.1, 0.05, 0.05, 120}, {0.1, 0.04, 0.1 / 3, 180}, {1. / 30, 1. / 120, 1. / 120, 240}} {
		s := Scene{Dt: tc.dt, Steps: 60}
		s.shortenSteps(tc.longest)
		testkit.Equal(t, fmt.Sprint(s.Dt, s.Steps), fmt.Sprint(tc.want, tc.steps), "%v: dt, steps", tc)
	}
}

func TestScenesWithoutModel(t *testing.T) {
	none := &Scene{Name: "void", Dt: 0.1, Groups: []Group{{Count: 1}}}
	follows := &Scene{Name: "dog", Dt: 0.1, Groups: []Group{{Count: 1, TargetPointer: true, Behaviors: []any{c.Seek{Gain: 1}}}}}
	scenes := []*Scene{none, follows}
	for _, name := range []string{"seek", "boids", "predators", "leader", "hide"} {
		s := loaded(t, name)
		scenes = append(scenes, s)
	}
	for i, want := range []string{
		"void, no agent has a target", "dog, agents of groups[0] follow the pointer", "seek, lengths are in pixels", "boids, agents of groups[0] (birds) have wander",
		"predators, agents of groups[0] (predators) have quarry", "leader, agents of groups[1] (visitors) have leader-following", "hide, agents of groups[1] (hiders) have hiding",
	} {
		s := scenes[i]
		before := s.Clone()
		testkit.Equal(t, fmt.Sprint(s.SetModel(ModelORCA)), "a model needs pedestrians with targets, but in "+want, "error")
		if !reflect.DeepEqual(s, before) {
			t.Errorf("%s: got=a changed scene, want=the same scene", s.Name)
		}
	}
	refused(t, none.SetModel("waltz"), `model is "waltz", want one of`, "unknown model")
}

func TestOpenModel(t *testing.T) {
	for _, name := range []string{"plaza", dynamicFile(t, "quick"), filepath.Join(t.TempDir(), "none.toml")} {
		refused(t, failure(Open(name, OpenOptions{Model: "waltz"})), `model is "waltz", want one of`, "%s", name)
	}
	if s, err := Open("plaza", OpenOptions{}); err != nil || s.Model != "" || s.ModelParameters() != "" {
		t.Errorf("built-in scene: got=%q, %v, want no model", s.Model, err)
	}
	if s, err := Open("plaza", OpenOptions{Model: ModelSteer}); err != nil || s.Model != ModelSteer || s.ModelParameters() == "" {
		t.Errorf("built-in scene: got=%+v, %v, want the model", s, err)
	}
	refused(t, failure(Open("boids", OpenOptions{Model: ModelSteer})), "a model needs pedestrians", "boids")
}

// crossed runs a scene until all remaining agents are within the goal radius of their targets at the
// same time, for up to most steps. It returns the number of steps, the number of agents there or gone,
// and the deepest overlap of bodies in m.
func crossed(t *testing.T, s *Scene, workers, most int) (steps, there int, deepest float64) {
	t.Helper()
	w := builtWith(t, s, Options{Workers: workers, Safety: true})
	var goals []r2.Vec
	for i := range s.Groups {
		g := &s.Groups[i]
		for k := range g.Count {
			goals = append(goals, g.Target.at(s, nil, nil, k, g.Count, 0, 0, useTarget))
		}
	}
	for steps < most && there < len(goals) {
		noError(t, w.Step())
		steps, there = steps+1, len(goals)
		agents(w, func(id uint64, p, _, _ r2.Vec) {
			if vec.Norm(vec.Sub(goals[id-1], p)) > s.Groups[0].Goal.Radius.All {
				there--
			}
		})
	}
	testkit.Equal(t, w.Stats().Skipped, 0, "skipped")
	return steps, there, w.Stats().AgentCollisions.MaxPenetration
}

// RVO2 takes 3,547 and 7,186 steps for these scenes, with up to 0.66 m and 0.09 m of penetration.
func TestRVOScenes(t *testing.T) {
	t.Parallel()
	type run struct {
		scene *Scene
		seed  uint64
		steps int
	}
	all := []run{{loaded(t, "rvo-circle"), 1, 3000}, {loaded(t, "rvo-blocks"), 1, 2500}}
	if *full {
		all = append(all, run{loaded(t, "rvo-circle"), 2, 3000}, run{loaded(t, "rvo-circle"), 5, 3000}, run{loaded(t, "antipodal"), 1, 3500})
	}
	for _, tc := range all {
		tc.scene.Seed = tc.seed
		steps, there, deepest := crossed(t, tc.scene, 2, tc.steps)
		t.Logf("%s, seed %d: %d of %d after %d steps, penetration %.2g m", tc.scene.Name, tc.seed, there, tc.scene.Agents(), steps, deepest)
		if there != tc.scene.Agents() || deepest > 1e-6 {
			t.Errorf("%s, seed %d: got=%d of %d after %d steps, penetration %v m, want=all after %d steps at most, with 1e-6 m at most",
				tc.scene.Name, tc.seed, there, tc.scene.Agents(), steps, deepest, tc.steps)
		}
	}
}

const twoForces = `
[[groups]]
at = [0, 0]
target = [9, 0]
max-speed = 1
max-force = 2
seek = {}
wander = {distance = 1, radius = 1, rate = 1}
`

func TestReadCombination(t *testing.T) {
	for _, tc := range []struct {
		text     string
		mode     systems.Combination
		priority []string
		chances  []float64
		warning  string // part of the only warning; empty means none
	}{
		{"", systems.CombineSum, nil, nil, ""},
		{`combination = "priority"`, systems.CombinePriority, nil, nil, ""},
		{"combination = \"dithering\"\npriority = [\"wander\", \"seek\"]\nchances = [0.25, 0.5]", systems.CombineDithering, []string{"wander", "seek"}, []float64{0.25, 0.5}, ""},
		{"combination = \"dithering\"\nchances = [0.75]", systems.CombineDithering, nil, []float64{0.75}, ""},
		{`priority = ["seek"]`, 0, []string{"seek"}, nil, "priority is not used"},
		{`chances = [0.5]`, 0, nil, []float64{0.5}, "chances is not used"},
		{"combination = \"dithering\"\nchances = [1]", systems.CombineDithering, nil, []float64{1}, "no behavior after it ever steers"},
	} {
		s := mustRead(t, tc.text+twoForces)
		if s.Combination != tc.mode || !reflect.DeepEqual(s.Priority, tc.priority) || !reflect.DeepEqual(s.Chances, tc.chances) {
			t.Errorf("%s: got=%v, %v, %v, want=%v, %v, %v", tc.text, s.Combination, s.Priority, s.Chances, tc.mode, tc.priority, tc.chances)
		}
		if got := strings.Join(s.Lint(), "\n"); tc.warning == "" && got != "" || !strings.Contains(got, tc.warning) || strings.Contains(got, "\n") {
			t.Errorf("%s: warnings: got=%q, want=one with %q, or none if that is empty", tc.text, got, tc.warning)
		}
	}
	s := mustRead(t, "combination = \"priority\"\n"+strings.Replace(twoForces, "max-force = 2", "", 1))
	if got := strings.Join(s.Lint(), "\n"); !strings.Contains(got, "no group has a max-force") {
		t.Errorf("without max-force: got=%q, want=a warning that no group has a max-force", got)
	}
}

func TestModes(t *testing.T) {
	seen := map[uint64]string{}
	for _, tc := range []struct {
		name   string
		change func(*Scene)
	}{
		{"sum", func(*Scene) {}},
		{"priority", func(s *Scene) { s.Combination = systems.CombinePriority }},
		{"another order", func(s *Scene) { s.Combination, s.Priority = systems.CombinePriority, []string{"wander"} }},
		{"dithering", func(s *Scene) { s.Combination = systems.CombineDithering }},
		{"another chance", func(s *Scene) { s.Combination, s.Chances = systems.CombineDithering, []float64{0.75} }},
		{"seed", func(s *Scene) { s.Seed = 2 }},
		{"prediction", func(s *Scene) { s.Prediction = systems.PredictBearing }},
		{"faithful walls", func(s *Scene) { s.FaithfulWalls = true }},
		{"zones", func(s *Scene) { s.Zones = []systems.Zone{{Box: s.Box, Speed: 0.5, SpeedUp: 1}} }},
	} {
		s := &Scene{
			Name: "modes", Seed: 1, Dt: 0.1, Steps: 50, Box: box(0, 0, 20, 20),
			Groups: []Group{
				{Name: "a", Count: 3, At: Place{Points: []r2.Vec{{X: 15, Y: 15}}}, Velocity: r2.Vec{X: 1, Y: 2}, MaxSpeed: Same(3), MaxForce: Same(2), Target: &Place{Points: []r2.Vec{{X: 19, Y: 10}}},
					Behaviors: []any{c.Seek{Gain: 1}, c.Wander{Gain: 1, Distance: 1, Radius: 1, Rate: 1}, c.Containment{Gain: 5, Horizon: 1}}},
				{Count: 1, At: Place{Points: []r2.Vec{{X: 5, Y: 5}}}, Velocity: r2.Vec{X: 1}, MaxSpeed: Same(3), MaxForce: Same(9),
					References: map[string]string{"quarry": "a"}, Behaviors: []any{c.Quarry{}, c.Pursuit{Gain: 1, Horizon: 5}}},
			},
		}
		tc.change(s)
		hash := hashAfter(t, s, 50)
		if other, is := seen[hash]; is {
			t.Errorf("%s: got=the same run as %s, want=a different run", tc.name, other)
		}
		seen[hash] = tc.name
	}
}
