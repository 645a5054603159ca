package explain

import (
	"math"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestText has cases that do not occur in built-in scenes.
func TestText(t *testing.T) {
	turn, speed, flee := -0.5, 0.25, r2.Vec{X: 3}
	for _, test := range []struct {
		x    world.Explanation
		want []string
	}{
		{world.Explanation{
			ID: 7, Dt: 1, MovedBy: "Drive", MaxForce: 5, MaxSpeed: 2, Force: r2.Vec{X: 2e9}, Leaves: true,
			Shares: []world.Share{
				{Behavior: "Steering", Force: &world.ForceShare{Newtons: r2.Vec{X: 2e9}}},
				{Behavior: "FleeFrom", Target: &flee},
				{Behavior: "Bounds", Position: &flee, Velocity: &r2.Vec{X: 1e-15}, Turn: &turn},
				{Behavior: "SmoothArrival", Speed: &speed, MaxSpeed: &speed},
			},
			Skipped: []string{"Drive"}, LeftOut: []string{"Wind"},
			Components: []world.Component{{Name: "Tag"}, {Name: "Place", Fields: []world.Field{{Name: "At", Value: "(0.30000000000000004, -1.23456789e-07)"}}}},
		}, []string{
			"Steering 2.00e+09 0.00e+00 2.00e+09 0.0 100.0", "flees from (3, 0) m",
			"position by (3, 0) m, velocity by (0, 0) m/s, turns by -28.65°", "speed by +0.25 m/s, maximum speed by +0.25 m/s",
			"the force, 2e+09 N, is not applied, because Integration does not move the agent", "Drive did not change the agent", "Wind may change the agent too",
			"At (0.3, -1.234568e-07)",
		}},
		{world.Explanation{
			Looks: []world.Look{
				{Behavior: "Separation", Reach: 1.5},
				{Behavior: "Alignment", Reach: 4, View: 3 * math.Pi / 2, Facing: r2.Vec{Y: 1}, Seen: []sense.Neighbor{{ID: 3}, {ID: 17}}},
				{Behavior: "Cohesion", Reach: 4, View: 2 * math.Pi, Seen: make([]sense.Neighbor, 20)},
			},
			Reciprocal: &systems.Reciprocal{Preferred: r2.Vec{X: 1}, Chosen: r2.Vec{Y: -0.5}, HalfPlanes: make([]systems.HalfPlane, 3)},
		}, []string{
			"neighbors Separation considers 0 within 1.5 m",
			"Alignment considers 2 within 4 m, in a field of 270° centered on 90.0°: 3, 17",
			"Cohesion considers 20 within 4 m: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, …",
			"choice prefers (1, 0) m/s and, with 3 half-planes of agents and walls, chooses (0, -0.5) m/s, which violates those of other agents least: no velocity satisfies all",
		}},
		{world.Explanation{Path: &systems.PathStatus{Remaining: 12.5}}, []string{"path 12.5 m to go"}},
		{world.Explanation{Path: &systems.PathStatus{Remaining: math.Inf(1), Unreachable: true}}, []string{"path none: obstacles or closed doors block every path"}},
		{world.Explanation{LookAhead: 5, Combination: systems.CombinePriority, Arrives: true}, []string{
			"threat none within 5 m ahead", "combination by priority: there is no force", "truncation none, because there is no force", "moved by nothing", "arrives in this step",
		}},
	} {
		text := textOf(t, &test.x)
		for _, want := range test.want {
			if !strings.Contains(text, want) {
				t.Errorf("got=\n%s\nwant in it: %s", text, want)
			}
		}
	}
}

func TestNoNegativeZero(t *testing.T) {
	testkit.Equal(t, fixedText(-1e-9, 3), "0.000", "text")
}

func textOf(t *testing.T, x *world.Explanation) string {
	t.Helper()
	var b strings.Builder
	testkit.Must(t, Write(&b, "a scene", x))
	return strings.Join(strings.Fields(b.String()), " ")
}

func TestWalkingText(t *testing.T) {
	for _, tc := range []struct {
		walking *systems.Walking
		want    string // empty means no text
	}{
		{nil, ""},
		{&systems.Walking{Free: 1.5, Speed: 1.5, Why: "free", Gap: math.Inf(1)}, "walking prefers 1.5 m/s alone, 1.5 m/s here: nothing slows it"},
		{&systems.Walking{Free: 1.5, Speed: 0.5, Why: "gap", Other: 17, Gap: 0.25, Density: 1}, "1.5 m/s alone, 0.5 m/s here: the gap to agent 17 ahead is 0.25 m"},
		{&systems.Walking{Free: 1.5, Why: "gap", Other: 17, Gap: -0.1}, "1.5 m/s alone, 0 m/s here: the gap to agent 17 ahead is 0 m"},
		{&systems.Walking{Free: 1.5, Speed: 0.5, Why: "density", Other: 17, Gap: 3, Density: 2.5}, "here: the density ahead is 2.5 people/m²"},
		{&systems.Walking{Free: 1.5, Speed: 1.5, Why: "oncoming", Other: 4, Gap: math.Inf(1)}, "here: agent 4 comes toward it"},
		{&systems.Walking{Free: 1.5, Speed: 1.2, Why: "overtaking left", Other: 4, Gap: 0.5}, "here: it overtakes agent 4 on the left, at a gap of 0.5 m"},
		{&systems.Walking{Free: 1.5, Speed: 1.5, Why: "free", Inertia: true}, "here: nothing slows it; it cannot accelerate to that at once"},
	} {
		got := textOf(t, &world.Explanation{Reciprocal: &systems.Reciprocal{Walking: tc.walking}})
		if !strings.Contains(got, tc.want+" choice") || tc.want == "" && strings.Contains(got, "walking") {
			t.Errorf("%+v: got=\n%s\nwant in it: %q, or nothing about walking if this is empty", tc.walking, got, tc.want)
		}
	}
}
