package sense

import (
	"math"

	"github.com/8f878440/crowd/internal/resize"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	AtOnce       = 64   // agents of a Meeting
	leastMeeting = 1024 // agents that are worth waking a worker for
)

// Meeting is some agents, in places one after another, with their neighbors.
type Meeting struct {
	frame.Clock     // of this step
	Worker      int // which worker meets them, from 0; results must not depend on it

	of       *Neighbors
	first    uint32 // place
	n        int
	gatherer space.Gatherer
	reach    [AtOnce]float64 // m, of all lookers the farthest
	looks    [AtOnce]float64 // m, of one
	all, own lists
	gathered bool           // all are known
	sight    AnySight       // of the looker
	near     *lists         // of the looker: one of these; nil: it has not asked
	counts   [AtOnce]uint32 // whom agents found
	found    []NeighborHit
	kept     []uint32 // places, of minded
	eyes     eyes
	flocks   flocks
	looked   uint64   // agents that looked, since the start
	met      uint64   // agents that they found
	_        [64]byte // workers write on lines of their own
}

// lists are the neighbors of each agent, one list after another.
type lists struct {
	ends   [AtOnce]int
	places []uint32
}

func (l *lists) at(k int) []uint32 {
	from := 0
	if k > 0 {
		from = l.ends[k-1]
	}
	return l.places[from:l.ends[k]]
}

// look takes agents to the lookers until none is left.
func (n *Neighbors) look(worker int) {
	const several = 16
	m, total := &n.meeting[worker], n.Len()
	for {
		end := int(n.next.Add(several * AtOnce))
		first := end - several*AtOnce
		if first >= total || n.frame.Interrupted() {
			return
		}
		for ; first < min(end, total) && !n.frame.Interrupted(); first += AtOnce {
			m.first, m.n = uint32(first), min(AtOnce, total-first)
			m.meet()
		}
	}
}

// meet lets all lookers meet the agents.
func (m *Meeting) meet() {
	now := m.of.now
	clear(m.reach[:])
	for _, s := range now.sights {
		s.reach(m.first, m.reach[:m.n])
	}
	m.gathered = false
	clear(m.counts[:])
	clear(m.flocks.known[:])
	for i, l := range now.systems {
		m.sight, m.near = now.sights[i], nil
		clear(m.looks[:])
		m.sight.reach(m.first, m.looks[:m.n])
		l.Meet(m)
	}
	for k, reach := range m.reach[:m.n] {
		if reach > 0 {
			m.looked, m.met = m.looked+1, m.met+uint64(m.counts[k])
		}
	}
}

// gather finds the neighbors of the agents, once for all lookers.
func (m *Meeting) gather() {
	m.gathered, m.all.places = true, m.all.places[:0]
	for k, reach := range m.reach[:m.n] {
		before := len(m.all.places)
		if reach > 0 {
			m.all.places = m.of.crowd.Gather(&m.gatherer, m.first+uint32(k), reach, m.all.places)
		}
		m.all.ends[k], m.counts[k] = len(m.all.places), uint32(len(m.all.places)-before)
	}
}

// narrow keeps of all lists what the looker sees.
func (m *Meeting) narrow() {
	if !m.gathered {
		m.gather()
	}
	m.near = &m.all
	if m.looks == m.reach {
		return
	}
	m.near, m.own.places = &m.own, m.own.places[:0]
	for k := range m.n {
		p, limit := m.of.At(m.Place(k)).Position, min(float64(m.looks[k]*m.looks[k]), math.MaxFloat64)
		for _, i := range m.all.at(k) {
			if m.looks[k] > 0 && vec.Norm2(vec.Sub(m.of.At(i).Position, p)) <= limit {
				m.own.places = append(m.own.places, i)
			}
		}
		m.own.ends[k] = len(m.own.places)
	}
}

// Len returns the number of agents that meet others.
func (m *Meeting) Len() int { return m.n }

// Place returns the place of the k-th agent.
func (m *Meeting) Place(k int) uint32 { return m.first + uint32(k) }

// Reach returns how far the k-th agent looks, in meters; 0: not at all.
func (m *Meeting) Reach(k int) float64 { return m.looks[k] }

// Neighbors returns the snapshot.
func (m *Meeting) Neighbors() *Neighbors { return m.of }

// Agents returns all agents of the snapshot, by place. They must not be written to.
func (m *Meeting) Agents() []Neighbor { return m.of.crowd.Agents() }

// Near returns the places of the agents that the k-th one sees: whose centers are
// at most as far from its own as the looker looks, and which are on layers that
// it sees; none for an agent that does not look. They come in a fixed order, cell
// by cell. The list must not outlive Meet.
func (m *Meeting) Near(k int) []uint32 {
	if m.near == nil {
		m.narrow()
	}
	return m.near.at(k)
}

// Nearest returns those of Near that are the nearest, at most so many, the
// nearest first; of those as near the one with the lowest id. It is much faster
// than Near where many are near. The list is good until the next call.
func (m *Meeting) Nearest(k, most int) []NeighborHit {
	found := m.InOrder(k, most)
	for i := range found {
		found[i].Distance = math.Sqrt(found[i].Distance)
	}
	return found
}

// mostNearby is how many are searched for without the list of all.
const mostNearby = 64

// InOrder is Nearest with the squares of distances.
func (m *Meeting) InOrder(k, most int) []NeighborHit {
	if m.near == nil && most <= mostNearby {
		m.found = resize.To(m.found, max(0, most))
		if !(m.looks[k] > 0) {
			return m.found[:0]
		}
		n := m.of.crowd.Nearby(&m.gatherer, m.Place(k), m.looks[k], m.found)
		m.counts[k] = max(m.counts[k], uint32(n))
		return m.found[:n]
	}
	near := m.Near(k)
	m.found = resize.To(m.found, max(0, min(most, len(near))))
	return m.found[:m.of.crowd.Order(m.Place(k), near, m.found)]
}

// InView tells whether what is offset meters away is in the field of view of one
// who faces along heading: within an angle of it to both sides, of which cosine
// is given; -1 is all round. Who has no heading sees all round, and everyone
// sees what is in the same place.
func InView(heading, offset r2.Vec, cosine float64) bool {
	if cosine <= -1 || heading == (r2.Vec{}) || offset == (r2.Vec{}) {
		return true
	}
	h, o := vec.Norm(heading), vec.Norm(offset)
	return vec.Dot(vec.Scale(1/h, heading), vec.Scale(1/o, offset)) >= cosine && !math.IsNaN(cosine)
}
