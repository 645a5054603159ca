package world

import (
	"fmt"
	"math"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// at returns the length of the path from p to the goals, in m.
func at(g sense.FieldGrid, p r2.Vec) float64 {
	column, row := int((p.X-g.Min.X)/g.Cell), int((p.Y-g.Min.Y)/g.Cell)
	return float64(g.Distances[row*g.Columns+column])
}

func TestSetGoals(t *testing.T) {
	w := made(t, Default())
	Value(w.AddObstacle(r2.Vec{X: 10, Y: -5}, c.Obstacle{Span: r2.Vec{Y: 10}, Radius: 0.1}))
	Value(w.AddObstacle(r2.Vec{X: 22, Y: 8}, c.Obstacle{Radius: 1})) // widens the grid
	point := func(x, y float64) r2.Box { return r2.Box{Min: r2.Vec{X: x, Y: y}, Max: r2.Vec{X: x, Y: y}} }
	for _, goal := range []r2.Box{point(2, 0), point(4, 0)} {
		Value(w.AddFlowField(sense.FlowField{Goals: []r2.Box{goal}, Radius: 0.25}))
	}
	must(t, w.Spawn(1, []any{c.Seek{Gain: 1}, c.FlowField{}, c.Target{}, c.Limits{MaxSpeed: 1e-3, MaxForce: 1}}, func(r *Rows) {
		Column[c.Position](r)[0].Vec = r2.Vec{X: 18}
	}))

	from, beyond := r2.Vec{X: 18}, 2*(math.Hypot(8, 5.3)) // m, around an end of the wall from x = 18 to 2
	before, ok := w.Inspect().FieldGrid(0)
	if got := at(before, from); !ok || math.Abs(got-beyond) > 0.5 {
		t.Fatalf("before the first step: length of the path: got=%v, %v, want=%v ± 0.5, true", got, ok, beyond)
	}
	other, _ := w.Inspect().FieldGrid(1)
	if _, ok := w.Inspect().FieldGrid(2); ok {
		t.Error("field 2: got=a field, want=none")
	}
	if way := w.Fields.Path(2, from); way != nil {
		t.Errorf("path in a missing field: got=%v, want=none", way)
	}
	w.Fields.Cells = 500
	run(t, w, 2)
	changes := w.Fields.Changes()
	must(t, w.SetGoals(0, []r2.Box{point(16, 0)}))
	run(t, w, 2)
	if now, _ := w.Inspect().FieldGrid(0); w.Fields.Changes() != changes || !slices.Equal(now.Distances, before.Distances) || now.Goals[0] != point(2, 0) {
		t.Error("after two steps of 500 cells: got=a changed field, want=the old one until all cells are computed")
	}
	run(t, w, 30)
	now, _ := w.Inspect().FieldGrid(0)
	if got := at(now, from); w.Fields.Changes() != changes+1 || math.Abs(got-2) > 0.2 || now.Goals[0] != point(16, 0) {
		t.Errorf("after 32 steps: got=a path of %v m to %v, %d changes, want=2 m to the new goal, 1 change", got, now.Goals, w.Fields.Changes()-changes)
	}
	if way, toward := w.Fields.Read(0, from); math.Abs(way-2) > 0.2 || toward.X > -0.99 {
		t.Errorf("read by agents: got=%v m toward %v, want=2 m toward -x", way, toward)
	}
	if still, _ := w.Inspect().FieldGrid(1); !slices.Equal(still.Distances, other.Distances) {
		t.Error("the other field: got=changed, want=unchanged")
	}
	for _, c := range []struct {
		field uint32
		goals []r2.Box
		want  string
	}{{2, []r2.Box{point(0, 0)}, "field is 2, want less than 2"}, {0, nil, "no goals"}, {0, []r2.Box{point(math.NaN(), 0)}, "goal 0"}} {
		WantError(t, w.SetGoals(c.field, c.goals), c.want)
	}
}

// floors returns a building with two floors side by side, each 20 m by 10 m. Agents go from the right
// floor to the left one, with the component finds.
func floors(t *testing.T, config Config, agents int, finds any) *World {
	t.Helper()
	w := made(t, config)
	for _, x := range []float64{0, 30} {
		for _, wall := range [][4]float64{{0, 0, 20, 0}, {20, 0, 20, 10}, {20, 10, 0, 10}, {0, 10, 0, 0}, {10, 3, 10, 10}} {
			from, to := r2.Vec{X: x + wall[0], Y: wall[1]}, r2.Vec{X: x + wall[2], Y: wall[3]}
			Value(w.AddObstacle(from, c.Obstacle{Span: r2.Sub(to, from), Radius: 0.1}))
		}
	}
	goal := r2.NewBox(2, 2, 8, 8)
	Value(w.AddFlowField(sense.FlowField{Goals: []r2.Box{goal}, Radius: 0.25}))
	must(t, w.Spawn(agents, []any{
		c.Radius{Meters: 0.25}, c.Limits{MaxSpeed: 1.4, MaxForce: 8}, c.Target{}, c.Destination{}, finds,
		c.Arrival{Gain: 2, SlowingRadius: 1}, c.Solid{Push: 0.5}, c.Goal{Radius: 0.5, Remove: true},
	}, func(r *Rows) {
		pos, dest := Column[c.Position](r), Column[c.Destination](r)
		for i := range pos {
			pos[i].Vec = r2.Vec{X: 31 + float64(i%8), Y: 1 + 0.7*float64(i/8)}
			dest[i].Vec = r2.Vec{X: 2.5 + float64(i%6), Y: 2.5 + 0.7*float64(i/6)}
		}
	}))
	return w
}

var stairs = sense.Portal{From: r2.NewBox(47, 8, 49, 9.8), To: r2.NewBox(17, 8, 19, 9.8), Length: 5}

func TestPortals(t *testing.T) {
	t.Parallel()
	for _, finds := range []any{c.Route{}, c.FlowField{}} {
		t.Run(fmt.Sprintf("%T", finds), func(t *testing.T) {
			var hashes []uint64
			for _, workers := range []int{1, 3} {
				config := Default()
				config.Workers, config.Measure = workers, true
				config.Lines = []measure.MeasurementLine{{A: r2.Vec{X: 25, Y: -10}, B: r2.Vec{X: 25, Y: 20}}}
				w := floors(t, config, 40, finds)
				must(t, w.Step())
				testkit.Equal(t, len(w.Inspect().Unreachable(t.Context(), 100)), 40, "agents that cannot arrive without stairs")
				must(t, w.SetPortals(stairs))
				taken, jumped, last := 0, 0, map[ecs.Entity]r2.Vec{}
				for step := 0; step < 60*60 && w.Stats().Arrived < 40; step++ {
					must(t, w.Step())
					list := w.portals.List()
					taken += len(list)
					if w.Clock.Tick == 2 {
						testkit.Equal(t, len(w.Inspect().Unreachable(t.Context(), 100)), 0, "agents that cannot arrive with stairs")
					}
					q := w.ECS.Query(ecs.All(w.idOf(c.Position{}), w.idOf(c.Agent{})))
					for q.Next() {
						e := q.Entity()
						p, _ := look[c.Position](w, e)
						if from, known := last[e]; known && r2.Norm(r2.Sub(p.Vec, from)) > 1 {
							if jumped++; !slices.ContainsFunc(list, func(x systems.Taken) bool { return x.Entity == e && x.To == p.Vec }) {
								t.Errorf("step %d: jumps from %v to %v, want=only jumps through the stairs", w.Clock.Tick, from, p.Vec)
							}
						}
						last[e] = p.Vec
					}
				}
				st := w.Stats()
				if st.Arrived != 40 || taken != 40 || jumped != 40 {
					t.Errorf("got=%d arrived, %d taken, %d jumps, want=40 of each", st.Arrived, taken, jumped)
				}
				testkit.Equal(t, st.Lines[0].Passed, 0, "agents across the line between the floors")
				if trip := st.Trips; trip.PathRatio > 1.4 {
					t.Errorf("path ratio: got=%.3g, want=1.4 or less, because the jump does not count", trip.PathRatio)
				}
				hashes = append(hashes, w.Hash())
			}
			testkit.Equal(t, hashes[1], hashes[0], "hash")
		})
	}
}

func TestPortalsExplained(t *testing.T) {
	w := floors(t, Default(), 1, c.Route{})
	must(t, w.SetPortals(stairs))
	e, _ := w.Entity(1)
	for range 60 * 30 {
		x := Value(w.Inspect().Explain(e))
		must(t, w.Step())
		p, _ := look[c.Position](w, e)
		if x.After.Position != p.Vec {
			t.Fatalf("position in the explanation: got=%v, want=%v", x.After.Position, p.Vec)
		}
		if len(w.portals.List()) == 0 {
			continue
		}
		if !slices.ContainsFunc(x.Shares, func(s Share) bool { return s.Behavior == "Portals" && s.Position != nil }) {
			t.Errorf("shares: got=%v, want=a share of Portals with a position", x.Shares)
		}
		return
	}
	t.Error("steps through the portal: got=0, want=1")
}

func TestSetPortals(t *testing.T) {
	w := floors(t, Default(), 1, c.Route{})
	mine := []sense.Portal{stairs}
	must(t, w.SetPortals(mine...))
	mine[0].Length = 77
	if err := w.SetPortals(sense.Portal{}); err == nil {
		t.Error("got=nil, want=an error, because the portal has no box")
	}
	for range 2 {
		got := w.Inspect().Portals()
		if !slices.Equal(got, []sense.Portal{stairs}) {
			t.Errorf("after a change of the argument or of the result: got=%v, want=%v", got, stairs)
		}
		got[0].Length = 78
	}
}

func TestCorridor(t *testing.T) {
	w := floors(t, Default(), 1, c.Route{})
	must(t, w.SetPortals(stairs))
	run(t, w, 3)
	e, _ := w.Entity(1)
	at, _ := look[c.Position](w, e)
	to, _ := look[c.Destination](w, e)
	discs := w.Inspect().Corridor(e, 0.25, 2)
	if n := len(discs); n < 40 || discs[n-1].At != to.Vec {
		t.Fatalf("got=%v, want=40 discs or more, the last at %v", discs, to.Vec)
	}
	const fine = 1e-5
	if discs := w.Inspect().Corridor(e, fine, 2); len(discs) != 10_000 || r2.Norm(r2.Sub(discs[0].At, at.Vec)) > 2*fine {
		t.Errorf("small steps: got=%d discs, the first at %v, want=10000, the first near %v", len(discs), discs[0].At, at.Vec)
	}
	from, hops, wide := at.Vec, 0, 0
	for _, d := range discs {
		if gap := r2.Norm(r2.Sub(d.At, from)); gap > 0.25+1e-9 {
			hops++
		}
		from = d.At
		want := 2.
		if hit, near := w.Obstacles.Nearest(d.At, 2); near {
			want = hit.Distance
		}
		if d.Radius != want || d.Radius < 0.25 {
			t.Errorf("at %v: got=%v m, want=%v, and room for the body", d.At, d.Radius, want)
		}
		if d.Radius == 2 {
			wide++
		}
	}
	if hops != 1 || wide == 0 {
		t.Errorf("got=%d gaps and %d discs of full size, want=1 gap at the stairs, and at least 1 such disc", hops, wide)
	}
	w.Remove(e)
	if got := w.Inspect().Corridor(e, 1, 1); got != nil {
		t.Errorf("dead agent: got=%v, want=nil", got)
	}
}

// The straight path is free, but longer than the path through the portal.
func TestPortalsInSight(t *testing.T) {
	w := made(t, Default())
	Value(w.AddObstacle(r2.Vec{X: 50, Y: 40}, c.Obstacle{Radius: 1})) // far from the path
	must(t, w.SetPortals(sense.Portal{From: r2.NewBox(9, -1, 11, 1), To: r2.NewBox(89, -1, 91, 1), Length: 3}))
	must(t, w.Spawn(1, []any{
		c.Radius{Meters: 0.25}, c.Limits{MaxSpeed: 1.4, MaxForce: 8}, c.Target{}, c.Destination{Vec: r2.Vec{X: 100}}, c.Route{},
		c.Arrival{Gain: 2, SlowingRadius: 3}, c.Goal{Radius: 0.5},
	}, nil))
	e, _ := w.Entity(1)
	for _, length := range []float64{3, 6} {
		(*resource(w.ECS, &sense.Portals{}))[0].Length = length
		run(t, w, 30)
		at, _ := look[c.Position](w, e)
		to, _ := look[c.Target](w, e)
		testkit.Near(t, r2.Norm(r2.Sub(to.Vec, at.Vec)), 10-at.X+length+10, 0.1, "distance to the target through a portal of %v m", length)
	}
	run(t, w, 60*25)
	testkit.Equal(t, w.Stats().ArrivedOnce, 1, "agents that have arrived through the portal")
}
