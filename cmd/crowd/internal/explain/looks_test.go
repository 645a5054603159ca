package explain

import (
	"math"
	"strings"
	"testing"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestLooksText verifies how it is written whom an agent sees.
func TestLooksText(t *testing.T) {
	many := make([]sense.Neighbor, 20)
	x := &world.Explanation{Looks: []world.Look{
		{Behavior: "Separation", Reach: 1.5},
		{Behavior: "Alignment", Reach: 4, View: 3 * math.Pi / 2, Facing: r2.Vec{Y: 1}, Seen: []sense.Neighbor{{ID: 3}, {ID: 17}}},
		{Behavior: "Cohesion", Reach: 4, View: 2 * math.Pi, Seen: many},
	}}
	x.Reciprocal = &systems.Reciprocal{Preferred: r2.Vec{X: 1}, Chosen: r2.Vec{Y: -0.5}, HalfPlanes: make([]systems.HalfPlane, 3)}
	var b strings.Builder
	if err := Write(&b, "a scene", x); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"neighbors Separation minds 0 within 1.5 m",
		"Alignment minds 2 within 4 m, in 270 ° about 90.0 °: 3, 17",
		"Cohesion minds 20 within 4 m: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, …",
		"choice prefers (1, 0) m/s; 3 half-planes of others and walls, chooses (0, -0.5) m/s, which violates those of other agents least: nothing is in all of them",
	} {
		if !strings.Contains(inOneLine(b.String()), want) {
			t.Errorf("got=\n%s\nwant=\n%s", b.String(), want)
		}
	}
}
