package frame_test

import (
	"testing"

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

// TestLateComponents verifies that a frame registers no components itself, and that its systems find
// components that the host registers later, including one that they exclude.
func TestLateComponents(t *testing.T) {
	w := ecs.NewWorld()
	ecs.AddResource(&w, &frame.Clock{Dt: 1})
	f := frame.New(&counts{})
	f.Initialize(&w)
	defer f.Finalize(&w)
	if n := len(ecs.ComponentIDs(&w)); n != 0 {
		t.Errorf("components in an empty world: got=%d, want=0", n)
	}
	f.Update(&w)

	value := func(e ecs.Entity) int { return (*late)(w.Get(e, ecs.ComponentID[late](&w))).N }
	first := w.NewEntity(ecs.ComponentID[late](&w))
	f.Update(&w)
	second := w.NewEntity(ecs.ComponentID[late](&w), ecs.ComponentID[later](&w))
	(*later)(w.Get(second, ecs.ComponentID[later](&w))).N = 10
	f.Update(&w)
	third := w.NewEntity(ecs.ComponentID[late](&w), ecs.ComponentID[tired](&w))
	f.Update(&w)
	for i, test := range []struct {
		e    ecs.Entity
		want int
	}{{first, 3}, {second, 22}, {third, 0}} {
		if got := value(test.e); got != test.want {
			t.Errorf("entity %d: N: got=%d, want=%d", i, got, test.want)
		}
	}
}
