package sense

import (
	"math"

	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
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

// Around returns parts of the snapshot that together hold all agents that the k-th agent sees, each
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

// fieldOfView picks the neighbors that are in view. Most agents of a Block have the
// same one.
type fieldOfView struct {
	width  float64 // rad
	square float64 // of the cosine of half of it
	wide   bool    // more than a half-plane
}

// rim is what counts as in view beyond the edge, as a cosine, for rounding.
const rim = 0x1p-50

// open gives it another width; see sees.
func (v *fieldOfView) open(width float64) {
	if width == v.width {
		return
	}
	_, cosine := vec.SinCos(width / 2)
	cosine -= rim
	*v = fieldOfView{width, float64(cosine * cosine), cosine < 0}
}

// limited reports whether a field of view in radians is not all round.
func limited(width float64) bool { return width > 0 && width < 2*math.Pi }

// few reports whether the nearest few are all that there is to know.
func (l *Look) few() bool {
	return l.MaxNeighbors > 0 && l.MaxNeighbors <= mostNearby && !limited(l.FieldOfView)
}

// sees reports whether what is offset meters away is in view of an agent that faces along
// a unit vector. One that faces nowhere sees all round, and every agent sees what is in
// the same place. It takes no division and no root.
func (v *fieldOfView) sees(facing, offset r2.Vec) bool {
	along := vec.Dot(facing, offset)
	square, limit := float64(along*along), float64(v.square*vec.Norm2(offset))
	if v.wide {
		return along >= 0 || square <= limit
	}
	return along >= 0 && square >= limit || facing == (r2.Vec{})
}

// Others returns the indexes of those of Near that the k-th agent looks for: those in
// its field of view, and of these the nearest. They are in the order of Near, or if
// MaxNeighbors or more are there, the nearest first. The list is good until the next
// call. NeighborDist of the look does not count: it is that of the query.
func (b *Block) Others(k int, look Look) []uint32 {
	most := int(look.MaxNeighbors)
	if b.near == nil && look.few() && b.dists[k] > b.neighbors.crowd.Cell() {
		if found := b.NearestSquared(k, most); len(found) == most {
			return b.keep(found)
		}
	}
	near := b.Near(k)
	if b.view.open(look.FieldOfView); limited(look.FieldOfView) && len(near) > 0 {
		near = b.inView(k, near)
	}
	if most == 0 || len(near) < most {
		return near
	}
	b.found = column.Resize(b.found, most)
	return b.keep(b.found[:b.neighbors.crowd.Order(b.Index(k), near, b.found)])
}

// keep returns the indexes of those found.
func (b *Block) keep(found []NeighborHit) []uint32 {
	b.kept = b.kept[:0]
	for _, f := range found {
		b.kept = append(b.kept, f.Index)
	}
	return b.kept
}

// inView returns those near the k-th agent that it sees.
func (b *Block) inView(k int, near []uint32) []uint32 {
	agents := b.Agents()
	p, facing := agents.Position(b.Index(k)), vec.Unit(agents.Velocity(b.Index(k)))
	b.kept = b.kept[:0]
	for _, i := range near {
		if b.view.sees(facing, vec.Sub(agents.Position(i), p)) {
			b.kept = append(b.kept, i)
		}
	}
	return b.kept
}

// Cover returns the place nearest to p where an obstacle hides a body from an observer: beyond
// the obstacle as the observer sees it, at a distance between the surfaces of both. Obstacles
// count whose surface is at most reach meters from p. Places that are within another obstacle
// are none, nor are those to which the observer is nearer than p. Of places as near, that of the
// obstacle with the lowest entity id is taken. It returns false if there is none.
func (o *Obstacles) Cover(p, observer r2.Vec, body, distance, reach float64) (place r2.Vec, ok bool) {
	least := math.Inf(1)
	o.index.Within(p, reach, func(i int, _ float64) bool {
		at := beyond(&o.shapes[i], p, observer, body+distance)
		way, theirs := vec.Norm2(vec.Sub(at, p)), vec.Norm2(vec.Sub(at, observer))
		if way < least && way <= theirs && vec.Finite(at) && o.hides(at, observer, body) {
			place, ok, least = at, true, way
		}
		return true
	})
	return place, ok
}

// hides reports whether a place is free, and out of an observer's sight.
func (o *Obstacles) hides(place, observer r2.Vec, body float64) bool {
	if _, touches := o.index.Nearest(place, float64(body*0.999)); touches {
		return false
	}
	way := vec.Sub(place, observer)
	length := vec.Norm(way)
	_, blocked := o.index.Sweep(observer, vec.Unit(way), length, 0)
	return blocked
}

// beyond returns the place beyond a shape as an observer sees it, so far from its surface: on
// the line through its middle, or, of a wall, through the point that is nearest to p.
func beyond(s *space.Shape, p, observer r2.Vec, far float64) r2.Vec {
	middle := s.A
	switch {
	case s.Ring != nil:
		middle = r2.Vec{}
		for _, corner := range s.Ring {
			middle = vec.AddScaled(middle, 1/float64(len(s.Ring)), corner)
		}
	case s.A != s.B:
		span := vec.Sub(s.B, s.A)
		share := vec.Dot(vec.Sub(p, s.A), span) / vec.Norm2(span)
		middle = vec.AddScaled(s.A, max(0, min(share, 1)), span)
	}
	away := vec.Unit(vec.Sub(middle, observer))
	extent := 0.
	if s.Ring != nil {
		for _, corner := range s.Ring {
			extent = max(extent, vec.Dot(vec.Sub(corner, middle), away))
		}
	} else {
		extent = max(extent, vec.Dot(vec.Sub(s.A, middle), away), vec.Dot(vec.Sub(s.B, middle), away))
	}
	return vec.AddScaled(middle, extent+s.Radius+far, away)
}
