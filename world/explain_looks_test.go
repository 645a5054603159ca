package world_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestExplainLooks holds whom an agent is said to see.
func TestExplainLooks(t *testing.T) {
	w, err := world.New(world.Default())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	id := uint64(0)
	spawn := func(x, y float64, more ...any) ecs.Entity {
		id++
		e := w.ECS.NewEntity()
		systems.Add(w.ECS, e, append([]any{
			c.Agent{ID: id}, c.Position{Vec: r2.Vec{X: x, Y: y}}, c.Velocity{Vec: r2.Vec{X: 1}}, c.Limits{MaxSpeed: 1, MaxForce: 1},
		}, more...)...)
		return e
	}
	me := spawn(0, 0, c.Separation{Gain: 1, Radius: 2, Most: 1}, c.Alignment{Gain: 1, Radius: 3, View: 180},
		c.Cohesion{Radius: 0}, c.UnalignedCollisionAvoidance{Gain: 1, Horizon: 1, Radius: 1}, c.Layers{On: 1, Sees: 1})
	spawn(1.5, 0)
	spawn(-1.25, 0)
	spawn(2.5, 1)
	spawn(1, 0.5, c.Layers{On: 2, Sees: 3})
	other := spawn(50, 0)

	for range 2 { // before the first step, and after it
		x, err := w.Explain(me)
		if err != nil {
			t.Fatal(err)
		}
		want := []struct {
			name        string
			reach, view float64
			ids         []uint64
		}{{"Separation", 2, 0, []uint64{3}}, {"Alignment", 3, 180, []uint64{2, 4}}, {"UnalignedCollisionAvoidance", 1, 0, nil}}
		if len(x.Looks) != len(want) {
			t.Fatalf("looks: got=%v, want=%v", x.Looks, want)
		}
		for i, want := range want {
			l, ids := x.Looks[i], []uint64(nil)
			for _, o := range l.Seen {
				ids = append(ids, o.ID)
			}
			slices.Sort(ids)
			if l.Behaviour != want.name || l.Reach != want.reach || l.View != want.view || l.Facing != (r2.Vec{X: 1}) || !slices.Equal(ids, want.ids) {
				t.Errorf("got=%+v, want=%+v", l, want)
			}
		}
		data, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		if text := `"looks":[{"behaviour":"Separation","reach":2,"facing":{"X":1,"Y":0},"seen":[3]},{"behaviour":"Alignment","reach":3,"view":180,`; !strings.Contains(string(data), text) {
			t.Errorf("JSON: got=%s, want it to have %s", data, text)
		}
		if x, err = w.Explain(other); err != nil || x.Looks != nil {
			t.Errorf("who does not look: got=%v, %v, want nothing", x.Looks, err)
		}
		w.Clock.Dt = 0 // nobody moves
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
	}
}
