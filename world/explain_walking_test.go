package world_test

import (
	"encoding/json"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestExplainWalking verifies why agents are said to walk as they do.
func TestExplainWalking(t *testing.T) {
	follow, diagram := c.FollowingDistance{TimeGap: 1}, c.FundamentalDiagram{MaxDensity: 5.4}
	passing, inertia := c.Passing{Overtaking: 1, Right: 0.4}, c.Inertia{MaxAcceleration: 1}
	for _, tc := range []struct {
		name     string
		law      []any
		x, y     float64 // of another one
		way      float64 // in which it goes: 1 as the agent, or -1
		faithful bool
		want     string // in the JSON; empty: nothing is said
	}{
		{"no law", nil, 1, 0, 1, false, ""},
		{"faithful", []any{follow}, 1, 0, 1, true, ""},
		{"alone", []any{follow, diagram, passing}, 50, 0, 1, false, `"walking":{"free":1.34,"speed":1.34,"why":"free","gap":"Infinity","density":0,"inertia":false}`},
		{"a gap", []any{follow}, 1, 0, 1, false, `"walking":{"free":1.34,"speed":0.5,"why":"gap","other":2,"gap":0.5,"density":0.25`},
		{"a density", []any{c.FollowingDistance{TimeGap: 0.01}, c.FundamentalDiagram{MaxDensity: 0.24}}, 1, 0, 1, false, `"why":"density","other":2,"gap":0.5,"density":0.25`},
		{"one who comes", []any{follow, diagram, passing}, 2, 0, -1, false, `"walking":{"free":1.34,"speed":1.34,"why":"oncoming","other":2,"gap":"Infinity","density":0,"inertia":false}`},
		{"overtaking on the right", []any{follow, passing}, 1.2, 0.1, 1, false, `"why":"overtaking right","other":2,`},
		{"overtaking on the left", []any{follow, passing}, 1.2, -0.1, 1, false, `"why":"overtaking left","other":2,`},
		{"inertia", []any{follow, inertia}, 1, 0, 1, false, `"why":"gap","other":2,"gap":0.5,"density":0.25`},
		{"inertia alone", []any{inertia}, 1, 0, 1, false, `"walking":{"free":1.34,"speed":1.34,"why":"free","gap":"Infinity","density":0,"inertia":false}`},
	} {
		config := world.Default()
		config.Dt, config.FaithfulORCA = 0.1, tc.faithful
		w, err := world.New(config)
		must(t, err)
		walker := func(id uint64, x, y, way float64, more ...any) ecs.Entity {
			e := w.ECS.NewEntity()
			v := r2.Vec{X: 1.34 * way}
			systems.Add(w.ECS, e, append([]any{
				c.Agent{ID: id}, c.Position{Vec: r2.Vec{X: x, Y: y}}, c.Velocity{Vec: v}, c.Radius{Meters: 0.25}, c.Limits{MaxSpeed: 1.34, MaxForce: 9}, c.Steering{}, c.PreferredVelocity{Vec: v},
				c.ORCA{Gain: 2, TimeHorizon: 1, TimeHorizonObst: 1, NeighborDist: 5, MaxNeighbors: 9, Priority: 1},
			}, more...)...)
			return e
		}
		me := walker(1, 0, 0, 1, tc.law...)
		walker(2, tc.x, tc.y, tc.way)
		x, err := w.Inspect().Explain(me)
		must(t, err)
		data, err := json.Marshal(x)
		must(t, err)
		if text := string(data); !strings.Contains(text, tc.want) || tc.want == "" && strings.Contains(text, `"walking"`) {
			t.Errorf("%s: got=%s, want it to have %q", tc.name, text[strings.Index(text, `"others"`):], tc.want)
		}
		if p := x.Reciprocal.Walking; p != nil && p.Inertia != (tc.name == "inertia") {
			t.Errorf("%s: inertia: got=%v", tc.name, p.Inertia)
		}
		w.Close()
	}
}
