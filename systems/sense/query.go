package sense

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// Look describes the neighbors that an agent searches for. Layers count as well: see components.Layers.
type Look struct {
	NeighborDist float64 // m, between centers; 0 or less, NaN or infinite means no neighbors
	FieldOfView  float64 // rad, angle centered on the agent's velocity; 0 or less, or 2π or more, means all around
	MaxNeighbors uint32  // maximum number of nearest neighbors; 0 means no limit
}

// Query is a rule's query about the neighbors of each agent. It is a field of the rule, which declares it in
// Needs. T is the component with the rule's parameters, and A is the type of the answers. The frame's
// Neighbors answers the query at the start of the step (but see AskLater), and the rule's Run reads the
// answers with Of.
//
// A neighbor rule consists of two functions: one returns the Look of an agent, and the other the answer for
// the neighbors found.
//
//	s.query.Ask(n, func(p Shy) sense.Look { return sense.Look{NeighborDist: p.Distance} }, away)
//
// Rules do not search in Run, because rows are in no spatial order and each search would wait for memory.
type Query[T comparable, A any] struct {
	name       string
	look       func(T) Look
	touches    func(T) bool // nil without AskTouching
	answer     func(*Block)
	later      bool
	directions bool // see SeeDirections

	neighbors *Neighbors
	world     *ecs.World // of the snapshot
	rows      frame.Walk
	member    queryRows[T, A]
	also      []frame.System
	more      frame.Walk
	before    func()
	settled   func()     // called when the querying agents are known; may be nil
	sizes     frame.Walk // over bodies, if touches is set
	bodies    bodyRows[T]
	first     T       // of the first row
	far       float64 // m, of the first row
	alike     bool    // all rows have the same parameters
	shares    bool    // another query holds the answers
	params    []T     // by index; empty if all agents have the same parameters
	answers   []A     // by index; empty if no agent has the component
	own       []A     // memory for answers
	taken     frame.Scratch[[]A]
}

// Ask declares the query. look returns the Look of an agent with the given parameters, and answer returns the
// answer for its neighbors. Several workers may call answer at once. The answer is zero for agents that
// Neighbors skips, and for agents whose NeighborDist means no neighbors. Agents without the component get the
// Look of a zero T.
func (q *Query[T, A]) Ask(n *frame.Needs, look func(T) Look, answer func(*Neighborhood, T) A) {
	q.AskBlocks(n, look, func(b *Block) {
		of := &b.one
		for k := range b.Len() {
			if !(b.Reach(k) > 0) {
				continue
			}
			index := b.Index(k)
			p := *q.Param(index)
			of.of(b, k, look(p))
			q.answers[index] = answer(of, p)
		}
	})
}

// AskBlocks is like Ask, but answers for a block of agents at a time: answer writes through the pointers that
// Answer returns.
func (q *Query[T, A]) AskBlocks(n *frame.Needs, look func(T) Look, answer func(*Block)) {
	q.name, q.look, q.answer = n.Name(), look, answer
	n.Scratch(&q.taken)
	n.InFrame("sense.Neighbors")
	n.Part(q)
}

// AskTouching is like AskBlocks, but an agent for which touches returns true searches for agents whose bodies
// may touch its own, except large ones: see Neighbors.Large.
func (q *Query[T, A]) AskTouching(n *frame.Needs, touches func(T) bool, answer func(*Block)) {
	q.touches = touches
	q.AskBlocks(n, func(T) Look { return Look{} }, answer)
}

// AskLater is like AskBlocks, but for a frame.TwoPhase whose Resolve calls the query's Resolve.
func (q *Query[T, A]) AskLater(n *frame.Needs, look func(T) Look, answer func(*Block)) {
	q.later = true
	q.AskBlocks(n, look, answer)
}

// SeeDirections makes Neighbors fill DirX and DirY of Agents with the directions of PreferredVelocity for
// agents with ORCA, and with zero for other agents. Call it in Needs.
func (q *Query[T, A]) SeeDirections() { q.directions = true }

// Also makes Neighbors.Sense first call before(), and then run the systems over the rows of the snapshot's
// world, in each step in which Any returns true. before must not move rows. Call Also in Needs.
func (q *Query[T, A]) Also(before func(), systems ...frame.System) {
	q.before, q.also = before, systems
}

// Resolve answers the query for all agents: see AskLater.
func (q *Query[T, A]) Resolve() { q.neighbors.resolve(q) }

// Attach joins the Neighbors of the frame. It panics if the frame has none, or if q is in another frame.
func (q *Query[T, A]) Attach(f *frame.Frame, _ *ecs.World) {
	if q.neighbors != nil {
		panic("crowd: " + q.name + " is in two frames at once")
	}
	n := neighborsOf(f, q.name)
	q.neighbors, q.world = n, n.world
	q.member = queryRows[T, A]{Query: q}
	q.rows.Attach(n.frame, n.world, &q.member)
	if q.touches != nil {
		q.bodies.touches = q.touches
		q.sizes.Attach(n.frame, n.world, &q.bodies)
	}
	if len(q.also) > 0 {
		q.more.Attach(n.frame, n.world, q.also...)
	}
	n.join(q)
}

// Detach leaves the Neighbors that Attach joined.
func (q *Query[T, A]) Detach(*ecs.World) {
	q.rows.Detach(q.world)
	if q.touches != nil {
		q.sizes.Detach(q.world)
	}
	if len(q.also) > 0 {
		q.more.Detach(q.world)
	}
	q.neighbors.leave(q)
	q.neighbors = nil
}

// Of returns the answers for the rows of a batch. They are zero for agents outside the snapshot, and valid
// only during Run.
func (q *Query[T, A]) Of(b *frame.Batch) []A {
	taken := q.taken.Of(b)
	*taken = column.Resize(*taken, b.Len())
	q.take(b, *taken)
	return *taken
}

func (q *Query[T, A]) take(b *frame.Batch, to []A) {
	var indexes [blockSize]uint32
	for lo := 0; len(to) > 0; {
		some := min(len(to), len(indexes))
		q.Indexes(b, lo, indexes[:some])
		for i, p := range indexes[:some] {
			if int(p) < len(q.answers) {
				to[i] = q.answers[p]
			} else {
				clear(to[i : i+1])
			}
		}
		lo, to = lo+some, to[some:]
	}
}

// Indexes fills a slice with the snapshot indexes of the rows of a batch, beginning with row lo. Agents
// outside the snapshot get an index beyond all others.
func (q *Query[T, A]) Indexes(b *frame.Batch, lo int, to []uint32) { q.neighbors.indexes(b, lo, to) }

// Fetch prefetches the answers for agents, given by index, because the rows are in a different order.
func (q *Query[T, A]) Fetch(indexes []uint32) { column.FetchRows(q.answers, indexes) }

// Any reports whether any agent of the snapshot has the component of the query in this step or, after
// AskTouching, searches for touching bodies.
func (q *Query[T, A]) Any() bool {
	if q.touches != nil {
		return q.bodies.some && len(q.answers) > 0
	}
	return q.member.n > 0 && len(q.answers) > 0
}

// Alike reports whether all agents have the same parameters.
func (q *Query[T, A]) Alike() bool { return len(q.params) == 0 }

// Param returns the parameters of an agent, which must not be modified.
func (q *Query[T, A]) Param(index uint32) *T {
	if len(q.params) == 0 {
		return &q.first
	}
	return &q.params[index]
}

// Answer returns a pointer to an agent's answer, which is zero at the start of the step.
func (q *Query[T, A]) Answer(index uint32) *A { return &q.answers[index] }

// EachImage calls visit for each image across an edge of a periodic world, with the indexes of the image and
// of its agent.
func (q *Query[T, A]) EachImage(visit func(image, of uint32)) {
	for _, m := range q.neighbors.images.list {
		visit(m.index, m.of)
	}
}

// Len returns the number of agents in the snapshot, or 0 if no agent has the component of the query.
func (q *Query[T, A]) Len() int { return len(q.answers) }

// Workers returns the number of workers that may answer at the same time in this step.
func (q *Query[T, A]) Workers() int { return q.neighbors.workers() }

func distOf(reach float64) float64 {
	if reach > 0 && reach <= math.MaxFloat64 {
		return reach
	}
	return 0
}

// bodyRows tallies the diameters of agents that search for touching bodies. Very large bodies are found
// separately, so one giant does not extend every agent's reach.
type bodyRows[T comparable] struct {
	radius  frame.In[c.Radius]
	pos     frame.In[c.Position]
	par     frame.In[T]
	touches func(T) bool
	bodies  *tally
	some    bool
}

func (s *bodyRows[T]) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.par, &s.radius)
	frame.Without[c.Obstacle](n)
}

func (s *bodyRows[T]) Run(b *frame.Batch) {
	radius, par := s.radius.Of(b), s.par.Of(b)
	from, last := 0, -1. // first row of a run of equal rows
	for i := range radius {
		reach := 0.
		if s.touches(par[i]) {
			reach = distOf(2 * radius[i].Meters)
		}
		if reach != last {
			s.bodies.add(last, i-from)
			from, last = i, reach
		}
	}
	s.bodies.add(last, len(radius)-from)
}

// reachBodies raises the reach of consecutive agents, beginning with index first, to the distance at which
// they can touch other agents.
func (q *Query[T, A]) reachBodies(first uint32, reach []float64) {
	if !q.bodies.some {
		return
	}
	crowd := &q.neighbors.crowd
	bulk := crowd.Bulk()
	for i := range reach {
		if index := first + uint32(i); q.touches(*q.Param(index)) {
			reach[i] = max(reach[i], distOf((crowd.Agents().Radius[index]+bulk)*(1+0x1p-40)))
		}
	}
}
