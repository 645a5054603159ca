package measure

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// ObstacleCollisions counts the collisions of agents with obstacles. It changes nothing
// that agents do: run it in a frame of its own, after the step.
//
// A collision is a penetration of more than a millimeter. It is counted once
// for a pair of agent and obstacle; a pair that parts and meets again is a new
// collision. The way since the last step is swept, so that nothing passes
// unseen; depths, times and clearances are those at the end of a step. Of
// obstacles that an agent touches at once, four are told apart.
//
// Reads Position, Radius if there is one, and Obstacles. Writes Contact.
type ObstacleCollisions struct {
	Obstacles   *sense.Obstacles // the snapshot, of a frame that runs before; nil: that of the same frame
	TripMetrics *TripMetrics     // told of collisions if it is set: put it behind, into the same frame
	Wrap        r2.Box           // m, the box of BoundsWrap: the way over its edge is short; zero: none

	obstacles *sense.Obstacles // those of the frame that it is in, or the given ones
	pos       frame.In[c.Position]
	radius    frame.In[c.Radius]
	contact   frame.Out[c.Contact]
	workers   frame.Scratch[contactSums]
}

// ObstacleCollisionCount is what ObstacleCollisions counted since the frame was initialized.
type ObstacleCollisionCount struct {
	Collisions      int     // agent and obstacle, once for each time they meet
	CentersInside   int     // agent-steps with the agent's center inside an obstacle
	MaxPenetration  float64 // m, deepest overlap of a body and an obstacle after a step
	Penetration     float64 // m, of each collision the deepest, all together; 0 without TripMetrics
	TimeInCollision float64 // s, of all pairs of agent and obstacle together
	LeastClearance  float64 // m, between a body and an obstacle, negative when they overlap; +Inf without obstacles
	Close           int     // agent-steps with a clearance below 0.2 m
	Steps           int     // agent-steps
}

// contactSums is what a worker counts.
type contactSums struct {
	ObstacleCollisionCount
	depth, time exactSum
}

func (s *ObstacleCollisions) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	n.Optional(&s.radius)
	n.Write(&s.contact)
	n.Scratch(&s.workers)
	s.workers.Each(func(sum *contactSums) { sum.LeastClearance = math.Inf(1) })
	n.Once()
}

// Attach finds the obstacles.
func (s *ObstacleCollisions) Attach(f *frame.Frame, _ *ecs.World) {
	s.obstacles = sense.ObstaclesOf(f, s, s.Obstacles)
}

// Detach forgets them.
func (s *ObstacleCollisions) Detach(*ecs.World) { s.obstacles = nil }

// index returns the obstacles to look into; over plain slices, those given.
func (s *ObstacleCollisions) index() *sense.Obstacles {
	if s.obstacles != nil {
		return s.obstacles
	}
	return s.Obstacles
}

func (s *ObstacleCollisions) Run(b *frame.Batch) {
	pos, radius, contact, sum := s.pos.Of(b), s.radius.Of(b), s.contact.Of(b), s.workers.Of(b)
	sum.Steps += len(pos)
	body := 0.
	for i := range pos {
		if radius != nil {
			body = radius[i].Meters
		}
		s.meet(b, i, pos[i].Vec, &contact[i], body, sum)
	}
}

// meet counts what one agent ran into since the last step.
func (s *ObstacleCollisions) meet(b *frame.Batch, i int, pos r2.Vec, contact *c.Contact, body float64, sum *contactSums) {
	if !contact.Started {
		contact.Last, contact.Started = pos, true
	}
	way := shortest(vec.Sub(pos, contact.Last), s.Wrap)
	length := vec.Norm(way)
	before := contact.Touching
	contact.Last, contact.Touching = pos, [4]ecs.Entity{}
	look := min(body+max(length, closeBy, sum.LeastClearance), math.MaxFloat64)
	nearest, ok := s.index().Nearest(pos, look)
	if !ok {
		return
	}
	clearance := nearest.Distance - body
	sum.LeastClearance = min(sum.LeastClearance, clearance)
	if clearance < closeBy {
		sum.Close++
	}
	if clearance > length {
		return
	}
	met := s.touching(b, i, pos, contact, &before, body, sum)
	hit, ok := s.index().Sweep(vec.Sub(pos, way), vec.Unit(way), length, max(0, body-tolerance))
	if ok && !holds(&before, hit.Obstacle) && !holds(&contact.Touching, hit.Obstacle) {
		met++
	}
	sum.Collisions += met
	if s.TripMetrics != nil && met > 0 {
		if r := s.TripMetrics.of(b.Entity(i)); r != nil {
			r.collide(met)
		}
	}
}

// touching notes the obstacles that an agent overlaps after the step, and returns
// how many of them it did not before.
func (s *ObstacleCollisions) touching(b *frame.Batch, i int, pos r2.Vec, contact *c.Contact, before *[4]ecs.Entity, body float64, sum *contactSums) (met int) {
	var r *record
	var deepest, depths [4]float32
	n, inside := 0, false
	s.index().Within(pos, body, func(e ecs.Entity, distance float64) bool {
		depth := body - distance
		if depth <= tolerance {
			return true
		}
		if s.TripMetrics != nil && n == 0 {
			if r = s.TripMetrics.of(b.Entity(i)); r != nil {
				deepest = r.depth
			}
		}
		sum.MaxPenetration = max(sum.MaxPenetration, depth)
		sum.time.add(b.Dt)
		inside = inside || distance < 0
		depths[n] = float32(depth)
		was := place(before, e)
		if was < 0 {
			met++
			sum.depth.add(float64(depths[n]))
		} else if more := float64(depths[n]) - float64(deepest[was]); more > 0 {
			sum.depth.add(more)
		} else {
			depths[n] = deepest[was]
		}
		contact.Touching[n] = e
		n++
		return n < len(contact.Touching)
	})
	if r != nil {
		r.touch(depths)
	}
	if inside {
		sum.CentersInside++
	}
	return met
}

// place returns where an obstacle is in a list, -1 if it is not.
func place(list *[4]ecs.Entity, e ecs.Entity) int {
	for i := range list {
		if list[i] == e {
			return i
		}
	}
	return -1
}

func holds(list *[4]ecs.Entity, e ecs.Entity) bool { return place(list, e) >= 0 }

// Count returns what was counted since the frame was initialized.
func (s *ObstacleCollisions) Count() ObstacleCollisionCount {
	sum := contactSums{ObstacleCollisionCount: ObstacleCollisionCount{LeastClearance: math.Inf(1)}}
	s.workers.Each(func(n *contactSums) {
		sum.Collisions += n.Collisions
		sum.CentersInside += n.CentersInside
		sum.MaxPenetration = max(sum.MaxPenetration, n.MaxPenetration)
		sum.LeastClearance = min(sum.LeastClearance, n.LeastClearance)
		sum.Close += n.Close
		sum.Steps += n.Steps
		sum.depth.merge(n.depth)
		sum.time.merge(n.time)
	})
	sum.TimeInCollision = sum.time.value()
	if s.TripMetrics != nil {
		sum.Penetration = sum.depth.value()
	}
	return sum.ObstacleCollisionCount
}
