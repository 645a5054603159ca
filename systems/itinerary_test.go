package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestStopOver(t *testing.T) {
	box := r2.NewBox(1, 1, 2, 3)
	p, none := xy(5, 5), c.TrackedEntity{}
	there := c.TrackedEntity{At: xy(9, 5), Velocity: xy(0, -2), Seen: true}
	at := func(x float64) c.TrackedEntity { return c.TrackedEntity{At: xy(x, 5), Seen: true} }
	gone := c.TrackedEntity{At: xy(9, 5)}
	for _, test := range []struct {
		name  string
		stop  Stop
		p     r2.Vec
		ago   float64
		other c.TrackedEntity
		over  bool
		to    r2.Vec
	}{
		{"place not reached", Stop{At: xy(3, 0)}, r2.Vec{}, 99, none, false, xy(3, 0)},
		{"place reached, rim included", Stop{At: xy(3, 0)}, xy(2, 0), 0, none, true, xy(3, 0)},
		{"place given up", Stop{At: xy(3, 0), Duration: 5}, r2.Vec{}, 5, none, true, xy(3, 0)},
		{"outside of box", Stop{Kind: StopBox, Box: box}, xy(0.9, 2), 0, none, false, xy(1, 2)},
		{"on the edge of box", Stop{Kind: StopBox, Box: box}, xy(2, 3), 0, none, true, xy(2, 3)},
		{"nearly in box", Stop{Kind: StopBox, Box: box}, xy(0.9995, 3.0005), 0, none, true, xy(1, 3)},
		{"just outside of box", Stop{Kind: StopBox, Box: box}, xy(0.9985, 2), 0, none, false, xy(1, 2)},
		{"nearly on a line", Stop{Kind: StopBox, Box: r2.Box{Max: xy(0, 5)}}, xy(-4.8e-22, 2), 0, none, true, xy(0, 2)},
		{"nearly at a point", Stop{Kind: StopBox}, xy(0.0006, -0.0006), 0, none, true, xy(0, 0)},
		{"far from a box", Stop{Kind: StopBox, Box: r2.NewBox(6, 1, 9, 9)}, p, 0, none, false, xy(6, 5)},
		{"flee has no place", Stop{Kind: StopFlee, At: xy(5, 1)}, p, 99, none, false, xy(5, 1005)},
		{"flee, at the place", Stop{Kind: StopFlee, At: p}, p, 99, none, false, p},
		{"flee ends", Stop{Kind: StopFlee, At: p, Duration: 2}, p, 2.5, none, true, p},
		{"flow goes on", Stop{Kind: StopFlow, Direction: xy(-2, 0), Duration: 2}, p, 1.9, none, false, xy(-995, 5)},
		{"idle ends", Stop{Kind: StopIdle, Duration: 2}, p, 2, none, true, p},
		{"infinite", Stop{Kind: StopIdle, Duration: math.Inf(1)}, p, 1e300, none, false, p},
		{"follows", Stop{Kind: StopFollow}, p, 99, there, false, xy(9, 5)},
		{"has reached", Stop{Kind: StopFollow}, p, 99, at(5.5), true, xy(5.5, 5)},
		{"has just reached", Stop{Kind: StopFollow}, p, 99, at(6), true, xy(6, 5)},
		{"has not quite reached", Stop{Kind: StopFollow}, p, 99, at(6.1), false, xy(6.1, 5)},
		{"follows none", Stop{Kind: StopFollow}, p, 99, gone, true, xy(0, 0)},
		{"flees", Stop{Kind: StopFleeFrom}, p, 99, there, false, xy(-995, 5)},
		{"flees none", Stop{Kind: StopFleeFrom}, p, 99, gone, true, xy(0, 0)},
		{"flows", Stop{Kind: StopFlowWith}, p, 99, there, false, xy(5, -995)},
		{"flows with one that stands", Stop{Kind: StopFlowWith}, p, 99, at(5.5), false, p},
		{"flows with none", Stop{Kind: StopFlowWith}, p, 99, gone, true, xy(0, 0)},
	} {
		testkit.Equal(t, test.stop.over(test.p, test.ago, 1, test.other), test.over, "%s: over", test.name)
		got, ok := test.stop.target(test.p, test.other)
		testkit.Equal(t, got, test.to, "%s: target", test.name)
		testkit.Equal(t, ok, test.other != gone, "%s: has a target", test.name)
	}
}

func TestStopPassed(t *testing.T) {
	small := Stop{Kind: StopBox, Box: r2.NewBox(-0.01, -0.01, 0.01, 0.01)}
	for _, tc := range []struct {
		name             string
		stop             Stop
		next, before, at r2.Vec
		want             bool
	}{
		{"beside it", small, xy(9, 0), xy(-0.1, 0.4), xy(0.1, 0.4), true},
		{"far beside it", small, xy(9, 0), xy(-0.1, 0.6), xy(0.1, 0.6), false},
		{"not yet", small, xy(9, 0), xy(-0.2, 0.4), xy(-0.1, 0.4), false},
		{"back", small, xy(9, 0), xy(0.1, 0.4), xy(-0.1, 0.4), false},
		{"a place", Stop{}, xy(9, 0), xy(-0.1, 0.4), xy(0.1, 0.4), false},
		{"a corner", small, xy(0, 9), xy(-0.4, -0.1), xy(-0.3, 0.1), true},
		{"the next stop is back: before the turn", small, xy(-9, -1), xy(-0.3, 0.4), xy(-0.1, 0.4), false},
		{"the next stop is back: after the turn", small, xy(-9, -1), xy(0.1, 0), xy(-0.1, -0.1), true},
	} {
		testkit.Equal(t, tc.stop.passed(&Stop{At: tc.next}, tc.before, tc.at), tc.want, "%s", tc.name)
	}
}

// TestStopAnywhere verifies that the time to reach a stop does not depend on the origin: see atPlace.
func TestStopAnywhere(t *testing.T) {
	const dt = 0.01
	for _, m := range pedestrianModels() {
		for _, radius := range []float64{0.02, 0.2, 1} {
			for name, stop := range map[string]Stop{
				"box":   {Kind: StopBox, Box: r2.NewBox(0, -radius/2, 9, radius/2)},
				"line":  {Kind: StopBox, Box: r2.NewBox(0, -radius/2, 0, radius/2)},
				"place": {},
			} {
				steps := func(at r2.Vec, most int) (n int) {
					s := newStage(t, dt, &sense.Obstacles{}, &sense.Neighbors{}, &Itinerary{}, m.system(), &Integration{})
					stop := stop
					stop.At, stop.Box = vec.Add(stop.At, at), r2.Box{Min: vec.Add(stop.Box.Min, at), Max: vec.Add(stop.Box.Max, at)}
					ecs.AddResource(s.World, &Itineraries{{stop, {Kind: StopFlow, Direction: xy(1, 0)}}})
					var people []ecs.Entity
					for _, y := range []float64{-1.02, 1.02} {
						people = append(people, s.Put(c.Position{Vec: vec.Add(at, vec.Scale(radius, xy(-3-y, y)))}, c.Velocity{}, c.Heading{Vec: xy(1, 0)}, c.Radius{Meters: radius},
							c.Mass{Kilograms: 80}, c.Target{}, c.Limits{MaxSpeed: 1.2}, c.Itinerary{}, m.par))
					}
					on := func(e ecs.Entity) bool { return testkit.ComponentOf[c.Itinerary](s, e).Next == 1 }
					for ; n < most && !(on(people[0]) && on(people[1])); n++ {
						s.Step()
					}
					return n
				}
				const most = 1000
				here, there := steps(r2.Vec{}, most), steps(xy(16, 7.9), most)
				if max(here-there, there-here) > 1 || name == "box" && here == most {
					t.Errorf("%s, radius %v m, %s: steps until both agents have arrived: got=%d at the origin, %d elsewhere, want a difference of at most 1, and for box fewer than %d", m.name, radius, name, here, there, most)
				}
			}
		}
	}
}

func TestItinerary(t *testing.T) {
	arrivals := &Arrivals{}
	s := newStage(t, 0.1, &Itinerary{}, &KinematicSeek{}, &Integration{}, arrivals)
	ecs.AddResource(s.World, &Itineraries{{
		{At: r2.Vec{X: 2}},
		{Kind: StopIdle, Duration: 1},
		{Kind: StopFlow, Direction: r2.Vec{Y: 3}, Duration: 1, Speed: 2},
		{Kind: StopBox, Box: r2.Box{Min: r2.Vec{X: -1, Y: 3}, Max: r2.Vec{X: 1, Y: 9}}},
	}})
	e := s.Put(c.Position{}, c.Velocity{}, c.Target{}, c.Limits{MaxSpeed: 1}, c.KinematicSeek{Gain: 1},
		c.Itinerary{Reached: 0.05}, c.Goal{})
	at := map[int]r2.Vec{20: {X: 2}, 30: {X: 2}, 41: {X: 2, Y: 2}}
	arrived := 0
	for step := 1; step <= 80; step++ {
		s.Step()
		if want, ok := at[step]; ok {
			testkit.Near(t, placeOf(s, e), want, 0.17, "step %d: position", step)
		}
		arrived += len(arrivals.List())
		if done := testkit.ComponentOf[c.Itinerary](s, e).Done; done != (arrived == 1) {
			t.Fatalf("step %d, %d arrivals: done: got=%v, want=%v", step, arrived, done, !done)
		}
	}
	testkit.Equal(t, arrived, 1, "arrivals")
	testkit.Equal(t, testkit.ComponentOf[c.Limits](s, e).MaxSpeed, 2, "top speed")
}

func TestItineraryWithoutStops(t *testing.T) {
	s := newStage(t, 0.1, &Itinerary{})
	ecs.AddResource(s.World, &Itineraries{{}})
	empty := s.Put(c.Position{}, c.Target{Vec: r2.Vec{X: 7}}, c.Itinerary{})
	all := []ecs.Entity{empty, s.Put(c.Position{Vec: r2.Vec{X: math.NaN()}}, c.Target{Vec: r2.Vec{X: 7}}, c.Itinerary{})}
	for _, missing := range []uint32{1, 2, math.MaxUint32} {
		all = append(all, s.Put(c.Position{}, c.Target{Vec: r2.Vec{X: 7}}, c.Itinerary{Index: missing}))
	}
	s.Step()
	for _, e := range all {
		testkit.Equal(t, testkit.ComponentOf[c.Target](s, e).X, 7, "target of %v", e)
	}
	testkit.Equal(t, testkit.ComponentOf[c.Itinerary](s, empty).Done, true, "empty itinerary: done")
}

func TestStopCheck(t *testing.T) {
	for _, stop := range []Stop{
		{Kind: -1}, {Kind: 9}, {At: r2.Vec{X: math.NaN()}}, {Direction: r2.Vec{X: math.Inf(1)}},
		{Kind: StopBox, Box: r2.Box{Min: r2.Vec{X: 1}}}, {Duration: -1}, {Duration: math.NaN()}, {Speed: math.Inf(1)}, {Speed: -1},
		{Kind: StopFlow}, {Kind: StopFlow, Direction: r2.Vec{Y: math.NaN()}}, {Kind: StopFlow, Direction: r2.Vec{X: math.Copysign(0, -1)}},
	} {
		if stop.Check() == nil {
			t.Errorf("%+v: got=nil, want=an error", stop)
		}
	}
	testkit.Must(t, (&Stop{Duration: math.Inf(1)}).Check())
	testkit.Must(t, (&Stop{Kind: StopFlow, Direction: r2.Vec{X: 5e-324}}).Check())
}

func TestSightingsOf(t *testing.T) {
	bad := r2.Vec{X: math.NaN()}
	table := TrackedEntities{{Seen: true}, {Seen: true, At: bad}, {Seen: true, Velocity: bad}, {}}
	for _, test := range []struct {
		stop Stop
		want bool
	}{
		{Stop{Kind: StopFollow}, true}, {Stop{}, false}, {Stop{Kind: StopFollow, Other: 1}, false},
		{Stop{Kind: StopFleeFrom, Other: 2}, false}, {Stop{Kind: StopFlowWith, Other: 3}, false}, {Stop{Kind: StopFollow, Other: 4}, false},
	} {
		testkit.Equal(t, table.of(&test.stop).Seen, test.want, "%+v", test.stop)
	}
}

func TestItineraryByOthers(t *testing.T) {
	s := newStage(t, 1, &Itinerary{}, &KinematicSeek{}, &Integration{})
	leader := s.Put(c.Position{Vec: r2.Vec{X: 10}}, c.Velocity{Vec: r2.Vec{X: 1}})
	ecs.AddResource(s.World, &TrackedEntities{{}, {Entity: leader}})
	ecs.AddResource(s.World, &Itineraries{{{Kind: StopFollow, Other: 1}, {At: r2.Vec{Y: 50}}}, {{Kind: StopFollow, Other: 1}}})
	e := s.Put(c.Position{}, c.Velocity{}, c.Target{}, c.Limits{MaxSpeed: 1}, c.KinematicSeek{Gain: 1}, c.Itinerary{Reached: 0.5})
	last := s.Put(c.Position{}, c.Target{Vec: r2.Vec{X: -7}}, c.Itinerary{Index: 1})
	for step := range 3 {
		s.Step()
		testkit.Equal(t, testkit.ComponentOf[c.Target](s, e).Vec, r2.Vec{X: 10 + float64(step)}, "step %d: target", step)
	}
	s.RemoveEntity(leader)
	s.Step()
	testkit.Equal(t, testkit.ComponentOf[c.Target](s, e).Vec, r2.Vec{Y: 50}, "after the leader's death: target")
	testkit.Equal(t, testkit.ComponentOf[c.Target](s, last).Vec, xy(12, 0), "last stop: target")
	testkit.Equal(t, testkit.ComponentOf[c.Itinerary](s, last).Done, true, "last stop: done")
}

func TestPathFollowing(t *testing.T) {
	way := []r2.Vec{xy(0, 0), xy(10, 0), xy(10, 10)}
	for _, tc := range []struct {
		name   string
		path   c.Path
		p      r2.Vec
		next   uint32
		target r2.Vec
	}{
		{"on the way", c.Path{Next: 1, Reached: 2}, xy(5, 0), 1, xy(10, 0)},
		{"reached", c.Path{Next: 1, Reached: 2}, xy(9, 0), 2, xy(10, 10)},
		{"just reached", c.Path{Next: 1, Reached: 2}, xy(8, 0), 2, xy(10, 10)},
		{"not quite reached", c.Path{Next: 1, Reached: 2}, xy(math.Nextafter(8, 7), 0), 1, xy(10, 0)},
		{"one waypoint a step", c.Path{Next: 0, Reached: 100}, xy(5, 5), 1, xy(10, 0)},
		{"stays at the last", c.Path{Next: 2, Reached: 2}, xy(10, 9), 2, xy(10, 10)},
		{"begins again", c.Path{Next: 2, Reached: 2, Loop: true}, xy(10, 9), 0, xy(0, 0)},
		{"past the end", c.Path{Next: 99, Reached: 2}, xy(5, 5), 2, xy(10, 10)},
		{"reached 0 is never", c.Path{Next: 1}, xy(10, 0), 1, xy(10, 0)},
		{"reached NaN is never", c.Path{Next: 1, Reached: nan}, xy(10, 0), 1, xy(10, 0)},
		{"position NaN", c.Path{Next: 1, Reached: 2}, xy(nan, 0), 1, xy(10, 0)},
	} {
		path := tc.path
		testkit.Equal(t, followPath(&path, tc.p, way), tc.target, "%s: target", tc.name)
		testkit.Equal(t, path.Next, tc.next, "%s: next waypoint", tc.name)
		s := newStage(t, 1, &PathFollowing{})
		ecs.AddResource(s.World, &Paths{way, {}})
		e := s.Put(c.Position{Vec: tc.p}, tc.path, c.Target{Vec: xy(-1, -1)})
		s.Step()
		testkit.Equal(t, testkit.ComponentOf[c.Target](s, e).Vec, tc.target, "%s, system: target", tc.name)
		testkit.Equal(t, testkit.ComponentOf[c.Path](s, e).Next, tc.next, "%s, system: next waypoint", tc.name)
		for _, missing := range []uint32{1, 2, math.MaxUint32} { // empty paths and missing ones
			testkit.ComponentOf[c.Path](s, e).Index, testkit.ComponentOf[c.Target](s, e).Vec = missing, xy(-1, -1)
			s.Step()
			testkit.Equal(t, testkit.ComponentOf[c.Target](s, e).Vec, xy(-1, -1), "%s, path %d: target", tc.name, missing)
		}
	}
}

func TestTankSlowsAtEveryStop(t *testing.T) {
	way := []r2.Vec{xy(0, 0), xy(400, 0), xy(400, 300), xy(0, 300)}
	s := newStage(t, 1./60, &PathFollowing{}, &SmoothArrival{}, &TurnTowards{}, &Drive{})
	ecs.AddResource(s.World, &Paths{way})
	e := s.Put(c.Position{Vec: xy(200, 1)}, c.Heading{Vec: xy(1, 0)}, c.Target{}, c.Velocity{},
		c.Drive{Speed: 120, TopSpeed: 120}, c.TurnTowards{Rate: 2},
		c.SmoothArrival{Gain: 1, Min: 17, Max: 80}, c.Path{Next: 1, Reached: 22, Loop: true})
	slowest, fastest, stops := 120., 0., 0
	next := uint32(1)
	for range 60 * 120 {
		s.Step()
		speed := vec.Norm(testkit.ComponentOf[c.Velocity](s, e).Vec)
		if now := testkit.ComponentOf[c.Path](s, e).Next; now != next {
			if fastest < 119 || slowest > 5 {
				t.Fatalf("before waypoint %d: speed: got=%v to %v, want=5 or less to 119 or more", next, slowest, fastest)
			}
			if now != (next+1)%4 {
				t.Fatalf("after waypoint %d: got=%d, want=%d", next, now, (next+1)%4)
			}
			slowest, fastest, next = 120, 0, now
			stops++
		}
		slowest, fastest = min(slowest, speed), max(fastest, speed)
		if speed > 120+1e-9 {
			t.Fatalf("speed: got=%v, want=at most 120", speed)
		}
	}
	if stops < 8 {
		t.Errorf("stops: got=%d, want=8 or more", stops)
	}
}

func TestPathStatus(t *testing.T) {
	around := math.Hypot(4, 3) * 2 // from (0, -3) to (0, 3)
	over := c.Destination{Vec: xy(0, 3)}
	box := func(p r2.Vec) r2.Box { return r2.Box{Min: p, Max: p} }
	fields := sense.FlowFields{{Goals: []r2.Box{box(xy(0, 3))}, Cell: 0.1}, {Goals: []r2.Box{box(xy(20, 0))}, Cell: 0.1}}
	for _, test := range []struct {
		name string
		with []any
		then func(s *stage, e ecs.Entity)
		want PathStatus
	}{
		{"straight", []any{c.Target{Vec: xy(0, 3)}}, nil, PathStatus{Remaining: 6}},
		{"at its goal", []any{c.Target{Vec: xy(0, -2.75)}, c.Goal{Radius: 0.5}}, nil, PathStatus{Remaining: 0.25, Reached: true}},
		{"route", []any{c.Target{}, over, c.Route{}}, nil, PathStatus{Remaining: around}},
		{"route that is given", []any{c.Target{}, over, c.Route{}}, func(s *stage, e ecs.Entity) {
			ecs.GetResource[Routes](s.World).Set(c.IDOf(nil, e), testkit.ComponentOf[c.Route](s, e), []r2.Vec{xy(5, -3), xy(5, 3)})
		}, PathStatus{Remaining: 11}},
		{"route to another place", []any{c.Target{}, over, c.Route{}}, func(s *stage, e ecs.Entity) { testkit.ComponentOf[c.Destination](s, e).Vec = xy(3, -3) }, PathStatus{Remaining: 3, Waiting: true}},
		{"direct", []any{c.Target{}, c.Destination{Vec: xy(0, 3), Direct: true}, c.Route{}}, nil, PathStatus{Remaining: 6}},
		{"no route", []any{c.Target{}, c.Destination{Vec: xy(20, 0)}, c.Route{}}, nil, PathStatus{Remaining: inf, Unreachable: true}},
		{"field", []any{c.Target{}, c.FlowField{}}, nil, PathStatus{Remaining: around}},
		{"no way in a field", []any{c.Target{}, c.FlowField{Index: 1}}, nil, PathStatus{Remaining: inf, Unreachable: true}},
		{"field that is new", []any{c.Target{}, c.FlowField{Index: 2}}, nil, PathStatus{Remaining: 3, Waiting: true}},
		{"boundary", []any{c.Target{}, over, c.BoundaryFollowing{Range: 3}}, nil, PathStatus{Remaining: 6}},
		{"no way at a boundary", []any{c.Target{}, over, c.BoundaryFollowing{}}, func(s *stage, e ecs.Entity) {
			testkit.ComponentOf[c.BoundaryFollowing](s, e).Memory.State = c.BoundaryUnreachable
		}, PathStatus{Remaining: inf, Unreachable: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newStage(t, 0.1, &sense.Obstacles{}, &Routing{}, &FlowFieldFollowing{}, &BoundaryFollowing{}, &Arrivals{})
			*frame.Resource[sense.FlowFields](s.World) = fields
			s.Put(c.Position{Vec: xy(-4, 0)}, c.Obstacle{Span: xy(8, 0)})
			s.Put(c.Position{Vec: xy(20, 0)}, c.Obstacle{Radius: 1})
			e := s.Put(append(test.with, c.Position{Vec: xy(0, -3)}, c.Velocity{})...)
			s.Step()
			if test.then != nil {
				test.then(s, e)
			}
			got, ok := PathStatusOf(s.Frame, s.World, e)
			want := test.want
			if within(got.Remaining, want.Remaining, 0.3) { // a field has cells
				want.Remaining = got.Remaining
			}
			if !ok || got != want {
				t.Errorf("got=%+v %v, want=%+v true", got, ok, want)
			}
		})
	}
	s := newStage(t, 0.1, &sense.Obstacles{})
	dead, bare := s.Put(c.Position{}, c.Target{}), s.Put(c.Position{})
	s.RemoveEntity(dead)
	for _, e := range []ecs.Entity{dead, bare} {
		if got, ok := PathStatusOf(s.Frame, s.World, e); ok || got != (PathStatus{}) {
			t.Errorf("entity %v: got=%+v %v, want=the zero status, false", e, got, ok)
		}
	}
}
