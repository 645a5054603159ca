package scene

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// TestProblems is the table of what a scene that was not read from a file may not
// ask for.
func TestProblems(t *testing.T) {
	box := r2.Box{Max: r2.Vec{X: 40, Y: 30}}
	for _, tc := range []struct {
		change func(*Scene)
		want   string // "" if it may
	}{
		{func(*Scene) {}, ""},
		{func(s *Scene) { s.Groups[0].Count = -1 }, "groups[0].count is -1, want 0 or more"},
		{func(s *Scene) { s.Groups[0].Count = 0 }, ""},
		{func(s *Scene) { s.Obstacles.Random = []RandomCircles{{Count: -1}} }, "obstacles.random[0] is beyond 50000 random circles in all"},
		{func(s *Scene) { s.Obstacles.Random = []RandomCircles{{Count: 0}} }, ""},
		{func(s *Scene) { s.Obstacles.Random = []RandomCircles{{Count: 50_001}} }, "obstacles.random[0] is beyond 50000"},
		{func(s *Scene) { s.Obstacles.Random = []RandomCircles{{Count: 50_000}, {Count: 1}} }, "obstacles.random[1] is beyond 50000"},
		{func(s *Scene) { s.Obstacles.Pillars = &Pillars{Columns: -1, Rows: 1} }, "obstacles.pillars are -1 × 1, want 1 to 1000000"},
		{func(s *Scene) { s.Obstacles.Pillars = &Pillars{Columns: 1, Rows: -1} }, "obstacles.pillars are 1 × -1, want 1 to 1000000"},
		{func(s *Scene) { s.Obstacles.Pillars = &Pillars{Columns: 1, Rows: 0} }, "obstacles.pillars are 1 × 0, want 1 to 1000000"},
	} {
		s := &Scene{Name: "made", Dt: 0.1, Steps: 1, Box: box, Groups: []Group{{Count: 1}, {Count: 5}}}
		tc.change(s)
		err := s.check()
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.HasPrefix(err.Error(), "scene made: "+tc.want)) {
			t.Errorf("got=%v, want=%q", err, tc.want)
		}
	}
}
