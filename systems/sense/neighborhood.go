package sense

import (
	"iter"

	"github.com/8f878440/crowd/systems/frame"
)

// Neighborhood is an agent and the neighbors that it looks for.
type Neighborhood struct {
	Index uint32 // of the agent, in Agents

	block *Block
	k     int
	look  Look
}

// of makes it that of the k-th agent of a block.
func (h *Neighborhood) of(b *Block, k int, look Look) {
	h.Index, h.block, h.k, h.look = b.Index(k), b, k, look
}

// Clock returns that of the step.
func (h *Neighborhood) Clock() frame.Clock { return h.block.Clock }

// Self returns the agent.
func (h *Neighborhood) Self() Neighbor { return h.block.neighbors.At(h.Index) }

// Agents returns all agents of the snapshot, by index. They must not be written to.
func (h *Neighborhood) Agents() *Agents { return h.block.Agents() }

// Indexes returns where the neighbors are in Agents: in a fixed order, cell by cell, or
// if there are MaxNeighbors of them, the nearest first.
func (h *Neighborhood) Indexes() []uint32 { return h.block.Others(h.k, h.look) }

// All visits the neighbors, in the order of Indexes.
func (h *Neighborhood) All() iter.Seq[Neighbor] {
	return func(yield func(Neighbor) bool) {
		agents := h.Agents()
		for _, i := range h.Indexes() {
			if !yield(agents.At(i)) {
				return
			}
		}
	}
}

// Sums returns the sums over the neighbors.
func (h *Neighborhood) Sums() *Sums { return h.block.Sums(h.k, h.look) }
