package frame

import c "github.com/8f878440/crowd/components"

// ID returns the id of the agent in row i, as components.IDOf does. Agents is the
// column of Agent in the batch, nil where that is optional and the batch lacks it.
func (b *Batch) ID(agents []c.Agent, i int) uint64 {
	if agents != nil {
		return agents[i].ID
	}
	return b.entityID(i)
}

func (b *Batch) entityID(i int) uint64 { return c.IDOf(nil, b.Entity(i)) }
