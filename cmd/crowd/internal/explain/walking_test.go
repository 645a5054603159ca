package explain

import (
	"math"
	"strings"
	"testing"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
)

// TestWalkingText verifies how it is written why an agent walks at its speed.
func TestWalkingText(t *testing.T) {
	for _, tc := range []struct {
		walking *systems.Walking
		want    string // empty: nothing is written
	}{
		{nil, ""},
		{&systems.Walking{Free: 1.5, Speed: 1.5, Why: "free", Gap: math.Inf(1)}, "walking prefers 1.5 m/s alone, 1.5 m/s here: nothing slows it"},
		{&systems.Walking{Free: 1.5, Speed: 0.5, Why: "gap", Other: 17, Gap: 0.25, Density: 1}, "1.5 m/s alone, 0.5 m/s here: the gap to agent 17 ahead is 0.25 m"},
		{&systems.Walking{Free: 1.5, Why: "gap", Other: 17, Gap: -0.1}, "1.5 m/s alone, 0 m/s here: the gap to agent 17 ahead is 0 m"},
		{&systems.Walking{Free: 1.5, Speed: 0.5, Why: "density", Other: 17, Gap: 3, Density: 2.5}, "here: the density ahead is 2.5 people/m²"},
		{&systems.Walking{Free: 1.5, Speed: 1.5, Why: "oncoming", Other: 4, Gap: math.Inf(1)}, "here: agent 4 comes toward it"},
		{&systems.Walking{Free: 1.5, Speed: 1.2, Why: "overtaking left", Other: 4, Gap: 0.5}, "here: it overtakes agent 4 on the left, after a gap of 0.5 m"},
		{&systems.Walking{Free: 1.5, Speed: 1.5, Why: "free", Inertia: true}, "here: nothing slows it; it cannot accelerate to that at once"},
	} {
		var b strings.Builder
		if err := Write(&b, "a scene", &world.Explanation{Reciprocal: &systems.Reciprocal{Walking: tc.walking}}); err != nil {
			t.Fatal(err)
		}
		got := inOneLine(b.String())
		if !strings.Contains(got, tc.want+" choice") || tc.want == "" && strings.Contains(got, "walking") {
			t.Errorf("%+v: got=\n%s\nwant=\n%s", tc.walking, b.String(), tc.want)
		}
	}
}
