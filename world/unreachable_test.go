package world_test

import (
	"cmp"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// The room of 10 m × 10 m has a gap of 1 m. Agents head for the goals of their field rather than their
// Target.
func TestUnreachable(t *testing.T) {
	at := func(x, y float64) r2.Box { return r2.NewBox(x, y, x, y) }
	const statue = "its goal at (8, 8) is inside an obstacle"
	for _, test := range []struct {
		name            string
		radius, reached float64 // m, of the body and of the goal or a stop
		from, to        r2.Vec
		goals           []r2.Box       // of a field
		stops           []systems.Stop // of an itinerary
		posts, block    bool           // obstacles at the edges and in the middle of the box, or all over it
		want            string         // empty if the agent can arrive
	}{
		{name: "out", radius: 0.3, to: point(-5, 0)},
		{name: "just narrow enough", radius: 0.499, to: point(-5, 0)},
		{name: "too wide", radius: 0.5001, to: point(-5, 0), want: "a body of radius 0.5001 m has no path from (5, 5) to its goal at (-5, 0)"},
		{name: "in an obstacle", radius: 0.3, to: point(8, 8), want: statue},
		{name: "in an obstacle, with a large goal", radius: 0.3, reached: 1.4, to: point(8, 8)},
		{name: "too near an obstacle", radius: 0.3, to: point(8, 6.8), want: "its goal at (8, 6.8) is 0.2 m from an obstacle, and its body has a radius of 0.3 m"},
		{name: "endless", radius: 0.3, stops: []systems.Stop{{At: point(2, 2)}, {Kind: systems.StopIdle}}, want: "stop 1 of its itinerary makes it stay forever"},
		{name: "on from beside an obstacle", radius: 0.3, reached: 1.5, stops: []systems.Stop{{At: point(8, 8)}, {At: point(-5, 0)}}},
		{name: "field", radius: 0.3, to: point(4, 4), goals: []r2.Box{at(-5, 2)}},
		{name: "field, too wide", radius: 0.6, to: point(4, 4), goals: []r2.Box{at(-5, 2)}, want: "a body of radius 0.6 m has no path from (5, 5) to its goal at (-5, 2)"},
		{name: "one of two goals", radius: 0.6, to: point(4, 4), goals: []r2.Box{at(-5, 2), r2.NewBox(1, 1, 2, 2)}},
		{name: "neither of two goals", radius: 0.6, to: point(4, 4), goals: []r2.Box{at(-5, 2), r2.NewBox(-9, 1, -8, 2)}, want: "a body of radius 0.6 m has no path from (5, 5) to any goal of field 0"},
		{name: "a corner of a goal", radius: 0.05, to: point(4, 4), goals: []r2.Box{r2.NewBox(7, 7, 9.9, 9.9)}},
		{name: "box with posts", radius: 0.3, from: point(-5, 5), goals: []r2.Box{box}, posts: true},
		{name: "covered box", radius: 0.3, from: point(-5, 5), goals: []r2.Box{box}, posts: true, block: true, want: "a body of radius 0.3 m has no path from (-5, 5) to any goal of field 0"},
		{name: "on from a box with posts", radius: 0.3, from: point(-5, 5), stops: []systems.Stop{{Kind: systems.StopBox, Box: box}, {At: point(-5, 3)}}, posts: true},
		{name: "stop in a covered box", radius: 0.3, from: point(-5, 5), stops: []systems.Stop{{Kind: systems.StopBox, Box: box}, {At: point(-5, 3)}}, posts: true, block: true,
			want: "its goal at (2, 5) is inside an obstacle"},
	} {
		w := made(t, world.Default())
		room(t, w)
		posts := []r2.Vec{{X: 2, Y: 2}, {X: 8, Y: 2}, {X: 2, Y: 8}, {X: 5, Y: 5}, {X: 2, Y: 5}}
		for i := 0; i < len(posts) && test.posts; i++ {
			world.Value(w.AddObstacle(posts[i], c.Obstacle{Radius: 0.5}))
		}
		if test.block {
			world.Value(w.AddObstacle(point(5, 1), c.Obstacle{Span: point(0, 8), Radius: 4}))
		}
		reached := cmp.Or(test.reached, 0.1)
		values := []any{c.Position{Vec: cmp.Or(test.from, point(5, 5))}, c.Radius{Meters: test.radius}, c.Goal{Radius: reached}, c.Target{Vec: test.to}}
		if test.goals != nil {
			world.Value(w.AddFlowField(sense.FlowField{Goals: test.goals, Radius: test.radius}))
			values = append(values, c.FlowField{})
		}
		if test.stops != nil {
			world.Value(w.AddItinerary(test.stops))
			values = append(values, c.Itinerary{Reached: reached})
		}
		testkit.Equal(t, whyNot(t, w, values), test.want, "%s", test.name)
	}
}

var box = r2.NewBox(2, 2, 8, 8)

func whyNot(t *testing.T, w *world.World, values []any) (reason string) {
	t.Helper()
	must(t, w.Spawn(1, values, nil))
	must(t, w.Step())
	for _, u := range w.Inspect().Unreachable(t.Context(), 1) {
		reason = u.Reason
	}
	return reason
}

func room(t *testing.T, w *world.World) {
	t.Helper()
	for _, wall := range [][2]r2.Vec{{{}, {X: 10}}, {{X: 10}, {Y: 10}}, {{X: 10, Y: 10}, {X: -10}}, {{}, {Y: 4.5}}, {{Y: 5.5}, {Y: 4.5}}} {
		world.Value(w.AddObstacle(wall[0], c.Obstacle{Span: wall[1]}))
	}
	world.Value(w.AddObstacle(r2.Vec{X: 8, Y: 8}, c.Obstacle{Radius: 1}))
}

func TestCannotArrive(t *testing.T) {
	for _, values := range [][]any{{c.Goal{}}, {c.Goal{Inside: true}}, {}} {
		w := made(t, world.Default())
		room(t, w)
		must(t, w.Spawn(1, append(values, c.Position{Vec: point(5, 5)}, c.Target{Vec: point(8, 8)}), nil))
		w.Obstacles.Sense(w.ECS)
		e, _ := w.Entity(1)
		late := len(values) == 1 && values[0] == any(c.Goal{})
		if got := w.Inspect().CannotArrive(e); (got != "") != late {
			t.Errorf("%+v: got=%q, reason wanted: %v", values, got, late)
		}
		w.Remove(e)
		testkit.Equal(t, w.Inspect().CannotArrive(e), "", "%+v: reason of a dead agent", values)
	}
}

func TestUnreachableAfterArrival(t *testing.T) {
	w := made(t, world.Default())
	room(t, w)
	if got := whyNot(t, w, []any{c.Position{Vec: point(5, 5)}, c.Radius{Meters: 0.3}, c.Goal{Radius: 0.5}, c.Target{}, c.Route{}, c.Destination{Vec: point(5, 5)}}); got != "" {
		t.Fatalf("at its goal: got=%q, want=nothing", got)
	}
	door := world.Value(w.AddDoor(r2.Vec{Y: 4.5}, r2.Vec{Y: 5.5}, 0.1, c.Door{}))
	agent, _ := w.Entity(1)
	w.SetDestination(agent, r2.Vec{X: -5, Y: 5})
	must(t, w.Step())
	const want = "a body of radius 0.3 m has no path from (5, 5) to its goal at (-5, 5)"
	if got := w.Inspect().Unreachable(t.Context(), 10); len(got) != 1 || got[0].Reason != want || w.Inspect().CannotArrive(agent) != want {
		t.Errorf("sent through a closed door: got=%v, want=%q", got, want)
	}
	run(t, w, 60)
	if got := world.Value(w.Inspect().Explain(agent)).Path; !got.Unreachable || got.Waiting {
		t.Errorf("explained path through a closed door: got=%+v, want=unreachable", got)
	}
	if got := w.Inspect().Unreachable(t.Context(), -1); got != nil {
		t.Errorf("at most -1 agents: got=%v, want=none", got)
	}
	must(t, w.SetDoor(door, true))
	run(t, w, 60)
	testkit.Near(t, world.Value(w.Inspect().Explain(agent)).Path.Remaining, 10, 0.5, "explained path through the open door")
	if got := w.Inspect().Unreachable(t.Context(), 10); len(got) != 0 {
		t.Errorf("the door is open: got=%v, want none", got)
	}
}

func TestRetargetEndsGivenWay(t *testing.T) {
	w := made(t, world.Default())
	if err := w.Spawn(1, []any{c.Radius{Meters: 0.3}, c.Limits{MaxSpeed: 2, MaxForce: 10}, c.Route{}, c.Destination{Vec: r2.Vec{X: 5}},
		c.Goal{Radius: 0.3}, c.Target{}, c.KinematicSeek{Gain: 1}}, func(*world.Rows) {}); err != nil {
		t.Fatal(err)
	}
	run(t, w, 1)
	agent, _ := w.Entity(1)
	ways, route := ecs.GetResource[systems.Routes](w.ECS), at[c.Route](w, agent)
	ways.Set(1, route, []r2.Vec{{X: 7, Y: 7}})
	run(t, w, 10)
	to := r2.Vec{X: -4, Y: 2}
	w.SetDestination(agent, to)
	run(t, w, 2)
	if way := w.Inspect().Path(agent); len(way) != 1 || way[0] != to {
		t.Errorf("got=%v, want=the path to %v", way, to)
	}
	run(t, w, 600)
	if goal := at[c.Goal](w, agent); !goal.Inside || goal.Visits != 1 {
		t.Errorf("got=%+v, want=arrived once", *goal)
	}
}
