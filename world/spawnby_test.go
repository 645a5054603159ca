package world

import (
	"context"
	"errors"
	"slices"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// offspring spawns and removes in the middle of steps, from many workers.
type offspring struct {
	w     *World
	agent frame.In[c.Agent]
	pos   frame.In[c.Position]
}

func (s *offspring) Needs(n *frame.Needs) { n.Read(&s.agent, &s.pos) }

func (s *offspring) Run(b *frame.Batch) {
	agent, pos := s.agent.Of(b), s.pos.Of(b)
	for i := range agent {
		switch id := agent[i].ID; (id + 7*b.Tick) % 100 {
		case 0:
			at := pos[i]
			// The world is locked: the error is that of the step.
			_ = s.w.SpawnBy(id, 2, walkers, func(r *Rows) {
				for k, p := 0, Column[c.Position](r); k < r.Len; k++ {
					p[k] = at
					p[k].Y += float64(k)
				}
			})
		case 1:
			s.w.Remove(b.Entity(i))
		}
	}
}

// TestSpawnByIsTheSameForAnyWorkers verifies that agents which are born and die in
// the middle of steps leave the same crowd with any number of workers.
func TestSpawnByIsTheSameForAnyWorkers(t *testing.T) {
	t.Parallel()
	hash := func(workers, batchRows int) uint64 {
		s := &offspring{}
		w := newWorld(t, func(c *Config) { c.Workers, c.BatchRows, c.Steer = workers, batchRows, []any{s} })
		s.w = w
		err := w.Spawn(4000, walkers, func(r *Rows) {
			for i, pos := 0, Column[c.Position](r); i < r.Len; i++ {
				pos[i].X, pos[i].Y = float64(i%173), float64(i%59)
			}
		})
		must(t, err)
		must(t, w.Run(context.Background(), 15))
		return w.Hash()
	}
	want := hash(1, 0)
	for _, workers := range []int{2, 7, 16} {
		for _, rows := range []int{0, 33} {
			if got := hash(workers, rows); got != want {
				t.Errorf("%d workers, batches of %d rows: got=%016x, want=%016x", workers, rows, got, want)
			}
		}
	}
}

// undertaker removes all agents in the middle of a step, in one order or the other.
type undertaker struct {
	w         *World
	backwards bool
	pos       frame.In[c.Position]
}

func (s *undertaker) Needs(n *frame.Needs) { n.Read(&s.pos) }

func (s *undertaker) Run(b *frame.Batch) {
	rows := len(s.pos.Of(b))
	for i := range rows {
		if s.backwards {
			i = rows - 1 - i
		}
		s.w.Remove(b.Entity(i))
	}
}

// TestRemovalsInOrder verifies that entities which are used again do not depend on the
// order in which agents were removed in the middle of a step.
func TestRemovalsInOrder(t *testing.T) {
	reborn := func(backwards bool) (all []ecs.Entity) {
		s := &undertaker{backwards: backwards}
		w := newWorld(t, func(c *Config) { c.Steer = []any{s} })
		s.w = w
		if err := errors.Join(w.Spawn(5, walkers, nil), w.Step()); err != nil || agents(w) != 0 {
			t.Fatalf("%v, %d agents are left", err, agents(w))
		}
		err := w.Spawn(5, walkers, func(r *Rows) {
			for i := range r.Len {
				all = append(all, r.Entity(i))
			}
		})
		must(t, err)
		return all
	}
	if got, want := reborn(true), reborn(false); !slices.Equal(got, want) {
		t.Errorf("got=%v, want=%v", got, want)
	}
}
