package world_test

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/8f878440/crowd/world"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestUnreachable verifies which agents cannot leave a room of 10 m × 10 m through a gap of 1 m, reach a
// goal in it, or finish an itinerary, and the reasons.
func TestUnreachable(t *testing.T) {
	for _, test := range []struct {
		radius, reached float64
		to              r2.Vec
		itinerary       bool
		want            string // reason; empty if the agent can arrive
	}{
		{0.3, 0.1, r2.Vec{X: -5}, false, ""},
		{0.499, 0.1, r2.Vec{X: -5}, false, ""},
		{0.5001, 0.1, r2.Vec{X: -5}, false, "a body of radius 0.5001 m has no path from (5, 5) to its goal at (-5, 0)"},
		{0.3, 0.1, r2.Vec{X: 8, Y: 8}, false, "its goal at (8, 8) is inside an obstacle"},
		{0.3, 1.4, r2.Vec{X: 8, Y: 8}, false, ""},
		{0.3, 0.1, r2.Vec{X: 8, Y: 6.8}, false, "its goal at (8, 6.8) is 0.2 m from an obstacle, and its body has a radius of 0.3 m"},
		{0.3, 0.1, r2.Vec{}, true, "stop 1 of its itinerary is to stay without an end"},
	} {
		w := made(t, world.Default())
		endless := room(t, w)
		values := []any{c.Radius{Meters: test.radius}, c.Goal{Radius: test.reached}, c.Target{Vec: test.to}}
		if test.itinerary {
			values = append(values, c.Itinerary{Index: endless, Reached: 0.5})
		}
		if got := whyNot(t, w, values); got != test.want {
			t.Errorf("radius %v to %v: got=%q, want=%q", test.radius, test.to, got, test.want)
		}
	}
}

// whyNot returns the reason why an agent at (5, 5) cannot arrive, or the empty string if it can.
func whyNot(t *testing.T, w *world.World, values []any) (reason string) {
	t.Helper()
	must(t, w.Spawn(1, values, func(r *world.Rows) { world.Column[c.Position](r)[0].Vec = r2.Vec{X: 5, Y: 5} }))
	must(t, w.Step())
	for _, u := range w.Inspect().Unreachable(t.Context(), 1) {
		reason = u.Reason
	}
	return reason
}

// room adds the walls of the room and a circle in it, and returns the index of an itinerary without an end.
func room(t *testing.T, w *world.World) (endless uint32) {
	t.Helper()
	for _, wall := range [][2]r2.Vec{{{}, {X: 10}}, {{X: 10}, {Y: 10}}, {{X: 10, Y: 10}, {X: -10}}, {{}, {Y: 4.5}}, {{Y: 5.5}, {Y: 4.5}}} {
		_, err := w.AddObstacle(wall[0], c.Obstacle{Span: wall[1]})
		must(t, err)
	}
	_, err := w.AddObstacle(r2.Vec{X: 8, Y: 8}, c.Obstacle{Radius: 1})
	must(t, err)
	endless, err = w.AddItinerary([]systems.Stop{{At: r2.Vec{X: 2, Y: 2}}, {Kind: systems.StopIdle}})
	must(t, err)
	return endless
}

// TestUnreachableByField verifies that an agent that follows a field is checked against the goals of
// the field, not against its current Target.
func TestUnreachableByField(t *testing.T) {
	out := r2.Vec{X: -5, Y: 2}
	for _, test := range []struct {
		name   string
		goals  []r2.Box
		radius float64
		index  uint32
		want   string
	}{
		{"through the door", []r2.Box{{Min: out, Max: out}}, 0.3, 0, ""},
		{"too wide for the door", []r2.Box{{Min: out, Max: out}}, 0.6, 0, "a body of radius 0.6 m has no path from (5, 5) to its goal at (-5, 2)"},
		{"one of two goals", []r2.Box{{Min: out, Max: out}, r2.NewBox(1, 1, 2, 2)}, 0.6, 0, ""},
		{"neither of two goals", []r2.Box{{Min: out, Max: out}, r2.NewBox(-9, 1, -8, 2)}, 0.6, 0, "a body of radius 0.6 m has no path from (5, 5) to any goal of field 0"},
		{"a corner of a goal", []r2.Box{r2.NewBox(7, 7, 9.9, 9.9)}, 0.05, 0, ""},
	} {
		w := made(t, world.Default())
		room(t, w)
		_, err := w.AddFlowField(sense.FlowField{Goals: test.goals, Radius: test.radius})
		must(t, err)
		values := []any{c.Radius{Meters: test.radius}, c.Goal{Radius: 0.1}, c.Target{Vec: r2.Vec{X: 4, Y: 4}}, c.FlowField{Index: test.index}}
		if got := whyNot(t, w, values); got != test.want {
			t.Errorf("%s: got=%q, want=%q", test.name, got, test.want)
		}
	}
}

// TestCannotArrive verifies that an agent gets a reason only if it has a goal, is not there, and is alive.
func TestCannotArrive(t *testing.T) {
	for _, test := range []struct {
		name   string
		values []any
		late   bool
	}{
		{"never arrives", []any{c.Goal{}, c.Target{Vec: r2.Vec{X: 8, Y: 8}}}, true},
		{"at its goal", []any{c.Goal{Inside: true}, c.Target{Vec: r2.Vec{X: 8, Y: 8}}}, false},
		{"no goal", []any{c.Target{Vec: r2.Vec{X: 8, Y: 8}}}, false},
	} {
		w := made(t, world.Default())
		room(t, w)
		var e ecs.Entity
		must(t, w.Spawn(1, test.values, func(r *world.Rows) {
			world.Column[c.Position](r)[0].Vec = r2.Vec{X: 5, Y: 5}
			e = r.Entity(0)
		}))
		w.Obstacles.Sense(w.ECS)
		if got := w.Inspect().CannotArrive(e); (got != "") != test.late {
			t.Errorf("%s: got=%q, reason wanted: %v", test.name, got, test.late)
		}
		w.Remove(e)
		if got := w.Inspect().CannotArrive(e); got != "" {
			t.Errorf("%s: got=%q for a dead agent, want=nothing", test.name, got)
		}
	}
}

// TestUnreachableBox verifies that an agent can arrive in a box with obstacles on its edges and in its
// middle, and continue from there, but not in a box that an obstacle covers.
func TestUnreachableBox(t *testing.T) {
	box := r2.NewBox(2, 2, 8, 8)
	for _, test := range []struct {
		name   string
		closed bool   // an obstacle covers the whole box
		want   string // empty if the agent can arrive; the text is not compared
	}{
		{"posts at its corners and in its middle", false, ""},
		{"a block", true, "has no path from (-5, 5) to"},
	} {
		for _, field := range []bool{false, true} {
			w := made(t, world.Default())
			room(t, w)
			add := func(at, span r2.Vec, radius float64) {
				_, err := w.AddObstacle(at, c.Obstacle{Span: span, Radius: radius})
				must(t, err)
			}
			for _, at := range []r2.Vec{{X: 2, Y: 2}, {X: 8, Y: 2}, {X: 2, Y: 8}, {X: 5, Y: 5}, {X: 2, Y: 5}} {
				add(at, r2.Vec{}, 0.5)
			}
			if test.closed {
				add(r2.Vec{X: 5, Y: 1}, r2.Vec{Y: 8}, 4)
			}
			values := []any{c.Radius{Meters: 0.3}, c.Goal{}, c.Target{}}
			if field {
				_, err := w.AddFlowField(sense.FlowField{Goals: []r2.Box{box}, Radius: 0.3})
				must(t, err)
				values = append(values, c.FlowField{})
			} else {
				index, err := w.AddItinerary([]systems.Stop{{Kind: systems.StopBox, Box: box}, {At: r2.Vec{X: -5, Y: 3}}})
				must(t, err)
				values = append(values, c.Itinerary{Index: index, Reached: 0.1})
			}
			var e ecs.Entity
			must(t, w.Spawn(1, values, func(r *world.Rows) {
				world.Column[c.Position](r)[0].Vec = r2.Vec{X: -5, Y: 5}
				e = r.Entity(0)
			}))
			w.Obstacles.Sense(w.ECS)
			got := w.Inspect().CannotArrive(e)
			if test.want == "" && got != "" || test.want != "" && got == "" {
				t.Errorf("%s, field=%v: got=%q, reason wanted: %v", test.name, field, got, test.want != "")
			}
		}
	}
}

// TestUnreachableAfterStatue verifies that an itinerary with a stop inside an obstacle continues from the
// place beside the obstacle where the stop counts as reached.
func TestUnreachableAfterStatue(t *testing.T) {
	w := made(t, world.Default())
	room(t, w)
	index, err := w.AddItinerary([]systems.Stop{{At: r2.Vec{X: 8, Y: 8}}, {At: r2.Vec{X: -5}}})
	must(t, err)
	values := []any{c.Radius{Meters: 0.3}, c.Goal{Radius: 1.5}, c.Target{}, c.Itinerary{Index: index, Reached: 1.5}}
	if got := whyNot(t, w, values); got != "" {
		t.Errorf("got=%q, want=nothing", got)
	}
}

// TestUnreachableAfterArrival verifies that an agent at its goal is not checked until it is sent elsewhere,
// and that an open door makes its new goal reachable.
func TestUnreachableAfterArrival(t *testing.T) {
	w := made(t, world.Default())
	room(t, w)
	if got := whyNot(t, w, []any{c.Radius{Meters: 0.3}, c.Goal{Radius: 0.5}, c.Target{Vec: r2.Vec{X: 5, Y: 5}}}); got != "" {
		t.Fatalf("at its goal: got=%q, want=nothing", got)
	}
	door, err := w.AddDoor(r2.Vec{Y: 4.5}, r2.Vec{Y: 5.5}, 0.1, c.Door{})
	must(t, err)
	agent, _ := w.Entity(1)
	w.SetDestination(agent, r2.Vec{X: -5, Y: 5})
	must(t, w.Step())
	const want = "a body of radius 0.3 m has no path from (5, 5) to its goal at (-5, 5)"
	if got := w.Inspect().Unreachable(t.Context(), 10); len(got) != 1 || got[0].Reason != want || w.Inspect().CannotArrive(agent) != want {
		t.Errorf("sent through a closed door: got=%v, want=%q", got, want)
	}
	if got := w.Inspect().Unreachable(t.Context(), -1); got != nil {
		t.Errorf("at most -1 agents: got=%v, want=none", got)
	}
	must(t, w.SetDoor(door, true))
	must(t, w.Step())
	if got := w.Inspect().Unreachable(t.Context(), 10); len(got) != 0 {
		t.Errorf("the door is open: got=%v, want none", got)
	}
}

// TestRetargetEndsGivenWay verifies that SetDestination replaces a path that a host has set, and that the
// agent then arrives only at the new place.
func TestRetargetEndsGivenWay(t *testing.T) {
	w := made(t, world.Default())
	if err := w.Spawn(1, []any{c.Radius{Meters: 0.3}, c.Limits{MaxSpeed: 2, MaxForce: 10}, c.Route{}, c.Destination{Vec: r2.Vec{X: 5}},
		c.Goal{Radius: 0.3}, c.Target{}, c.KinematicSeek{Gain: 1}}, func(*world.Rows) {}); err != nil {
		t.Fatal(err)
	}
	steps := func(n int) {
		t.Helper()
		run(t, w, n)
	}
	steps(1)
	agent, _ := w.Entity(1)
	ways, route := ecs.GetResource[systems.Routes](w.ECS), (*c.Route)(w.ECS.Get(agent, ecs.ComponentID[c.Route](w.ECS)))
	ways.Set(1, route, []r2.Vec{{X: 7, Y: 7}})
	steps(10)
	to := r2.Vec{X: -4, Y: 2}
	w.SetDestination(agent, to)
	steps(2)
	if way := w.Inspect().Path(agent); len(way) != 1 || way[0] != to {
		t.Errorf("got=%v, want=the path to %v", way, to)
	}
	steps(600)
	if goal := (*c.Goal)(w.ECS.Get(agent, ecs.ComponentID[c.Goal](w.ECS))); !goal.Inside || goal.Visits != 1 {
		t.Errorf("got=%+v, want=arrived once", *goal)
	}
}
