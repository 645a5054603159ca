package world

import (
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"github.com/mlange-42/arche/generic"
	"gonum.org/v1/gonum/spatial/r2"
)

func put(w *ecs.World, id uint64) ecs.Entity {
	e := w.NewEntity()
	systems.Add(w, e, c.Agent{ID: id}, c.Position{Vec: r2.Vec{X: float64(id)}}, c.Velocity{Vec: r2.Vec{X: 1}})
	return e
}

func idsOf(w *ecs.World) (ids []uint64) {
	for q := generic.NewFilter1[c.Agent]().Query(w); q.Next(); {
		ids = append(ids, q.Get().ID)
	}
	slices.Sort(ids)
	return ids
}

func wantIDs(t *testing.T, w *ecs.World, want ...uint64) {
	t.Helper()
	if got := idsOf(w); !slices.Equal(got, want) {
		t.Errorf("IDs: got=%v, want=%v", got, want)
	}
}

func attach(t *testing.T, host *ecs.World) *World {
	t.Helper()
	w := Value(Attach(host, Default()))
	t.Cleanup(w.Close)
	return w
}

func TestAttachNumbersOn(t *testing.T) {
	host := ecs.NewWorld()
	clock := &frame.Clock{Dt: 0.02, Time: 5, Tick: 300}
	ecs.AddResource(&host, clock)
	other := host.NewEntity()
	for _, id := range []uint64{3, 41, 7} {
		put(&host, id)
	}
	w := attach(t, &host)
	if want := (frame.Clock{Dt: 0.02, Time: 5, Tick: 300}); w.Clock != clock || *clock != want {
		t.Errorf("clock: got=%+v, want=the host's clock, %+v", w.Clock, want)
	}
	testkit.Equal(t, w.NextID(), 42, "next ID")
	must(t, errors.Join(w.Spawn(2, walkers, nil), w.Step()))
	w.Close()
	wantIDs(t, &host, 3, 7, 41, 42, 43)
	if !host.Alive(other) || host.IsLocked() {
		t.Error("after Close: got=a locked world or a missing entity, want=an unlocked world with all entities")
	}
}

func TestAttachAgain(t *testing.T) {
	host := ecs.NewWorld()
	w := attach(t, &host)
	must(t, w.Spawn(5, walkers, nil))
	_, err := Attach(nil, Default())
	WantError(t, err, "cannot attach: the world is nil")
	_, err = Attach(&host, Default())
	WantError(t, err, "cannot attach: the world already has a crowd; close it first")

	f := frame.New(&systems.Integration{}) // the host may also have a frame
	f.Initialize(&host)
	f.Finalize(&host)

	e, _ := w.Entity(5)
	w.Remove(e)
	w.Close()
	again := attach(t, &host)
	w.Close() // has no effect
	if _, err := Attach(&host, Default()); err == nil {
		t.Error("Attach after a second Close of the first crowd: got=nil, want=an error, because the second crowd is attached")
	}
	must(t, again.Spawn(1, walkers, nil))
	wantIDs(t, &host, 1, 2, 3, 4, 6)
}

func TestAttachDuplicates(t *testing.T) {
	host := ecs.NewWorld()
	for _, id := range []uint64{5, 2, 5, 9, 2, 5} {
		put(&host, id)
	}
	_, err := Attach(&host, Default())
	WantError(t, err, "cannot attach: entity 2 and entity 5 both have the ID 2, entity 1 and entity 3 both have the ID 5, entity 3 and entity 6 both have the ID 5; want")
	for range 8 {
		put(&host, 9)
	}
	_, err = Attach(&host, Default())
	WantError(t, err, ", and 6 more pairs; want")

	for i, agents := uint64(0), generic.NewFilter1[c.Agent]().Query(&host); agents.Next(); i++ {
		agents.Get().ID = math.MaxUint64 - i
	}
	_, err = Attach(&host, Default())
	WantError(t, err, "an agent has the ID 18446744073709551615, which no ID can follow")
	for i, agents := uint64(0), generic.NewFilter1[c.Agent]().Query(&host); agents.Next(); i++ {
		agents.Get().ID = i
	}
	attach(t, &host)
}

func TestSetNextID(t *testing.T) {
	host := ecs.NewWorld()
	w := attach(t, &host)
	must(t, w.Spawn(3, walkers, nil))
	for _, id := range []uint64{1, 2, 3} {
		WantError(t, w.SetNextID(id), "but agent 3 exists; want a higher ID")
	}
	WantError(t, w.SetNextID(0), "next ID is 0, want 1 or more")
	testkit.Equal(t, w.NextID(), 4, "next ID after errors")
	if err := w.SetNextID(100); err != nil || w.NextID() != 100 {
		t.Errorf("SetNextID(100): got=%v, next ID %d, want=no error, next ID 100", err, w.NextID())
	}
	put(&host, w.NextID())
	must(t, w.SetNextID(w.NextID()+1))
	must(t, w.Spawn(1, walkers, nil))
	wantIDs(t, &host, 1, 2, 3, 100, 101)

	must(t, w.SetNextID(math.MaxUint64-1))
	WantError(t, w.Spawn(2, walkers, nil), "cannot spawn 2 agents: their IDs would begin with 18446744073709551614 and exceed the largest ID")
	must(t, w.Spawn(1, walkers, nil))
	WantError(t, w.Spawn(1, walkers, nil), "cannot spawn 1 agents")
}

func TestSpawnWithIDs(t *testing.T) {
	host := ecs.NewWorld()
	w := attach(t, &host)
	spawn := func(ids ...uint64) error {
		return w.Spawn(len(ids), walkers, func(r *Rows) {
			for i, agents := 0, Column[c.Agent](r); i < len(ids); i++ {
				agents[i].ID = ids[i]
			}
		})
	}
	for _, test := range []struct {
		ids  []uint64
		want string // in the error; empty means none
		next uint64
	}{
		{[]uint64{1, 2, 3}, "", 4},
		{[]uint64{20, 10}, "", 21},
		{[]uint64{5}, "", 21},
		{[]uint64{21, 10, 3}, "agent 10: another agent has that ID", 21},
		{[]uint64{30, 31, 30}, "agent 30: another agent has that ID", 21},
		{[]uint64{math.MaxUint64}, "agent 18446744073709551615: no ID can follow that ID", 21},
	} {
		err := spawn(test.ids...)
		if test.want != "" {
			WantError(t, err, test.want)
		} else if err != nil {
			t.Errorf("%v: got=%v, want=no error", test.ids, err)
		}
		testkit.Equal(t, w.NextID(), test.next, "after %v: next ID", test.ids)
	}
	must(t, w.Spawn(1, append([]any{c.Agent{ID: 7}}, walkers...), nil))
	WantError(t, w.Spawn(2, append([]any{c.Agent{ID: 8}}, walkers...), nil), "agent 8: another agent has that ID")
	wantIDs(t, &host, 1, 2, 3, 5, 7, 10, 20)
}

// The entity of the agent without Agent was reused.
func TestID(t *testing.T) {
	var arrived []systems.Arrived
	w := newWorld(t, func(c *Config) {
		c.OnArrived = func(_ *World, a systems.Arrived) { arrived = append(arrived, a) }
	})
	w.ECS.RemoveEntity(w.ECS.NewEntity())
	bare := w.ECS.NewEntity()
	systems.Add(w.ECS, bare, c.Position{}, c.Velocity{}, c.Target{}, c.Goal{Radius: 1})
	must(t, w.Spawn(2, walkers, nil))
	want := uint64(bare.Generation())<<32 | uint64(bare.ID())
	if bare.Generation() == 0 || w.ID(bare) != want {
		t.Errorf("ID of entity %v: got=%d, want=%d", bare, w.ID(bare), want)
	}
	if e, ok := w.Entity(want); !ok || e != bare {
		t.Errorf("entity %d: got=%v %v, want=%v", want, e, ok, bare)
	}
	for _, id := range []uint64{0, 1, 2, 3} {
		if e, ok := w.Entity(id); ok != (id == 1 || id == 2) || ok && w.ID(e) != id {
			t.Errorf("entity %d: got=%v %v with the ID %d, want=entities with the IDs 1 and 2 only", id, e, ok, w.ID(e))
		}
	}
	testkit.Equal(t, w.ECS.IsLocked(), false, "locked after Entity")
	x, err := w.Inspect().Explain(bare)
	if err != nil || x.ID != want {
		t.Errorf("explained: got=%d %v, want=%d", x.ID, err, want)
	}
	must(t, w.Step())
	if len(arrived) != 1 || arrived[0].ID != want {
		t.Errorf("arrived: got=%+v, want=ID %d", arrived, want)
	}
	one, _ := w.Entity(1)
	w.Remove(one)
	testkit.Equal(t, w.ID(one), c.IDOf(nil, one), "ID of a dead entity")
}

// batches is a system that calls a function for each batch.
type batches struct {
	agent frame.In[c.Agent]
	pos   frame.In[c.Position]
	do    func(b *frame.Batch, agent []c.Agent, pos []c.Position)
}

func (s *batches) Needs(n *frame.Needs) { n.Read(&s.agent, &s.pos) }

func (s *batches) Run(b *frame.Batch) { s.do(b, s.agent.Of(b), s.pos.Of(b)) }

func TestSpawnByIsTheSameForAnyWorkers(t *testing.T) {
	t.Parallel()
	hash := func(workers, batchRows int) uint64 {
		var w *World
		var born, removed atomic.Int64
		s := &batches{do: func(b *frame.Batch, agent []c.Agent, pos []c.Position) {
			for i := range agent {
				switch id := agent[i].ID; (id + 7*b.Tick) % 100 {
				case 0:
					at := pos[i]
					born.Add(2)
					if err := w.SpawnBy(id, 2, walkers, func(r *Rows) {
						for k, p := 0, Column[c.Position](r); k < r.Len; k++ {
							p[k] = at
							p[k].Y += float64(k)
						}
					}); err != nil {
						t.Error(err)
					}
				case 1:
					removed.Add(1)
					w.Remove(b.Entity(i))
					w.Remove(b.Entity(i)) // has no effect
				}
			}
		}}
		w = newWorld(t, func(c *Config) { c.Workers, c.BatchRows, c.Steer = workers, batchRows, []any{s} })
		must(t, w.Spawn(1500, walkers, func(r *Rows) {
			for i, pos := 0, Column[c.Position](r); i < r.Len; i++ {
				pos[i].X, pos[i].Y = float64(i%173), float64(i%59)
			}
		}))
		run(t, w, 15)
		if got, want := int64(len(idsOf(w.ECS))), 1500+born.Load()-removed.Load(); got != want || born.Load() == 0 || removed.Load() == 0 {
			t.Errorf("agents: got=%d, want=%d after %d spawns and %d removals", got, want, born.Load(), removed.Load())
		}
		return w.Hash()
	}
	want := hash(1, 0)
	for _, workers := range []int{2, 7, 16} {
		for _, rows := range []int{0, 33} {
			testkit.Equal(t, hash(workers, rows), want, "%d workers, batches of %d rows: hash", workers, rows)
		}
	}
}

// Entities of later agents must not depend on the order of removals.
func TestRemovalsInOrder(t *testing.T) {
	reborn := func(backwards bool) (all []ecs.Entity) {
		var w *World
		s := &batches{do: func(b *frame.Batch, agent []c.Agent, _ []c.Position) {
			for i := range agent {
				if backwards {
					i = len(agent) - 1 - i
				}
				w.Remove(b.Entity(i))
			}
		}}
		w = newWorld(t, func(c *Config) { c.Steer = []any{s} })
		if err := errors.Join(w.Spawn(5, walkers, nil), w.Step()); err != nil || len(idsOf(w.ECS)) != 0 {
			t.Fatalf("after the step: got=%v, %d agents, want=no error, 0 agents", err, len(idsOf(w.ECS)))
		}
		must(t, w.Spawn(5, walkers, func(r *Rows) {
			for i := range r.Len {
				all = append(all, r.Entity(i))
			}
		}))
		return all
	}
	if got, want := reborn(true), reborn(false); !slices.Equal(got, want) {
		t.Errorf("entities after backward removal: got=%v, want=%v, as after forward removal", got, want)
	}
}
