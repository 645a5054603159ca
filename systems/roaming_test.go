package systems

import (
	"math"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestWanderPoint(t *testing.T) {
	for _, tc := range []struct {
		name             string
		course           r2.Vec
		angle            float64
		distance, radius float64
		want             r2.Vec
	}{
		{"ahead", xy(1, 0), 0, 2, 1, xy(3, 0)},
		{"to the left", xy(1, 0), math.Pi / 2, 2, 1, xy(2, 1)},
		{"to the right, upwards", xy(0, 1), -math.Pi / 2, 2, 1, xy(1, 2)},
		{"radius 0", xy(0, 1), 1, 2, 0, xy(0, 2)},
		{"at the agent", xy(1, 0), math.Pi, 1, 1, xy(0, 0)},
		{"without a course", xy(0, 0), math.Pi / 2, 2, 1, xy(0, 1)},
	} {
		testkit.Near(t, wander(tc.course, tc.angle, tc.distance, tc.radius), tc.want, 1e-15, "%s", tc.name)
	}
}

func TestWanderAngle(t *testing.T) {
	const n = 20000
	for _, time := range []float64{0, 0.1, 0.77, 1234.5} {
		var sum, later r2.Vec
		along := 0.
		for id := range uint64(n) {
			sin, cos := math.Sincos(wanderAngle(1, id, time, 1))
			sin2, cos2 := math.Sincos(wanderAngle(1, id, time+2, 1))
			sum, later = r2.Add(sum, xy(cos, sin)), r2.Add(later, xy(cos*cos, sin*cos))
			along += cos*cos2 + sin*sin2
		}
		if got := vec.Norm(sum) / n; got > 4/math.Sqrt(n) {
			t.Errorf("at %v s: distance of the mean of the points from 0: got=%v, want=at most 0.0283", time, got)
		}
		testkit.Near(t, vec.Scale(1./n, later), xy(0.5, 0), 0.02, "at %v s: second moments", time)
		testkit.Near(t, along/n, 0, 0.03, "at %v s and 2 s later: correlation", time)
	}
	// A slot begins with its draw. Its middle is halfway to the next draw, the shorter way around.
	const rate = 2.
	for k := range uint64(50) {
		begin := (float64(k+1) - frame.HashFloat(3, 17, 0, useWanderPhase)) / rate
		from, to := 2*math.Pi*frame.HashFloat(3, 17, k+1, useWander), 2*math.Pi*frame.HashFloat(3, 17, k+2, useWander)
		testkit.Near(t, math.Remainder(wanderAngle(3, 17, begin+1e-9, rate)-from, 2*math.Pi), 0, 1e-6, "slot %d: beginning, rad off", k)
		middle := from + math.Remainder(to-from, 2*math.Pi)/2
		testkit.Near(t, math.Remainder(wanderAngle(3, 17, begin+0.25, rate)-middle, 2*math.Pi), 0, 1e-9, "slot %d: middle, rad off", k)
	}
	before := wanderAngle(3, 17, 0, 2)
	for i := 1; i < 20000; i++ {
		now := wanderAngle(3, 17, float64(i)*0.001, 2)
		if step := math.Abs(math.Remainder(now-before, 2*math.Pi)); step > 0.002*2*1.5*math.Pi {
			t.Fatalf("at %v s: change in 1 ms: got=%v rad, want=at most 0.0189", float64(i)*0.001, step)
		}
		before = now
	}
	for _, x := range []float64{0, -1, 1e-320, 1e9, 1e300, inf, -inf, nan} {
		for _, rate := range []float64{0, 1, 1e300, inf, nan, -1} {
			if got := wanderAngle(1, 2, x, rate); !(math.Abs(got) <= 4*math.Pi) {
				t.Errorf("at %v s with rate %v: got=%v, want=-4π to 4π", x, rate, got)
			}
		}
	}
	if a, b, other := wanderAngle(1, 2, 5, 1), wanderAngle(1, 3, 5, 1), wanderAngle(2, 2, 5, 1); a == b || a == other {
		t.Errorf("another agent, another seed: got=%v, %v, want=not %v", b, other, a)
	}
}

func TestWanderSystem(t *testing.T) {
	s := newStage(t, 0.1, &Wander{Seed: 1})
	var got []r2.Vec
	for _, more := range [][]any{{c.Agent{ID: 9}}, {c.Agent{ID: 9}, c.Heading{Vec: xy(0, 1)}}, {c.Agent{ID: 10}}, {}} {
		e := s.Put(append(more, c.Velocity{}, c.Limits{MaxSpeed: 3}, c.Wander{Gain: 2, Distance: 1, Radius: 1, Rate: 1})...)
		s.Step()
		got = append(got, testkit.ComponentOf[c.Steering](s, e).Vec)
	}
	for i, v := range got {
		testkit.Near(t, vec.Norm(v), 6, 1e-12, "agent %d: steering", i)
		for k := range i {
			if got[k] == v {
				t.Errorf("agents %d and %d: got=both %v, want=different directions", k, i, v)
			}
		}
	}
}

func TestWallFollowing(t *testing.T) {
	wall := wallFrom(xy(-90, 0), xy(90, 0))
	for _, tc := range []struct {
		name     string
		p, v     r2.Vec
		body     float64
		par      c.WallFollowing
		faithful bool
		want     r2.Vec // desired velocity; the velocity means no force
	}{
		{"along at the offset", xy(0, 2), xy(1, 0), 0, c.WallFollowing{Horizon: 1, Offset: 2, Range: 9}, false, xy(5, 0)},
		{"along, the other way", xy(0, 2), xy(-1, 0), 0, c.WallFollowing{Horizon: 1, Offset: 2, Range: 9}, false, xy(-5, 0)},
		{"the body counts", xy(0, 3), xy(1, 0), 1, c.WallFollowing{Horizon: 1, Offset: 2, Range: 9}, false, xy(5, 0)},
		{"below the wall", xy(0, -2), xy(1, 0), 0, c.WallFollowing{Horizon: 1, Offset: 2, Range: 9}, false, xy(5, 0)},
		{"head-on, to the right", xy(0, 10), xy(0, -1), 0, c.WallFollowing{Horizon: 1, Offset: 2, Range: 20}, false, vec.WithNorm(xy(-5, -8), 5)},
		{"too far away", xy(0, 10), xy(1, 0), 0, c.WallFollowing{Horizon: 1, Offset: 2, Range: 9}, false, xy(1, 0)},
		{"the range is from the body", xy(0, 9.5), xy(1, 0), 1, c.WallFollowing{Horizon: 1, Offset: 2, Range: 9}, false, vec.WithNorm(xy(6, -6.5), 5)},
		{"too far away with a body", xy(0, 10.5), xy(1, 0), 1, c.WallFollowing{Horizon: 1, Offset: 2, Range: 9}, false, xy(1, 0)},
		{"out of range now, not where it will be", xy(0, 10), xy(0, -2), 0, c.WallFollowing{Horizon: 1, Offset: 8, Range: 9}, false, vec.WithNorm(xy(-5, -2), 5)},
		{"horizon 0: straight to the offset", xy(0, 5), xy(1, 0), 0, c.WallFollowing{Offset: 2, Range: 9}, false, xy(0, -5)},
		{"beyond the wall in the horizon: on this side", xy(0, 1), xy(0, -4), 0, c.WallFollowing{Horizon: 1, Offset: 1, Range: 9}, false, xy(-5, 0)},

		{"faithful", xy(0, 2), xy(3, 0), 0, c.WallFollowing{Horizon: 1, Offset: 6, Range: 9}, true, xy(3, 4)},
		{"faithful, head-on: straight at the offset", xy(0, 10), xy(0, -1), 0, c.WallFollowing{Horizon: 1, Offset: 2, Range: 20}, true, xy(0, -5)},
		{"faithful, beyond the wall in the horizon: through it", xy(0, 1), xy(0, -4), 0, c.WallFollowing{Horizon: 1, Offset: 1, Range: 9}, true, xy(0, -5)},
	} {
		w := newWalker(tc.p, tc.v, r2.Vec{}, 5, inf)
		tc.par.Gain = 2
		s := &WallFollowing{Obstacles: snapshotOf(wall), Faithful: tc.faithful}
		w.rig(1, []frame.System{s}, frame.Over([]c.Radius{{Meters: tc.body}}), frame.Over([]c.WallFollowing{tc.par})).step()
		testkit.Near(t, w.steer[0].Vec, vec.Scale(2, vec.Sub(tc.want, tc.v)), 1e-12, "%s", tc.name)
	}
}

func TestWallFollowingGoesRound(t *testing.T) {
	block := space.Shape{Ring: []r2.Vec{xy(0, 0), xy(20, 0), xy(20, 12), xy(0, 12)}}
	w := newWalker(xy(10, -6), xy(0, 0), r2.Vec{}, 2, inf)
	s := &WallFollowing{Obstacles: snapshotOf(block)}
	r := w.rig(1./60, []frame.System{s, &Integration{}}, frame.Over([]c.WallFollowing{{Gain: 4, Horizon: 0.5, Offset: 1.5, Range: 8}}))
	quarters := map[[2]bool]bool{}
	for step := range 60 * 60 {
		r.step()
		p := w.pos[0].Vec
		near, _ := s.Obstacles.Nearest(p, 99)
		if step > 600 && !within(near.Distance, 1.5, 0.7) {
			t.Fatalf("after %v s at %v: distance: got=%v m, want=0.8 to 2.2", float64(step)/60, p, near.Distance)
		}
		quarters[[2]bool{p.X > 10, p.Y > 6}] = true
	}
	testkit.Equal(t, len(quarters), 4, "quarters around the block visited")
}
