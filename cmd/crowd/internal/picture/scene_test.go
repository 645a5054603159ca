package picture

import (
	"strings"
	"testing"

	"github.com/8f878440/crowd/world/scene"
	"gonum.org/v1/gonum/spatial/r2"
)

// A picture of a part says how much of the scene it is.
func TestPartOf(t *testing.T) {
	square := r2.Box{Max: r2.Vec{X: 480, Y: 320}}
	for _, tc := range []struct {
		name string
		s    *scene.Scene
		view r2.Box
		want string
	}{
		{"a part", &scene.Scene{Box: square, Dt: 0.1}, r2.Box{Min: r2.Vec{X: 10, Y: 10}, Max: r2.Vec{X: 38, Y: 26.5}}, " (here 28 × 16.5 of 480 × 320 m)"},
		{"in pixels", &scene.Scene{Box: square, Dt: 1}, r2.Box{Max: r2.Vec{X: 10, Y: 10}}, " (here 10 × 10 of 480 × 320 px)"},
		{"all", &scene.Scene{Box: square}, square, ""},
		{"more than all", &scene.Scene{Box: square}, r2.Box{Min: r2.Vec{X: -1}, Max: r2.Vec{X: 10, Y: 10}}, ""},
		{"a scene without a box", &scene.Scene{}, square, ""},
	} {
		if got := partOf(tc.s, tc.view); got != tc.want {
			t.Errorf("%s: got=%q, want=%q", tc.name, got, tc.want)
		}
	}
}

// The picture of a scene without a box shows where the itineraries lead, as far as the
// steps of the scene take the agents.
func TestFitShowsStops(t *testing.T) {
	s, err := scene.Read(strings.NewReader(`
dt = 0.1
steps = 1000
[[groups]]
at = [0, 0]
max-speed = 1
itineraries = [[{at = [8, 0]}, {kind = "box", box = [[0, 20], [4, 24]]}, {at = [-500, 0]}]]
seek = {}
`), "stops.toml", scene.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Build(scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	view := FitScene(s, w)
	for _, p := range []r2.Vec{{X: 0, Y: 0}, {X: 8, Y: 0}, {X: 2, Y: 22}, {X: -99, Y: 0}} {
		if !view.Contains(p) {
			t.Errorf("got=%v, want=%v in it", view, p)
		}
	}
	if view.Min.X < -150 {
		t.Errorf("got=%v, want no more than the steps of the scene lead to", view)
	}
}
