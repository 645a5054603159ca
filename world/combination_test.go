package world

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"gonum.org/v1/gonum/spatial/r2"
)

func systemsOf(config Config) []running {
	before, _ := config.run(&sense.Obstacles{}, &sense.Neighbors{}, &sense.Fields{})
	return before
}

func TestEveryBehaviorIsCombined(t *testing.T) {
	var got []string
	for _, s := range systemsOf(Default()) {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(s.system).Elem()) {
			if field.Type == reflect.TypeFor[frame.Out[c.Steering]]() {
				got = append(got, s.entry.Name)
			}
		}
	}
	want := Behaviors()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("systems that write Steering: got=%v, want=%v, as Behaviors returns", got, want)
	}
}

func TestCombinationChances(t *testing.T) {
	for _, tc := range []struct {
		chances []float64
		want    [3]float64 // of wander, seek and the next behavior
	}{
		{nil, [3]float64{0.5, 0.5, 0.5}},
		{[]float64{0.75}, [3]float64{0.75, 0.75, 0.75}},
		{[]float64{0.25, 1}, [3]float64{0.25, 1, 0.5}},
	} {
		config := Default()
		config.Combination, config.Priority, config.Chances = systems.CombineDithering, []string{"wander", "seek"}, tc.chances
		var got [3]float64
		for _, s := range systemsOf(config) {
			if x, is := s.system.(*systems.Combine); is && !x.First && !x.Last {
				if i := slices.Index([]string{"Wander", "Seek", "Containment"}, x.Of); i >= 0 {
					got[i] = x.Chance
				}
			}
		}
		testkit.Equal(t, got, tc.want, "Chances %v", tc.chances)
	}
}

func jam(t *testing.T, config Config, order []int) *World {
	config.Dt, config.Seed = 0.05, 9
	w := made(t, config)
	for i := range 5 {
		Value(w.AddObstacle(r2.Vec{X: 4 * float64(i), Y: 3}, c.Obstacle{Radius: 0.7}))
	}
	for _, k := range order {
		point := func(use uint64) r2.Vec {
			return r2.Vec{X: 20 * frame.HashFloat(1, uint64(k), 0, use), Y: 8 * frame.HashFloat(1, uint64(k), 1, use)}
		}
		comps := []any{c.Target{Vec: point(1)}, c.Limits{MaxSpeed: 2, MaxForce: 3}, c.Arrival{Gain: 2, SlowingRadius: 3}, c.Wander{Gain: 1, Distance: 1, Radius: 1, Rate: 1}}
		if k%2 == 0 {
			comps = append(comps, c.ThreatScan{LookAhead: 3}, c.Avoidance{MaxForce: 2}, c.Flee{From: r2.Vec{X: 9}, Gain: 1, Radius: 5})
		}
		if k%3 == 0 {
			comps = append(comps, c.Containment{Gain: 4, Horizon: 1, Box: r2.Box{Max: r2.Vec{X: 20, Y: 8}}}, c.Seek{Gain: 1})
		}
		must(t, w.Spawn(1, comps, func(r *Rows) {
			Column[c.Agent](r)[0].ID = uint64(k + 1)
			Column[c.Position](r)[0].Vec, Column[c.Velocity](r)[0].Vec = point(2), vec.Scale(0.1, point(3))
		}))
	}
	return w
}

func TestCombinationHash(t *testing.T) {
	const n, steps = 150, 30
	seen := map[uint64]systems.Combination{}
	for mode := range systems.Combination(3) {
		var want uint64
		for try := range 5 {
			config := Default()
			config.Combination, config.Workers, config.BatchRows = mode, 1+try%3, []int{0, 1, 7, 64, 5}[try]
			order := rand.New(rand.NewPCG(uint64(try), 0)).Perm(n)
			w := jam(t, config, order)
			run(t, w, steps)
			if got := w.Hash(); try == 0 {
				want = got
			} else if got != want {
				t.Errorf("mode %d, try %d: hash: got=%016x, want=%016x", mode, try, got, want)
			}
		}
		if other, is := seen[want]; is {
			t.Errorf("hash of mode %d: got=that of mode %d, want=another", mode, other)
		}
		seen[want] = mode
	}
}

func TestExplainCombination(t *testing.T) {
	for _, tc := range []struct {
		first []string
		limit float64
		want  []r2.Vec // granted, by priority
	}{
		{nil, 7, []r2.Vec{{X: 1}, {X: -4}, {Y: 2}}},
		{nil, 100, []r2.Vec{{X: 1}, {X: -4}, {Y: 6}}},
		{nil, 3, []r2.Vec{{X: 1}, {X: -2}, {}}},
		{nil, math.Inf(1), []r2.Vec{{X: 1}, {X: -4}, {Y: 6}}},
		{[]string{"wander", "seek"}, 8, []r2.Vec{{X: 1}, {Y: 6}, {X: -1}}},
	} {
		config := Default()
		config.Combination, config.Priority = systems.CombinePriority, tc.first
		w := made(t, config)
		must(t, w.Spawn(1, []any{
			c.Steering{Vec: r2.Vec{X: 1}}, c.Limits{MaxSpeed: 2, MaxForce: tc.limit},
			c.Flee{From: r2.Vec{X: 5}, Gain: 2}, c.Seek{Gain: 3}, c.Target{Vec: r2.Vec{Y: 5}},
		}, nil))
		e, _ := w.Entity(1)
		x := Value(w.Inspect().Explain(e))
		var got []r2.Vec
		var sum r2.Vec
		for _, s := range x.Shares {
			got = append(got, *s.Force.Granted)
			sum = vec.Add(sum, *s.Force.Granted)
		}
		if !slices.Equal(got, tc.want) || x.Force != sum || x.Combination != systems.CombinePriority {
			t.Errorf("%v first, MaxForce %v: got=%v, mode %d, sum %v, want=%v, and their sum", tc.first, tc.limit, got, x.Combination, x.Force, tc.want)
		}
	}
}
