package sense

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
)

// Look says which neighbors an agent looks for. Layers count besides: see
// components.Layers.
type Look struct {
	NeighborDist float64 // m, between centers; 0 or less, NaN, infinite: it sees none
	FieldOfView  float64 // rad, about its velocity; 0: all round
	MaxNeighbors uint32  // the nearest that many; 0: no limit
}

// Query is what a rule asks about the neighbors of each agent: a field of the rule,
// asked in its Needs. T is the component with its parameters, A the answer. Neighbors
// in the same frame answers at the start of the step, and Run of the rule takes the
// answers by Of.
//
// A neighbor rule is two functions: how far an agent looks, and what it makes of the
// neighbors that it finds.
//
//	s.query.Ask(n, func(p Shy) sense.Look { return sense.Look{NeighborDist: p.Distance} }, away)
//
// It does not ask in Run, because queries in the order of rows wait for memory: agents
// lie there in no spatial order, and with a million of them a query takes several
// times as long as here, where agents that are near one another come together.
type Query[T comparable, A any] struct {
	name    string
	look    func(T) Look
	touches func(T) bool // the query is for those that agents touch; nil: it is not
	answer  func(*Block)
	later   bool // answered by Resolve
	ways    bool // see SeeWays

	neighbors *Neighbors
	world     *ecs.World // of the snapshot
	rows      frame.Walk
	member    queryRows[T, A]
	also      []frame.System
	more      frame.Walk
	before    func()
	settled   func()     // nil, or called when it is known which agents ask
	sizes     frame.Walk // of bodies, if touches
	bodies    bodyRows[T]
	first     T       // parameters of the first row
	far       float64 // m, how far it looks
	alike     bool    // all rows have the same
	shares    bool    // another query answers for it
	params    []T     // by index; none if all agents have the same
	answers   []A     // by index; none if no agent asks
	own       []A     // memory for them
	taken     frame.Scratch[[]A]
}

// Ask declares the query: look says how far an agent with these parameters looks, and
// answer what it makes of its neighbors. It is called only for agents that look, from
// several workers at once. Agents without the component, and those that Neighbors
// leaves out, have the zero answer.
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

// AskBlocks is Ask for a rule that answers for a block of agents at a time: it sets
// Answer of those that it has an answer for.
func (q *Query[T, A]) AskBlocks(n *frame.Needs, look func(T) Look, answer func(*Block)) {
	q.name, q.look, q.answer = n.Name(), look, answer
	n.Scratch(&q.taken)
	n.InFrame("sense.Neighbors")
	n.Part(q)
}

// AskTouching is AskBlocks for the agents that the bodies of those for which touches
// holds may touch, but for large ones: see Neighbors.Large.
func (q *Query[T, A]) AskTouching(n *frame.Needs, touches func(T) bool, answer func(*Block)) {
	q.touches = touches
	q.AskBlocks(n, func(T) Look { return Look{} }, answer)
}

// AskLater is AskBlocks for a frame.TwoPhase, whose Resolve calls that of the query.
func (q *Query[T, A]) AskLater(n *frame.Needs, look func(T) Look, answer func(*Block)) {
	q.later = true
	q.AskBlocks(n, look, answer)
}

// SeeWays makes Agents have WayX and WayY: of those with ORCA, the directions of their
// PreferredVelocity. Call it before the frame is initialized.
func (q *Query[T, A]) SeeWays() { q.ways = true }

// Also takes rows of the world of the snapshot through systems when there is something
// to ask, after before was called. Call it before the frame is initialized.
func (q *Query[T, A]) Also(before func(), systems ...frame.System) {
	q.before, q.also = before, systems
}

// Resolve answers for all agents, by all workers: see AskLater.
func (q *Query[T, A]) Resolve() { q.neighbors.resolve(q) }

// Attach joins Neighbors of the frame. It panics if there are none.
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

// Detach leaves Neighbors.
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

// Of returns the answers for the rows of a batch, zero for agents that are not in the
// snapshot. The slice must not outlive Run.
func (q *Query[T, A]) Of(b *frame.Batch) []A {
	taken := q.taken.Of(b)
	*taken = column.Resize(*taken, b.Len())
	q.take(b, *taken)
	return *taken
}

// take sets to to the answers for the rows of a batch.
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

// Indexes sets to to the indexes in the snapshot of the rows of a batch from lo on; an
// agent that is not there has one beyond all.
func (q *Query[T, A]) Indexes(b *frame.Batch, lo int, to []uint32) {
	var entities [blockSize]ecs.Entity
	for len(to) > 0 {
		some := min(len(to), len(entities))
		b.Entities(lo, entities[:some])
		for i, e := range entities[:some] {
			to[i] = q.neighbors.self(e)
		}
		lo, to = lo+some, to[some:]
	}
}

// Fetch has the answers for agents brought into the cache while the caller goes on: rows lie in
// another order, and each answer would be waited for.
func (q *Query[T, A]) Fetch(indexes []uint32) { column.FetchRows(q.answers, indexes) }

// Any reports whether any agent asks in this step.
func (q *Query[T, A]) Any() bool {
	if q.touches != nil {
		return q.bodies.some && len(q.answers) > 0
	}
	return q.member.n > 0 && len(q.answers) > 0
}

// Alike reports whether all agents of the snapshot ask, with the same parameters.
func (q *Query[T, A]) Alike() bool { return len(q.params) == 0 }

// Param returns where the parameters of an agent are, maybe of all agents.
func (q *Query[T, A]) Param(index uint32) *T {
	if len(q.params) == 0 {
		return &q.first
	}
	return &q.params[index]
}

// Answer returns where the answer for an agent is. It is zero at the start of the step.
func (q *Query[T, A]) Answer(index uint32) *A { return &q.answers[index] }

// EachImage calls visit for each agent that is seen across an edge of a world that wraps, with
// the index at which it is seen, and its own.
func (q *Query[T, A]) EachImage(visit func(image, of uint32)) {
	for _, m := range q.neighbors.images.list {
		visit(m.index, m.of)
	}
}

// Len returns the number of agents in the snapshot.
func (q *Query[T, A]) Len() int { return len(q.answers) }

// Workers returns how many workers may answer at the same time in this step.
func (q *Query[T, A]) Workers() int { return q.neighbors.workers() }

// distOf returns how far an agent looks, 0 for not at all.
func distOf(reach float64) float64 {
	if reach > 0 && reach <= math.MaxFloat64 {
		return reach
	}
	return 0
}

// bodyRows walks over the agents that ask for those that they touch, and counts their
// sizes. Such an agent looks as far as its body and another one can touch, except for
// very large ones, which are found by themselves: one giant among dwarfs does not make
// all of them look far.
type bodyRows[T comparable] struct {
	radius  frame.In[c.Radius]
	pos     frame.In[c.Position]
	par     frame.In[T]
	touches func(T) bool
	bodies  *tally
	some    bool // some agent asks
}

func (s *bodyRows[T]) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.par, &s.radius)
	frame.Without[c.Obstacle](n)
}

func (s *bodyRows[T]) Run(b *frame.Batch) {
	radius, par := s.radius.Of(b), s.par.Of(b)
	from, last := 0, -1. // the first row of those that are alike
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

// reachBodies raises the reach of agents to how far they can touch others.
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
