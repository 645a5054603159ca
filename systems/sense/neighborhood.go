package sense

import (
	"iter"
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Neighborhood is an agent and its neighbors.
type Neighborhood struct {
	Index uint32 // of the agent in Agents

	block *Block
	k     int
	look  Look
}

func (h *Neighborhood) of(b *Block, k int, look Look) {
	h.Index, h.block, h.k, h.look = b.Index(k), b, k, look
}

// Clock returns the clock of the step.
func (h *Neighborhood) Clock() frame.Clock { return h.block.Clock }

// Self returns the agent.
func (h *Neighborhood) Self() Neighbor { return h.block.neighbors.At(h.Index) }

// Agents returns all agents of the snapshot, by index. The caller must not modify them.
func (h *Neighborhood) Agents() *Agents { return h.block.Agents() }

// Indexes returns the indexes of the neighbors in Agents, in a fixed order: nearest first if there are
// MaxNeighbors of them, and cell by cell otherwise. The list is valid until the next call to Indexes, All
// or Sums.
func (h *Neighborhood) Indexes() []uint32 { return h.block.Others(h.k, h.look) }

// All returns an iterator over the neighbors, in the order of Indexes.
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

// images holds copies of the agents near the edges of a periodic world, at the positions where agents on the
// other side see them. The copies do not search.
type images struct {
	rows     space.Rows
	entities []ecs.Entity
	list     []image // in order of index
	one      [1]ecs.Entity
}

type image struct{ index, of uint32 }

func (m *images) Entities(lo int, to []ecs.Entity) { copy(to, m.entities[lo:]) }

// take creates images of the agents whose bodies are within reach meters of an edge of the box. Agents
// farther from the edge than half the shorter side get none.
func (m *images) take(rows []space.Rows, box r2.Box, reach float64) {
	r := &m.rows
	*r = space.Rows{
		Position: r.Position[:0], Velocity: r.Velocity[:0], Radius: r.Radius[:0],
		Agent: r.Agent[:0], Layers: r.Layers[:0], Prefer: r.Prefer[:0], Entities: m, Images: true,
	}
	m.entities = m.entities[:0]
	size := vec.Sub(box.Max, box.Min)
	layered := slices.ContainsFunc(rows, func(r space.Rows) bool { return r.Layers != nil })
	for i := range rows {
		of := &rows[i]
		for k := range of.Position {
			p, far := of.Position[k].Vec, reach
			if of.Radius != nil && of.Radius[k].Meters > 0 {
				far = min(far+of.Radius[k].Meters, halfOf(box))
			}
			x, y := across(p.X, box.Min.X, box.Max.X, far), across(p.Y, box.Min.Y, box.Max.Y, far)
			if x != 0 {
				m.add(of, k, r2.Vec{X: p.X + float64(x*size.X), Y: p.Y}, layered)
			}
			if y != 0 {
				m.add(of, k, r2.Vec{X: p.X, Y: p.Y + float64(y*size.Y)}, layered)
			}
			if x != 0 && y != 0 {
				m.add(of, k, r2.Vec{X: p.X + float64(x*size.X), Y: p.Y + float64(y*size.Y)}, layered)
			}
		}
	}
	if !layered {
		r.Layers = nil
	}
}

// across returns the side on which a coordinate has an image: 1 above, -1 below, 0 for none.
func across(x, lo, hi, far float64) float64 {
	switch {
	case x-lo < far && x-lo <= hi-x:
		return 1
	case hi-x < far:
		return -1
	}
	return 0
}

// halfOf returns half the shorter side of a box. An agent with a longer range would see others twice.
func halfOf(box r2.Box) float64 {
	return min(box.Max.X-box.Min.X, box.Max.Y-box.Min.Y) / 2
}

func (m *images) add(of *space.Rows, k int, at r2.Vec, layered bool) {
	entity := &m.one // a local array would escape to the heap for each image
	entity[0] = ecs.Entity{}
	if of.Entities != nil {
		of.Entities.Entities(k, entity[:])
	}
	r := &m.rows
	r.Position = append(r.Position, c.Position{Vec: at})
	r.Velocity = append(r.Velocity, rowOr(of.Velocity, k, c.Velocity{}))
	r.Radius = append(r.Radius, rowOr(of.Radius, k, c.Radius{}))
	r.Agent = append(r.Agent, rowOr(of.Agent, k, c.Agent{ID: c.IDOf(nil, entity[0])}))
	if layered {
		r.Layers = append(r.Layers, rowOr(of.Layers, k, c.Layers{On: 1, Sees: math.MaxUint32}))
	}
	r.Prefer = append(r.Prefer, rowOr(of.Prefer, k, c.PreferredVelocity{}))
	m.entities = append(m.entities, entity[0])
}

func rowOr[T any](column []T, k int, none T) T {
	if column == nil {
		return none
	}
	return column[k]
}

func (m *images) find(x *space.Crowd) {
	m.list = m.list[:0]
	agents := x.Agents()
	for i, is := range agents.Image {
		if is {
			of, _ := x.Index(agents.Entity(uint32(i)))
			m.list = append(m.list, image{uint32(i), of})
		}
	}
}
