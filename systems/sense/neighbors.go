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

// Neighbor is an agent as other agents see it at the start of the step. Its fields:
//
//	Position r2.Vec     // m
//	Velocity r2.Vec     // m/s; zero without components.Velocity
//	Radius   float64    // m; 0 without components.Radius
//	ID       uint64     // see components.IDOf
//	Entity   ecs.Entity // the agent, in the world
//	On, Sees uint32     // layers that the agent is on, and layers that it sees: see components.Layers
type Neighbor = space.Neighbor

// Agents holds all agents of a snapshot by index, with one column per property. Its fields and methods
// include:
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
//	Seen(index, layers uint32) bool // reports whether the agent is on one of the layers
//	Sight(index uint32) uint32      // the layers that the agent sees
type Agents = space.Agents

// AgentsOf returns agents indexed as in the list. Use it to test rules.
func AgentsOf(list ...Neighbor) *Agents { return space.AgentsOf(list...) }

// NeighborHit is an agent and its distance. Its fields:
//
//	Index    uint32  // in the snapshot, for Neighbors.At; valid for this step only
//	Distance float64 // m, between centers
type NeighborHit = space.NeighborHit

// Neighbors is a spatial index over the agents at the start of the step: the entities that have Position and
// at least one of Velocity, Radius and Agent, but no Obstacle. It skips agents whose numbers are not finite
// or whose radius is negative. An agent without Velocity stands still. Neighbors is empty if Always is false
// and no agent searches with a Query of a rule in the same frame.
//
// Systems of the host may query Neighbors in Run, from any worker, without allocation. Results, their order
// and sums over neighbors depend neither on the order of rows nor on the number of workers.
//
// Put Obstacles before Neighbors in the frame if a rule reads both. Neighbors also reads Layers, the
// PreferredVelocity of agents with ORCA, and the components of the rules.
type Neighbors struct {
	Always bool    // build the snapshot even if no rule of the frame needs it
	Cell   float64 // m, cell width, which affects the order of results, Bulk and, with Wrap, the range of hosts' queries across edges; 0 means a width that suits the searches, or 2 m without searches

	// Wrap is the box of a periodic world, in meters; zero means none. Agents see across its edges, but no
	// farther than half its shorter side. Agents found across an edge are at positions outside the box.
	Wrap r2.Box

	crowd   space.Crowd
	images  images
	frame   *frame.Frame
	rows    frame.Walk
	member  agentRows
	world   *ecs.World
	queries []query
	sensing []query // answered in Sense
	later   []query // the query answered in the middle of the step
	now     []query
	sums    []*sums // shared by rules in this step
	spent   bool    // the spare memory of the snapshot is in use
	step    uint64
	moves   uint64 // Frame.Moves when the snapshot was taken
	looked  uint64 // searches before the snapshot was restored, counted by Met
	met     uint64
	reaches reaches
	blocks  []*Block
	next    atomic.Int64
	task    func(int)
	index   func()
}

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
	id     ecs.ID            // of Position
	runs   map[uintptr]ofRun // by Address
}

// ofRun is the range of a run's rows among the rows of all runs.
type ofRun struct{ first, end int }

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
	if run, ok := b.Source().(*column.Run); ok {
		s.runs[run.Address(s.id)] = ofRun{s.total, s.total + len(r.Position)}
	}
	s.rows = append(s.rows, r)
	s.total += len(r.Position)
}

func neighborsOf(f *frame.Frame, system string) *Neighbors {
	if n, ok := frame.Find[*Neighbors](f); ok {
		return n
	}
	panic(fmt.Sprintf("crowd: %s without Neighbors: put Neighbors into the same frame", system))
}

// Attach registers the walk over agents. It panics if n is in another frame.
func (n *Neighbors) Attach(f *frame.Frame, w *ecs.World) {
	if n.frame != nil {
		panic("crowd: Neighbors is in two frames at once")
	}
	n.frame, n.world, n.task, n.index = f, w, n.work, n.build
	n.crowd.Share(f.Share, f.NumWorkers())
	n.member.id, n.member.runs = column.SourceIn[c.Position](f.Bindings(), w).ID, map[uintptr]ofRun{}
	n.rows.Attach(f, w, &n.member)
}

func (n *Neighbors) join(q query) {
	if n.queries = append(n.queries, q); !q.resolvesLater() {
		n.sensing = append(n.sensing, q)
	}
	n.crowd.Directions = slices.ContainsFunc(n.queries, query.seesDirections)
}

func (n *Neighbors) leave(q query) {
	other := func(x query) bool { return x == q }
	n.queries, n.sensing = slices.DeleteFunc(n.queries, other), slices.DeleteFunc(n.sensing, other)
	n.crowd.Directions = slices.ContainsFunc(n.queries, query.seesDirections)
}

// Detach releases what Attach registered.
func (n *Neighbors) Detach(w *ecs.World) {
	n.rows.Detach(w)
	n.frame, n.world, n.later, n.now, n.blocks = nil, nil, nil, nil, nil
	n.looked, n.met = 0, 0
}

// Sense builds the snapshot, and answers the queries, except those of AskLater.
func (n *Neighbors) Sense(w *ecs.World) {
	n.reaches = reaches{}
	for _, q := range n.queries {
		q.count(w, &n.reaches)
	}
	n.member.rows, n.member.total, n.moves = n.member.rows[:0], 0, n.frame.Moves()
	clear(n.member.runs)
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
		b := &Block{neighbors: n, Worker: len(n.blocks), found: make([]NeighborHit, 0, mostNearby)}
		b.gatherer.Grow() // now, because the first dense place may come late
		n.blocks = append(n.blocks, b)
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

// room returns memory for one value per agent, valid for the step, with undefined content. The first caller
// gets the spare memory of the snapshot, and other callers get their own slice, resized.
func room[T any](n *Neighbors, own *[]T) []T {
	if n.spent || reflect.TypeFor[T]().Size() == 0 {
		*own = column.Resize(*own, n.Len())
		return *own
	}
	n.spent = true
	return space.Spare(&n.crowd, own)
}

func (n *Neighbors) resolve(q query) {
	n.later = append(n.later[:0], q)
	n.answer(n.later)
}

// answer answers queries for all agents or, in a Trace, only for the traced agent.
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

func (n *Neighbors) workers() int { return max(1, min(n.frame.NumWorkers(), n.Len()/leastBlock)) }

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

// Looks calls visit for each query with which an agent searches. The NeighborDist of look is the reach used,
// and found is valid until visit returns. Call Looks after Sense, and only for inspection.
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

// build builds the snapshot. The world must be locked.
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

// farthest returns the maximum reach in meters. It is +Inf in a world that is not periodic.
func (n *Neighbors) farthest() float64 {
	if half := halfOf(n.Wrap); half > 0 {
		return half
	}
	return math.Inf(1)
}

// Len returns the number of agents, including images across edges.
func (n *Neighbors) Len() int { return n.crowd.Len() }

// Met returns the number of searches since the frame was initialized, and the number of neighbors found. A
// search finds the visible agents within the largest reach of the agent's queries, or only the nearest if
// those are enough for all queries. Queries of AskLater search separately.
func (n *Neighbors) Met() (looked, neighbors uint64) {
	looked, neighbors = n.looked, n.met
	for _, b := range n.blocks {
		looked += b.looked
		neighbors += b.met
	}
	return looked, neighbors
}

// Keep saves or restores the results of Met.
func (n *Neighbors) Keep(a *frame.Archive) {
	looked, met := n.Met()
	if a.Keep(&looked, &met); a.Reading() {
		for _, b := range n.blocks {
			b.looked, b.met = 0, 0
		}
		n.looked, n.met = looked, met
	}
}

// Skipped returns the number of agents left out because their numbers are invalid: see Neighbors.
func (n *Neighbors) Skipped() int { return n.crowd.Skipped() }

// Index returns an agent's index in the snapshot of this step, and whether the agent is in the snapshot.
func (n *Neighbors) Index(e ecs.Entity) (index uint32, ok bool) { return n.crowd.Index(e) }

// Agents returns all agents, by index. The caller must not modify them.
func (n *Neighbors) Agents() *Agents { return n.crowd.Agents() }

// CellSize returns the cell width in meters.
func (n *Neighbors) CellSize() float64 { return n.crowd.Cell() }

// At returns the agent with the given index.
func (n *Neighbors) At(index uint32) Neighbor { return n.crowd.Agents().At(index) }

// Reach returns the largest reach of an agent's queries, in meters. It is 0 for agents without queries and
// for images across an edge.
func (n *Neighbors) Reach(index uint32) float64 {
	var far [1]float64
	if image := n.crowd.Agents().Image; image != nil && image[index] {
		return 0
	}
	for _, s := range n.queries {
		s.reach(index, far[:])
	}
	return min(far[0], n.farthest())
}

// indexes fills a slice with the indexes of the rows of a batch, beginning with row lo. It finds them by row
// number. If rows may have moved, it compares entities, and finds the indexes of those that moved by entity.
func (n *Neighbors) indexes(b *frame.Batch, lo int, to []uint32) {
	run, ok := b.Source().(*column.Run)
	all, moved := n.crowd.RowPlaces(), n.moves != n.frame.Moves() || !n.frame.Traced().IsZero()
	if ok && all != nil {
		its := n.member.runs[run.Address(n.member.id)]
		all = all[its.first:its.end]
		if all = all[min(b.Offset()+lo, len(all)):]; !moved {
			for i := copy(to, all); i < len(to); i++ {
				to[i] = space.None
			}
			return
		}
	}
	agents := n.crowd.Agents()
	var entities [blockSize]ecs.Entity
	for len(to) > 0 {
		some := min(len(to), len(entities))
		b.Entities(lo, entities[:some])
		for i, e := range entities[:some] {
			if i < len(all) && all[i] != space.None && agents.Entity(all[i]) == e {
				to[i] = all[i]
			} else {
				to[i] = n.self(e)
			}
		}
		lo, to, all = lo+some, to[some:], all[min(some, len(all)):]
	}
}

func (n *Neighbors) self(e ecs.Entity) uint32 {
	if index, ok := n.crowd.Index(e); ok {
		return index
	}
	return space.None
}

// Within calls visit for each agent whose center is at most radius meters from p, in a fixed order, until
// visit returns false. It skips the given entity, or none if the entity is zero.
func (n *Neighbors) Within(p r2.Vec, radius float64, asks ecs.Entity, visit func(Neighbor) bool) {
	agents := n.crowd.Agents()
	n.crowd.Within(p, radius, n.self(asks), func(i uint32) bool { return visit(agents.At(i)) })
}

// Touching is like Within, but for agents whose body, rather than center, is at most radius meters from p.
func (n *Neighbors) Touching(p r2.Vec, radius float64, asks ecs.Entity, visit func(Neighbor) bool) {
	agents := n.crowd.Agents()
	n.crowd.Touching(p, radius, n.self(asks), func(i uint32) bool { return visit(agents.At(i)) })
}

// Bulk returns the largest radius, in meters, of all agents except a few whose radius exceeds the cell width:
// see Large.
func (n *Neighbors) Bulk() float64 { return n.crowd.Bulk() }

// Large calls visit for each agent that has a radius above Bulk and whose body is at most radius meters from
// p, in order of index, until visit returns false.
func (n *Neighbors) Large(p r2.Vec, radius float64, visit func(index uint32) bool) {
	n.crowd.Large(p, radius, visit)
}

// Nearest fills a slice with the agents whose centers are nearest to p, at most radius meters away, and
// returns their number. They are ordered by distance, then by ID. Nearest skips the given entity, and agents
// on none of the given layers, which are one bit each.
func (n *Neighbors) Nearest(p r2.Vec, radius float64, asks ecs.Entity, layers uint32, to []NeighborHit) int {
	return n.crowd.Nearest(p, radius, n.self(asks), layers, to)
}

// RayHit is the first hit of a ray.
type RayHit struct {
	Entity   ecs.Entity // agent or obstacle
	Agent    bool       // Entity is an agent
	Point    r2.Vec     // m
	Normal   r2.Vec     // unit vector out of the body
	Distance float64    // m, from the start of the ray; 0 means that the ray starts inside
}

// Ray returns the first hit of a ray from p along the unit vector dir, or false if there is none within
// length meters, which may be infinite. The ray hits obstacles, and the bodies of agents on the given layers,
// except the given entity. If obstacles is nil, it hits only agents. Ties go to the obstacle, then to the
// lowest ID. An agent without Radius is a point. In a periodic world, the ray continues across edges as far as
// agents see.
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
