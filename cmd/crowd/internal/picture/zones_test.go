package picture

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// Zones are tinted, stairs have steps, and the legend says so, in images and in shapes.
func TestZones(t *testing.T) {
	c := &Crowd{View: square, Zones: []Zone{{Box: r2.NewBox(1, 1, 4, 3)}, {Box: r2.NewBox(5, 5, 8, 7), Up: r2.Vec{X: 1}}}}
	for _, o := range []Options{{Width: 400}, {Width: 400, Dark: true}} {
		theme := themeOf(o)
		floor, _ := pixelsOf(o, c, mix(theme.floor, theme.faintInk, zoneFloor))
		_, legend := pixelsOf(o, c, mix(theme.paper, theme.faintInk, zoneFloor))
		if floor < 5000 || legend < 10 {
			t.Errorf("dark %v: got=%d pixels of floor, %d in the legend", o.Dark, floor, legend)
		}
	}
	var b bytes.Buffer
	if err := WriteSVG(&b, c, Options{Width: 400}); err != nil {
		t.Fatal(err)
	}
	all, text := elements(t, b.Bytes())
	steps := 0
	for _, e := range all {
		if attribute(e, "stroke") == hex(light.faintInk) {
			steps += strings.Count(attribute(e, "d"), "M")
		}
	}
	if steps != 9 || !strings.Contains(text, "zone") {
		t.Errorf("svg: got=%d edges of steps, want=9 of 0.3 m on 3 m, and a word in the legend", steps)
	}
}

func TestStepsOfStairs(t *testing.T) {
	f := viewport{scale: 1000}
	for _, test := range []struct {
		up     r2.Vec
		n      int
		length float64 // of the longest
	}{
		{r2.Vec{X: 2}, 9, 2000}, {r2.Vec{Y: -1}, 6, 3000}, {r2.Vec{X: 1, Y: 1}, 11, 2000 * math.Sqrt2}, {r2.Vec{}, 0, 0}, {r2.Vec{X: math.NaN()}, 0, 0}, {r2.Vec{X: math.Inf(1)}, 0, 0},
	} {
		z := Zone{Box: r2.NewBox(0, 0, 3, 2), Up: test.up}
		longest := 0.
		steps := z.steps(f)
		for _, s := range steps {
			longest = max(longest, r2.Norm(r2.Sub(s[1], s[0])))
		}
		if len(steps) != test.n || math.Abs(longest-test.length) > 0.02*test.length {
			t.Errorf("up %v: got=%d steps of up to %v, want=%d of %v", test.up, len(steps), longest, test.n, test.length)
		}
	}
}
