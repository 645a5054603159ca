package scene

import (
	"strings"
	"testing"
)

// An opening is named if some bodies fit and others do not, whatever it is between.
func TestLintOpenings(t *testing.T) {
	group := "[[groups]]\nat = [-4, 0]\nmax-speed = 1\nseek = {}\ntarget = [5, 0]\ngoal = {radius = 1, then = \"leave\"}\nradius = {uniform = [0.18, 0.23]}\n"
	for _, tc := range []struct{ name, obstacles, want string }{
		{"walls", "walls = [{from = [0, -5], to = [0, -0.3], radius = 0.1}, {from = [0, 0.3], to = [0, 5], radius = 0.1}]", "at [0, 0] is 0.4 m wide, and bodies are up to 0.46 m"},
		{"boxes", "boxes = [{box = [[0, -5], [0.2, -0.2]]}, {box = [[0, 0.2], [0.2, 5]]}]", "is 0.4 m wide"},
		{"polygons", "polygons = [[[0, -5], [1, -5], [1, -0.2]], [[1, 0.2], [1, 5], [0, 5]]]", "at [1, 0] is 0.4 m wide"},
		{"a wide door", "walls = [{from = [0, -5], to = [0, -0.4], radius = 0.1}, {from = [0, 0.4], to = [0, 5], radius = 0.1}]", ""},
		{"too narrow for all", "walls = [{from = [0, -5], to = [0, -0.2], radius = 0.1}, {from = [0, 0.2], to = [0, 5], radius = 0.1}]", ""},
		{"walls that meet", "walls = [{from = [0, -5], to = [0, 0]}, {from = [0, 0], to = [5, 0]}]", ""},
		{"one behind the other", "walls = [{from = [0, -5], to = [0, -0.2]}, {from = [0, 0.2], to = [0, 5]}, {from = [-1, 0], to = [1, 0]}]", ""},
	} {
		s, err := Read(strings.NewReader("[obstacles]\n"+tc.obstacles+"\n"+group), "openings.toml")
		if err != nil {
			t.Fatal(tc.name, err)
		}
		got := strings.Join(s.Lint(), "\n")
		if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
			t.Errorf("%s: got=%q, want=%q", tc.name, got, tc.want)
		}
	}
}
