package scene

import (
	"reflect"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

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
