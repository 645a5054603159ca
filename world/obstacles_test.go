package world

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func shapes(w *World) (all []ObstacleShape) {
	w.Inspect().EachObstacle(func(o ObstacleShape) { all = append(all, o) })
	return all
}

// TestEditObstacles verifies that the next step and EachObstacle reflect added, moved and removed
// obstacles.
func TestEditObstacles(t *testing.T) {
	w := made(t, Default())
	// One agent at the origin scans along +x.
	spawn := func(r *Rows) { Column[c.Velocity](r)[0].X = 1e-6 }
	must(t, w.Spawn(1, []any{c.Limits{MaxSpeed: 1e-6}, c.ThreatScan{LookAhead: 10}}, spawn))
	sees := func(what string, want ecs.Entity, distance float64) {
		t.Helper()
		must(t, w.Step())
		agent, _ := w.Entity(1)
		got := get[c.Threat](w.ECS, agent)
		if got.Obstacle != want || !want.IsZero() && math.Abs(got.Distance-distance) > 1e-5 {
			t.Errorf("%s: got=%v at %v, want=%v at %v", what, got.Obstacle, got.Distance, want, distance)
		}
	}
	move := func(e ecs.Entity, x, y float64) {
		t.Helper()
		must(t, w.MoveObstacle(e, r2.Vec{X: x, Y: y}))
	}
	sees("nothing there", ecs.Entity{}, 0)
	wall := Value(w.AddObstacle(r2.Vec{X: 9, Y: -5}, c.Obstacle{Span: r2.Vec{Y: 10}, Radius: 0.5}))
	sees("a wall", wall, 8.5)
	square := Value(w.AddPolygon([]r2.Vec{{X: 7, Y: -1}, {X: 8, Y: -1}, {X: 8, Y: 1}, {X: 7, Y: 1}}))
	sees("a polygon", square, 7)
	circle := Value(w.AddObstacle(r2.Vec{X: 5}, c.Obstacle{Radius: 1}))
	sees("a circle", circle, 4)
	move(circle, 4.5, 0)
	sees("the circle, nearer", circle, 3.5)
	move(circle, 0, 50)
	sees("the circle away", square, 7)
	move(square, 3, -1)
	sees("the polygon, nearer", square, 3)
	move(square, 3, -100)
	move(wall, 2, -5)
	sees("the wall, nearer", wall, 1.5)

	want := []ObstacleShape{
		{Entity: wall, A: r2.Vec{X: 2, Y: -5}, B: r2.Vec{X: 2, Y: 5}, Radius: 0.5},
		{Entity: square, A: r2.Vec{X: 3, Y: -100}, B: r2.Vec{X: 3, Y: -100}, Corners: []r2.Vec{{X: 3, Y: -100}, {X: 4, Y: -100}, {X: 4, Y: -98}, {X: 3, Y: -98}}},
		{Entity: circle, A: r2.Vec{Y: 50}, B: r2.Vec{Y: 50}, Radius: 1},
	}
	if got := shapes(w); !reflect.DeepEqual(got, want) {
		t.Errorf("EachObstacle: got=%v, want=%v", got, want)
	}
	must(t, w.RemoveObstacle(wall))
	sees("the wall removed", ecs.Entity{}, 0)
	w.Inspect().EachObstacle(func(o ObstacleShape) { must(t, w.RemoveObstacle(o.Entity)) })
	if got := shapes(w); len(got) != 0 {
		t.Errorf("EachObstacle, all removed: got=%v, want=none", got)
	}
	sees("all removed", ecs.Entity{}, 0)
}

func TestEditObstaclesRefuses(t *testing.T) {
	w := made(t, Default())
	circle := Value(w.AddObstacle(r2.Vec{X: 1, Y: 2}, c.Obstacle{Radius: 1}))
	gone := Value(w.AddObstacle(r2.Vec{}, c.Obstacle{}))
	w.Remove(gone)
	WantError(t, w.MoveObstacle(circle, r2.Vec{X: math.NaN()}), "position of obstacle is (NaN, 0), want finite numbers")
	WantError(t, w.MoveObstacle(circle, r2.Vec{Y: math.Inf(1)}), "position of obstacle is (0, +Inf), want finite numbers")
	for _, e := range []ecs.Entity{gone, w.ECS.NewEntity(), {}} {
		WantError(t, w.MoveObstacle(e, r2.Vec{}), "is not an obstacle")
		WantError(t, w.RemoveObstacle(e), "is not an obstacle")
	}
	if got := shapes(w); len(got) != 1 || got[0].A != (r2.Vec{X: 1, Y: 2}) {
		t.Errorf("EachObstacle: got=%v, want=the circle at its old position", got)
	}
}

// TestPolygonWithoutCorners verifies that EachObstacle lists a polygon that is missing from sense.Polygons,
// without corners, and that MoveObstacle moves it.
func TestPolygonWithoutCorners(t *testing.T) {
	w := made(t, Default())
	e := w.ECS.NewEntity()
	systems.Add(w.ECS, e, c.Position{Vec: r2.Vec{X: 3}}, c.Obstacle{Polygon: 9})
	for _, x := range []float64{3, 5} {
		got := shapes(w)
		if len(got) != 1 || got[0].Corners == nil || len(got[0].Corners) != 0 || got[0].A.X != x {
			t.Errorf("EachObstacle: got=%+v, want=a polygon at %v without corners", got, x)
		}
		must(t, w.MoveObstacle(e, r2.Vec{X: 5}))
	}
}

// TestReadDuringQuery verifies that read-only methods work while a query locks the world, although not
// all component types are registered yet.
func TestReadDuringQuery(t *testing.T) {
	w := made(t, Default())
	e := w.ECS.NewEntity()
	systems.Add(w.ECS, e, c.Position{})
	q := w.ECS.Query(ecs.All())
	defer q.Close()
	w.Inspect().EachObstacle(func(ObstacleShape) { t.Error("obstacles: got=one, want=none") })
	if way := w.Inspect().Path(e); way != nil {
		t.Errorf("path: got=%v, want=none", way)
	}
	if found, ok := w.Entity(w.ID(e)); found != e {
		t.Errorf("entity by ID: got=%v, %v, want=%v", found, ok, e)
	}
	if d, ok := look[c.Door](w, e); ok {
		t.Errorf("door: got=%v, want=none", d)
	}
	if n := len(ecs.ComponentIDs(w.ECS)); n > 10 {
		t.Errorf("registered components: got=%d, want=10 or less", n)
	}
}

// TestPolygonRows verifies that new polygons reuse the rows of removed ones, in the same order in a
// restored world, but no row that another obstacle still uses.
func TestPolygonRows(t *testing.T) {
	square := func(x float64) []r2.Vec {
		return []r2.Vec{{X: x}, {X: x + 1}, {X: x + 1, Y: 1}, {X: x, Y: 1}}
	}
	w := newWorld(t, func(*Config) {})
	add := func(w *World, x float64) ecs.Entity { return Value(w.AddPolygon(square(x))) }
	rows := func(w *World) int { return len(*resource(w.ECS, &sense.Polygons{})) }
	stays := add(w, 0)
	for i := range 2000 {
		must(t, w.RemoveObstacle(add(w, float64(i))))
	}
	if rows(w) != 2 {
		t.Errorf("after 2,000 polygons, each removed at once: got=%d rows, want=2", rows(w))
	}
	all := []ecs.Entity{stays}
	for i := range 5 {
		all = append(all, add(w, float64(10*i)))
	}
	twin := Value(w.AddObstacle(r2.Vec{Y: 50}, c.Obstacle{Polygon: 4}))
	for _, i := range []int{3, 1, 4} {
		must(t, w.RemoveObstacle(all[i]))
	}
	var file bytes.Buffer
	must(t, w.Save(&file))
	again := newWorld(t, func(*Config) {})
	Value(again.Restore(&file))
	for _, w := range []*World{w, again} {
		q := w.ECS.Query(ecs.All())
		w.Remove(twin) // at the end of the step
		q.Close()
		for i, want := range []uint32{2, 5, 7} {
			o, _ := look[c.Obstacle](w, add(w, float64(100+i)))
			if o.Polygon != want {
				t.Errorf("restored=%v: polygon %d: got=row %d, want=%d", w == again, i, o.Polygon, want)
			}
		}
		must(t, w.Step())
		if o, _ := look[c.Obstacle](w, add(w, 200)); o.Polygon != 4 || rows(w) != 7 {
			t.Errorf("restored=%v: after the twin is removed: got=row %d of %d, want=4 of 7", w == again, o.Polygon, rows(w))
		}
		if got := shapes(w)[0].Corners; !slices.Equal(got, square(0)) {
			t.Errorf("restored=%v: the first polygon: got=%v, want=%v", w == again, got, square(0))
		}
	}
	if got, want := slices.Collect(again.Inspect().States()), slices.Collect(w.Inspect().States()); !reflect.DeepEqual(got, want) {
		t.Errorf("restored world: got=%v, want=%v", got, want)
	}
}
