package systems

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
)

// solidCrowd adds solid agents among obstacles to a world, and returns a frame that moves them.
func solidCrowd(w *ecs.World, agents uint64) *frame.Frame {
	ecs.AddResource(w, &frame.Clock{Dt: 1. / 20})
	for i := range uint64(60) {
		o := c.Obstacle{Radius: frame.HashFloat(2, i, 0, 0)}
		if i%2 == 0 {
			o = c.Obstacle{Span: xy(6*frame.HashFloat(2, i, 1, 0)-3, 6*frame.HashFloat(2, i, 2, 0)-3)}
		}
		Add(w, w.NewEntity(), c.Position{Vec: xy(30*frame.HashFloat(2, i, 3, 0), 30*frame.HashFloat(2, i, 4, 0))}, o)
	}
	for id := range agents {
		draw := func(use uint64) float64 { return frame.HashFloat(1, id, 0, use) }
		at := xy(30*draw(0), 30*draw(1))
		if id%10 == 0 {
			at = xy(15, 15)
		}
		comps := []any{c.Agent{ID: id}, c.Position{Vec: at}, c.Velocity{}, c.Radius{Meters: 0.1 + 0.3*draw(2)}, c.Solid{Push: draw(3)}}
		if id%3 > 0 {
			comps = append(comps, c.Target{Vec: xy(30*draw(4), 30*draw(5))}, c.Limits{MaxSpeed: 3, MaxForce: 20}, c.Seek{Gain: 5})
		}
		if id%500 == 7 {
			comps[3] = c.Radius{Meters: 3}
		}
		if id%4 == 0 {
			comps = append(comps, c.Layers{On: 1 + uint32(id%3), Sees: 1 + uint32(id/3%3)})
		}
		Add(w, w.NewEntity(), comps...)
	}
	return frame.New(&sense.Obstacles{}, &sense.Neighbors{}, &PreviousPosition{}, &Seek{}, &Integration{}, &ResolveOverlaps{}, &Slide{})
}

func TestSolidDoesNotAllocate(t *testing.T) {
	w := ecs.NewWorld()
	f := solidCrowd(&w, 2000)
	f.Workers = 2
	f.Initialize(&w)
	defer f.Finalize(&w)
	for range 50 {
		f.Update(&w)
	}
	testkit.NoAllocs(t, 20, func() { f.Update(&w) })
}

// TestNobodySolid verifies that Neighbors takes a snapshot only if an agent has a Push above 0, and that
// agents that are not solid do not push.
func TestNobodySolid(t *testing.T) {
	near, push := &sense.Neighbors{}, &ResolveOverlaps{}
	s := newStage(t, 1, near, push)
	s.Put(c.Position{}, c.Radius{Meters: 1}, c.Velocity{})
	walls := s.Put(c.Position{}, c.Radius{Meters: 1}, c.Velocity{}, c.Solid{})
	s.Step()
	testkit.Equal(t, near.Len(), 0, "agents in the snapshot")
	testkit.ComponentOf[c.Solid](s, walls).Push = 1
	s.Step()
	testkit.Equal(t, near.Len(), 2, "agents in the snapshot for a Push of 1")
	if at := testkit.ComponentOf[c.Position](s, walls).Vec; at != xy(0, 0) {
		t.Errorf("position among agents that are not solid: got=%v, want=(0, 0)", at)
	}
}
