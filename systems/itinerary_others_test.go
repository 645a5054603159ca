package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestStopsThatGoByOthers verifies the ends and targets of stops that depend on another agent.
func TestStopsThatGoByOthers(t *testing.T) {
	p := r2.Vec{X: 5, Y: 5}
	there := c.TrackedEntity{At: r2.Vec{X: 9, Y: 5}, Velocity: r2.Vec{Y: -2}, Seen: true}
	at := func(x float64) c.TrackedEntity { return c.TrackedEntity{At: r2.Vec{X: x, Y: 5}, Seen: true} }
	stands := at(5.5)
	gone := c.TrackedEntity{At: r2.Vec{X: 9, Y: 5}}
	for _, test := range []struct {
		name  string
		kind  StopKind
		other c.TrackedEntity
		over  bool
		to    r2.Vec
		ok    bool
	}{
		{"follows", StopFollow, there, false, r2.Vec{X: 9, Y: 5}, true},
		{"has reached", StopFollow, stands, true, r2.Vec{X: 5.5, Y: 5}, true},
		{"has just reached", StopFollow, at(7), true, r2.Vec{X: 7, Y: 5}, true},
		{"has not quite reached", StopFollow, at(7.1), false, r2.Vec{X: 7.1, Y: 5}, true},
		{"follows none", StopFollow, gone, true, r2.Vec{}, false},
		{"flees", StopFleeFrom, there, false, r2.Vec{X: -995, Y: 5}, true},
		{"flees none", StopFleeFrom, gone, true, r2.Vec{}, false},
		{"flows", StopFlowWith, there, false, r2.Vec{X: 5, Y: -995}, true},
		{"flows with one that stands", StopFlowWith, stands, false, p, true},
		{"flows with none", StopFlowWith, gone, true, r2.Vec{}, false},
	} {
		s := Stop{Kind: test.kind}
		testkit.Equal(t, s.over(p, 99, 2, test.other), test.over, "%s: over", test.name)
		if got, ok := s.target(p, test.other); got != test.to || ok != test.ok {
			t.Errorf("%s: target: got=%v %v, want=%v %v", test.name, got, ok, test.to, test.ok)
		}
	}
}

// TestSightingsOf verifies that a stop sees no entity that is missing, unseen or not finite, and none
// that it does not depend on.
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

// TestItineraryByOthers verifies that an agent follows another agent at its position at the start of each
// step, and, when that agent dies, goes to the next stop or, at the last stop, is done and keeps its target.
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
	if got, want := testkit.ComponentOf[c.Target](s, last).Vec, (r2.Vec{X: 12}); got != want || !testkit.ComponentOf[c.Itinerary](s, last).Done {
		t.Errorf("last stop: got=target %v, done %v, want=target %v, done true", got, testkit.ComponentOf[c.Itinerary](s, last).Done, want)
	}
}
