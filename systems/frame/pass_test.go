package frame_test

import (
	"math"
	"slices"
	"testing"
	"time"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

type (
	late   struct{ N int }
	later  struct{ N int }
	tired  struct{}
	counts struct {
		late  frame.Out[late]
		later frame.In[later]
	}
)

func (s *counts) Needs(n *frame.Needs) {
	n.Write(&s.late)
	n.Optional(&s.later)
	frame.Without[tired](n)
}

func (s *counts) Run(b *frame.Batch) {
	later := s.later.Of(b)
	for i := range s.late.Of(b) {
		s.late.Of(b)[i].N++
		if later != nil {
			s.late.Of(b)[i].N += later[i].N
		}
	}
}

// Hosts may register components after Initialize, even those that a system excludes. A frame registers none.
func TestLateComponents(t *testing.T) {
	w := ecs.NewWorld()
	ecs.AddResource(&w, &frame.Clock{Dt: 1})
	f := frame.New(&counts{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	testkit.Equal(t, len(ecs.ComponentIDs(&w)), 0, "components in an empty world")
	f.Update(&w)

	value := func(e ecs.Entity) int { return (*late)(w.Get(e, ecs.ComponentID[late](&w))).N }
	first := w.NewEntity(ecs.ComponentID[late](&w))
	f.Update(&w)
	second := w.NewEntity(ecs.ComponentID[late](&w), ecs.ComponentID[later](&w))
	(*later)(w.Get(second, ecs.ComponentID[later](&w))).N = 10
	f.Update(&w)
	third := w.NewEntity(ecs.ComponentID[late](&w), ecs.ComponentID[tired](&w))
	f.Update(&w)
	testkit.Equal(t, [3]int{value(first), value(second), value(third)}, [3]int{3, 22, 0}, "N of the three entities")
}

func TestStalled(t *testing.T) {
	f := frame.New()
	for range 2 {
		w := ecs.NewWorld()
		f.Initialize(&w)
		testkit.Equal(t, f.Stalled(), 0, "before the first step")
		f.Update(&w)
		f.Update(&w)
		testkit.Equal(t, f.Stalled(), 2, "after two steps without Advance")
		f.Finalize(&w)
	}
}

// The frame must find columns again after archetypes grow and shrink and entities move between them.
func TestColumnsFollow(t *testing.T) {
	world := ecs.NewWorld(1)
	w := &world
	pos, vel := ecs.ComponentID[c.Position](w), ecs.ComponentID[c.Velocity](w)
	marks := []ecs.ID{ecs.ComponentID[mark1](w), ecs.ComponentID[mark2](w), ecs.ComponentID[mark3](w), ecs.ComponentID[mark4](w)}
	f := frame.New(&testkit.Mover{})
	f.Workers = 1
	f.Initialize(w)
	defer f.Finalize(w)
	steps := map[ecs.Entity]float64{}
	for step := 0; step < 400 && !t.Failed(); step++ {
		draw := func(use, n uint64) uint64 { return uint64(frame.HashFloat(5, uint64(step), 0, use) * float64(n)) }
		mark := marks[draw(0, 4)]
		switch draw(1, 4) {
		case 0, 1:
			for range 1 + draw(2, 40) {
				e := w.NewEntity(pos, vel, mark)
				(*c.Velocity)(w.Get(e, vel)).X = 60
				steps[e] = 0
			}
		case 2:
			for e := range steps {
				if draw(3, 2) == 0 {
					w.RemoveEntity(e)
					delete(steps, e)
				}
			}
		default:
			for e := range steps {
				if w.Has(e, mark) {
					w.Remove(e, mark)
				} else {
					w.Add(e, mark)
				}
			}
		}
		f.Update(w)
		for e := range steps {
			steps[e]++
			testkit.Near(t, (*c.Position)(w.Get(e, pos)).X, steps[e], 1e-6, "step %d: X", step)
		}
	}
}

// These components distinguish archetypes.
type (
	mark1 struct{}
	mark2 struct{}
	mark3 struct{}
	mark4 struct{}
)

type gathering struct {
	rows
	collect rows
	pending bool
}

type rows struct {
	pos   frame.In[c.Position]
	name  string
	calls *[]string
}

func (s *rows) Needs(n *frame.Needs) { n.Read(&s.pos) }
func (s *rows) Run(*frame.Batch)     { *s.calls = append(*s.calls, s.name) }

func (s *gathering) Collect() frame.System { return &s.collect }
func (s *gathering) Pending() bool         { return s.pending }
func (s *gathering) Resolve() {
	*s.calls = append(*s.calls, "resolve")
	time.Sleep(time.Millisecond)
}

func TestTwoPhase(t *testing.T) {
	var calls []string
	s := &gathering{rows{name: "run", calls: &calls}, rows{name: "collect", calls: &calls}, true}
	stage := testkit.NewStage(t, 0.1, s)
	stage.Frame.Profile = true
	stage.Put(c.Position{})
	stage.Put(c.Position{}, c.Velocity{}) // in a different archetype
	for range 3 {
		stage.Step()
	}
	if want := slices.Repeat([]string{"collect", "collect", "resolve", "run", "run"}, 3); !slices.Equal(calls, want) {
		t.Errorf("calls: got=%q, want=%q", calls, want)
	}
	stats := stage.Frame.Stats()
	i := slices.IndexFunc(stats.Systems, func(s frame.SystemStats) bool { return s.Alone > 0 })
	if i < 0 || stats.Systems[i].Alone < 3*time.Millisecond {
		t.Errorf("time of Resolve: got=%+v, want Alone of 3 ms or more for one system", stats.Systems)
	}
	s.pending, calls = false, nil
	if stage.Step(); slices.Contains(calls, "resolve") {
		t.Errorf("not pending: got=%q, want no resolve", calls)
	}
}

func TestAccumulator(t *testing.T) {
	for _, seconds := range []float64{1. / 240, 1. / 60, 0.0123, 1. / 30, 0.1} {
		a, steps, pictures := frame.Accumulator{Dt: 1. / 60}, 0, int(math.Round(10/seconds))
		for range pictures {
			steps += a.Due(seconds)
		}
		if left := float64(pictures)*seconds - float64(steps)/60; math.Abs(left-a.Alpha()/60) > 1e-9 || !(a.Alpha() >= 0 && a.Alpha() <= 1) {
			t.Errorf("frames of %v s: got=%d steps and %v of a step, want %v s in all", seconds, steps, a.Alpha(), float64(pictures)*seconds)
		}
	}
	a := frame.Accumulator{Dt: 0.1, Most: 3}
	for _, tc := range []struct {
		seconds float64
		steps   int
	}{{0.35, 3}, {0.3, 3}, {0.3, 3}, {0.1, 1}, {0.06, 1}, {2, 3}, {0.09, 0}, {math.Inf(1), 3}, {-1, 0}, {math.NaN(), 0}, {0.25, 2}, {0, 0}} {
		testkit.Equal(t, a.Due(tc.seconds), tc.steps, "%v s: steps", tc.seconds)
	}
	defer func() {
		if recover() == nil {
			t.Error("a step of 0 s: got=no panic, want=a panic")
		}
	}()
	(&frame.Accumulator{}).Due(1)
}
