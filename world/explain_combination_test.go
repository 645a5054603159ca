package world_test

import (
	"testing"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world/scene"
	"github.com/mlange-42/arche/ecs"
)

// TestExplainCombinedScenes verifies for every built-in scene, in one of the combinations
// or the other, that an agent is after the step where Explain said, to the last bit.
func TestExplainCombinedScenes(t *testing.T) {
	t.Parallel()
	for i, name := range scene.Names() {
		mode := []systems.Combination{systems.CombinePriority, systems.CombineDithering}[i%2]
		t.Run(mode.String()+"/"+name, func(t *testing.T) {
			s, err := scene.Named(name)
			must(t, err)
			if s.Agents() > 50 {
				s.Resize(50)
			}
			s.Combination, s.Priority = mode, []string{"seek"}
			w, err := s.Build(scene.Options{Workers: 2})
			must(t, err)
			defer w.Close()
			all := agentsOf(w)
			follow(t, w, 20, func(step int) []ecs.Entity {
				return []ecs.Entity{all[0], all[len(all)-1], all[step*7%len(all)]}
			})
		})
	}
}
