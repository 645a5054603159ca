package sense

import (
	"fmt"
	"sync/atomic"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/space"
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

// NeighborHit is an agent and how far away it is. Its fields:
//
//	Place    uint32  // in the snapshot, from 0, for Neighbors.At and Meeting.Agents; good for this step only
//	Distance float64 // m, between centers
type NeighborHit = space.Found

// Neighbors is the snapshot of all agents that systems look at: a spatial index
// over the entities that have Position and at least one of Velocity, Radius and
// Agent, but no Obstacle, as of the start of the step. Agents that are not finite
// or have a negative radius are not in it.
//
// It is built only if a Looker is in the same frame and some agent has its
// component, or if Always is set; else it is empty. Then every Looker meets the
// agents that look, cell after cell, by all workers.
//
// A host's own systems may call its methods in Run, from any worker; they allocate
// nothing. What they find, and in which order, depends neither on the order of
// rows nor on workers, so that sums over neighbors do not either.
//
// A looker that looks at Obstacles too wants those before Neighbors in the frame.
//
// Reads Position, and Velocity, Radius, Agent, Layers if there are any, and what
// the lookers read. An agent without Velocity stands still.
type Neighbors struct {
	Always bool    // build it whether or not anyone in the frame looks
	Cell   float64 // m, width of a cell; 0: as far as most agents look, or less where they are dense and look for the nearest few; 2 m if none looks. It changes the order of what is found, and no more

	crowd   space.Crowd
	frame   *frame.Frame
	rows    frame.Walk
	member  agentRows
	sights  []AnySight // of all lookers
	sensing lookers    // those that meet neighbors in Sense
	later   lookers    // one that does in the middle of the step
	now     *lookers   // those that do so now
	reaches reaches
	meeting []Meeting // of each worker
	next    atomic.Int64
	task    func(int)
	index   func()     // builds the index
	double  ecs.Entity // stands for another one
	stands  ecs.Entity // this one
}

// Looker is a system that looks at the neighbors of agents. Neighbors in the
// same frame calls it at the start of the step, and what it found it takes from
// its Sight when it runs.
//
// It is no Sensor, because queries in the order of rows wait for memory: agents
// lie there in no spatial order, and with a million of them a look takes several
// times as long as here, where agents that are near one another come together.
type Looker interface {
	// Looks returns the looker's Sight.
	Looks() AnySight
	// Meet looks at the neighbors of some agents and answers to its Sight. It is
	// called from several workers at once.
	Meet(*Meeting)
}

// UsualCell is the width of cells in meters if nobody tells.
const UsualCell = 2

// agentRows walks over the agents of the world.
type agentRows struct {
	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	radius frame.In[c.Radius]
	agent  frame.In[c.Agent]
	layers frame.In[c.Layers]
	rows   []space.Rows
	total  int
}

func (s *agentRows) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	n.Optional(&s.vel, &s.radius, &s.agent, &s.layers)
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
	s.rows = append(s.rows, r)
	s.total += len(r.Position)
}

// NeighborsOf returns the snapshot that a system looks into: the given one, or if
// that is nil the one of its frame. It panics if there is none. Call it in Attach.
func NeighborsOf(f *frame.Frame, system any, given *Neighbors) *Neighbors {
	if given != nil {
		return given
	}
	if n, ok := frame.Find[*Neighbors](f); ok {
		return n
	}
	panic(fmt.Sprintf("crowd: %s without Neighbors: put Neighbors into the same frame", frame.NameOf(system)))
}

// Attach registers the walks over agents, and finds those who look.
func (n *Neighbors) Attach(f *frame.Frame, w *ecs.World) {
	if n.frame != nil {
		panic("crowd: Neighbors is in two frames at once")
	}
	n.frame, n.task, n.index = f, n.look, n.build
	n.crowd.Share(f.Share, f.NumWorkers())
	n.rows.Attach(f, w, &n.member)
	n.meeting = make([]Meeting, f.NumWorkers())
	for i := range n.meeting {
		n.meeting[i].of, n.meeting[i].Worker = n, i
	}
	for _, s := range f.Systems() {
		if l, ok := s.(Looker); ok {
			sight := l.Looks()
			sight.Join(n, frame.NameOf(l), f, w)
			n.sights = append(n.sights, sight)
			if _, later := s.(frame.TwoPhase); !later {
				n.sensing.add(l, sight)
			}
		}
	}
}

// Detach gives back what Attach took.
func (n *Neighbors) Detach(w *ecs.World) {
	n.rows.Detach(w)
	for _, s := range n.sights {
		s.Leave(w)
	}
	n.frame, n.sights, n.sensing, n.later, n.now, n.meeting = nil, nil, lookers{}, lookers{}, nil, nil
}

// Sense takes the snapshot, and lets the lookers look.
func (n *Neighbors) Sense(w *ecs.World) {
	double := n.double
	n.double = ecs.Entity{} // in the world that is looked at now it may be anybody
	defer func() { n.double = double }()
	n.reaches.reset()
	for _, s := range n.sights {
		s.see(w, &n.reaches)
	}
	n.member.rows, n.member.total = n.member.rows[:0], 0
	if n.Always || n.reaches.some() {
		n.rows.RunThen(w, n.index)
	} else {
		n.crowd.Build(nil, 0)
	}
	for _, s := range n.sights {
		s.Settle(w, n.member.total)
	}
	if n.reaches.some() && n.Len() > 0 {
		clock := *frame.ClockOf(w)
		for i := range n.meeting {
			m := &n.meeting[i]
			m.Clock = clock
			m.gatherer.Reset()
		}
		n.meet(&n.sensing)
	}
}

// lookers are those that look at the same time.
type lookers struct {
	systems []Looker
	sights  []AnySight
}

func (l *lookers) add(s Looker, sight AnySight) {
	l.systems, l.sights = append(l.systems, s), append(l.sights, sight)
}

// Workers returns how many workers Meet has.
func (n *Neighbors) Workers() int { return len(n.meeting) }

// Meet lets a looker that is a TwoPhase meet all agents, in Resolve.
func (n *Neighbors) Meet(l Looker) {
	if len(n.later.systems) == 0 || n.later.systems[0] != l {
		n.later = lookers{[]Looker{l}, []AnySight{l.Looks()}}
	}
	n.meet(&n.later)
}

// meet lets lookers meet all agents, by all workers; or only the one that another
// entity stands for.
func (n *Neighbors) meet(l *lookers) {
	some := false
	for _, s := range l.sights {
		some = some || s.Some()
	}
	if !some {
		return
	}
	n.now = l
	if !n.stands.IsZero() {
		if place, ok := n.Place(n.stands); ok {
			n.meeting[0].first, n.meeting[0].n = place, 1
			n.meeting[0].meet()
		}
		return
	}
	n.next.Store(0)
	n.frame.Share(max(1, min(len(n.meeting), n.Len()/leastMeeting)), n.task)
}

// build takes the snapshot while the world is locked.
func (n *Neighbors) build() {
	narrowest, widest := n.Cell, n.Cell
	if !(n.Cell > 0) {
		narrowest, widest = n.reaches.cells()
	}
	n.crowd.BuildWithin(n.member.rows, narrowest, widest)
	clear(n.member.rows) // columns must not outlive the query
}

// Len returns the number of agents in the snapshot.
func (n *Neighbors) Len() int { return n.crowd.Len() }

// Met returns how often agents looked since the frame was initialized, and how
// many neighbors they found altogether: those within the farthest distance that
// any of their lookers asks for, and on layers that they see; or of these the
// nearest only, where all lookers make do with them.
func (n *Neighbors) Met() (looked, neighbors uint64) {
	for i := range n.meeting {
		looked += n.meeting[i].looked
		neighbors += n.meeting[i].met
	}
	return looked, neighbors
}

// Skipped returns how many agents are not in it, because they are not finite.
func (n *Neighbors) Skipped() int { return n.crowd.Skipped() }

// Place returns the number of an agent in the order of the snapshot, from 0, if
// it is there. It is good for this step only.
func (n *Neighbors) Place(e ecs.Entity) (place uint32, ok bool) { return n.crowd.Place(e) }

// Agents returns all agents, by place. They must not be written to.
func (n *Neighbors) Agents() []Neighbor { return n.crowd.Agents() }

// CellSize returns how wide the cells of the index are, in meters.
func (n *Neighbors) CellSize() float64 { return n.crowd.Cell() }

// At returns the agent in a place. It must not be written to.
func (n *Neighbors) At(place uint32) *Neighbor { return &n.crowd.Agents()[place] }

// Reach returns how far the agent in a place looks, in meters, by the looker in
// the frame that looks the farthest; 0: it does not look.
func (n *Neighbors) Reach(place uint32) float64 {
	var far [1]float64
	for _, s := range n.sights {
		s.reach(place, far[:])
	}
	return far[0]
}

// Stand makes what lookers find for an entity the answer for a double of it, such
// as a copy in another world, and nobody else meets neighbors. Zero entities end
// that.
func (n *Neighbors) Stand(double, of ecs.Entity) { n.double, n.stands = double, of }

// self returns the place of the one who asks.
func (n *Neighbors) self(e ecs.Entity) uint32 {
	if e == n.double {
		e = n.stands
	}
	if place, ok := n.crowd.Place(e); ok {
		return place
	}
	return space.Nobody
}

// Within calls visit for every agent whose center is at most radius meters from
// p, in a fixed order, until it returns false. It leaves out the one who asks; the
// zero entity leaves out nobody.
func (n *Neighbors) Within(p r2.Vec, radius float64, asks ecs.Entity, visit func(*Neighbor) bool) {
	agents := n.crowd.Agents()
	n.crowd.Within(p, radius, n.self(asks), func(i uint32) bool { return visit(&agents[i]) })
}

// Touching is Within for every agent whose body is at most radius meters from p,
// however large it is.
func (n *Neighbors) Touching(p r2.Vec, radius float64, asks ecs.Entity, visit func(*Neighbor) bool) {
	agents := n.crowd.Agents()
	n.crowd.Touching(p, radius, n.self(asks), func(i uint32) bool { return visit(&agents[i]) })
}

// Bulk returns the greatest radius in meters of all agents but those that are much
// larger than a cell: see Large.
func (n *Neighbors) Bulk() float64 { return n.crowd.Bulk() }

// Large calls visit for the place of every agent much larger than a cell whose body is
// at most radius meters from p, until it returns false.
func (n *Neighbors) Large(p r2.Vec, radius float64, visit func(place uint32) bool) {
	n.crowd.Large(p, radius, visit)
}

// Nearest finds the agents nearest to p by their centers, up to radius meters
// away and as many as there is room for in to, and returns how many these are.
// The nearest comes first; of those as near the one with the lowest id. Layers
// are those that are seen, a bit each.
func (n *Neighbors) Nearest(p r2.Vec, radius float64, asks ecs.Entity, layers uint32, to []NeighborHit) int {
	return n.crowd.Nearest(p, radius, n.self(asks), layers, to)
}
