package world_test

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestExplainSolid verifies that Explain predicts steps with solid walls and bodies in every mode of the
// bounds, and that no agent leaves the box in modes other than BoundsNone and BoundsFaithful.
func TestExplainSolid(t *testing.T) {
	t.Parallel()
	for mode := systems.BoundsNone; mode <= systems.BoundsClamp; mode++ {
		config := world.Default()
		config.Dt, config.Bounds, config.Box = 0.1, mode, r2.Box{Min: r2.Vec{X: -5, Y: -5}, Max: r2.Vec{X: 5, Y: 5}}
		w := made(t, config)
		for _, o := range []c.Obstacle{{Span: r2.Vec{X: 3, Y: 4}}, {Radius: 1}, {Span: r2.Vec{X: -8, Y: -6}}} {
			world.Value(w.AddObstacle(r2.Vec{X: 2}, o))
		}
		must(t, w.Spawn(60, []any{c.Radius{Meters: 0.5}, c.Limits{MaxSpeed: 4, MaxForce: 40}, c.Target{}, c.Seek{Gain: 9}, c.Solid{Push: 0.7}}, func(r *world.Rows) {
			for i := range r.Len {
				world.Column[c.Position](r)[i].Vec = r2.Vec{X: 0.2*float64(i%10) - 1, Y: 0.2*float64(i/10) + 1.5}
				world.Column[c.Target](r)[i].Vec = r2.Vec{X: float64(i%7)*3 - 9, Y: float64(i%5)*4 - 8}
			}
		}))
		all := agentsOf(w)
		shares := map[string]int{}
		follow(t, w, 40, func(step int) []ecs.Entity {
			x := world.Value(w.Inspect().Explain(all[step]))
			for _, s := range x.Shares {
				if s.Position != nil && *s.Position != (r2.Vec{}) {
					shares[s.Behavior]++
				}
			}
			for _, e := range all {
				p := at[c.Position](w, e)
				if in := p.X >= -5 && p.X <= 5 && p.Y >= -5 && p.Y <= 5; !in && mode != systems.BoundsNone && mode != systems.BoundsFaithful {
					t.Fatalf("mode %v, step %d: got=%v, want=in the box", mode, step, p.Vec)
				}
			}
			return all[3*(step%20) : 3*(step%20)+3]
		})
		if shares["ResolveOverlaps"] == 0 || shares["Slide"] == 0 {
			t.Errorf("mode %v: steps in which an agent was moved: got=%v, want=some by ResolveOverlaps and by Slide", mode, shares)
		}
	}
}

// TestSolidAtTheEdge verifies that an agent cannot pass a slanted wall where the wall meets the edge of
// the box.
func TestSolidAtTheEdge(t *testing.T) {
	for _, mode := range []systems.BoundsMode{systems.BoundsBounce, systems.BoundsClamp} {
		config := world.Default()
		config.Dt, config.Bounds, config.Box = 0.1, mode, r2.Box{Max: r2.Vec{X: 10, Y: 10}}
		w := made(t, config)
		world.Value(w.AddObstacle(r2.Vec{X: 8, Y: 1}, c.Obstacle{Span: r2.Vec{X: 5, Y: 5}}))
		must(t, w.Spawn(1, []any{c.Position{Vec: r2.Vec{X: 9, Y: 1}}, c.Radius{Meters: 0.05}, c.Limits{MaxSpeed: 9, MaxForce: 900},
			c.Target{Vec: r2.Vec{X: 20, Y: 15}}, c.Seek{Gain: 9}, c.Solid{}}, nil))
		e, _ := w.Entity(1)
		for step := range 50 {
			must(t, w.Step())
			p := at[c.Position](w, e)
			if !(p.Y < p.X-7) || p.X > 10 {
				t.Fatalf("mode %v, step %d: got=%v, want=below the wall, in the box", mode, step, p.Vec)
			}
		}
	}
}
