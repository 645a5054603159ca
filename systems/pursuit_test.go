package systems

import (
	"math"
	"math/rand/v2"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestPredictionTime(t *testing.T) {
	for _, tc := range []struct {
		name         string
		mode         Prediction
		to, v, w     r2.Vec
		top, horizon float64
		want         r2.Vec
	}{
		{"standing quarry", PredictMeeting, xy(10, 0), xy(0, 0), xy(0, 0), 2, 9, xy(10, 0)},
		{"head-on, 10 m at 2 and 3 m/s meet after 2 s", PredictMeeting, xy(10, 0), xy(2, 0), xy(-3, 0), 2, 9, xy(4, 0)},
		{"caught up, 10 m at 1 m/s after 10 s", PredictMeeting, xy(10, 0), xy(2, 0), xy(1, 0), 2, 99, xy(20, 0)},
		{"across: 3, 4, 5", PredictMeeting, xy(0, 8), xy(0, 0), xy(3, 0), 5, 9, xy(6, 8)},
		{"no faster: straight after it, capped", PredictMeeting, xy(10, 0), xy(0, 0), xy(2, 0), 2, 9, xy(28, 0)},
		{"never, without a cap: only the direction", PredictMeeting, xy(0, 10), xy(0, 0), xy(3, 0), 2, inf, xy(3, 0)},
		{"never, standing and no speed", PredictMeeting, xy(0, 10), xy(0, 0), xy(0, 0), 0, inf, xy(0, 10)},
		{"capped", PredictMeeting, xy(10, 0), xy(2, 0), xy(1, 0), 2, 3, xy(13, 0)},
		{"horizon 0", PredictMeeting, xy(10, 0), xy(2, 0), xy(1, 5), 2, 0, xy(10, 0)},
		{"horizon NaN", PredictMeeting, xy(10, 0), xy(2, 0), xy(1, 5), 2, nan, xy(10, 0)},
		{"same place", PredictMeeting, xy(0, 0), xy(2, 0), xy(1, 5), 2, 9, xy(0, 0)},
		{"same place, no speed", PredictDistance, xy(0, 0), xy(2, 0), xy(1, 5), 0, inf, xy(0, 0)},
		{"too quick to meet, passing: as at its own speed across", PredictMeeting, xy(10, 0), xy(0, 0), xy(-5, 3), 2, 9, xy(0, 6)},

		{"distance: 10 m at 2 m/s are 5 s", PredictDistance, xy(10, 0), xy(0, 0), xy(1, 1), 2, 9, xy(15, 5)},
		{"distance, head-on at the same speed: at the agent", PredictDistance, xy(10, 0), xy(2, 0), xy(-2, 0), 2, 9, xy(0, 0)},
		{"distance, head-on and faster: behind the agent", PredictDistance, xy(10, 0), xy(2, 0), xy(-4, 0), 2, 9, xy(-10, 0)},
		{"distance, speed NaN", PredictDistance, xy(10, 0), xy(0, 0), xy(1, 0), nan, 3, xy(13, 0)},
		{"meeting, speed NaN", PredictMeeting, xy(10, 0), xy(0, 0), xy(1, 0), nan, 3, xy(13, 0)},
		{"distance, no speed", PredictDistance, xy(10, 0), xy(0, 0), xy(1, 0), 0, 3, xy(13, 0)},

		{"bearing, ahead and alike", PredictBearing, xy(10, 0), xy(2, 0), xy(1, 0), 2, 99, xy(30, 0)},
		{"bearing, ahead and across", PredictBearing, xy(10, 0), xy(2, 0), xy(0, 1), 2, 99, xy(10, 9)},
		{"bearing, ahead and against", PredictBearing, xy(10, 0), xy(2, 0), xy(-1, 0), 2, 99, xy(5.75, 0)},
		{"bearing, aside and alike", PredictBearing, xy(0, 10), xy(2, 0), xy(1, 0), 2, 99, xy(5, 10)},
		{"bearing, aside and across", PredictBearing, xy(0, 10), xy(2, 0), xy(0, -1), 2, 99, xy(0, 6)},
		{"bearing, aside and against", PredictBearing, xy(0, 10), xy(2, 0), xy(-1, 0), 2, 99, xy(-20, 10)},
		{"bearing, behind and alike", PredictBearing, xy(-10, 0), xy(2, 0), xy(1, 0), 2, 99, xy(-7.5, 0)},
		{"bearing, behind and across", PredictBearing, xy(-10, 0), xy(2, 0), xy(0, 1), 2, 99, xy(-10, 10)},
		{"bearing, behind and against", PredictBearing, xy(-10, 0), xy(2, 0), xy(-1, 0), 2, 99, xy(-20, 0)},
		{"bearing, at rest", PredictBearing, xy(10, 0), xy(0, 0), xy(1, 0), 2, 99, xy(14, 0)},
	} {
		testkit.Near(t, tc.mode.lead(tc.to, tc.v, tc.w, tc.top, tc.horizon), tc.want, 1e-12, "%s", tc.name)
	}
}

func TestMeetingIsAMeeting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	met := 0
	for range 10000 {
		to, w, top := xy(20*r.Float64()-10, 20*r.Float64()-10), xy(6*r.Float64()-3, 6*r.Float64()-3), 3*r.Float64()
		when := meetingTime(vec.Norm(to), vec.Unit(to), w, top)
		if across := math.Abs(vec.Cross(vec.Unit(to), w)); !(when < 1e6) || across > top {
			continue
		}
		met++
		if got, want := vec.Norm(vec.AddScaled(to, when, w)), top*when; !within(got, want, 1e-9*(1+want)) {
			t.Fatalf("to=%v w=%v top=%v: after %v s: got=%v m, want=%v m", to, w, top, when, got, want)
		}
	}
	if met < 3000 {
		t.Errorf("meetings: got=%d, want=3000 or more", met)
	}
}

// With PredictDistance, the source's rule, an evader runs toward a faster pursuer that comes straight at
// it.
func TestFaultEvadeHeadOn(t *testing.T) {
	to, w := xy(10, 0), xy(-5, 0)
	if got := PredictMeeting.away(to, xy(0, 0), w, 2, inf); !(got.X < 0) || got.Y != 0 {
		t.Errorf("meeting: got=%v, want a vector toward -x", got)
	}
	if got := PredictDistance.away(to, xy(0, 0), w, 2, inf); !(got.X > 0) {
		t.Errorf("distance: got=%v, want a vector toward +x, where the pursuer is", got)
	}
	r := rand.New(rand.NewPCG(3, 9))
	for range 10000 { // no pursuer that the evader can meet is predicted exactly at the evader
		w := xy(8*r.Float64()-4, 8*r.Float64()-4)
		lead := PredictMeeting.lead(to, xy(0, 0), w, 2, inf)
		if across := math.Abs(w.Y); across < 2 && !(vec.Norm(lead) > 0) {
			t.Fatalf("pursuer with velocity %v: lead: got=%v, want=nonzero", w, lead)
		}
	}
}

func TestPursuitAndEvasion(t *testing.T) {
	pursuit, evasion := c.Pursuit{Gain: 2, Horizon: 9}, c.Evasion{Gain: 2, Horizon: 9}
	crossing := c.TrackedEntity{At: xy(0, 8), Velocity: xy(3, 0), Seen: true}
	unseen, here := crossing, crossing
	unseen.Seen, here.At = false, r2.Vec{}
	for _, tc := range []struct {
		name     string
		v        r2.Vec
		other    c.TrackedEntity
		behavior any
		want     r2.Vec // desired velocity; the velocity means no force
	}{
		{"pursuit, ahead of it", xy(0, 0), crossing, pursuit, xy(3, 4)},
		{"pursuit, at it", xy(0, -0.5), crossing, c.Pursuit{Gain: 2}, xy(0, 5)},
		{"pursuit, at the same place", xy(-0.5, -0.5), here, pursuit, xy(0, 0)},
		{"pursuit, unseen", xy(1, 0), unseen, pursuit, xy(1, 0)},
		{"pursuit, paused", xy(1, 0), crossing, c.Pursuit{Horizon: 9}, xy(1, 0)},
		{"evasion, away from where it will be", xy(0, 0), crossing, evasion, xy(-3, -4)},
		{"evasion, on the rim", xy(1, 0), crossing, c.Evasion{Gain: 2, Horizon: 9, Radius: 8}, xy(-3, -4)},
		{"evasion, beyond the rim", xy(1, 0), crossing, c.Evasion{Gain: 2, Horizon: 9, Radius: 7.9}, xy(1, 0)},
		{"evasion, unseen", xy(1, 0), unseen, evasion, xy(1, 0)},
		{"evasion, at the same place, on as it goes", xy(0, 2), here, evasion, xy(0, 5)},
		{"evasion, at the same place, at rest", xy(0, 0), here, evasion, xy(5, 0)},
	} {
		w := newWalker(xy(0, 0), tc.v, r2.Vec{}, 5, inf)
		w.steer[0].Vec = xy(100, 200)
		switch behavior := tc.behavior.(type) {
		case c.Pursuit:
			w.rig(1, []frame.System{&Pursuit{}}, frame.Over([]c.Quarry{c.Quarry(tc.other)}), frame.Over([]c.Pursuit{behavior})).step()
		case c.Evasion:
			w.rig(1, []frame.System{&Evasion{}}, frame.Over([]c.Pursuer{c.Pursuer(tc.other)}), frame.Over([]c.Evasion{behavior})).step()
		}
		want := vec.AddScaled(xy(100, 200), 2, vec.Sub(tc.want, tc.v))
		testkit.Near(t, w.steer[0].Vec, want, 1e-12, "%s: steering", tc.name)
	}
}

func TestOffsetPursuitPoint(t *testing.T) {
	for _, tc := range []struct {
		name     string
		lead, v  r2.Vec
		distance float64
		want     r2.Vec
	}{
		{"on the left: to the right of it", xy(10, 6), xy(1, 0), 2, xy(10, 4)},
		{"on the right: to the left of it", xy(10, -6), xy(1, 0), 2, xy(10, -4)},
		{"dead ahead: to the right of it", xy(10, 0), xy(1, 0), 2, xy(10, -2)},
		{"at rest", xy(0, 10), xy(0, 0), 2, xy(2, 10)},
		{"abeam at the distance: straight on", xy(0, 2), xy(3, 0), 2, xy(1, 0)},
		{"at the same place", xy(0, 0), xy(3, 0), 2, xy(0, -2)},
		{"at the same place, at rest", xy(0, 0), xy(0, 0), 2, xy(0, 0)},
		{"distance 0", xy(10, 6), xy(1, 0), 0, xy(10, 6)},
	} {
		testkit.Near(t, past(tc.lead, tc.v, tc.distance), tc.want, 1e-12, "%s", tc.name)
	}
}

func TestOffsetPursuitPasses(t *testing.T) {
	for _, y := range []float64{-12, -3, 0, 5, 20} {
		w := newWalker(xy(-40, y), xy(2, 0), r2.Vec{}, 3, inf)
		r := w.rig(1./60, []frame.System{&OffsetPursuit{}, &Integration{}},
			frame.Over([]c.Quarry{{Seen: true}}), frame.Over([]c.OffsetPursuit{{Gain: 4, Horizon: 5, Distance: 4}}))
		nearest := inf
		for range 60 * 17 {
			r.step()
			nearest = min(nearest, vec.Norm(w.pos[0].Vec))
		}
		testkit.Near(t, nearest, 4, 0.4, "from y = %v: nearest", y)
	}
}

func TestPursuitCatches(t *testing.T) {
	took := func(mode Prediction, horizon float64) float64 {
		s := newStage(t, 1./60, &Track{}, &Pursuit{Prediction: mode}, &Integration{})
		quarry := s.Put(c.Position{Vec: xy(0, 20)}, c.Velocity{Vec: xy(2, 0)}, c.Steering{})
		e := s.Put(c.Position{}, c.Velocity{}, c.Limits{MaxSpeed: 2.5, MaxForce: inf}, c.Quarry{Entity: quarry}, c.Pursuit{Gain: 4, Horizon: horizon})
		for range 60 * 120 {
			if s.Step(); vec.Norm(vec.Sub(placeOf(s, e), placeOf(s, quarry))) < 0.5 {
				break
			}
		}
		return s.Clock.Time
	}
	meeting, distance, none := took(PredictMeeting, 60), took(PredictDistance, 60), took(PredictMeeting, 0)
	if !(meeting < distance && distance < none && meeting < 14) {
		t.Errorf("seconds: got=%v by meeting, %v by distance, %v without, want less than 14 by meeting, more by distance, and most without", meeting, distance, none)
	}
}

func TestWatch(t *testing.T) {
	for _, test := range []struct {
		name string
		seen bool
		do   func(s *stage, other ecs.Entity)
	}{
		{"dies", false, func(s *stage, other ecs.Entity) { s.RemoveEntity(other) }},
		{"dies, and its place is taken", false, func(s *stage, other ecs.Entity) {
			s.RemoveEntity(other)
			if again := s.Put(c.Position{Vec: xy(9, 9)}); again.ID() != other.ID() {
				t.Fatal("got another entity ID, want the same, or nothing is tested")
			}
		}},
		{"loses its position", false, func(s *stage, other ecs.Entity) { s.Remove(other, ecs.ComponentID[c.Position](s.World)) }},
		{"position not a number", false, func(s *stage, other ecs.Entity) { testkit.ComponentOf[c.Position](s, other).X = nan }},
		{"velocity infinite", false, func(s *stage, other ecs.Entity) { testkit.ComponentOf[c.Velocity](s, other).X = -inf }},
		{"lives", true, func(*stage, ecs.Entity) {}},
	} {
		s := newStage(t, 0.1, &Track{}, &Pursuit{}, &OffsetPursuit{}, &Evasion{})
		other := s.Put(c.Position{Vec: xy(3, 4)}, c.Velocity{Vec: xy(1, 2)})
		e := s.Put(c.Position{}, c.Velocity{}, c.Limits{MaxSpeed: 1}, c.Quarry{Entity: other}, c.Pursuer{Entity: other},
			c.Pursuit{Gain: 1, Horizon: 1}, c.OffsetPursuit{Gain: 1, Distance: 1}, c.Evasion{Gain: 4})
		s.Put(c.Position{}, c.Quarry{Entity: s.Put(c.Position{})})
		s.Step()
		want := c.TrackedEntity{Entity: other, At: xy(3, 4), Velocity: xy(1, 2), Seen: true}
		testkit.Equal(t, *testkit.ComponentOf[c.Quarry](s, e), c.Quarry(want), "%s: quarry before", test.name)
		testkit.Equal(t, testkit.ComponentOf[c.Steering](s, e).Vec != (r2.Vec{}), true, "%s: steers before", test.name)
		testkit.ComponentOf[c.Steering](s, e).Vec = r2.Vec{}
		test.do(s, other)
		s.Step()
		want.Seen = test.seen
		testkit.Equal(t, *testkit.ComponentOf[c.Quarry](s, e), c.Quarry(want), "%s: quarry", test.name)
		testkit.Equal(t, *testkit.ComponentOf[c.Pursuer](s, e), c.Pursuer(want), "%s: pursuer", test.name)
		testkit.Equal(t, testkit.ComponentOf[c.Steering](s, e).Vec != (r2.Vec{}), test.seen, "%s: steers", test.name)
	}
}

func TestWatchNobody(t *testing.T) {
	s := newStage(t, 0.1, &Track{})
	own := c.Quarry{At: xy(7, 1), Velocity: xy(1, 1), Seen: true}
	e := s.Put(own)
	stone := s.Put(c.Position{Vec: xy(5, 5)})
	f := s.Put(c.Quarry{Entity: stone, Velocity: xy(3, 3)})
	s.Step()
	testkit.Equal(t, *testkit.ComponentOf[c.Quarry](s, e), own, "without an entity")
	testkit.Equal(t, *testkit.ComponentOf[c.Quarry](s, f), c.Quarry{Entity: stone, At: xy(5, 5), Seen: true}, "entity without Velocity")
}

func TestWatchIsAsOfTheStart(t *testing.T) {
	for _, workers := range []int{1, 4} {
		s := newStage(t, 1, &Track{}, &Pursuit{}, &Integration{})
		s.Frame.Finalize(s.World)
		s.Frame.Workers, s.Frame.BatchRows, s.Frame.ShareRows = workers, 1, 1
		s.Frame.Initialize(s.World)
		pursuer := func(x float64) ecs.Entity {
			return s.Put(c.Position{Vec: xy(x, 0)}, c.Velocity{}, c.Limits{MaxSpeed: 1, MaxForce: inf}, c.Quarry{}, c.Pursuit{Gain: 1})
		}
		a, b := pursuer(0), pursuer(10)
		testkit.ComponentOf[c.Quarry](s, a).Entity, testkit.ComponentOf[c.Quarry](s, b).Entity = b, a
		s.Steps(2)
		testkit.Equal(t, testkit.ComponentOf[c.Quarry](s, a).At, xy(9, 0), "%d workers: quarry of the first", workers)
		testkit.Equal(t, testkit.ComponentOf[c.Quarry](s, b).At, xy(1, 0), "%d workers: quarry of the second", workers)
	}
}

func TestSector(t *testing.T) {
	for degrees, want := range map[float64]int{0: 2, 44.9: 2, 45.1: 1, 90: 1, 134.9: 1, 135.1: 0, 180: 0} {
		testkit.Equal(t, sector(math.Cos(degrees*math.Pi/180)), want, "%v degrees", degrees)
	}
}
