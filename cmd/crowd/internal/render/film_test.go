package render

import (
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/run"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
)

func TestPlan(t *testing.T) {
	for _, test := range []struct {
		out, at string
		dt      float64
		want    plan
	}{
		{"x.png", "", 0.1, plan{from: 600, steps: 600, every: 1, frames: 1}},
		{"x.png", "2.5s", 0.1, plan{from: 25, steps: 25, every: 1, frames: 1}},
		{"x.gif", "", 1. / 60, plan{steps: 298, every: 2, frames: 150}},
		{"x.gif", "", 1, plan{steps: 298, every: 2, frames: 150}},
		{"x.gif", "", 0.1, plan{steps: 149, every: 1, frames: 150}},
	} {
		c := Options{Out: test.out, At: run.Span(test.at), FPS: 30, Palette: "plasma"}
		testkit.Must(t, c.checkRanges())
		if got := c.plan(&scene.Scene{Dt: test.dt, Steps: 600}); got != test.want {
			t.Errorf("%s, --at %q, steps of %v s: got=%+v, want=%+v", test.out, test.at, test.dt, got, test.want)
		}
	}
}
