package picture

import (
	"fmt"
	"strings"
	"testing"

	"github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

func cameraOf(t *testing.T, text string) *Camera {
	t.Helper()
	s, err := scene.Read(strings.NewReader(text), "x.toml", scene.OpenOptions{})
	testkit.Must(t, err)
	return cameraIn(t, s)
}

func cameraIn(t *testing.T, s *scene.Scene) *Camera {
	t.Helper()
	w, err := s.Build(scene.Options{Workers: 1})
	testkit.Must(t, err)
	t.Cleanup(func() { w.Close() })
	cam, err := NewCamera(s, w, nil, 0)
	testkit.Must(t, err)
	return cam
}

func TestLoops(t *testing.T) {
	s := &scene.Scene{Paths: [][]r2.Vec{{{X: 1}}, {{X: 2}}}, Groups: []scene.Group{
		{}, {Behaviors: []any{components.Path{Index: 0}}}, {Behaviors: []any{components.Path{Index: 1, Loop: true}}}}}
	w, err := world.New(world.Config{Dt: 1})
	testkit.Must(t, err)
	defer w.Close()
	for i, path := range newCamera(s, w).paths {
		if want := i == 1; path.Loop != want || path.Points[0] != s.Paths[i][0] {
			t.Errorf("path %d: got=%+v, want=%v with Loop %v", i, path, s.Paths[i], want)
		}
	}
}

func TestDoorsAndGoals(t *testing.T) {
	cam := cameraOf(t, `
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
at = [1, 4]
radius = 0.2
max-speed = 1
target = {exits = [{box = [[18, 0], [20, 1]], weight = 1}, {box = [[18, 2], [20, 3]], weight = 1}]}
way = "field"
seek = {}
[[groups]]
at = [1, 3]
radius = 0.2
max-speed = 1
target = [19, 9]
way = "quickest"
seek = {}
`)
	crowd := &Crowd{}
	for range 2 { // the second time reuses the memory
		cam.Take(crowd, 0)
		if len(crowd.Doors) != 2 || crowd.Doors[0].Open || !crowd.Doors[1].Open || crowd.Doors[1].B != (r2.Vec{X: 5, Y: 10}) {
			t.Errorf("doors: got=%+v, want a closed one and an open one to (5, 10)", crowd.Doors)
		}
		testkit.Equal(t, len(crowd.Obstacles), 1, "obstacles")
		want := []Goal{{Box: r2.NewBox(18, 4, 20, 6), Group: 1}, {Box: r2.NewBox(18, 0, 20, 1), Group: 2}, {Box: r2.NewBox(18, 2, 20, 3), Group: 2}}
		testkit.Equal(t, fmt.Sprint(crowd.Goals), fmt.Sprint(want), "goals")
		testkit.Equal(t, fmt.Sprint(crowd.Targets), "[{19 9}]", "targets")
	}
}

func TestSharedGoals(t *testing.T) {
	s, err := scene.Named("evacuation") // six groups leave by each of two exits
	testkit.Must(t, err)
	cam := cameraIn(t, s)
	testkit.Must(t, cam.world.Step()) // compute the fields
	crowd := &Crowd{}
	cam.Take(crowd, 0)
	if len(crowd.Goals) != 2 || crowd.Goals[0].Group >= 0 || crowd.Goals[1].Group >= 0 {
		t.Errorf("goals: got=%+v, want=2, each of several groups, with Group -1", crowd.Goals)
	}
	colors := &coloring{by: Group, theme: themeOf(Options{})}
	testkit.Equal(t, colors.goalColor(&crowd.Goals[0]), colors.theme.goal, "color")
}

func TestCaption(t *testing.T) {
	cam := cameraOf(t, `
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
`)
	cam.world.Step()
	var crowd Crowd
	if cam.Take(&crowd, 1); !strings.HasPrefix(crowd.Caption, "2 of 5 agents, ") {
		t.Errorf("caption: got=%q, want=%q at the beginning", crowd.Caption, "2 of 5 agents, ")
	}
}

func TestPartOf(t *testing.T) {
	box := r2.Box{Max: r2.Vec{X: 480, Y: 320}}
	for _, tc := range []struct {
		name string
		s    *scene.Scene
		view r2.Box
		want string
	}{
		{"a part", &scene.Scene{Box: box, Dt: 0.1}, r2.Box{Min: r2.Vec{X: 10, Y: 10}, Max: r2.Vec{X: 38, Y: 26.5}}, " (here 28 m × 16.5 m of 480 m × 320 m)"},
		{"in pixels", &scene.Scene{Box: box, Dt: 1}, r2.Box{Max: r2.Vec{X: 10, Y: 10}}, " (here 10 px × 10 px of 480 px × 320 px)"},
		{"all", &scene.Scene{Box: box}, box, ""},
		{"more than all", &scene.Scene{Box: box}, r2.Box{Min: r2.Vec{X: -1}, Max: r2.Vec{X: 10, Y: 10}}, ""},
		{"a scene without a box", &scene.Scene{}, box, ""},
	} {
		testkit.Equal(t, partOf(tc.s, tc.view), tc.want, "%s", tc.name)
	}
}

func TestFitShowsStops(t *testing.T) {
	cam := cameraOf(t, `
dt = 0.1
steps = 1000
[[groups]]
at = [0, 0]
max-speed = 1
itineraries = [[{at = [8, 0]}, {kind = "box", box = [[0, 20], [4, 24]]}, {at = [-500, 0]}]]
seek = {}
`)
	view := FitScene(cam.scene, cam.world)
	for _, p := range []r2.Vec{{X: 0, Y: 0}, {X: 8, Y: 0}, {X: 2, Y: 22}, {X: -99, Y: 0}} {
		if !view.Contains(p) {
			t.Errorf("got=%v, want a view that contains %v", view, p)
		}
	}
	if view.Min.X < -150 {
		t.Errorf("got=%v, want a view from x = -150 m or more, because agents reach only x = -100 m", view)
	}
}
