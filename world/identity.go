package world

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/mlange-42/arche/ecs"
)

// eachAgent calls visit for everything that has Agent, the i-th row of a run, until
// it returns false.
func (w *World) eachAgent(visit func(a c.Agent, r *column.Run, i int) bool) {
	source := column.SourceIn[c.Agent](w.types, w.ECS)
	q := w.ECS.Query(ecs.All(source.ID))
	defer q.Close()
	var walker column.Walker
	runs := walker.Walk(w.ECS, &q, nil)
	for k := range runs {
		r := &runs[k]
		for i, a := range column.Rows[c.Agent](source.Load(r), 0, r.Rows) {
			if !visit(a, r, i) {
				return
			}
		}
	}
}

// checkIDs sorts the ids of agents, and refuses one that two have, or that has none after it.
func checkIDs(ids []uint64) error {
	slices.Sort(ids)
	for i, id := range ids {
		if id == math.MaxUint64 {
			return fmt.Errorf("an agent has the id %d, and there is none after it", id)
		}
		if i > 0 && ids[i-1] == id {
			return fmt.Errorf("two agents have the id %d", id)
		}
	}
	return nil
}

// NextID returns the id of the next agent that is spawned. A host that makes
// agents in another way than by Spawn takes their ids from here on, and sets the next one.
func (w *World) NextID() uint64 { return max(1, w.attachment.NextID) }

// SetNextID sets the id of the next agent that is spawned; those after it count up
// from there. It is an error if it is 0, or if an agent has that id or a higher one,
// which they would come to; then nothing changes.
func (w *World) SetNextID(id uint64) error {
	if id == 0 {
		return errors.New("next id is 0, want 1 or more")
	}
	var highest uint64
	w.eachAgent(func(a c.Agent, _ *column.Run, _ int) bool {
		highest = max(highest, a.ID)
		return true
	})
	if id <= highest {
		return fmt.Errorf("next id is %d, but there is an agent %d; want a higher one", id, highest)
	}
	w.attachment.NextID = id
	return nil
}

// ID returns the id that an entity goes by as an agent: see components.IDOf. A dead
// one has no Agent any more, and goes by its entity.
func (w *World) ID(e ecs.Entity) uint64 {
	if w.ECS.Alive(e) {
		if agent, ok := look[c.Agent](w, e); ok {
			return agent.ID
		}
	}
	return c.IDOf(nil, e)
}

// Entity returns the living agent with that id, as ID has it. It looks at one agent
// after another: remember the entity rather than ask each time.
func (w *World) Entity(id uint64) (found ecs.Entity, ok bool) {
	w.eachAgent(func(a c.Agent, r *column.Run, i int) bool {
		if ok = a.ID == id; ok {
			found = r.Entity(i)
		}
		return !ok
	})
	if ok {
		return found, true
	}
	bare := ecs.All(w.idOf(c.Position{})).Without(w.idOf(c.Agent{}), w.idOf(c.Obstacle{}))
	q := w.ECS.Query(&bare)
	for q.Next() {
		if e := q.Entity(); c.IDOf(nil, e) == id {
			q.Close()
			return e, true
		}
	}
	return ecs.Entity{}, false
}

// number returns the next id after agents that are being spawned. The error names
// the first that has the id of another agent.
func (w *World) number(r *Rows) (next uint64, err error) {
	agents, first := Column[c.Agent](r), w.NextID()
	last := first + uint64(r.Len-1)
	if last < first || last == math.MaxUint64 {
		return 0, fmt.Errorf("cannot spawn %d agents: their ids would begin with %d and exceed the largest", r.Len, first)
	}
	ordered := true
	for i := range agents {
		ordered = ordered && agents[i].ID == first+uint64(i)
	}
	if ordered {
		return last + 1, nil
	}
	times, highest := make(map[uint64]int, len(agents)), first-1
	for _, a := range agents {
		times[a.ID], highest = 0, max(highest, a.ID)
	}
	if highest == math.MaxUint64 {
		return 0, fmt.Errorf("agent %d: there is no id after that, want a lower one", highest)
	}
	w.eachAgent(func(a c.Agent, _ *column.Run, _ int) bool {
		if n, is := times[a.ID]; is {
			times[a.ID] = n + 1
		}
		return true
	})
	for _, a := range agents {
		if times[a.ID] > 1 {
			return 0, fmt.Errorf("agent %d: another agent has that id", a.ID)
		}
	}
	return highest + 1, nil
}

// Attachment is the resource that says which crowd a world has, and how its agents
// are numbered. Attach adds it, and it stays when the crowd is closed, so that a
// crowd that is attached later never gives an id a second time. A world that is
// saved with its resources and loaded goes on with its ids, too.
type Attachment struct {
	NextID uint64 // of the next agent that is spawned; see World.SetNextID

	crowd *World // nil: closed
}

// attach looks whether the world is free for the crowd, whose ids go on after those
// of the agents that are there.
func (w *World) attach() error {
	w.attachment = resource(w.ECS, &Attachment{})
	if w.attachment.crowd != nil {
		return errors.New("the world has a crowd already; Close that first")
	}
	highest, err := w.highestID()
	if err != nil {
		return err
	}
	if highest == math.MaxUint64 {
		return fmt.Errorf("an agent has the id %d, and there is none after it", highest)
	}
	w.attachment.NextID = max(w.attachment.NextID, highest+1)
	return nil
}

// identified is an agent with an id of its own.
type identified struct {
	id     uint64
	entity ecs.Entity
}

// highestID returns the highest id of Agent in the world, 0 if there is none. The
// error names agents that have the same one.
func (w *World) highestID() (uint64, error) {
	var all []identified
	w.eachAgent(func(a c.Agent, r *column.Run, i int) bool {
		all = append(all, identified{a.ID, r.Entity(i)})
		return true
	})
	slices.SortFunc(all, func(a, b identified) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.entity.ID(), b.entity.ID()))
	})
	var wrong []string
	for i := 1; i < len(all); i++ {
		if a, b := all[i-1], all[i]; a.id == b.id {
			wrong = append(wrong, fmt.Sprintf("%s and %s both have the id %d", entityText(a.entity), entityText(b.entity), a.id))
		}
	}
	if n := len(wrong); n > 0 {
		const named = 5
		text := strings.Join(wrong[:min(n, named)], ", ")
		if n > named {
			text += fmt.Sprintf(", and %d more pairs", n-named)
		}
		return 0, fmt.Errorf("%s; want a components.Agent.ID of its own for each agent", text)
	}
	if len(all) == 0 {
		return 0, nil
	}
	return all[len(all)-1].id, nil
}
