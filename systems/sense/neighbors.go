package sense

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync/atomic"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/column"
	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// Neighbor is an agent as others see it, as of the start of the step. Its fields:
//
//	Position r2.Vec     // m
//	Velocity r2.Vec     // m/s; zero without components.Velocity
//	Radius   float64    // m; 0 without components.Radius
//	ID       uint64     // see components.IDOf
//	Entity   ecs.Entity // the agent, in the world
//	On, Sees uint32     // components.Layers, a bit each: on which it is, and which it sees; without these 1 and all
type Neighbor = space.Neighbor

// Agents are all agents of a snapshot, by index, as a column for each thing that is known
// of them. Its fields are those of Neighbor, and its methods:
//
//	X, Y, VX, VY, Radius []float64 // m and m/s
//	ID                   []uint64
//	On, Sees             []uint32 // nil if no agent has components.Layers
//
//	Len() int
//	At(index uint32) Neighbor
//	Entity(index uint32) ecs.Entity
//	Position(index uint32) r2.Vec
//	Velocity(index uint32) r2.Vec
//	Seen(index, layers uint32) bool // whether the agent is on one of the layers
//	Sight(index uint32) uint32      // the layers that it sees
type Agents = space.Agents

// AgentsOf returns agents by the indexes that they have in a list, for a test of a rule.
func AgentsOf(list ...Neighbor) *Agents { return space.AgentsOf(list...) }

// NeighborHit is an agent and how far away it is. Its fields:
//
//	Index    uint32  // index in the snapshot, from 0, for Neighbors.At; good for this step only
//	Distance float64 // m, between centers
type NeighborHit = space.NeighborHit

// Neighbors is the snapshot of all agents that systems look at: a spatial index
// over the entities that have Position and at least one of Velocity, Radius and
// Agent, but no Obstacle, as of the start of the step. Agents that are not finite
// or have a negative radius are not in it.
//
// It is built only if a rule with a Query is in the same frame and some agent has its
// component, or if Always is set; else it is empty. Then the queries are answered for
// the agents that look, cell after cell, by all workers.
//
// A host's own systems may call its methods in Run, from any worker; they allocate
// nothing. What they find, and in which order, depends neither on the order of
// rows nor on workers, so that sums over neighbors do not either.
//
// A rule that looks at Obstacles too wants those before Neighbors in the frame.
//
// Reads Position, and Velocity, Radius, Agent, Layers if there are any, and what
// the rules read. An agent without Velocity stands still.
type Neighbors struct {
	Always bool    // build it whether or not anyone in the frame looks
	Cell   float64 // m, width of a cell; 0: as far as most agents look, or less where they are dense and look for the nearest few; 2 m if none looks. It changes the order of what is found, and no more

	// Wrap is the box of a world that wraps, in meters, whose edges agents look across; zero:
	// there is none. What is found across an edge has the position at which it is seen, outside
	// of the box. No agent looks farther than half the shorter side of it.
	Wrap r2.Box

	crowd   space.Crowd
	images  images
	frame   *frame.Frame
	rows    frame.Walk
	member  agentRows
	world   *ecs.World
	queries []query // of the rules that look
	sensing []query // those that are answered in Sense
	later   []query // one that is answered in the middle of the step
	now     []query // those that are answered now
	sums    []*sums // of all agents, of this step
	spent   bool    // the memory that the snapshot has to spare is taken
	step    uint64  // counts steps
	looked  uint64  // before Keep read the snapshot, as in Met
	met     uint64
	reaches reaches
	blocks  []*Block // of each worker that has answered
	next    atomic.Int64
	task    func(int)
	index   func() // builds the index
}

// agentRows walks over the agents of the world.
type agentRows struct {
	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	radius frame.In[c.Radius]
	agent  frame.In[c.Agent]
	layers frame.In[c.Layers]
	prefer frame.In[c.PreferredVelocity]
	orca   frame.In[c.ORCA]
	rows   []space.Rows
	total  int
}

func (s *agentRows) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	n.Optional(&s.vel, &s.radius, &s.agent, &s.layers, &s.prefer, &s.orca)
	frame.Without[c.Obstacle](n)
}

func (s *agentRows) Run(b *frame.Batch) {
	r := space.Rows{
		Position: s.pos.Of(b), Velocity: s.vel.Of(b), Radius: s.radius.Of(b), Agent: s.agent.Of(b), Layers: s.layers.Of(b),
		Entities: b.Source(),
	}
	if r.Velocity == nil && r.Radius == nil && r.Agent == nil {
		return
	}
	if s.orca.Of(b) != nil {
		r.Prefer = s.prefer.Of(b)
	}
	s.rows = append(s.rows, r)
	s.total += len(r.Position)
}

// neighborsOf returns the snapshot that a system of that name looks into.
func neighborsOf(f *frame.Frame, system string) *Neighbors {
	if n, ok := frame.Find[*Neighbors](f); ok {
		return n
	}
	panic(fmt.Sprintf("crowd: %s without Neighbors: put Neighbors into the same frame", system))
}

// Attach registers the walk over agents.
func (n *Neighbors) Attach(f *frame.Frame, w *ecs.World) {
	if n.frame != nil {
		panic("crowd: Neighbors is in two frames at once")
	}
	n.frame, n.world, n.task, n.index = f, w, n.work, n.build
	n.crowd.Share(f.Share, f.NumWorkers())
	n.rows.Attach(f, w, &n.member)
}

// join makes the snapshot answer a query.
func (n *Neighbors) join(q query) {
	if n.queries = append(n.queries, q); !q.resolvesLater() {
		n.sensing = append(n.sensing, q)
	}
	n.crowd.Ways = slices.ContainsFunc(n.queries, query.seesWays)
}

// leave ends that.
func (n *Neighbors) leave(q query) {
	other := func(x query) bool { return x == q }
	n.queries, n.sensing = slices.DeleteFunc(n.queries, other), slices.DeleteFunc(n.sensing, other)
	n.crowd.Ways = slices.ContainsFunc(n.queries, query.seesWays)
}

// Detach gives back what Attach took.
func (n *Neighbors) Detach(w *ecs.World) {
	n.rows.Detach(w)
	n.frame, n.world, n.later, n.now, n.blocks = nil, nil, nil, nil, nil
	n.looked, n.met = 0, 0
}

// Sense takes the snapshot, and answers the queries.
func (n *Neighbors) Sense(w *ecs.World) {
	n.reaches.reset()
	for _, q := range n.queries {
		q.count(w, &n.reaches)
	}
	n.member.rows, n.member.total = n.member.rows[:0], 0
	if n.Always || n.reaches.some() {
		n.rows.RunThen(w, n.index)
	} else {
		n.crowd.Build(nil, 0)
	}
	n.sums, n.step, n.spent = n.sums[:0], n.step+1, false
	for _, q := range n.queries {
		q.settle(w, n.member.total)
	}
	for len(n.blocks) < n.workers() {
		n.blocks = append(n.blocks, &Block{neighbors: n, Worker: len(n.blocks)})
	}
	if n.reaches.some() && n.Len() > 0 {
		clock := *frame.ClockOf(w)
		for _, b := range n.blocks {
			b.Clock = clock
			b.gatherer.Reset()
		}
		n.answer(n.sensing)
	}
}

// room returns memory for a value of each agent, which lasts for the step: that which the
// snapshot has to spare, for the one that comes first, or own. What is in it means nothing.
func room[T any](n *Neighbors, own *[]T) []T {
	if n.spent || reflect.TypeFor[T]().Size() == 0 {
		*own = column.Resize(*own, n.Len())
		return *own
	}
	n.spent = true
	return space.Spare(&n.crowd, own)
}

// resolve answers a query in the middle of the step.
func (n *Neighbors) resolve(q query) {
	n.later = append(n.later[:0], q)
	n.answer(n.later)
}

// answer answers queries for all agents, by all workers; in a Trace only for
// its own.
func (n *Neighbors) answer(queries []query) {
	if !slices.ContainsFunc(queries, query.asked) {
		return
	}
	n.now = queries
	if e := n.frame.Traced(); !e.IsZero() {
		if index, ok := n.Index(e); ok {
			n.blocks[0].first, n.blocks[0].n = index, 1
			n.blocks[0].answer(queries)
		}
		return
	}
	n.next.Store(0)
	n.frame.Share(n.workers(), n.task)
}

// workers returns how many workers answer in this step.
func (n *Neighbors) workers() int { return max(1, min(n.frame.NumWorkers(), n.Len()/leastBlock)) }

// work takes blocks of agents until none is left.
func (n *Neighbors) work(worker int) {
	const several = 16
	b, total := n.blocks[worker], n.Len()
	for {
		end := int(n.next.Add(several * blockSize))
		first := end - several*blockSize
		if first >= total || n.frame.Interrupted() {
			return
		}
		for ; first < min(end, total) && !n.frame.Interrupted(); first += blockSize {
			b.first, b.n = uint32(first), min(blockSize, total-first)
			b.answer(n.now)
		}
	}
}

// Looks visits what each rule of the frame looks for at an agent, by its index, after
// Sense: the name of the rule, what it looks for, and the indexes of those that it
// finds, which are good until the next one. It is for people to see.
func (n *Neighbors) Looks(index uint32, visit func(rule string, look Look, found []uint32)) {
	b := n.blocks[0]
	b.first, b.n = index, 1
	b.open(n.queries)
	for _, q := range n.queries {
		if b.ask(q); b.Reach(0) > 0 {
			look := q.lookOf(index)
			look.NeighborDist = b.Reach(0)
			visit(q.ruleName(), look, b.Others(0, look))
		}
	}
}

// build takes the snapshot while the world is locked.
func (n *Neighbors) build() {
	narrowest, widest := n.Cell, n.Cell
	if !(n.Cell > 0) {
		narrowest, widest = n.reaches.cells()
	}
	if n.farthest() < math.Inf(1) {
		n.images.take(n.member.rows, n.Wrap, min(max(n.reaches.farthest(), widest), n.farthest()))
		n.member.rows = append(n.member.rows, n.images.rows)
	}
	n.crowd.BuildWithin(n.member.rows, narrowest, widest)
	n.images.find(&n.crowd)
	clear(n.member.rows) // columns must not outlive the query
}

// farthest returns how far an agent may look at most, in meters: +Inf in a world that does
// not wrap.
func (n *Neighbors) farthest() float64 {
	if half := halfOf(n.Wrap); half > 0 {
		return half
	}
	return math.Inf(1)
}

// Len returns the number of agents in the snapshot, with those that are seen across an
// edge once more.
func (n *Neighbors) Len() int { return n.crowd.Len() }

// Met returns how often agents looked since the frame was initialized, and how
// many neighbors they found altogether: those within the farthest distance that
// any of their queries asks for, and on layers that they see; or of these the
// nearest only, where all queries make do with them.
func (n *Neighbors) Met() (looked, neighbors uint64) {
	looked, neighbors = n.looked, n.met
	for _, b := range n.blocks {
		looked += b.looked
		neighbors += b.met
	}
	return looked, neighbors
}

// Keep writes what Met returns, or reads it.
func (n *Neighbors) Keep(a *frame.Archive) {
	looked, met := n.Met()
	if a.Keep(&looked, &met); a.Reading() {
		for _, b := range n.blocks {
			b.looked, b.met = 0, 0
		}
		n.looked, n.met = looked, met
	}
}

// Skipped returns how many agents are not in it, because they are not finite.
func (n *Neighbors) Skipped() int { return n.crowd.Skipped() }

// Index returns the index of an agent in the order of the snapshot, from 0, if
// it is there. It is good for this step only.
func (n *Neighbors) Index(e ecs.Entity) (index uint32, ok bool) { return n.crowd.Index(e) }

// Agents returns all agents, by index. They must not be written to.
func (n *Neighbors) Agents() *Agents { return n.crowd.Agents() }

// CellSize returns how wide the cells of the index are, in meters.
func (n *Neighbors) CellSize() float64 { return n.crowd.Cell() }

// At returns the agent with an index.
func (n *Neighbors) At(index uint32) Neighbor { return n.crowd.Agents().At(index) }

// Reach returns how far the agent with an index looks, in meters, by the query in
// the frame that reaches the farthest; 0: it does not look.
func (n *Neighbors) Reach(index uint32) float64 {
	var far [1]float64
	for _, s := range n.queries {
		s.reach(index, far[:])
	}
	return far[0]
}

// self returns the index of the agent that asks.
func (n *Neighbors) self(e ecs.Entity) uint32 {
	if index, ok := n.crowd.Index(e); ok {
		return index
	}
	return space.None
}

// Within calls visit for every agent whose center is at most radius meters from
// p, in a fixed order, until it returns false. It leaves out the agent that asks; the
// zero entity leaves out none.
func (n *Neighbors) Within(p r2.Vec, radius float64, asks ecs.Entity, visit func(Neighbor) bool) {
	agents := n.crowd.Agents()
	n.crowd.Within(p, radius, n.self(asks), func(i uint32) bool { return visit(agents.At(i)) })
}

// Touching is Within for every agent whose body is at most radius meters from p,
// however large it is.
func (n *Neighbors) Touching(p r2.Vec, radius float64, asks ecs.Entity, visit func(Neighbor) bool) {
	agents := n.crowd.Agents()
	n.crowd.Touching(p, radius, n.self(asks), func(i uint32) bool { return visit(agents.At(i)) })
}

// Bulk returns the greatest radius in meters of all agents but those that are much
// larger than a cell: see Large.
func (n *Neighbors) Bulk() float64 { return n.crowd.Bulk() }

// Large calls visit for the index of every agent much larger than a cell whose body is
// at most radius meters from p, until it returns false.
func (n *Neighbors) Large(p r2.Vec, radius float64, visit func(index uint32) bool) {
	n.crowd.Large(p, radius, visit)
}

// Nearest finds the agents nearest to p by their centers, up to radius meters
// away and as many as there is room for in to, and returns how many these are.
// The nearest comes first; of those as near the one with the lowest id. Layers
// are those that are seen, a bit each.
func (n *Neighbors) Nearest(p r2.Vec, radius float64, asks ecs.Entity, layers uint32, to []NeighborHit) int {
	return n.crowd.Nearest(p, radius, n.self(asks), layers, to)
}

// RayHit is what a ray hits first.
type RayHit struct {
	Entity   ecs.Entity // the agent or the obstacle
	Agent    bool       // it is an agent
	Point    r2.Vec     // m, where
	Normal   r2.Vec     // unit vector out of it, there
	Distance float64    // m, from where the ray begins; 0: it begins inside
}

// Ray returns what a ray from p along the unit vector dir hits first within length meters, which may be
// infinite: the body of an agent on one of the layers, other than the one that asks, or an obstacle, unless
// obstacles is nil. Among equally far ones the obstacle comes first, then the agent with the lowest id. An
// agent without Radius is a point, and hardly ever hit.
//
// Without Always the snapshot may have no agents. In a world that wraps, the ray goes on across
// edges as far as agents look. It allocates nothing; a host may call it in Run.
func (n *Neighbors) Ray(obstacles *Obstacles, p, dir r2.Vec, length float64, asks ecs.Entity, layers uint32) (hit RayHit, ok bool) {
	if obstacles != nil {
		var t c.Threat
		if t, ok = obstacles.Ray(p, dir, length); ok {
			hit, length = RayHit{t.Obstacle, false, t.Contact, t.Normal, t.Distance}, t.Distance
		}
	}
	i, distance, hits := n.crowd.Ray(p, dir, length, n.self(asks), layers)
	if !hits || ok && distance == length {
		return hit, ok
	}
	agents, at := n.crowd.Agents(), vec.AddScaled(p, distance, dir)
	normal := vec.Unit(vec.Sub(at, agents.Position(i)))
	if normal == (r2.Vec{}) {
		normal = vec.Scale(-1, dir)
	}
	return RayHit{agents.Entity(i), true, at, normal, distance}, true
}
