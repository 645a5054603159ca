package picture

import (
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestPathsOf verifies which paths are closed.
func TestPathsOf(t *testing.T) {
	s := &scene.Scene{Paths: [][]r2.Vec{{{X: 1}}, {{X: 2}}}, Groups: []scene.Group{
		{}, {Behaviors: []any{components.Path{Index: 0}}}, {Behaviors: []any{components.Path{Index: 1, Loop: true}}}}}
	w, err := world.New(world.Config{Dt: 1})
	testkit.Must(t, err)
	for i, path := range newCamera(s, w).paths {
		if want := i == 1; path.Loop != want || path.Points[0] != s.Paths[i][0] {
			t.Errorf("path %d: got=%+v, want closed %v", i, path, want)
		}
	}
}

// TestDoorsAndGoals verifies that pictures show doors, open and closed, and the goals of fields: boxes
// with the group that goes there, points as targets.
func TestDoorsAndGoals(t *testing.T) {
	s, err := scene.Read(strings.NewReader(`
box = [[0, 0], [20, 10]]
[obstacles]
doors = [{from = [5, 0], to = [5, 2]}, {from = [5, 8], to = [5, 10], open = true}]
[[groups]]
at = [1, 1]
max-speed = 1
start-speed = 1
[[groups]]
at = [1, 2]
radius = 0.2
max-speed = 1
target = {rectangle = [[18, 4], [20, 6]]}
way = "field"
seek = {}
[[groups]]
at = [1, 3]
radius = 0.2
max-speed = 1
target = [19, 9]
way = "quickest"
seek = {}
`), "x.toml", scene.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Build(scene.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	cam, err := NewCamera(s, w, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	crowd := &Crowd{}
	for range 2 { // the memory is used again
		cam.Take(crowd, 0)
		if len(crowd.Doors) != 2 || crowd.Doors[0].Open || !crowd.Doors[1].Open || crowd.Doors[1].B != (r2.Vec{X: 5, Y: 10}) {
			t.Errorf("doors: got=%+v", crowd.Doors)
		}
		if len(crowd.Obstacles) != 1 {
			t.Errorf("obstacles: got=%d, want=1, the closed door", len(crowd.Obstacles))
		}
		if want := (Goal{Box: r2.NewBox(18, 4, 20, 6), Group: 1}); !slices.Equal(crowd.Goals, []Goal{want}) {
			t.Errorf("goals: got=%+v, want=%+v", crowd.Goals, want)
		}
		if want := []r2.Vec{{X: 19, Y: 9}}; !slices.Equal(crowd.Targets, want) {
			t.Errorf("targets: got=%v, want=%v", crowd.Targets, want)
		}
	}
}

// TestCaptionCountsWhoIsThere verifies that the caption of a picture says how many of the agents
// are in the scene, if others have not come yet or have left.
func TestCaptionCountsWhoIsThere(t *testing.T) {
	s, err := scene.Read(strings.NewReader(`
dt = 0.1
box = [[0, 0], [9, 9]]
[[groups]]
at = {rectangle = [[1, 1], [8, 8]]}
count = 4
max-speed = 1
start-speed = 1
source = {schedule = [{at = 0, count = 1}, {at = 100, count = 3}]}
[[groups]]
at = [5, 5]
max-speed = 1
start-speed = 1
`), "x.toml", scene.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Build(scene.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	cam, err := NewCamera(s, w, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.Step()
	var crowd Crowd
	if cam.Take(&crowd, 1); !strings.HasPrefix(crowd.Caption, "2 of 5 agents, ") {
		t.Errorf("got=%q, want 2 of 5 agents", crowd.Caption)
	}
}
