package systems_test

import (
	"fmt"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// The guard goes to the midpoint between two agents.
func ExampleInterpose() {
	interpose := &systems.Interpose{}
	steering := make([]c.Steering, 1)
	interpose.Run(frame.BatchOf(frame.Clock{Dt: 1}, interpose,
		frame.Over([]c.Position{{}}),
		frame.Over([]c.Velocity{{}}),
		frame.Over([]c.Limits{{MaxSpeed: 5, MaxForce: 10}}),
		frame.Over([]c.Interpose{{
			Gain: 1, First: c.TrackedEntity{At: r2.Vec{Y: 8}, Seen: true}, Second: c.TrackedEntity{At: r2.Vec{X: 6}, Seen: true},
		}}),
		frame.Over(steering),
	))
	fmt.Printf("%.1f N\n", steering[0].Vec)
	// Output: {3.0 4.0} N
}

func TestInterposeUnseen(t *testing.T) {
	for _, seen := range [][2]bool{{false, true}, {true, false}} {
		s, steering := &systems.Interpose{}, make([]c.Steering, 1)
		s.Run(frame.BatchOf(frame.Clock{Dt: 1}, s,
			frame.Over(make([]c.Position, 1)), frame.Over(make([]c.Velocity, 1)), frame.Over([]c.Limits{{MaxSpeed: 5}}),
			frame.Over([]c.Interpose{{Gain: 1, First: c.TrackedEntity{At: r2.Vec{Y: 8}, Seen: seen[0]}, Second: c.TrackedEntity{At: r2.Vec{X: 6}, Seen: seen[1]}}}),
			frame.Over(steering)))
		testkit.Equal(t, steering[0].Vec, r2.Vec{}, "seen: %v", seen)
	}
}

func TestInterposeNeedsTwo(t *testing.T) {
	const text = `
box = [[0, 0], [40, 30]]
groups = [
	{name = "star", at = [10, 20], velocity = [1, 0], max-speed = 1},
	{name = "guard", at = [2, 2], max-speed = 3, interpose = {first = "star", horizon = 5, slowing-radius = 2}},
]
`
	if _, err := scene.Read(strings.NewReader(text), "guard.toml", scene.OpenOptions{}); err == nil || !strings.Contains(err.Error(), "second") {
		t.Errorf("without the second one: got=%v, want=an error that names second", err)
	}
}
