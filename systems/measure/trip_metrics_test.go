package measure

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

// walk moves an agent to the next position in each step, and removes it after it has arrived at the last.
func walk(t *testing.T, dt float64, comps []any, places ...r2.Vec) TripCount {
	j := &TripMetrics{}
	s := newStage(t, dt, j)
	e := s.Put(append(comps, c.Position{Vec: places[0]}, c.Velocity{}, c.Goal{})...)
	j.Begin(s.World)
	for i, p := range places[1:] {
		testkit.ComponentOf[c.Velocity](s, e).Vec = r2.Scale(1/dt, r2.Sub(p, testkit.ComponentOf[c.Position](s, e).Vec))
		testkit.ComponentOf[c.Position](s, e).Vec = p
		if i == len(places)-2 {
			*testkit.ComponentOf[c.Goal](s, e) = c.Goal{Visits: 1, Inside: true}
		}
		s.Step()
	}
	s.RemoveEntity(e)
	s.Step()
	return j.Count()
}

func TestJourneys(t *testing.T) {
	optimum := 2 * math.Sqrt(2.23*1.26)
	for _, tc := range []struct {
		name   string
		dt     float64
		comps  []any
		places []r2.Vec
		want   TripCount
	}{
		{"straight on", 0.5, []any{c.Target{Vec: xy(9, 0)}, c.Limits{MaxSpeed: 2}},
			[]r2.Vec{xy(0, 0), xy(1, 0), xy(2, 0), xy(3, 0)},
			TripCount{Agents: 1, Arrived: 1, Unharmed: 1, Trips: 1, StraightTrips: 1, LimitedTrips: 1,
				Energy: (2.23 + 1.26*4) * 1.5, EnergyOptimum: optimum * 3, PathRatio: 1, TimeRatio: 1,
				FirstTime: 1.5, Effort: 4 * 1.5 / 0.1, Steps: 3, Length: 3, OrderSteps: 3, Order: 1,
				Line: 3, Wiggle: 1, Seconds: 1, TurnSeconds: 1}},
		// An L of 3 m and 4 m: 7 m for 5 m, with one quarter turn that changes the velocity by 2·√2
		// m/s and is not a reversal.
		{"an L", 0.5, []any{c.Limits{MaxSpeed: 4}},
			[]r2.Vec{xy(0, 0), xy(1, 0), xy(2, 0), xy(3, 0), xy(3, 1), xy(3, 2), xy(3, 3), xy(3, 4)},
			TripCount{Agents: 1, Arrived: 1, Unharmed: 1, Trips: 1, StraightTrips: 1, LimitedTrips: 1,
				Energy: (2.23 + 1.26*4) * 3.5, EnergyOptimum: optimum * 5, PathRatio: 1.4, TimeRatio: 3.5 * 4 / 5,
				FirstTime: 3.5, Effort: 4 * 3.5 / 0.1, Steps: 7, Length: 7,
				Line: 7, Wiggle: 1, Seconds: 3, Acceleration: 2 * math.Sqrt2 / 3, TurnSeconds: 3, Turning: 90. / 3}},
		{"the wrong way", 1, []any{c.Target{Vec: xy(10, 0)}},
			[]r2.Vec{xy(0, 0), xy(0, 1), xy(0, 0), xy(-3, 0)},
			TripCount{Agents: 1, Arrived: 1, Unharmed: 1, Trips: 1, StraightTrips: 1,
				Energy: 3*2.23 + 1.26*11, EnergyOptimum: optimum * 3, PathRatio: 5. / 3,
				FirstTime: 3, Effort: 11 / 0.1, Steps: 3, Length: 5, OrderSteps: 3, Order: (0 + 1/math.Sqrt(101) - 1) / 3,
				Line: 5, Wiggle: 1, Seconds: 2, Acceleration: (2 + math.Sqrt(10)) / 2, Reversals: 1. / 2, TurnSeconds: 2, Turning: 270. / 2}},
		{"there and back", 1, nil, []r2.Vec{xy(2, 2), xy(3, 2), xy(2, 2)},
			TripCount{Agents: 1, Arrived: 1, Unharmed: 1, Trips: 1, Energy: 2 * (2.23 + 1.26),
				FirstTime: 2, Effort: 2 / 0.1, Steps: 2, Length: 2,
				Line: 2, Wiggle: 1, Seconds: 1, Acceleration: 2, Reversals: 1, TurnSeconds: 1, Turning: 180}},
		// Σ½|v|² per step: ½·4 + ½·16. The trip is too short for a move of 0.4 s.
		{"20 steps per second", 0.05, nil, []r2.Vec{xy(0, 0), xy(0.1, 0), xy(0.3, 0)},
			TripCount{Agents: 1, Arrived: 1, Unharmed: 1, Trips: 1, StraightTrips: 1, Frames20: true,
				Energy: 0.1*2.23 + 1.26*0.05*20, EnergyOptimum: optimum * 0.3, PathRatio: 1,
				FirstTime: 0.1, Effort: 10, Steps: 2, Length: 0.3}},
	} {
		testkit.Equal(t, nearly(walk(t, tc.dt, tc.comps, tc.places...), tc.want), tc.want, "%s", tc.name)
	}
}

func TestJourneysOneAfterAnother(t *testing.T) {
	j := &TripMetrics{}
	s := newStage(t, 1, j)
	e := s.Put(c.Position{}, c.Velocity{Vec: xy(1, 0)}, c.Goal{})
	j.Begin(s.World)
	for i, tc := range []struct {
		x     float64
		goal  c.Goal
		ways  int
		ratio float64 // mean so far
		steps int
	}{
		{1, c.Goal{}, 0, 0, 1},
		{2, c.Goal{Visits: 1, Inside: true}, 1, 1, 2},
		{1, c.Goal{Visits: 1, Inside: true}, 1, 1, 2},                // rests
		{3, c.Goal{Visits: 1, Since: 3}, 1, 1, 3},                    // gets a new goal
		{0, c.Goal{Visits: 2, Since: 3, Inside: true}, 2, 3, 4},      // 5 m for a distance of 1 m
		{9, c.Goal{Visits: 2, Since: 3}, 2, 3, 5},                    // is pushed away
		{8, c.Goal{Visits: 2, Since: 6}, 2, 3, 6},                    // gets a new goal before it arrives
		{5, c.Goal{Visits: 3, Since: 6, Inside: true}, 3, 7. / 3, 7}, // 4 m straight ahead
		{4, c.Goal{Visits: 4, Since: 8, Inside: true}, 4, 8. / 4, 8}, // gets a goal that it reaches at once
	} {
		testkit.ComponentOf[c.Position](s, e).X = tc.x
		*testkit.ComponentOf[c.Goal](s, e) = tc.goal
		s.Step()
		got := j.Count()
		if got.Trips != tc.ways || !within(got.PathRatio, tc.ratio, 1e-8) || got.Steps != tc.steps || got.Agents != 1 {
			t.Errorf("step %d: got=%d trips, ratio %v, %d steps, want=%d, %v, %d", i, got.Trips, got.PathRatio, got.Steps, tc.ways, tc.ratio, tc.steps)
		}
	}
}

func TestJourneysOfRemoved(t *testing.T) {
	j := &TripMetrics{}
	s := newStage(t, 1, j)
	for i := range 5 {
		e := s.Put(c.Position{}, c.Velocity{}, c.Goal{})
		j.Begin(s.World)
		testkit.ComponentOf[c.Position](s, e).X = 2
		if i > 1 {
			*testkit.ComponentOf[c.Goal](s, e) = c.Goal{Visits: 1, Inside: true}
		}
		s.Step()
		s.RemoveEntity(e)
	}
	if got := j.Count(); len(j.records) > 2 || got.Agents != 5 || got.Arrived != 3 || got.Unharmed != 3 || got.Trips != 3 || got.FirstTime != 1 {
		t.Errorf("%d records: got=%+v, want at most 2 records, 5 agents, 3 of them arrived and unharmed, 3 trips, FirstTime 1", len(j.records), got)
	}
}

func TestJourneysOfOddRows(t *testing.T) {
	j := &TripMetrics{}
	s := newStage(t, 1, j)
	e := s.Put(c.Position{}, c.Velocity{})
	for _, x := range []float64{1, 2, math.NaN(), 4, math.Inf(1), 5} {
		testkit.ComponentOf[c.Position](s, e).X = x
		s.Step()
	}
	if got := j.Count(); got.Length != 4 || got.Steps != 3 {
		t.Errorf("paths: got=%v m in %d steps, want=4 m in 3", got.Length, got.Steps)
	}
}

func TestJourneysAndContacts(t *testing.T) {
	j := &TripMetrics{}
	s, contacts := newContacts(t, 0.5, j)
	s.Put(c.Position{Vec: xy(10, 0)}, c.Obstacle{Radius: 3})
	e := s.Put(c.Position{}, c.Velocity{}, c.Radius{Meters: 1}, c.Goal{})
	other := s.Put(c.Position{Vec: xy(0, -50)}, c.Velocity{}, c.Radius{Meters: 1}, c.Goal{})
	j.Begin(s.World)
	for _, x := range []float64{5.9, 6.5, 6.75, 6.25, 0, 6.5, 30, 0} {
		testkit.ComponentOf[c.Position](s, e).X = x
		s.Step()
	}
	*testkit.ComponentOf[c.Goal](s, e), *testkit.ComponentOf[c.Goal](s, other) = c.Goal{Visits: 1, Inside: true}, c.Goal{Visits: 1, Inside: true}
	s.Step()
	want := ObstacleCollisionCount{Collisions: 3, MaxPenetration: 0.75, Penetration: 0.75 + 0.5, TimeInCollision: 4 * 0.5, LeastClearance: -0.75, Close: 5, Steps: 18}
	testkit.Equal(t, contacts.Count(), want, "obstacle collisions")
	if got := j.Count(); got.Arrived != 2 || got.Unharmed != 1 {
		t.Errorf("got=%d arrived, %d unharmed, want=2, 1", got.Arrived, got.Unharmed)
	}
}

func TestExactSum(t *testing.T) {
	for _, tc := range []struct {
		add  []float64
		want float64
	}{
		{nil, 0},
		{[]float64{1, 2, -0.25}, 2.75},
		{[]float64{-3, 1}, -2},
		{[]float64{-0.5}, -0.5},
		{[]float64{math.Inf(1), -math.Inf(1), math.NaN(), 7}, 7},
		{[]float64{1e300}, sumLimit},
		{[]float64{0x1p-33, 0x1p-33}, 0x1p-31},
	} {
		var sum exactSum
		for _, x := range tc.add {
			sum.add(x)
		}
		testkit.Equal(t, sum.value(), tc.want, "sum of %v", tc.add)
	}
	var sum exactSum
	for range 1000 {
		sum.add(-sumLimit)
		sum.add(0x1p-32)
	}
	testkit.Equal(t, sum.value(), -1000*float64(sumLimit)+1000*0x1p-32, "1000 times -2^30 and 2^-32")
}
