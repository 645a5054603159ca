package scene

import (
	"math"
	"slices"
	"testing"

	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// crossed runs a scene until all agents that have not left are within the radius of
// their targets at the same time, and returns how many steps that took and how deep bodies of the
// given radius got into one another.
func crossed(t *testing.T, s *Scene, workers, most int) (steps, there int, deepest float64) {
	t.Helper()
	w, err := s.Build(Options{Workers: workers})
	noError(t, err)
	defer w.Close()
	body, near := s.Groups[0].Radius.All, s.Groups[0].Goal.Radius.All
	var goals []r2.Vec
	for i := range s.Groups {
		g := &s.Groups[i]
		for k := range g.Count {
			goals = append(goals, g.Target.at(s, nil, nil, k, g.Count, 0, 0, useTarget))
		}
	}
	var at []r2.Vec
	for steps < most {
		noError(t, w.Step())
		steps, there, at = steps+1, 0, at[:0]
		agents(w, func(id uint64, p, _, _ r2.Vec) {
			at = append(at, p)
			if vec.Norm(vec.Sub(goals[id-1], p)) <= near {
				there++
			}
		})
		there += len(goals) - len(at)
		deepest = max(deepest, penetration(at, body))
		if there == len(goals) {
			break
		}
	}
	if n := w.Stats().Skipped; n != 0 {
		t.Errorf("skipped: got=%d, want=0", n)
	}
	return steps, there, deepest
}

// penetration returns the greatest one of bodies of the same radius.
func penetration(at []r2.Vec, radius float64) float64 {
	slices.SortFunc(at, func(a, b r2.Vec) int { return int(math.Copysign(1, a.X-b.X)) })
	deepest := 0.
	for i := range at {
		for k := i + 1; k < len(at) && at[k].X-at[i].X < 2*radius; k++ {
			deepest = max(deepest, 2*radius-vec.Norm(vec.Sub(at[k], at[i])))
		}
	}
	return deepest
}

// TestRVOScenes verifies that all arrive in fewer steps and with less penetration than
// those of RVO2 itself, which takes 3,547 steps with up to 0.66 m and 7,186 steps
// with up to 0.09 m; and, with -full, for other seeds, and that the people of antipodal arrive.
func TestRVOScenes(t *testing.T) {
	t.Parallel()
	type run struct {
		scene *Scene
		seed  uint64
		steps int
	}
	all := []run{{rvoCircle(), 1, 3000}, {rvoBlocks(), 1, 2500}}
	if *full {
		all = append(all, run{rvoCircle(), 2, 3000}, run{rvoCircle(), 5, 3000}, run{antipodal(), 1, 3500})
	}
	for _, tc := range all {
		tc.scene.Seed = tc.seed
		steps, there, deepest := crossed(t, tc.scene, 2, tc.steps)
		t.Logf("%s, seed %d: %d of %d after %d steps, penetration %.2g m", tc.scene.Name, tc.seed, there, tc.scene.Agents(), steps, deepest)
		if there != tc.scene.Agents() || deepest > 1e-6 {
			t.Errorf("%s, seed %d: got=%d of %d after %d steps, penetration %v m, want=all after %d at most, 1e-6 m",
				tc.scene.Name, tc.seed, there, tc.scene.Agents(), steps, deepest, tc.steps)
		}
	}
}
