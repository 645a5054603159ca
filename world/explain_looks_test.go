package world_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestExplainLooks(t *testing.T) {
	w := made(t, world.Default())
	id := uint64(0)
	spawn := func(x, y float64, more ...any) ecs.Entity {
		id++
		e := w.ECS.NewEntity()
		systems.Add(w.ECS, e, append([]any{
			c.Agent{ID: id}, c.Position{Vec: r2.Vec{X: x, Y: y}}, c.Velocity{Vec: r2.Vec{X: 1}}, c.Limits{MaxSpeed: 1, MaxForce: 1},
		}, more...)...)
		return e
	}
	me := spawn(0, 0, c.Separation{Gain: 1, NeighborDist: 2, MaxNeighbors: 1}, c.Alignment{Gain: 1, NeighborDist: 3, FieldOfView: math.Pi},
		c.Cohesion{NeighborDist: 0}, c.UnalignedCollisionAvoidance{Gain: 1, Horizon: 1, NeighborDist: 1}, c.Layers{On: 1, Sees: 1}, c.Radius{Meters: 0.2}, c.Solid{Push: 1})
	spawn(1.5, 0)
	spawn(-1.25, 0)
	spawn(2.5, 1)
	spawn(1, 0.5, c.Layers{On: 2, Sees: 3})
	other := spawn(50, 0)

	for range 2 {
		x := world.Value(w.Inspect().Explain(me))
		want := []struct {
			name        string
			reach, view float64
			ids         []uint64
		}{{"Separation", 2, 0, []uint64{3}}, {"Alignment", 3, math.Pi, []uint64{2, 4}}, {"UnalignedCollisionAvoidance", 1, 0, nil}}
		if len(x.Looks) != len(want) {
			t.Fatalf("looks: got=%v, want=%v", x.Looks, want)
		}
		for i, want := range want {
			l, ids := x.Looks[i], []uint64(nil)
			for _, o := range l.Seen {
				ids = append(ids, o.ID)
			}
			slices.Sort(ids)
			if l.Behavior != want.name || l.Reach != want.reach || l.View != want.view || l.Facing != (r2.Vec{X: 1}) || !slices.Equal(ids, want.ids) {
				t.Errorf("look %d: got=%+v, want=%+v", i, l, want)
			}
		}
		data := world.Value(json.Marshal(x))
		if text := `"looks":[{"behavior":"Separation","reach":2,"facing":{"X":1,"Y":0},"seen":[3]},{"behavior":"Alignment","reach":3,"view":180,`; !strings.Contains(string(data), text) {
			t.Errorf("JSON: got=%s, want=text that contains %s", data, text)
		}
		if x := world.Value(w.Inspect().Explain(other)); x.Looks != nil {
			t.Errorf("looks of an agent without such a behavior: got=%v, want=none", x.Looks)
		}
		w.Clock.Dt = 0 // no agent moves
		must(t, w.Step())
	}
}

func TestExplainReciprocal(t *testing.T) {
	chosen, walls, forced, walking := 0, 0, 0, 0
	for seed := range uint64(12) {
		w, all := zoo(t, rand.New(rand.NewPCG(seed, 1)))
		for range 5 {
			for _, e := range all {
				if !w.ECS.Alive(e) {
					continue
				}
				x := world.Value(w.Inspect().Explain(e))
				r := x.Reciprocal
				if r == nil {
					continue
				}
				chosen++
				if i := slices.IndexFunc(x.Shares, func(s world.Share) bool { return s.Behavior == "ORCA" }); i < 0 || x.Shares[i].Velocity == nil {
					t.Fatalf("agent %d: shares: got=%+v, want=a share of ORCA with a velocity", x.ID, x.Shares)
				}
				bounced := slices.ContainsFunc(x.Shares, func(s world.Share) bool { return s.Behavior == "Bounds" })
				if x.MovedBy == "Integration" && !bounced && r2.Norm(r2.Sub(x.After.Velocity, r.Chosen)) > 1e-9 && len(x.Skipped) == 0 {
					t.Errorf("agent %d: got=%v, want=%v, the chosen velocity", x.ID, x.After.Velocity, r.Chosen)
				}
				within := true
				for _, h := range r.HalfPlanes {
					if h.Of == "wall" {
						walls++
					}
					slack := 1e-6 * r.MaxSpeed
					if bad := r2.Dot(h.Normal, r.Chosen) < h.Least-slack; bad && (h.Of == "wall" || h.Of == "gap") {
						t.Errorf("agent %d: got=%v, want=a velocity in the half-plane %+v", x.ID, r.Chosen, h)
					} else if bad {
						within = false
					}
				}
				if r.Feasible && !within {
					t.Errorf("agent %d: got=%v outside a half-plane, want=a velocity inside all, because Feasible is true: %v", x.ID, r.Chosen, r.HalfPlanes)
				}
				if !r.Feasible {
					forced++
				}
				if r.Walking != nil {
					walking++
				}
				for _, o := range r.Others {
					i := slices.IndexFunc(x.Looks, func(l world.Look) bool { return l.Behavior == "ORCA" })
					if i < 0 || !slices.ContainsFunc(x.Looks[i].Seen, func(n sense.Neighbor) bool {
						return n.ID == o.ID && r2.Sub(n.Position, x.Before.Position) == o.Offset
					}) {
						t.Errorf("agent %d: got=%+v considered but not seen, want=one of %+v", x.ID, o, x.Looks)
					}
				}
			}
			must(t, w.Step())
		}
	}
	if chosen < 50 || walls == 0 || forced == 0 || walking == 0 {
		t.Errorf("got=%d choices, %d half-planes of walls, %d infeasible choices, %d by a rule of walking, want=50 choices or more, and some of each", chosen, walls, forced, walking)
	}
}

// A walker avoids only the nearest ten, but considers all.
func TestExplainWalkers(t *testing.T) {
	w := made(t, world.Default())
	const others = 15
	must(t, w.Spawn(1+others, []any{
		c.Radius{Meters: 0.2}, c.Limits{MaxSpeed: 1.4, MaxForce: 5}, c.Target{Vec: r2.Vec{X: 99}}, c.Seek{Gain: 2}, c.FollowingDistance{TimeGap: 0.5},
		c.ORCA{Gain: 2, TimeHorizon: 1, NeighborDist: 20, MaxNeighbors: others},
	}, func(r *world.Rows) {
		for i, p := 0, world.Column[c.Position](r); i < len(p); i++ {
			p[i].X = float64(i)
		}
	}))
	e, _ := w.Entity(1)
	if x, err := w.Inspect().Explain(e); err != nil || x.Reciprocal == nil || len(x.Reciprocal.Others) != others {
		t.Errorf("got=%+v, %v, want=%d other agents", x.Reciprocal, err, others)
	}
}

func TestExplainWalking(t *testing.T) {
	follow, diagram := c.FollowingDistance{TimeGap: 1}, c.FundamentalDiagram{MaxDensity: 5.4}
	passing, inertia := c.Passing{Overtaking: 1, Right: 0.4}, c.Inertia{MaxAcceleration: 1}
	for _, tc := range []struct {
		name     string
		law      []any
		x, y     float64 // position of the other agent
		way      float64 // 1 or -1: the same as that of the agent, or opposite
		faithful bool
		want     string // in the JSON; empty means no "walking"
	}{
		{"no law", nil, 1, 0, 1, false, ""},
		{"faithful", []any{follow}, 1, 0, 1, true, ""},
		{"alone", []any{follow, diagram, passing}, 50, 0, 1, false, `"walking":{"free":1.34,"speed":1.34,"why":"free","gap":"Infinity","density":0,"inertia":false}`},
		{"a gap", []any{follow}, 1, 0, 1, false, `"walking":{"free":1.34,"speed":0.5,"why":"gap","other":2,"gap":0.5,"density":0.25`},
		{"a density", []any{c.FollowingDistance{TimeGap: 0.01}, c.FundamentalDiagram{MaxDensity: 0.24}}, 1, 0, 1, false, `"why":"density","other":2,"gap":0.5,"density":0.25`},
		{"an oncoming agent", []any{follow, diagram, passing}, 2, 0, -1, false, `"walking":{"free":1.34,"speed":1.34,"why":"oncoming","other":2,"gap":"Infinity","density":0,"inertia":false}`},
		{"overtaking on the right", []any{follow, passing}, 1.2, 0.1, 1, false, `"why":"overtaking right","other":2,`},
		{"overtaking on the left", []any{follow, passing}, 1.2, -0.1, 1, false, `"why":"overtaking left","other":2,`},
		{"inertia", []any{follow, inertia}, 1, 0, 1, false, `"why":"gap","other":2,"gap":0.5,"density":0.25`},
		{"inertia alone", []any{inertia}, 1, 0, 1, false, `"walking":{"free":1.34,"speed":1.34,"why":"free","gap":"Infinity","density":0,"inertia":false}`},
	} {
		config := world.Default()
		config.Dt, config.FaithfulORCA = 0.1, tc.faithful
		w := world.Value(world.New(config))
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
		x := world.Value(w.Inspect().Explain(me))
		data := world.Value(json.Marshal(x))
		if text := string(data); !strings.Contains(text, tc.want) || tc.want == "" && strings.Contains(text, `"walking"`) {
			t.Errorf("%s: got=%s, want=text that contains %q", tc.name, text[strings.Index(text, `"others"`):], tc.want)
		}
		if p := x.Reciprocal.Walking; p != nil && p.Inertia != (tc.name == "inertia") {
			t.Errorf("%s: inertia: got=%v, want=%v", tc.name, p.Inertia, !p.Inertia)
		}
		w.Close()
	}
}
