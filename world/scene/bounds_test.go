package scene

import (
	"fmt"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
)

// edged is a hall of 16 x 8 m that bounds hold together: a wall across it with a door, and a corridor
// of 1 m along the upper edge. The way round the ends of the wall, outside, is shorter for most.
const edged = `
box = [[0, 0], [16, 8]]
bounds = %q
duration = 60
obstacles.walls = [{from = [8, 0], to = [8, 3.5]}, {from = [8, 4.5], to = [8, 7]}]
[[groups]]
count = 12
at = {rectangle = [[1, 0.3], [6, 7.7]]}
target = {rectangle = [[14, 0], [16, 2]]}
way = %q
goal = {radius = 0.5, then = "leave"}
radius = 0.2
max-speed = 1.4
max-force = 6
arrival = {gain = 2, slowing-radius = 3}
separation = {gain = 1, neighbor-dist = 0.6, max-neighbors = 8}
solid = {push = 0.5}
`

// TestWaysWithinBounds verifies that agents that bounds hold arrive by ways within the bounds, as they
// do with walls around them, and that no route leads outside.
func TestWaysWithinBounds(t *testing.T) {
	for _, bounds := range []string{"clamp", "bounce"} {
		for _, way := range []string{"route", "field", "quickest"} {
			s, err := Read(strings.NewReader(fmt.Sprintf(edged, bounds, way)), "edged.toml")
			noError(t, err)
			w, err := s.Build(Options{Workers: 1})
			noError(t, err)
			defer w.Close()
			routed := ecs.All(ecs.ComponentID[c.Route](w.ECS))
			for range 25 * 60 {
				noError(t, w.Step())
				for q := w.ECS.Query(&routed); q.Next(); {
					for _, p := range w.Inspect().Path(q.Entity()) {
						if vec.Clamp(p, s.Box) != p {
							t.Fatalf("%s, %s: got=a way by %v, want=within %v", bounds, way, p, s.Box)
						}
					}
				}
			}
			if got := w.Stats().ArrivedOnce; got != 12 {
				t.Errorf("%s, %s: arrived: got=%d after 25 s, want=12", bounds, way, got)
			}
		}
	}
}
