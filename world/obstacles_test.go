package world

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func shapes(w *World) (all []ObstacleShape) {
	w.Inspect().EachObstacle(func(o ObstacleShape) { all = append(all, o) })
	return all
}

func TestEditObstacles(t *testing.T) {
	w := made(t, Default())
	spawn := func(r *Rows) { Column[c.Velocity](r)[0].X = 1e-6 }
	must(t, w.Spawn(1, []any{c.Limits{MaxSpeed: 1e-6}, c.ThreatScan{LookAhead: 10}}, spawn))
	sees := func(what string, want ecs.Entity, distance float64) {
		t.Helper()
		must(t, w.Step())
		agent, _ := w.Entity(1)
		got, _ := look[c.Threat](w, agent)
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
	for e, want := range map[ecs.Entity]string{gone: "is dead, want an obstacle", w.ECS.NewEntity(): "is not an obstacle", {}: "is dead, want an obstacle"} {
		WantError(t, w.MoveObstacle(e, r2.Vec{}), want)
		WantError(t, w.RemoveObstacle(e), want)
	}
	WantError(t, w.SetDoor(gone, true), "is dead, want a door")
	if got := shapes(w); len(got) != 1 || got[0].A != (r2.Vec{X: 1, Y: 2}) {
		t.Errorf("EachObstacle: got=%v, want=the circle at its old position", got)
	}
}

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

// Not all component types are registered yet when the query locks the world.
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
	testkit.Equal(t, rows(w), 2, "rows after 2,000 polygons, each removed at once")
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
			testkit.Equal(t, o.Polygon, want, "restored=%v: row of polygon %d", w == again, i)
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

// The test building has 12 rooms, 4 in a row, with a gap in the middle of each wall between two rooms.
// Agents go from the two columns on the left to the last column: half by routes, each to its own place,
// and half by two fields. At least a third of the paths lead through theDoor, in the middle; the same
// line of walls has two other gaps.
const (
	roomSize  = 20.
	roomsWide = 4
	roomsHigh = 3
	doorWidth = 1.6
	bodySize  = 0.25
)

// theDoor is the gap that has a door.
var theDoor = [2]r2.Vec{{X: 2 * roomSize, Y: 1.5*roomSize - doorWidth/2}, {X: 2 * roomSize, Y: 1.5*roomSize + doorWidth/2}}

func building(t *testing.T, config Config, agents int, door c.Door) (w *World, closing ecs.Entity) {
	t.Helper()
	w = made(t, config)
	wall := func(x0, y0, x1, y1 float64) {
		Value(w.AddObstacle(r2.Vec{X: x0, Y: y0}, c.Obstacle{Span: r2.Vec{X: x1 - x0, Y: y1 - y0}, Radius: 0.1}))
	}
	half := (roomSize - doorWidth) / 2
	for i := range roomsWide + 1 {
		for k := range roomsHigh + 1 {
			x, y := roomSize*float64(i), roomSize*float64(k)
			switch {
			case k == roomsHigh:
			case i == 0 || i == roomsWide:
				wall(x, y, x, y+roomSize)
			default:
				wall(x, y, x, y+half)
				wall(x, y+half+doorWidth, x, y+roomSize)
			}
			switch {
			case i == roomsWide:
			case k == 0 || k == roomsHigh:
				wall(x, y, x+roomSize, y)
			default:
				wall(x, y, x+half, y)
				wall(x+half+doorWidth, y, x+roomSize, y)
			}
		}
	}
	closing = Value(w.AddDoor(theDoor[0], theDoor[1], 0.1, door))
	for _, y := range []float64{18, 42} {
		Value(w.AddFlowField(sense.FlowField{Goals: []r2.Box{{Min: r2.Vec{X: 72, Y: y}, Max: r2.Vec{X: 73, Y: y + 1}}}, Radius: bodySize}))
	}
	for kind, finds := range [][]any{{c.FlowField{}}, {c.Route{}, c.Destination{}}} {
		must(t, w.Spawn(agents/2, append(finds, c.Radius{Meters: bodySize}, c.Limits{MaxSpeed: 1.4, MaxForce: 8}, c.Target{},
			c.Seek{Gain: 2}, c.Solid{Push: 0.5}, c.Goal{Radius: 0.5}), func(r *Rows) {
			pos, field, dest := Column[c.Position](r), Column[c.FlowField](r), Column[c.Destination](r)
			for i := range pos {
				k := 2*i + kind // number of the starting place
				wide := 38
				pos[i].Vec = r2.Vec{X: 1.03 + float64(k%wide), Y: 1.07 + 58*math.Mod(float64(k/wide)*0.618034, 1)}
				if field != nil {
					field[i].Index = uint32(i % 2)
				}
				if dest != nil {
					dest[i].Vec = r2.Vec{X: 61.5 + 17*math.Mod(float64(i)*0.618034, 1), Y: roomSize*float64(i%roomsHigh) + 1 + 18*math.Mod(float64(i)*0.754878, 1)}
				}
			}
		}))
	}
	return w, closing
}

// crossesDoor reports whether a path from a place leads through theDoor.
func crossesDoor(from r2.Vec, points ...r2.Vec) bool {
	side := func(a, b, p r2.Vec) bool { return vec.Cross(vec.Sub(b, a), vec.Sub(p, a)) > 0 }
	for _, to := range points {
		if side(from, to, theDoor[0]) != side(from, to, theDoor[1]) && side(theDoor[0], theDoor[1], from) != side(theDoor[0], theDoor[1], to) {
			return true
		}
		from = to
	}
	return false
}

// through returns the number of agents whose path leads through theDoor, either as Inspector.Path
// returns it or straight toward the Target, as far as the next point of the path.
func through(t *testing.T, w *World, agents int) (n int) {
	t.Helper()
	for id := uint64(1); id <= uint64(agents); id++ {
		e, _ := w.Entity(id)
		p, is := look[c.Position](w, e)
		target, _ := look[c.Target](w, e)
		way := w.Inspect().Path(e)
		if !is || len(way) == 0 {
			t.Fatalf("agent %d at %v: got=no path, want=a path", id, p.Vec)
		}
		to := vec.Sub(target.Vec, p.Vec)
		next := min(vec.Norm(to), vec.Norm(vec.Sub(way[0], p.Vec)))
		if crossesDoor(p.Vec, way...) || crossesDoor(p.Vec, vec.AddScaled(p.Vec, next, vec.Unit(to))) {
			n++
		}
	}
	return n
}

// short returns the number of agents whose Target is nearer than their path is long, so it belongs to
// an older path.
func short(w *World, agents int) (n int) {
	routes := sense.Routes{Obstacles: w.Obstacles}
	for id := uint64(1); id <= uint64(agents); id++ {
		e, _ := w.Entity(id)
		p, _ := look[c.Position](w, e)
		target, _ := look[c.Target](w, e)
		way := w.Inspect().Path(e)
		_, length, _ := routes.Find(p.Vec, way[len(way)-1], 0.8*bodySize, nil) // leaves room for agents pressed against a wall
		if vec.Norm(vec.Sub(target.Vec, p.Vec)) < 0.97*length-0.5 {
			n++
		}
	}
	return n
}

func TestDoorCloses(t *testing.T) {
	t.Parallel()
	const agents = 1000
	w, door := building(t, Default(), agents, c.Door{Open: true})
	routing, _ := frame.Find[*systems.Routing](w.Frame)
	cells, looks := 0, 0
	steps := func(n int) {
		t.Helper()
		for range n {
			must(t, w.Step())
			cells, looks = max(cells, w.Fields.Worked()), max(looks, routing.Looked())
		}
	}
	steps(150)
	if cells != 0 || looks < 20_000 {
		t.Errorf("before: got=%d cells, %d looks in a step, want=no cells, 20,000 looks or more for the first paths", cells, looks)
	}
	if n := through(t, w, agents); n < agents/3 || short(w, agents) > agents/100 {
		t.Fatalf("before: got=%d agents with a path through the door, %d with an old path, want=at least a third, at most 1%%", n, short(w, agents))
	}
	saves := func(when string) {
		t.Helper()
		var file bytes.Buffer
		must(t, w.Save(&file))
		if got := file.Len() / agents; got > 500 {
			t.Errorf("save %s: got=%d bytes per agent, want=500 or less, without the cells of fields", when, got)
		}
	}
	saves("before")
	must(t, w.SetDoor(door, false))
	cells, looks = 0, 0
	soon := 0
	for soon < 60 && (soon == 0 || through(t, w, agents) > 0 || short(w, agents) > agents/100) {
		steps(1)
		if soon++; soon <= 10 {
			saves("while fields change")
		}
	}
	steps(60 - soon)
	t.Logf("all agents have new paths after %d steps; at most %d cells and %d looks per step", soon, cells, looks)
	if n, old := through(t, w, agents), short(w, agents); n != 0 || old > agents/100 {
		t.Errorf("60 steps after the door has closed: got=%d agents with a path through it, %d with an old path, want=0, and at most 1%%", n, old)
	}
	// A step finishes the row of cells, or the cells around a corner, that it has begun.
	if cells < sense.DefaultCells/2 || cells > sense.DefaultCells+20 || looks < 50_000/2 || looks > 50_000+600 {
		t.Errorf("most work in a step: got=%d cells, %d looks, want=at most %d, %d, and at least half of that", cells, looks, sense.DefaultCells, 50_000)
	}
	saves("afterward")
	steps(1)
	if w.Fields.Worked() != 0 || routing.Looked() > 2000 {
		t.Errorf("after all paths are found: got=%d cells, %d looks, want=0, and at most 2000 for agents pushed off their paths", w.Fields.Worked(), routing.Looked())
	}
}

func TestWaysAllocateNothing(t *testing.T) {
	const agents = 1000
	config := Default()
	config.Workers = 2
	w, _ := building(t, config, agents, c.Door{Open: true, Closes: 100})
	Value(w.AddDoor(r2.Vec{X: 20, Y: 9.2}, r2.Vec{X: 20, Y: 10.8}, 0.1, c.Door{}))
	for kind, with := range [][]any{{c.BoundaryFollowing{Clearance: 0.1, Range: 10}}, {c.Route{}, c.CrowdedGoal{Share: 0.6, Patience: 1}}} {
		must(t, w.Spawn(100, append(with, c.Destination{}, c.Radius{Meters: bodySize}, c.Limits{MaxSpeed: 1.4, MaxForce: 8}, c.Target{},
			c.Seek{Gain: 2}, c.Solid{Push: 0.5}, c.Goal{Radius: 0.5}), func(r *Rows) {
			pos, dest := Column[c.Position](r), Column[c.Destination](r)
			for i := range pos {
				at := r2.Vec{X: roomSize*float64(1+2*kind) + 1 + 18*math.Mod(float64(i)*0.618034, 1), Y: 1 + 18*math.Mod(float64(i)*0.754878, 1)}
				pos[i].Vec, dest[i].Vec = at, r2.Vec{X: 70, Y: 10}
				if kind == 0 {
					dest[i].Vec = r2.Vec{X: at.X, Y: 50} // straight through two walls
				}
			}
		}))
	}
	run(t, w, 360)
	settled, following := 0, 0
	for id := uint64(agents + 1); id <= agents+200; id++ {
		e, _ := w.Entity(id)
		if b, is := look[c.BoundaryFollowing](w, e); is && b.Memory.State == c.BoundaryFollowed {
			following++
		}
		if g, is := look[c.CrowdedGoal](w, e); is && g.Settled {
			settled++
		}
	}
	if following < 30 || settled < 1 {
		t.Errorf("got=%d agents that follow a boundary, %d that wait at a full goal, want=30 or more, 1 or more", following, settled)
	}
	testkit.NoAllocs(t, 60, func() { run(t, w, 1) })
	for id := uint64(1); id <= agents+200; id++ {
		e, _ := w.Entity(id)
		edit(w, e, func(l *c.Limits) { l.MaxSpeed = 1e-6 })
		edit(w, e, func(s *c.Solid) { s.Push = 0 })
	}
	run(t, w, 30)
	testkit.NoAllocs(t, 1, func() { run(t, w, 60) }) // while all stand
}
