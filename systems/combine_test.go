package systems

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

func TestAllocate(t *testing.T) {
	for _, tc := range []struct {
		name      string
		sum       r2.Vec
		left      float64
		force     r2.Vec
		want      r2.Vec
		wantsLeft float64
	}{
		{"fits", xy(1, 0), 6, xy(3, 4), xy(4, 4), 1},
		{"fits exactly", xy(1, 0), 5, xy(3, 4), xy(4, 4), 0},
		{"is truncated", xy(1, 0), 2.5, xy(3, 4), xy(2.5, 2), 0},
		{"against what was granted", xy(4, 0), 2, xy(-3, 0), xy(2, 0), 0},
		{"no limit", xy(1, 0), inf, xy(3, 4), xy(4, 4), inf},
		{"huge", xy(0, 0), 2, xy(1e300, 0), xy(2, 0), 0},
		{"tiny", xy(0, 0), 2, xy(5e-324, 0), xy(5e-324, 0), 2},
	} {
		got, left := allocate(tc.sum, tc.left, tc.force)
		if !vecWithin(got, tc.want, 1e-15) || left != tc.wantsLeft {
			t.Errorf("%s: got=%v, %v left, want=%v, %v", tc.name, got, left, tc.want, tc.wantsLeft)
		}
	}
}

func TestDither(t *testing.T) {
	for _, tc := range []struct {
		name               string
		left, chance, draw float64
		want               r2.Vec
		wantsLeft          float64
	}{
		{"drawn at once", 1, 0.5, 0.4, xy(6, 8), 0},
		{"drawn third", 0.25, 0.5, 0, xy(24, 32), 0},
		{"not drawn", 0.5, 0.75, 0.75, xy(0, 0), 0.125},
		{"certain", 1, 1, 0.999, xy(3, 4), 0},
		{"never", 0.5, 0, 0, xy(0, 0), 0.5},
	} {
		got, left := dither(tc.left, tc.chance, tc.draw, xy(3, 4))
		if got != tc.want || left != tc.wantsLeft {
			t.Errorf("%s: got=%v, %v left, want=%v, %v", tc.name, got, left, tc.want, tc.wantsLeft)
		}
	}
}

type (
	firstAsk  struct{ r2.Vec }
	secondAsk struct{ r2.Vec }
	thirdAsk  struct{ r2.Vec }
)

type ask[T any] struct {
	of    func(*T) r2.Vec
	force frame.In[T]
	steer frame.Out[c.Steering]
}

func (s *ask[T]) Needs(n *frame.Needs) { n.Read(&s.force); n.Write(&s.steer) }
func (s *ask[T]) Run(b *frame.Batch) {
	force, steer := s.force.Of(b), s.steer.Of(b)
	for i := range force {
		steer[i].Vec = vec.Add(steer[i].Vec, s.of(&force[i]))
	}
}

type (
	askFirst  struct{ ask[firstAsk] }
	askSecond struct{ ask[secondAsk] }
	askThird  struct{ ask[thirdAsk] }
)

func asking(chance ...float64) []PriorityEntry {
	return []PriorityEntry{
		{&askFirst{ask[firstAsk]{of: func(a *firstAsk) r2.Vec { return a.Vec }}}, chance[0], frame.With[firstAsk]},
		{&askSecond{ask[secondAsk]{of: func(a *secondAsk) r2.Vec { return a.Vec }}}, chance[1], nil},
		{&askThird{ask[thirdAsk]{of: func(a *thirdAsk) r2.Vec { return a.Vec }}}, chance[2], frame.With[thirdAsk]},
	}
}

func TestCombine(t *testing.T) {
	body := []any{c.Agent{ID: 1}, c.Limits{MaxSpeed: 1, MaxForce: 10}}
	three := []any{firstAsk{xy(6, 0)}, secondAsk{xy(0, 6)}, thirdAsk{xy(-6, 0)}}
	for _, tc := range []struct {
		name  string
		mode  Combination
		comps []any
		want  r2.Vec
	}{
		{"sum", CombineSum, three, xy(0, 6)},
		{"priority", CombinePriority, three, xy(6, 4)},
		{"priority, the first is missing", CombinePriority, three[1:], xy(-4, 6)},
		{"priority, the last is missing", CombinePriority, three[:2], xy(6, 4)},
		{"priority, one that is zero", CombinePriority, []any{firstAsk{}, secondAsk{xy(0, 6)}, thirdAsk{xy(-6, 0)}}, xy(-4, 6)},
		{"priority, all fit", CombinePriority, []any{firstAsk{xy(1, 0)}, thirdAsk{xy(0, 8)}}, xy(1, 8)},
		{"priority, a host's force", CombinePriority, append([]any{c.Steering{Vec: xy(0, -8)}}, three...), xy(2, -8)},
		{"priority, a host's force and nothing else", CombinePriority, []any{c.Steering{Vec: xy(0, -80)}}, xy(0, -10)},
		{"dithering, the first is certain", CombineDithering, three, xy(6, 0)},
		{"dithering, the first is zero, the second never", CombineDithering, []any{firstAsk{}, secondAsk{xy(0, 6)}, thirdAsk{xy(-6, 0)}}, xy(-6, 0)},
	} {
		for _, barrier := range []bool{false, true} {
			list := CombineForces(tc.mode, 1, asking(1, 0, 1)...)
			if barrier { // a host's system in the middle, which has the world to itself
				list = slices.Insert(list, 3, any(&recorder{log: new([]string)}))
			}
			s := newStage(t, 0.1, list...)
			comps := append(append([]any{c.ForceCombination{Vec: xy(7, 7), Left: 7}}, body...), tc.comps...)
			host, has := tc.comps[0].(c.Steering)
			if !has {
				comps = append(comps, host)
			}
			e := s.Put(comps...)
			for range 3 {
				*testkit.ComponentOf[c.Steering](s, e) = host
				s.Step()
				testkit.Equal(t, testkit.ComponentOf[c.Steering](s, e).Vec, tc.want, "%s, barrier %v", tc.name, barrier)
			}
			var sum r2.Vec
			for _, force := range tc.comps {
				sum = vec.Add(sum, reflect.ValueOf(force).Field(0).Interface().(r2.Vec))
			}
			plain, driven := s.Put(comps[1:]...), s.Put(append(comps, c.Drive{})...)
			s.Step()
			for _, e := range []ecs.Entity{plain, driven} {
				testkit.Equal(t, testkit.ComponentOf[c.Steering](s, e).Vec, sum, "%s: force without ForceCombination or with Drive", tc.name)
			}
		}
	}
}

func TestPriority(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		var forces [5]r2.Vec
		for i := range forces {
			if rnd.IntN(4) > 0 {
				forces[i] = xy(float64(rnd.IntN(2001)-1000)/64, float64(rnd.IntN(2001)-1000)/64)
			}
		}
		limit := []float64{0, inf, 20 * rnd.Float64(), 100 * rnd.Float64()}[rnd.IntN(4)]
		run := func(turn func(r2.Vec) r2.Vec) (sums [6]r2.Vec) {
			left := limit
			for i, f := range forces {
				if sums[i+1] = sums[i]; f != (r2.Vec{}) && left > 0 {
					sums[i+1], left = allocate(sums[i], left, turn(f))
				}
			}
			return sums
		}
		got := run(func(v r2.Vec) r2.Vec { return v })
		var sum r2.Vec
		used := 0.
		for i, f := range forces {
			sum, used = vec.Add(sum, f), used+vec.Norm(f)
			if used <= limit*(1-1e-12) && got[i+1] != sum {
				t.Fatalf("%v within %v N, after %d: got=%v, want=%v", forces, limit, i+1, got[i+1], sum)
			}
			if f != (r2.Vec{}) && used > limit*(1+1e-12) { // along the force, and no longer than it
				d := vec.Sub(got[i+1], got[i])
				if got := vec.Dot(d, f); !(got >= 0 && vec.Norm(d) <= vec.Norm(f)*(1+1e-12) && math.Abs(vec.Cross(d, f)) <= 1e-9) {
					t.Fatalf("%v within %v N: share %d: got=%v, want=a part of %v", forces, limit, i, d, f)
				}
			}
			if n := vec.Norm(got[i+1]); n > limit*(1+1e-14) {
				t.Fatalf("%v within %v N: sum: got=%v N, want=at most the limit", forces, limit, n)
			}
		}
		if got, want := run(vec.Left)[5], vec.Left(got[5]); got != want {
			t.Fatalf("%v within %v N, turned: got=%v, want=%v", forces, limit, got, want)
		}
		sin, cos := math.Sincos(7 * rnd.Float64())
		turn := func(v r2.Vec) r2.Vec { return vec.Rotate(v, cos, sin) }
		if got, want := run(turn)[5], turn(got[5]); !vecWithin(got, want, 1e-12) {
			t.Fatalf("%v within %v N, turned: got=%v, want=%v", forces, limit, got, want)
		}
	}
}

func TestDitheringMean(t *testing.T) {
	const n = 40_000
	forces, chances := [3]r2.Vec{xy(3, 1), xy(-1, 2), xy(0.5, -4)}, [3]float64{0.25, 0.8, 0.5}
	var want r2.Vec
	var often [3]float64
	rest, square := 1., 0.
	for i, f := range forces {
		often[i] = rest * chances[i]
		rest *= 1 - chances[i]
		want, square = r2.Add(want, f), square+r2.Norm2(f)/often[i]
	}
	deviation := math.Sqrt(square / n)
	list := CombineForces(CombineDithering, 7, asking(chances[:]...)...)
	check := func(name string, at func(k uint64) (agent, tick uint64)) {
		var sum r2.Vec
		var drawn [3]int
		var systems []frame.System
		for _, s := range list {
			systems = append(systems, s.(frame.System))
		}
		id, steer, combined := make([]c.Agent, 1), make([]c.Steering, 1), make([]c.ForceCombination, 1)
		r := newRig(0.1, systems, frame.Over(id), frame.Over(steer), frame.Over(combined), frame.Over([]firstAsk{{forces[0]}}), frame.Over([]secondAsk{{forces[1]}}), frame.Over([]thirdAsk{{forces[2]}}))
		for k := range uint64(n) {
			var tick uint64
			id[0].ID, tick = at(k)
			steer[0].Vec = r2.Vec{}
			for _, b := range r.batches {
				b.Tick = tick
			}
			r.step()
			sum = r2.Add(sum, steer[0].Vec)
			for i, f := range forces {
				if vec.Cross(f, steer[0].Vec) == 0 && steer[0].Vec != (r2.Vec{}) {
					drawn[i]++
				}
			}
		}
		if got := r2.Scale(1./n, sum); vec.Norm(vec.Sub(got, want)) > 5*deviation {
			t.Errorf("%s: mean: got=%v, want=%v within %v", name, got, want, 5*deviation)
		}
		for i, p := range often {
			testkit.Near(t, float64(drawn[i])/n, p, 5*math.Sqrt(p*(1-p)/n), "%s: behavior %d drawn", name, i)
		}
	}
	check("ticks", func(k uint64) (agent, tick uint64) { return 5, k })
	check("agents", func(k uint64) (agent, tick uint64) { return k, 17 })
	if a, b := useOf("Seek"), useOf("Flee"); a == b || a>>63 == 0 {
		t.Errorf("uses: got=%x and %x, want two different uses above all numbered ones", a, b)
	}
}

func TestCombineBadValues(t *testing.T) {
	for _, mode := range []Combination{CombineSum, CombinePriority, CombineDithering} {
		for _, bad := range []float64{nan, inf, -inf} {
			for _, limit := range []float64{5, inf, nan, -1} {
				s := newStage(t, 0.1, append(CombineForces(mode, 3, asking(1, 1, 1)...), &Integration{})...)
				e := s.Put(c.Agent{ID: 1}, c.Position{}, c.Velocity{Vec: xy(1, 0)}, c.Steering{}, c.ForceCombination{Vec: xy(bad, 0), Left: bad},
					c.Limits{MaxSpeed: 9, MaxForce: limit}, firstAsk{xy(0, bad)}, secondAsk{xy(1, 0)})
				s.Step()
				if got := testkit.ComponentOf[c.Velocity](s, e).Vec; got != xy(1, 0) || s.Frame.Stats().Skipped != 1 {
					t.Errorf("mode %d, force %v, limit %v: got=%v, %d skipped, want=(1, 0), 1", mode, bad, limit, got, s.Frame.Stats().Skipped)
				}
				testkit.ComponentOf[firstAsk](s, e).Vec, testkit.ComponentOf[c.Limits](s, e).MaxForce = r2.Vec{}, 5
				s.Step()
				testkit.Equal(t, testkit.ComponentOf[c.Velocity](s, e).Vec, xy(1.1, 0), "mode %d, after a force of %v", mode, bad)
			}
		}
	}
}

func FuzzCombine(f *testing.F) {
	f.Add(1., 2., 3., 4., 5., 0.5)
	f.Add(1e300, -1e300, 1e-320, 0., 1e-310, 1.)
	f.Fuzz(func(t *testing.T, ax, ay, bx, by, limit, chance float64) {
		if !(limit >= 0) || !vec.Finite(xy(ax, ay)) || !vec.Finite(xy(bx, by)) {
			return
		}
		sum, left := allocate(r2.Vec{}, limit, xy(ax, ay))
		if left > 0 {
			sum, left = allocate(sum, left, xy(bx, by))
		}
		if size := vec.Norm(sum); !(left >= 0) || limit < 1e300 && !(size <= limit*(1+1e-14)+math.SmallestNonzeroFloat64) {
			t.Errorf("by priority: got=%v of size %v, %v left, want=at most %v", sum, size, left, limit)
		}
		if _, left := dither(1, chance, 0.5, xy(ax, ay)); chance >= 0 && chance <= 1 && !(left >= 0 && left <= 1) {
			t.Errorf("by dithering: left: got=%v, want=0 to 1", left)
		}
	})
}

func TestCombineAllocatesNothing(t *testing.T) {
	for _, mode := range []Combination{CombinePriority, CombineDithering} {
		s := newStage(t, 0.1, CombineForces(mode, 1, asking(0.5, 0.5, 0.5)...)...)
		for id := range uint64(300) {
			s.Put(c.Agent{ID: id}, c.Steering{}, c.ForceCombination{}, c.Limits{MaxForce: 5}, firstAsk{xy(1, 0)}, thirdAsk{xy(1, 7)})
		}
		s.Step()
		testkit.NoAllocs(t, 20, s.Step)
	}
}
