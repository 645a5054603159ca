package experiment

import (
	"math"
	"testing"

	"github.com/8f878440/crowd/world/scene"
)

// TestMeasureCost verifies that steps cost something, and as long as the model has them.
func TestMeasureCost(t *testing.T) {
	c, err := MeasureCost(t.Context(), scene.DefaultModel)
	if err != nil || !(c.Step > 0 && !math.IsInf(c.Step, 1)) || math.Abs(c.Dt-1./30) > 1e-9 {
		t.Errorf("got=%+v, %v", c, err)
	}
}

// TestStepsOfModel verifies that a recording has the same frames by a model whose steps are shorter,
// and the same people in them.
func TestStepsOfModel(t *testing.T) {
	for _, by := range []scene.Model{scene.ModelORCA, scene.ModelSocialForce2000} {
		s := corridor(1, -4, 14)
		s.Groups = []scene.Group{somebody(1.25, xy(-2, 0), box(12, -1, 13, 1))}
		r, err := Record(t.Context(), by, s, 4)
		if err != nil {
			t.Fatal(err)
		}
		p := &r.People[0]
		if end := p.Place(p.Last()); r.Frames != frames(4)+1 || r.Dt != Dt || math.Abs(end.X-3) > 0.7 {
			t.Errorf("%s: got=%d frames, at %v in the last, want=%d, at about 3 m", by, r.Frames, end, frames(4)+1)
		}
	}
}
