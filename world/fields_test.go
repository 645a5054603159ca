package world

import (
	"math"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

// at returns the length of the path from p to the goals, in m, as stored in a copy of a field.
func at(g sense.FieldGrid, p r2.Vec) float64 {
	column, row := int((p.X-g.Min.X)/g.Cell), int((p.Y-g.Min.Y)/g.Cell)
	return float64(g.Distances[row*g.Columns+column])
}

// TestSetGoals verifies that a field leads to new goals only once several steps have computed all its cells.
func TestSetGoals(t *testing.T) {
	w := made(t, Default())
	wall := r2.Vec{X: 10, Y: -5}
	Value(w.AddObstacle(wall, c.Obstacle{Span: r2.Vec{Y: 10}, Radius: 0.1}))
	Value(w.AddObstacle(r2.Vec{X: 22, Y: 8}, c.Obstacle{Radius: 1})) // makes the grid wide enough
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
	length, last := 0., from
	way := w.Fields.Path(0, from)
	for _, p := range way {
		length += r2.Norm(r2.Sub(p, last))
		last = p
	}
	if math.Abs(length-beyond) > 0.5 || r2.Norm(r2.Sub(last, r2.Vec{X: 2})) > 1e-9 || len(way) < 3 || len(way) > 100 {
		t.Errorf("path: got=%v m in %d points to %v, want=%v ± 0.5 m in 3 to 100 points to (2, 0)", length, len(way), last, beyond)
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
	if _, toward := w.Fields.Read(0, r2.Vec{X: 2.4}); toward.X > -0.99 {
		t.Errorf("direction next to the old goal: got=%v, want=-x", toward)
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
	// Obstacles and goals change at the same time.
	Value(w.AddObstacle(r2.Vec{X: 17, Y: -1}, c.Obstacle{Span: r2.Vec{Y: 2}, Radius: 0.1}))
	must(t, w.SetGoals(1, []r2.Box{point(4, 9), point(18, 3)}))
	run(t, w, 60)
	now, _ = w.Inspect().FieldGrid(1)
	if got := at(now, from); math.Abs(got-3) > 0.3 {
		t.Errorf("path to the nearer of two goals: got=%v, want=3 ± 0.3", got)
	}
	if now, _ = w.Inspect().FieldGrid(0); at(now, from) < 2.8 {
		t.Errorf("path around the new wall: got=%v, want=2.8 or more", at(now, from))
	}
}

// TestWay verifies that Path returns the paths of agents with a Route or a FlowField, and nil for other
// agents and for a dead one.
func TestWay(t *testing.T) {
	w := made(t, Default())
	Value(w.AddObstacle(r2.Vec{X: 10, Y: -5}, c.Obstacle{Span: r2.Vec{Y: 10}, Radius: 0.1}))
	goal := r2.Vec{X: 2}
	Value(w.AddFlowField(sense.FlowField{Goals: []r2.Box{{Min: goal, Max: goal}}, Radius: 0.25}))
	limits := c.Limits{MaxSpeed: 1e-3, MaxForce: 1}
	for _, with := range [][]any{{c.FlowField{}}, {c.Route{}, c.Destination{Vec: goal}}, {}} {
		must(t, w.Spawn(1, append(with, c.Seek{Gain: 1}, c.Target{}, c.Radius{Meters: 0.25}, limits), func(r *Rows) {
			Column[c.Position](r)[0].Vec = r2.Vec{X: 12}
		}))
	}
	run(t, w, 3)
	for id := uint64(1); id <= 3; id++ {
		e, _ := w.Entity(id)
		way := w.Inspect().Path(e)
		if id == 3 {
			if way != nil {
				t.Errorf("an agent that only seeks: got=%v, want=no path", way)
			}
			w.Remove(e)
			if w.Inspect().Path(e) != nil {
				t.Error("path of a dead agent: got=a path, want=none")
			}
			continue
		}
		if len(way) < 2 || r2.Norm(r2.Sub(way[len(way)-1], goal)) > 1e-9 {
			t.Errorf("agent %d: got=%v, want=a path around the wall to %v", id, way, goal)
		}
	}
}

// TestFarFromField verifies that agents 40 m from the only goal of their field arrive within 23 s at
// 2 m/s, so their paths are straight.
func TestFarFromField(t *testing.T) {
	w := made(t, Default())
	Value(w.AddFlowField(sense.FlowField{Goals: []r2.Box{{}}, Radius: 0.25}))
	const n, far, speed = 12, 40., 2. // m, m/s
	must(t, w.Spawn(n, []any{c.Arrival{Gain: 4, SlowingRadius: 2}, c.FlowField{}, c.Target{}, c.Goal{Radius: 0.5}, c.Limits{MaxSpeed: speed, MaxForce: 8}}, func(r *Rows) {
		for i, p := 0, Column[c.Position](r); i < n; i++ {
			sin, cos := math.Sincos(0.1 + 2*math.Pi*float64(i)/n)
			p[i].Vec = r2.Vec{X: far * cos, Y: far * sin}
		}
	}))
	run(t, w, 60*23)
	if got := w.Stats().ArrivedOnce; got != n {
		t.Errorf("%v m away at %v m/s: got=%d arrived in 23 s, want=%d", far, speed, got, n)
	}
}
