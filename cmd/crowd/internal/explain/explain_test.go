package explain

import (
	"strings"
	"testing"

	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestExplanationText verifies how accounts are written that no built-in scene has.
func TestExplanationText(t *testing.T) {
	turn, speed, flee := -0.5, 0.25, r2.Vec{X: 3}
	x := &world.Explanation{
		ID: 7, Dt: 1, MovedBy: "Drive", MaxForce: 5, MaxSpeed: 2, Force: r2.Vec{X: 2e9}, Leaves: true,
		Shares: []world.Share{
			{Behavior: "Steering", Force: &world.ForceShare{Newtons: r2.Vec{X: 2e9}}},
			{Behavior: "FleeFrom", Target: &flee},
			{Behavior: "Bounds", Position: &flee, Velocity: &r2.Vec{X: 1e-15}, Turn: &turn},
			{Behavior: "SmoothArrival", Speed: &speed, MaxSpeed: &speed},
		},
		Skipped: []string{"Drive"}, LeftOut: []string{"Wind"},
		Components: []world.Component{{Name: "Tag"}, {Name: "Place", Fields: []world.Field{{Name: "At", Value: "(0.30000000000000004, -1.23456789e-07)"}}}},
	}
	var b strings.Builder
	if err := Write(&b, "test", x); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Steering 2.00e+09 0.00e+00 2.00e+09 0.0 100.0", "flees from (3, 0) m",
		"position by (3, 0) m, velocity by (0, 0) m/s, turns by -28.65 °", "speed by +0.25 m/s, greatest speed by +0.25 m/s",
		"the 2e+09 N are not applied, because Integration does not move the agent", "Drive left the agent as it is", "Wind may change the agent too",
		"At (0.3, -1.234568e-07)",
	} {
		if !strings.Contains(inOneLine(b.String()), want) {
			t.Errorf("text lacks %q:\n%s", want, b.String())
		}
	}
}

// inOneLine returns a text without what lays it out.
func inOneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
