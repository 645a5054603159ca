package systems_test

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

// trap is a map in which an agent is alone.
type trap struct {
	polygons [][]r2.Vec
	goal     r2.Vec
	radius   float64 // m, of the body
	dt       float64 // s
	steers   []any   // how it moves
}

// walk runs a trap from a start, until the agent arrives or a time is over. It returns how long its
// way was, in m.
func (tr *trap) walk(t *testing.T, start r2.Vec, time float64, finds ...any) (way float64, arrived bool) {
	t.Helper()
	config := world.Default()
	config.Workers, config.Dt = 1, tr.dt
	w, err := world.New(config)
	if err != nil {
		t.Fatal(err)
	}
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
		if err := w.Step(); err != nil {
			t.Fatal(err)
		}
		p := at.Get(e).Vec
		way, last = way+r2.Norm(r2.Sub(p, last)), p
		if w.Stats().ArrivedOnce > 0 {
			return way, true
		}
	}
	return way, false
}

// alone are the ways of moving of an agent that meets nobody.
var alone = map[string][]any{
	"ORCA":      {c.Seek{Gain: 2}, c.ORCA{Gain: 2, TimeHorizon: 3, TimeHorizonObst: 1, NeighborDist: 8}},
	"avoidance": {c.Seek{Gain: 2}, c.ThreatScan{LookAhead: 2}, c.Avoidance{MaxForce: 4}},
	"seek":      {c.Seek{Gain: 2}},
}

// remembers are the components of an agent that follows boundaries.
var remembers = []any{c.Destination{}, c.BoundaryFollowing{Range: systems.DefaultBoundaryRange}}

func rectangle(left, low, right, high float64) []r2.Vec {
	return []r2.Vec{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: left, Y: high}}
}

// twoBoxes are two boxes that are nearly as far apart as a body is wide, corner to corner; joined
// are four that make a square.
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

// TestBoundaryTraps holds that an agent passes two traps from every start, however it moves.
func TestBoundaryTraps(t *testing.T) {
	for name, steers := range alone {
		t.Run(name, func(t *testing.T) {
			tr := twoBoxes
			tr.steers = steers
			before, after, longest := 0, 0, 0.
			every := 1
			if testing.Short() {
				every = 6
			}
			for k := 0; k < 61; k += every {
				start := r2.Vec{Y: float64(k-30) / 10}
				if testing.Verbose() {
					if _, ok := tr.walk(t, start, 60); ok {
						before++
					}
				}
				way, ok := tr.walk(t, start, 60, remembers...)
				if ok {
					after++
				} else {
					t.Errorf("two boxes from %v: does not arrive", start)
				}
				longest = math.Max(longest, way/r2.Norm(r2.Sub(tr.goal, start)))
			}
			t.Logf("two boxes: %d without, %d with, longest %.3f", before, after, longest)
			tr = joined
			tr.steers = steers
			before, after, longest = 0, 0, 0
			for x := -6.; x <= 6; x += float64(every) {
				start := r2.Vec{X: x, Y: 14}
				if testing.Verbose() {
					if _, ok := tr.walk(t, start, 90); ok {
						before++
					}
				}
				way, ok := tr.walk(t, start, 90, remembers...)
				if ok {
					after++
				} else {
					t.Errorf("joined boxes from %v: does not arrive", start)
				}
				longest = math.Max(longest, way/r2.Norm(r2.Sub(tr.goal, start)))
			}
			t.Logf("joined boxes: %d without, %d with, longest %.3f", before, after, longest)
		})
	}
}
