package measure

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"gonum.org/v1/gonum/spatial/r2"
)

// along moves one agent along a curve, in steps of the given lengths.
func along(t *testing.T, seconds float64, dts []float64, at func(time float64) r2.Vec) TripCount {
	t.Helper()
	trips := &TripMetrics{}
	s := newStage(t, dts[0], trips)
	e := s.Put(c.Position{Vec: at(0)}, c.Velocity{})
	trips.Begin(s.World)
	for i, time := 0, 0.; time < seconds-1e-6; i++ {
		dt := dts[i%len(dts)]
		time += dt
		s.Clock.Dt = dt
		testkit.ComponentOf[c.Position](s, e).Vec = at(time)
		s.Step()
	}
	return trips.Count()
}

// zigzag moves along x at 1 m/s and, for the given time each, alternately down and up at that speed.
func zigzag(each float64) func(float64) r2.Vec {
	return func(time float64) r2.Vec {
		return xy(time, math.Abs(math.Mod(time, 2*each)-each))
	}
}

func TestMovesOfAnyStep(t *testing.T) {
	const omega, radius = 1., 2. // 1/s and m, of the circle
	circle := func(time float64) r2.Vec {
		sin, cos := math.Sincos(omega * time)
		return xy(radius*cos, radius*sin)
	}
	chord := 2 * radius * math.Sin(omega*0.4/2)
	for _, tc := range []struct {
		name                                     string
		at                                       func(float64) r2.Vec
		wiggle, acceleration, reversals, turning float64
		tolerance                                float64 // relative tolerance
	}{
		{"straight", func(time float64) r2.Vec { return xy(3, 1.3*time) }, 1, 0, 0, 0, 1e-9},
		{"faster and faster", func(time float64) r2.Vec { return xy(time*time/4, 0) }, 1, 0.5, 0, 0, 1e-9},
		{"at rest", func(float64) r2.Vec { return xy(5, 5) }, 0, 0, 0, 0, 0},
		{"circle", circle, omega * radius * 0.4 / chord, 2 * chord / 0.4 * math.Sin(omega*0.4/2) / 0.4, 0, omega * 180 / math.Pi, 1e-3},
		// Moves up and down within a move: the center line is straight.
		{"zigzag of 0.2 s", zigzag(0.2), math.Sqrt2, 0, 0, 0, 1e-9},
		// Moves up in one move and down in the next.
		{"zigzag of 0.4 s", zigzag(0.4), 1, 2 / 0.4, 0, 90 / 0.4, 1e-6},
		{"to and fro", func(time float64) r2.Vec { return xy(0, zigzag(0.8)(time).Y) }, 1, 2 / 0.8, 1 / 0.8, 180 / 0.8, 0.02},
	} {
		for _, dts := range [][]float64{{1. / 60}, {1. / 30}, {0.1}, {0.1, 0.05, 0.05, 0.1, 0.1}} {
			got := along(t, 40, dts, tc.at)
			for _, f := range []struct {
				name      string
				got, want float64
			}{
				{"wiggle", got.Wiggle, tc.wiggle}, {"acceleration", got.Acceleration, tc.acceleration},
				{"reversals", got.Reversals, tc.reversals}, {"turning", got.Turning, tc.turning}, {"seconds", got.Seconds, 39.6},
			} {
				testkit.Near(t, f.got, f.want, tc.tolerance*math.Abs(f.want)+1e-6, "%s, steps of %.4v s: %s", tc.name, dts, f.name)
			}
		}
	}
}

func TestMarksAreStepsApart(t *testing.T) {
	for _, dt := range []float64{1. / 1000, 1. / 60, 1. / 30, 0.05, 0.07, 0.1, 0.15, 0.25, 0.28, 0.3, 0.4, 0.5, 1, 7} {
		steps := max(1, math.Round(0.4/dt))
		got := along(t, (2*steps+0.5)*dt, []float64{dt}, func(time float64) r2.Vec { return xy(time, 0) })
		want := steps * dt // after 2·steps + 1 steps
		if steps == 1 {
			want *= 2
		}
		testkit.Near(t, got.Seconds, want, 1e-8, "steps of %v s: seconds of moves after the first", dt)
	}
}

func TestMovesWithoutTime(t *testing.T) {
	var sum moveSums
	var r record
	for range 9 {
		r.step(xy(1, 0), 1, 0, &sum)
	}
	testkit.Equal(t, sum, moveSums{}, "sums of moves")
}

func TestReversals(t *testing.T) {
	for _, tc := range []struct {
		name          string
		first, second r2.Vec // m, in one second each
		turns         bool
		degrees       float64
		reversals     int
	}{
		{"straight on", xy(1, 0), xy(2, 0), true, 0, 0},
		{"back", xy(1, 0), xy(-1, 0), true, 180, 1},
		{"a right angle", xy(1, 0), xy(0, 3), true, 90, 0},
		{"more than a right angle to the left", xy(1, 0), xy(-1e-9, 1), true, 90, 1},
		{"more than a right angle to the right", xy(0, 1), xy(1, -1), true, 135, 1},
		{"the first is too short", xy(0.02, 0), xy(-1, 0), false, 0, 0},
		{"the second is too short", xy(1, 0), xy(-0.0199, 0), false, 0, 0},
		{"just long enough", xy(0.021, 0), xy(-0.021, 0), true, 180, 1},
		{"from rest", xy(0, 0), xy(-1, 0), false, 0, 0},
		{"to rest", xy(1, 0), xy(0, 0), false, 0, 0},
	} {
		places := map[float64]r2.Vec{1: tc.first, 2: r2.Add(tc.first, tc.second)}
		got := along(t, 2, []float64{1}, func(time float64) r2.Vec { return places[time] })
		if got.Seconds != 1 || (got.TurnSeconds == 1) != tc.turns || !within(got.Turning, tc.degrees, 1e-6) || got.Reversals != float64(tc.reversals) {
			t.Errorf("%s: got=%+v, want turns %v, turning %v, reversals %v", tc.name, got, tc.turns, tc.degrees, tc.reversals)
		}
	}
}

func TestMarksRestart(t *testing.T) {
	trips := &TripMetrics{}
	s := newStage(t, 0.2, trips)
	e := s.Put(c.Position{}, c.Velocity{}, c.Goal{})
	trips.Begin(s.World)
	for i, tc := range []struct {
		x             float64
		goal          c.Goal
		line, seconds float64 // so far; in m and s
	}{
		{1, c.Goal{}, 0, 0},
		{2, c.Goal{}, 2, 0},
		{3, c.Goal{}, 2, 0},
		{4, c.Goal{}, 4, 0.4},
		{5, c.Goal{}, 4, 0.4},
		{4, c.Goal{Since: 1}, 4, 0.4}, // gets a new goal: the meter before is in no move
		{3, c.Goal{Since: 1}, 6, 0.4}, // has no move before this one
		{2, c.Goal{Since: 1, Visits: 1, Inside: true}, 6, 0.4},
		{9, c.Goal{Since: 1, Visits: 1, Inside: true}, 6, 0.4}, // rests
		{8, c.Goal{Since: 2, Visits: 1}, 6, 0.4},
		{7, c.Goal{Since: 2, Visits: 1}, 8, 0.4},
		{6, c.Goal{Since: 2, Visits: 1}, 8, 0.4},
		{5, c.Goal{Since: 2, Visits: 2, Inside: true}, 10, 0.8}, // arrives as a move ends
	} {
		testkit.ComponentOf[c.Position](s, e).X = tc.x
		*testkit.ComponentOf[c.Goal](s, e) = tc.goal
		s.Step()
		if got := trips.Count(); got.Line != tc.line || !within(got.Seconds, tc.seconds, 1e-9) || got.Reversals != 0 || got.Wiggle > 1 {
			t.Errorf("step %d: got=%v m, %v s, %v reversals/s, wiggle %v, want=%v m, %v s, 0, at most 1", i, got.Line, got.Seconds, got.Reversals, got.Wiggle, tc.line, tc.seconds)
		}
	}
}

func TestMovesOverAnEdge(t *testing.T) {
	trips := &TripMetrics{Wrap: r2.Box{Max: xy(10, 10)}}
	s := newStage(t, 0.1, trips)
	e := s.Put(c.Position{Vec: xy(8, 5)}, c.Velocity{}, c.Goal{})
	trips.Begin(s.World)
	for i := range 80 { // two rounds
		testkit.ComponentOf[c.Position](s, e).X = math.Mod(8+0.25*float64(i+1), 10)
		if i == 79 {
			*testkit.ComponentOf[c.Goal](s, e) = c.Goal{Visits: 1, Inside: true}
		}
		s.Step()
	}
	if got := trips.Count(); got.Line != 20 || got.Wiggle != 1 || !within(got.PathRatio, 1, 1e-9) || got.Acceleration > 1e-6 || got.Turning != 0 || !within(got.Seconds, 19*0.4, 1e-8) {
		t.Errorf("got=%+v, want Line 20, Wiggle and PathRatio 1, Acceleration and Turning 0, Seconds 7.6", got)
	}
}
