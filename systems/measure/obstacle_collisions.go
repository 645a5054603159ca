package measure

import (
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// ObstacleCollisions counts collisions of agents with obstacles. Put it into the frame of TripMetrics,
// before TripMetrics, so that the records still hold the positions before the step. Run that frame after
// the step. Agents without a record do not count.
//
// A collision is a penetration of more than a millimeter, counted once until the agent and the obstacle
// separate. The first obstacle on the path since the last step counts even if the agent has passed through
// it; depths, times and clearances are measured at the end of a step. Of the obstacles that an agent touches
// at once, at most four count.
//
// ObstacleCollisions reads Position, Obstacles, the records of TripMetrics and, if present, Radius.
type ObstacleCollisions struct {
	Obstacles   *sense.Obstacles // of an earlier frame; nil means those of the same frame
	TripMetrics *TripMetrics     // in the same frame, after this system

	obstacles *sense.Obstacles
	pos       frame.In[c.Position]
	radius    frame.In[c.Radius]
	workers   frame.Scratch[contactSums]
	lists     [][2][]touched // per worker, for even and odd steps
}

// ObstacleCollisionCount holds the counts of ObstacleCollisions since the frame was initialized.
type ObstacleCollisionCount struct {
	Collisions      int     // once per encounter
	CentersInside   int     // agent-steps with the center in an obstacle
	MaxPenetration  float64 // m, maximum overlap after a step
	Penetration     float64 // m, sum over collisions of the maximum depth
	TimeInCollision float64 // s, sum over pairs
	LeastClearance  float64 // m, between a body and an obstacle; below 0 if they overlap, +Inf without obstacles
	Close           int     // agent-steps with a clearance below 0.2 m
	Steps           int     // agent-steps
}

type contactSums struct {
	ObstacleCollisionCount
	depth, time exactSum
}

// touched is separate from record because few agents touch obstacles.
type touched struct {
	obstacles [4]ecs.Entity
	depth     [4]float32 // m
}

func (s *ObstacleCollisions) Needs(n *frame.Needs) {
	n.Read(&s.pos)
	n.Optional(&s.radius)
	frame.Without[c.Obstacle](n)
	n.Scratch(&s.workers)
	n.InFrame("sense.Obstacles")
	s.workers.Init(func(sum *contactSums) { *sum = noContacts() })
	n.Once()
}

// Attach finds the obstacles, and registers with TripMetrics. It panics if TripMetrics is nil, or if
// sense.ObstaclesOf panics.
func (s *ObstacleCollisions) Attach(f *frame.Frame, _ *ecs.World) {
	s.lists = make([][2][]touched, f.NumWorkers())
	if s.TripMetrics == nil {
		panic("crowd: ObstacleCollisions.TripMetrics is nil, want the TripMetrics of the same frame")
	}
	s.obstacles = sense.ObstaclesOf(f, s, s.Obstacles)
	s.TripMetrics.touches = s
}

// Detach undoes Attach.
func (s *ObstacleCollisions) Detach(*ecs.World) {
	s.obstacles = nil
	if s.TripMetrics != nil && s.TripMetrics.touches == s {
		s.TripMetrics.touches = nil
	}
}

// Observe clears the lists of the previous step for the next step.
func (s *ObstacleCollisions) Observe(*ecs.World) {
	for w := range s.lists {
		list := s.list(w, s.TripMetrics.step+1)
		*list = (*list)[:0]
	}
}

func (s *ObstacleCollisions) list(worker int, step uint32) *[]touched {
	return &s.lists[worker][step%2]
}

// keep stores t, and returns its index for record.touches.
func (s *ObstacleCollisions) keep(t touched, worker int, step uint32) uint32 {
	list := s.list(worker, step)
	*list = append(*list, t)
	return uint32(len(*list)*len(s.lists) + worker)
}

func (s *ObstacleCollisions) kept(touches, step uint32) (t touched) {
	if n := uint32(len(s.lists)); touches >= n {
		t = (*s.list(int(touches%n), step))[touches/n-1]
	}
	return t
}

// Touching returns the obstacles, at most four, that an agent's body overlaps by more than a millimeter
// after the last step, and their number n.
func (s *ObstacleCollisions) Touching(e ecs.Entity) (obstacles [4]ecs.Entity, n int) {
	if trips := s.TripMetrics; trips != nil {
		if r := trips.of(e); r != nil && r.seen == trips.step {
			obstacles = s.kept(r.touches, trips.step).obstacles
		}
	}
	for n < len(obstacles) && !obstacles[n].IsZero() {
		n++
	}
	return obstacles, n
}

func (s *ObstacleCollisions) Run(b *frame.Batch) {
	pos, radius, sum := s.pos.Of(b), s.radius.Of(b), s.workers.Of(b)
	step, body := s.TripMetrics.step, 0.
	for i := range pos {
		r := s.TripMetrics.of(b.Entity(i))
		if r == nil || !vec.Finite(pos[i].Vec) {
			continue
		}
		if radius != nil {
			body = radius[i].Meters
		}
		sum.Steps++
		var before touched
		if r.seen+1 == step {
			before = s.kept(r.touches, r.seen)
		}
		now, collisions := s.meet(pos[i].Vec, shortest(vec.Sub(pos[i].Vec, r.at), s.TripMetrics.Wrap), body, b.Dt, &before, sum)
		r.touches = 0
		if !now.obstacles[0].IsZero() {
			r.touches = s.keep(now, b.Worker, step)
		}
		if collisions > 0 {
			sum.Collisions += collisions
			r.collide()
		}
	}
}

// meet measures an agent on its straight path, which ends at pos. It returns the obstacles touched there, and
// the number of new collisions.
func (s *ObstacleCollisions) meet(pos, way r2.Vec, body, dt float64, before *touched, sum *contactSums) (now touched, collisions int) {
	length := vec.Norm(way)
	look := min(body+max(length, closeBy, sum.LeastClearance), math.MaxFloat64)
	nearest, ok := s.obstacles.Nearest(pos, look)
	if !ok {
		return now, 0
	}
	clearance := nearest.Distance - body
	sum.LeastClearance = min(sum.LeastClearance, clearance)
	if clearance < closeBy {
		sum.Close++
	}
	if clearance > length {
		return now, 0
	}
	now, collisions = s.touch(pos, body, dt, before, sum)
	hit, ok := s.obstacles.Sweep(vec.Sub(pos, way), vec.Unit(way), length, max(0, body-tolerance))
	if ok && !slices.Contains(before.obstacles[:], hit.Obstacle) &&
		!slices.Contains(now.obstacles[:], hit.Obstacle) {
		collisions++
	}
	return now, collisions
}

func (s *ObstacleCollisions) touch(pos r2.Vec, body, dt float64, before *touched, sum *contactSums) (now touched, met int) {
	n, inside := 0, false
	s.obstacles.Within(pos, body, func(e ecs.Entity, distance float64) bool {
		depth := body - distance
		if depth <= tolerance {
			return true
		}
		sum.MaxPenetration = max(sum.MaxPenetration, depth)
		sum.time.add(dt)
		inside = inside || distance < 0
		now.obstacles[n], now.depth[n] = e, float32(depth)
		if was := slices.Index(before.obstacles[:], e); was < 0 {
			met++
			sum.depth.add(float64(now.depth[n]))
		} else if more := float64(now.depth[n]) - float64(before.depth[was]); more > 0 {
			sum.depth.add(more)
		} else {
			now.depth[n] = before.depth[was]
		}
		n++
		return n < len(now.obstacles)
	})
	if inside {
		sum.CentersInside++
	}
	return now, met
}

// Count returns the counts since the frame was initialized.
func (s *ObstacleCollisions) Count() ObstacleCollisionCount {
	sum := s.sum()
	sum.TimeInCollision = sum.time.value()
	sum.Penetration = sum.depth.value()
	return sum.ObstacleCollisionCount
}

func noContacts() contactSums {
	return contactSums{ObstacleCollisionCount: ObstacleCollisionCount{LeastClearance: math.Inf(1)}}
}

func (s *ObstacleCollisions) sum() contactSums {
	sum := noContacts()
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
	return sum
}
