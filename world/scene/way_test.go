package scene

import (
	"strings"
	"testing"

	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// TestWayOfFields verifies that groups with way = "field" and "quickest" follow a field each, and that only the
// second is worked out anew by the crowd.
func TestWayOfFields(t *testing.T) {
	const group = `
[[groups]]
count = 2
at = {rectangle = [[0, 0], [2, 2]]}
target = {points = [[9, 9], [9, 1]]}
radius = 0.25
max-speed = 1
max-force = 5
seek = {}
`
	text := "box = [[0, 0], [10, 10]]\n" + group + group + "way = \"field\"\n" + group + "way = \"quickest\"\n"
	s, err := Read(strings.NewReader(text), "ways.toml")
	noError(t, err)
	w, err := s.Build(Options{})
	noError(t, err)
	defer w.Close()
	if got := s.FlowFields(); got != 2 {
		t.Errorf("got=%d fields, want=2", got)
	}
	var every []float64
	for _, f := range *ecs.GetResource[sense.FlowFields](w.ECS) {
		every = append(every, f.Every)
	}
	if len(every) != 2 || every[0] != 0 || every[1] != renewedEvery {
		t.Errorf("every: got=%v, want=[0 %v]", every, renewedEvery)
	}
	if near, far := s.Groups[1], s.Groups[2]; !near.followsField() || !far.followsField() || s.Groups[0].followsField() {
		t.Error("want groups 1 and 2 to follow a field")
	}
}
