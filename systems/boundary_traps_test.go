package systems_test

import (
	"flag"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

var full = flag.Bool("full", false, "run the boundary tests in all of their maps, which takes a minute")

// trap is a map with a single agent.
type trap struct {
	polygons [][]r2.Vec
	goal     r2.Vec
	radius   float64 // m, of the body
	dt       float64 // s
	steers   []any   // how the agent moves
}

// walk runs a trap from a start until the agent, which also has the components in finds, arrives or
// the time, in s, is over. It returns the length of the agent's path, in m, and whether it arrived.
func (tr *trap) walk(t *testing.T, start r2.Vec, time float64, finds ...any) (way float64, arrived bool) {
	t.Helper()
	config := world.Default()
	config.Workers, config.Dt = 1, tr.dt
	w, err := world.New(config)
	testkit.Must(t, err)
	defer w.Close()
	for _, p := range tr.polygons {
		if _, err := w.AddPolygon(p); err != nil {
			t.Fatal(err)
		}
	}
	agent := append(append([]any{
		c.Radius{Meters: tr.radius}, c.Limits{MaxSpeed: 1.3, MaxForce: 5}, c.Solid{Push: 0.8}, c.Target{Vec: tr.goal}, c.Goal{Radius: 1.25},
	}, tr.steers...), finds...)
	var e ecs.Entity
	if err := w.Spawn(1, agent, func(r *world.Rows) {
		world.Column[c.Position](r)[0].Vec, e = start, r.Entity(0)
		if dest := world.Column[c.Destination](r); dest != nil {
			dest[0].Vec = tr.goal
		}
	}); err != nil {
		t.Fatal(err)
	}
	at := generic.NewMap[c.Position](w.ECS)
	for last := start; float64(w.Clock.Tick)*tr.dt < time; {
		testkit.Must(t, w.Step())
		p := at.Get(e).Vec
		way, last = way+r2.Norm(r2.Sub(p, last)), p
		if w.Stats().ArrivedOnce > 0 {
			return way, true
		}
	}
	return way, false
}

// alone lists ways of moving for an agent that meets no other agent.
var alone = map[string][]any{
	"ORCA":      {c.Seek{Gain: 2}, c.ORCA{Gain: 2, TimeHorizon: 3, TimeHorizonObst: 1, NeighborDist: 8}},
	"avoidance": {c.Seek{Gain: 2}, c.ThreatScan{LookAhead: 2}, c.Avoidance{MaxForce: 4}},
	"seek":      {c.Seek{Gain: 2}},
}

// remembers lists the components of an agent that follows boundaries.
var remembers = []any{c.Destination{}, systems.Default[c.BoundaryFollowing]()}

func rectangle(left, low, right, high float64) []r2.Vec {
	return []r2.Vec{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: left, Y: high}}
}

// twoBoxes are two boxes placed corner to corner, three quarters of a body's width apart. joined are
// four boxes that form a square.
var (
	twoBoxes = trap{
		polygons: [][]r2.Vec{rectangle(0.61, -1.02, 1.59, -0.04), rectangle(1.81, 0.67, 2.79, 1.65)},
		goal:     r2.Vec{X: 31.9, Y: -3.7}, radius: 0.5, dt: 0.05,
	}
	joined = trap{
		polygons: [][]r2.Vec{rectangle(-5, 5, 5, 6), rectangle(-5, -6, 5, -5), rectangle(5, -6, 6, 6), rectangle(-6, -6, -5, 6)},
		goal:     r2.Vec{Y: -16}, radius: 0.5, dt: 0.05,
	}
)

// TestBoundaryTraps verifies that an agent passes two traps with each way of moving: from every sixth
// start, or with -full from all of them.
func TestBoundaryTraps(t *testing.T) {
	every := 6
	if *full {
		every = 1
	}
	for name, steers := range alone {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pass := func(name string, tr trap, time float64, starts ...r2.Vec) {
				tr.steers = steers
				passed, longest := 0, 0.
				for i := 0; i < len(starts); i += every {
					way, ok := tr.walk(t, starts[i], time, remembers...)
					if !ok {
						t.Errorf("%s from %v: got=not arrived after %v s, want=arrived", name, starts[i], time)
						continue
					}
					passed, longest = passed+1, max(longest, way/r2.Norm(r2.Sub(tr.goal, starts[i])))
				}
				t.Logf("%s: %d passed, the longest path is %.3f times the straight one", name, passed, longest)
			}
			var beside, above []r2.Vec
			for k := -30; k <= 30; k++ {
				beside = append(beside, r2.Vec{Y: float64(k) / 10})
			}
			for x := -6.; x <= 6; x++ {
				above = append(above, r2.Vec{X: x, Y: 14})
			}
			pass("two boxes", twoBoxes, 60, beside...)
			pass("joined boxes", joined, 90, above...)
		})
	}
}
