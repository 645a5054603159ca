package scene

import (
	"math"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestSend verifies where agents go that are sent: to their Target and Destination, or the goal of
// their field.
func TestSend(t *testing.T) {
	w, err := world.New(world.Default())
	noError(t, err)
	defer w.Close()
	if _, err := w.AddFlowField(sense.FlowField{Goals: []r2.Box{{}}, Radius: 0.25}); err != nil {
		t.Fatal(err)
	}
	for _, with := range [][]any{{c.Target{}}, {c.Target{}, c.Destination{}}, {c.Target{}, c.FlowField{}}, {c.Velocity{}}} {
		noError(t, w.Spawn(1, with, nil))
	}
	send := func(agent uint64, to r2.Vec) error {
		return (&Input{Do: InputGoal, Agent: agent, At: &to}).Apply(w)
	}
	entity := func(id uint64) ecs.Entity {
		e, ok := w.Entity(id)
		if !ok {
			t.Fatalf("no agent %d", id)
		}
		return e
	}
	holds := func(what string, want [4]r2.Vec) {
		t.Helper()
		var got [4]r2.Vec
		for i := range got[:2] {
			targets := generic.NewMap[c.Target](w.ECS)
			target := *targets.Get(entity(uint64(i + 1)))
			got[i] = target.Vec
		}
		dests := generic.NewMap[c.Destination](w.ECS)
		dest := *dests.Get(entity(2))
		got[2], got[3] = dest.Vec, (*frame.Resource[sense.FlowFields](w.ECS))[0].Goals[0].Min
		if got != want {
			t.Errorf("%s: got=%v, want=%v", what, got, want)
		}
	}
	for i, to := range []r2.Vec{{X: 1}, {X: 2}, {X: 3}} {
		noError(t, send(uint64(i+1), to))
	}
	holds("one by one", [4]r2.Vec{{X: 1}, {X: 2}, {X: 2}, {X: 3}})
	noError(t, send(0, r2.Vec{Y: 9}))
	holds("all", [4]r2.Vec{{Y: 9}, {Y: 9}, {Y: 9}, {Y: 9}})
	nowhere := r2.Vec{X: math.NaN()}
	for what, err := range map[string]error{"goes nowhere": send(4, r2.Vec{}), "too far": send(1, nowhere), "far away": send(0, nowhere), "gone": send(9, r2.Vec{})} {
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("got=%v, want it to say %q", err, what)
		}
	}
}
