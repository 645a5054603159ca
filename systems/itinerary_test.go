package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestStopOver(t *testing.T) {
	box := r2.Box{Min: r2.Vec{X: 1, Y: 1}, Max: r2.Vec{X: 2, Y: 3}}
	for _, test := range []struct {
		name string
		stop Stop
		p    r2.Vec
		ago  float64
		want bool
	}{
		{"place not reached", Stop{At: r2.Vec{X: 3}}, r2.Vec{}, 99, false},
		{"place reached, rim included", Stop{At: r2.Vec{X: 3}}, r2.Vec{X: 2}, 0, true},
		{"place given up", Stop{At: r2.Vec{X: 3}, Duration: 5}, r2.Vec{}, 5, true},
		{"outside of box", Stop{Kind: StopBox, Box: box}, r2.Vec{X: 0.9, Y: 2}, 0, false},
		{"on the edge of box", Stop{Kind: StopBox, Box: box}, r2.Vec{X: 2, Y: 3}, 0, true},
		{"nearly in box", Stop{Kind: StopBox, Box: box}, r2.Vec{X: 0.9995, Y: 3.0005}, 0, true},
		{"just outside of box", Stop{Kind: StopBox, Box: box}, r2.Vec{X: 0.9985, Y: 2}, 0, false},
		{"nearly on a line", Stop{Kind: StopBox, Box: r2.Box{Max: r2.Vec{Y: 5}}}, r2.Vec{X: -4.8e-22, Y: 2}, 0, true},
		{"nearly at a point", Stop{Kind: StopBox}, r2.Vec{X: 0.0006, Y: -0.0006}, 0, true},
		{"flee has no place", Stop{Kind: StopFlee}, r2.Vec{}, 99, false},
		{"flee ends", Stop{Kind: StopFlee, Duration: 2}, r2.Vec{}, 2.5, true},
		{"flow goes on", Stop{Kind: StopFlow, Direction: r2.Vec{X: 1}, Duration: 2}, r2.Vec{}, 1.9, false},
		{"idle ends", Stop{Kind: StopIdle, Duration: 2}, r2.Vec{}, 2, true},
		{"infinite", Stop{Kind: StopIdle, Duration: math.Inf(1)}, r2.Vec{}, 1e300, false},
	} {
		testkit.Equal(t, test.stop.over(test.p, test.ago, 1, c.TrackedEntity{}), test.want, "%s", test.name)
	}
}

// TestStopPassed verifies which steps count as passing a box at the origin.
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

// TestStopAnywhere verifies that the time to reach a stop does not depend on the origin, to within a
// step, for several sizes, models and kinds of stops, with another agent nearby.
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

func TestStopTarget(t *testing.T) {
	p := r2.Vec{X: 5, Y: 5}
	for _, test := range []struct {
		stop Stop
		want r2.Vec
	}{
		{Stop{At: r2.Vec{X: 3}}, r2.Vec{X: 3}},
		{Stop{Kind: StopBox, Box: r2.Box{Min: r2.Vec{X: 6, Y: 1}, Max: r2.Vec{X: 9, Y: 9}}}, r2.Vec{X: 6, Y: 5}},
		{Stop{Kind: StopFlee, At: r2.Vec{X: 5, Y: 1}}, r2.Vec{X: 5, Y: 1005}},
		{Stop{Kind: StopFlee, At: p}, p},
		{Stop{Kind: StopFlow, Direction: r2.Vec{X: -2}}, r2.Vec{X: -995, Y: 5}},
		{Stop{Kind: StopIdle}, p},
	} {
		if got, ok := test.stop.target(p, c.TrackedEntity{}); got != test.want || !ok {
			t.Errorf("%+v: target: got=%v, %v, want=%v, true", test.stop, got, ok, test.want)
		}
	}
}

// TestItinerary verifies how an agent goes through stops of four kinds.
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
			if got := testkit.ComponentOf[c.Position](s, e).Vec; r2.Norm(r2.Sub(got, want)) > 0.25 {
				t.Errorf("step %d: position: got=%v, want=within 0.25 m of %v", step, got, want)
			}
		}
		arrived += len(arrivals.List())
		if done := testkit.ComponentOf[c.Itinerary](s, e).Done; done != (arrived == 1) {
			t.Fatalf("step %d, %d arrivals: done: got=%v, want=%v", step, arrived, done, !done)
		}
	}
	if got := testkit.ComponentOf[c.Limits](s, e).MaxSpeed; arrived != 1 || got != 2 {
		t.Errorf("arrivals and top speed: got=%d, %v, want=1, 2", arrived, got)
	}
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
	if !testkit.ComponentOf[c.Itinerary](s, empty).Done {
		t.Error("empty itinerary: got=not done, want=done")
	}
}

func TestStopCheck(t *testing.T) {
	for _, stop := range []Stop{
		{Kind: -1}, {Kind: 9}, {At: r2.Vec{X: math.NaN()}}, {Direction: r2.Vec{X: math.Inf(1)}},
		{Kind: StopBox, Box: r2.Box{Min: r2.Vec{X: 1}}}, {Duration: -1}, {Duration: math.NaN()}, {Speed: math.Inf(1)}, {Speed: -1},
	} {
		if stop.Check() == nil {
			t.Errorf("%+v: got=nil, want=an error", stop)
		}
	}
	if err := (&Stop{Duration: math.Inf(1)}).Check(); err != nil {
		t.Errorf("endless stop: got=%v, want=nil", err)
	}
}
