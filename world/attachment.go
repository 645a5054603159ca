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
