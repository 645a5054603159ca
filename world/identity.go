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

// eachAgent calls visit for the Agent in each row i of each run r, until visit returns false.
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

// checkIDs sorts ids, and rejects duplicates and the largest uint64.
func checkIDs(ids []uint64) error {
	slices.Sort(ids)
	for i, id := range ids {
		if id == math.MaxUint64 {
			return fmt.Errorf("an agent has the ID %d, which no ID can follow", id)
		}
		if i > 0 && ids[i-1] == id {
			return fmt.Errorf("two agents have the ID %d", id)
		}
	}
	return nil
}

// NextID returns the ID of the next agent that Spawn creates. A host that creates agents itself must
// number them from NextID, and then call SetNextID.
func (w *World) NextID() uint64 { return max(1, w.attachment.NextID) }

// SetNextID sets the ID of the next agent that Spawn creates. It returns an error, and changes nothing,
// unless id is above 0 and above all IDs in use.
func (w *World) SetNextID(id uint64) error {
	if id == 0 {
		return errors.New("next ID is 0, want 1 or more")
	}
	var highest uint64
	w.eachAgent(func(a c.Agent, _ *column.Run, _ int) bool {
		highest = max(highest, a.ID)
		return true
	})
	if id <= highest {
		return fmt.Errorf("next ID is %d, but agent %d exists; want a higher ID", id, highest)
	}
	w.attachment.NextID = id
	return nil
}

// ID returns the agent ID of an entity: see components.IDOf. A dead entity counts as an entity without
// an Agent.
func (w *World) ID(e ecs.Entity) uint64 {
	if w.ECS.Alive(e) {
		if agent, ok := look[c.Agent](w, e); ok {
			return agent.ID
		}
	}
	return c.IDOf(nil, e)
}

// Entity returns the living agent with the given ID, and reports whether there is one; see ID. Entity
// searches all agents, so do not call it often.
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

func (w *World) number(r *Rows) (next uint64, err error) {
	agents, first := Column[c.Agent](r), w.NextID()
	last := first + uint64(r.Len-1)
	if last < first || last == math.MaxUint64 {
		return 0, fmt.Errorf("cannot spawn %d agents: their IDs would begin with %d and exceed the largest ID", r.Len, first)
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
		return 0, fmt.Errorf("agent %d: no ID can follow that ID, want a lower one", highest)
	}
	w.eachAgent(func(a c.Agent, _ *column.Run, _ int) bool {
		if n, is := times[a.ID]; is {
			times[a.ID] = n + 1
		}
		return true
	})
	for _, a := range agents {
		if times[a.ID] > 1 {
			return 0, fmt.Errorf("agent %d: another agent has that ID", a.ID)
		}
	}
	return highest + 1, nil
}

// Attachment is the resource that records the crowd of a world and the next ID. It outlives the crowd, so
// neither a later crowd nor a world that is saved and loaded with its resources reuses an ID.
type Attachment struct {
	NextID uint64 // see World.SetNextID

	crowd *World // nil if the crowd is closed
}

func (w *World) attach() error {
	w.attachment = resource(w.ECS, &Attachment{})
	if w.attachment.crowd != nil {
		return errors.New("the world already has a crowd; close it first")
	}
	highest, err := w.highestID()
	if err != nil {
		return err
	}
	if highest == math.MaxUint64 {
		return fmt.Errorf("an agent has the ID %d, which no ID can follow", highest)
	}
	w.attachment.NextID = max(w.attachment.NextID, highest+1)
	return nil
}

type identified struct {
	id     uint64
	entity ecs.Entity
}

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
			wrong = append(wrong, fmt.Sprintf("%s and %s both have the ID %d", entityText(a.entity), entityText(b.entity), a.id))
		}
	}
	if n := len(wrong); n > 0 {
		const named = 5
		text := strings.Join(wrong[:min(n, named)], ", ")
		if n > named {
			text += fmt.Sprintf(", and %d more pairs", n-named)
		}
		return 0, fmt.Errorf("%s; want a unique components.Agent.ID for each agent", text)
	}
	if len(all) == 0 {
		return 0, nil
	}
	return all[len(all)-1].id, nil
}
