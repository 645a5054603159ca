package sense

import (
	"math"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
)

const (
	blockSize  = 64   // agents of a Block
	leastBlock = 1024 // agents that are worth waking a worker for
	mostNearby = 64   // neighbors that are searched for without the list of all
)

// Part is the agents of a snapshot with the indexes from Lo on, up to Hi, which is not one
// of them.
type Part = kernel.Part

// Block is up to 64 agents, one after another in the snapshot and so near one another,
// with their neighbors. Rules that answer for one agent at a time have a Neighborhood.
type Block struct {
	frame.Clock     // of this step
	Worker      int // which worker has the block, from 0; results must not depend on it

	neighbors *Neighbors
	first     uint32 // index
	n         int
	gatherer  space.Gatherer
	reaches   [blockSize]float64 // m, of all queries the farthest
	dists     [blockSize]float64 // m, of one
	all, own  lists
	gathered  bool              // all are known
	query     query             // that is answered
	near      *lists            // of the query: one of these; nil: it has not asked
	counts    [blockSize]uint32 // how many neighbors agents found
	found     []NeighborHit
	kept      []uint32     // indexes, of Others
	one       Neighborhood // of one agent at a time
	view      fieldOfView
	sums      sumsOfBlock
	looked    uint64   // agents that looked, since the start
	met       uint64   // neighbors that they found
	_         [64]byte // workers write on lines of their own
}

// lists are the neighbors of each agent, one list after another.
type lists struct {
	ends    [blockSize]int
	indexes []uint32
}

func (l *lists) at(k int) []uint32 {
	from := 0
	if k > 0 {
		from = l.ends[k-1]
	}
	return l.indexes[from:l.ends[k]]
}

// answer answers the queries for the agents.
func (b *Block) answer(queries []query) {
	b.open(queries)
	for _, q := range queries {
		if !q.idle() {
			b.ask(q)
			q.run(b)
		}
	}
	for k, reach := range b.reaches[:b.n] {
		if reach > 0 {
			b.looked, b.met = b.looked+1, b.met+uint64(b.counts[k])
		}
	}
}

// open forgets other agents, and finds out how far these look.
func (b *Block) open(queries []query) {
	clear(b.reaches[:])
	for _, q := range queries {
		b.reach(q, b.reaches[:b.n])
	}
	b.gathered = false
	clear(b.counts[:])
	clear(b.sums.known[:])
	b.sums.odd = false
}

// ask makes the block that of a query.
func (b *Block) ask(q query) {
	b.query, b.near = q, nil
	clear(b.dists[:])
	b.reach(q, b.dists[:b.n])
}

// reach raises the reach of the agents to how far they look for a query. Images do not look.
func (b *Block) reach(q query, reach []float64) {
	q.reach(b.first, reach)
	image := b.Agents().Image
	if image == nil {
		return
	}
	for k := range reach {
		if reach[k] = min(reach[k], b.neighbors.farthest()); image[b.first+uint32(k)] {
			reach[k] = 0
		}
	}
}

// gather finds the neighbors of the agents, once for all queries.
func (b *Block) gather() {
	b.gathered, b.all.indexes = true, b.all.indexes[:0]
	for k, reach := range b.reaches[:b.n] {
		before := len(b.all.indexes)
		if reach > 0 {
			b.all.indexes = b.neighbors.crowd.Gather(&b.gatherer, b.Index(k), reach, b.all.indexes)
		}
		b.all.ends[k], b.counts[k] = len(b.all.indexes), uint32(len(b.all.indexes)-before)
	}
}

// narrow keeps of all lists what the query asks for.
func (b *Block) narrow() {
	if !b.gathered {
		b.gather()
	}
	b.near = &b.all
	if b.dists == b.reaches {
		return
	}
	b.near, b.own.indexes = &b.own, b.own.indexes[:0]
	for k := range b.n {
		p, limit := b.Agents().Position(b.Index(k)), min(float64(b.dists[k]*b.dists[k]), math.MaxFloat64)
		for _, i := range b.all.at(k) {
			if b.dists[k] > 0 && vec.Norm2(vec.Sub(b.Agents().Position(i), p)) <= limit {
				b.own.indexes = append(b.own.indexes, i)
			}
		}
		b.own.ends[k] = len(b.own.indexes)
	}
}

// Len returns the number of agents.
func (b *Block) Len() int { return b.n }

// Index returns the index of the k-th agent in the snapshot.
func (b *Block) Index(k int) uint32 { return b.first + uint32(k) }

// Reach returns how far the k-th agent looks, in meters; 0: not at all.
func (b *Block) Reach(k int) float64 { return b.dists[k] }

// Neighbors returns the snapshot.
func (b *Block) Neighbors() *Neighbors { return b.neighbors }

// Agents returns all agents of the snapshot, by index. They must not be written to.
func (b *Block) Agents() *Agents { return b.neighbors.crowd.Agents() }

// Near returns the indexes of the agents whose centers are at most as far from that of
// the k-th one as it looks, and which are on layers that it sees; none for an agent
// that does not look. They come in a fixed order, cell by cell. The list is good until
// the next query.
func (b *Block) Near(k int) []uint32 {
	if b.near == nil {
		b.narrow()
	}
	return b.near.at(k)
}

// Nearest returns those of Near that are the nearest, at most that many, the nearest
// first; of those as near the one with the lowest id. It is much faster than Near
// where many are near. The list is good until the next call.
func (b *Block) Nearest(k, most int) []NeighborHit {
	found := b.NearestSquared(k, most)
	for i := range found {
		found[i].Distance = math.Sqrt(found[i].Distance)
	}
	return found
}

// Around returns parts of the snapshot that together hold all whom the k-th agent sees, each
// once, and a few others, and the agent itself: a rule may test them faster than Nearest
// finds the nearest, and says by Found how many there were. They serve n agents from the k-th
// on, that look as far. Nil: it may not. The parts are good until the next call.
func (b *Block) Around(k int) (parts []Part, n int) {
	if !(b.dists[k] > 0) {
		return nil, 1
	}
	parts, n = b.neighbors.crowd.Around(&b.gatherer, b.Index(k), b.n-k, b.dists[k])
	for i := 1; i < n; i++ {
		if b.dists[k+i] != b.dists[k] {
			n = i
		}
	}
	return parts, n
}

// Found says how many neighbors of the k-th agent were found: see Around.
func (b *Block) Found(k, n int) { b.counts[k] = max(b.counts[k], uint32(n)) }

// NearestSquared is Nearest with the squares of distances.
func (b *Block) NearestSquared(k, most int) []NeighborHit {
	if b.near == nil && most <= mostNearby {
		b.found = column.Resize(b.found, max(0, most))
		if !(b.dists[k] > 0) {
			return b.found[:0]
		}
		n := b.neighbors.crowd.Nearby(&b.gatherer, b.Index(k), b.dists[k], b.found)
		b.counts[k] = max(b.counts[k], uint32(n))
		return b.found[:n]
	}
	near := b.Near(k)
	b.found = column.Resize(b.found, max(0, min(most, len(near))))
	return b.found[:b.neighbors.crowd.Order(b.Index(k), near, b.found)]
}
