package systems

import (
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/measure"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// TestIdentityOfEntity verifies that an agent without Agent, whose entity ID was used before, has the same
// ID for Arrivals, Neighbors and Batch.
func TestIdentityOfEntity(t *testing.T) {
	arrivals, neighbors, own := &Arrivals{}, &sense.Neighbors{Always: true}, &idReader{}
	s := newStage(t, 1, neighbors, own, arrivals)
	for range 3 {
		s.RemoveEntity(s.Put(c.Position{}))
	}
	e := s.Put(c.Position{}, c.Velocity{}, c.Target{}, c.Goal{Radius: 1})
	s.Step()
	want := uint64(e.Generation())<<32 | uint64(e.ID())
	if e.Generation() == 0 || c.IDOf(nil, e) != want {
		t.Fatalf("entity %v: ID: got=%d, want=%d, with a generation above 0", e, c.IDOf(nil, e), want)
	}
	if list := arrivals.List(); len(list) != 1 || list[0].ID != want {
		t.Errorf("arrivals: got=%+v, want one with ID %d", list, want)
	}
	neighbors.Within(r2.Vec{}, 1, ecs.Entity{}, func(n sense.Neighbor) bool {
		testkit.Equal(t, n.ID, want, "neighbors")
		return true
	})
	if len(own.ids) != 1 || own.ids[0] != want {
		t.Errorf("batch: got=%d, want=[%d]", own.ids, want)
	}
}

type idReader struct {
	agent frame.In[c.Agent]
	pos   frame.In[c.Position]
	ids   []uint64
}

func (s *idReader) Needs(n *frame.Needs) { n.Read(&s.pos); n.Optional(&s.agent) }

func (s *idReader) Run(b *frame.Batch) {
	for i := range s.pos.Of(b) {
		s.ids = append(s.ids, b.ID(s.agent.Of(b), i))
	}
}

// TestEntityIsAnID verifies that an agent without Agent has the same draws and hash as an agent
// whose Agent has the entity's ID.
func TestEntityIsAnID(t *testing.T) {
	type state struct {
		force r2.Vec
		hash  uint64
	}
	var got [2]state
	for i := range got {
		hash := &measure.Hash{}
		list := append([]any{&Wander{Seed: 5}}, CombineForces(CombineDithering, 3, PriorityEntry{System: &Seek{}, Chance: 0.5})...)
		s := newStage(t, 1, append(list, hash)...)
		s.RemoveEntity(s.Put(c.Position{}))
		comps := []any{
			c.Position{}, c.Velocity{Vec: xy(1, 0)}, c.Limits{MaxSpeed: 1, MaxForce: 9}, c.Target{Vec: xy(5, 5)},
			c.Wander{Gain: 1, Distance: 1, Radius: 1, Rate: 1}, c.Seek{Gain: 1}, c.Steering{}, c.ForceCombination{},
		}
		if i == 1 {
			comps = append(comps, c.Agent{ID: 1<<32 | 1})
		}
		e := s.Put(comps...)
		if id := c.IDOf(nil, e); id != 1<<32|1 {
			t.Fatalf("ID of the entity: got=%d, want=%d", id, uint64(1<<32|1))
		}
		s.Step()
		got[i] = state{testkit.ComponentOf[c.Steering](s, e).Vec, hash.Sum()}
	}
	if got[0] != got[1] {
		t.Errorf("force and hash: got=%v by the entity, %v by the same ID in Agent, want=equal", got[0], got[1])
	}
}
