package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/mlange-42/arche/ecs"
)

// tolerance is the depth in metres beyond which an overlap is a collision.
const tolerance = 0.001

// Contacts counts the collisions of agents with obstacles. It changes nothing
// that agents do: run it in a frame of its own, after the step.
//
// A collision is a penetration of more than a millimetre. It is counted once
// for a pair of agent and obstacle; a pair that parts and meets again is a new
// collision. The way since the last step is swept, so that nothing passes
// unseen. Of obstacles that an agent touches at once, four are told apart.
//
// Reads Position, Radius if there is one, and Obstacles. Writes Contact.
type Contacts struct {
	Obstacles *Obstacles // the snapshot, of a frame that runs before; nil: that of the same frame

	pos     In[c.Position]
	radius  In[c.Radius]
	contact Out[c.Contact]
	workers Scratch[ContactCount]
}

// ContactCount is what Contacts counted since the frame was initialised.
type ContactCount struct {
	Collisions     int     // agent and obstacle, once for each time they meet
	CentresInside  int     // agent-steps with the agent's centre inside an obstacle
	MaxPenetration float64 // m, deepest overlap of a body and an obstacle after a step
}

func (s *Contacts) Needs(n *Needs) {
	n.Read(&s.pos)
	n.Optional(&s.radius)
	n.Write(&s.contact)
	n.Scratch(&s.workers)
}

func (s *Contacts) attach(f *Frame, _ *ecs.World) { s.Obstacles = obstaclesOf(f, s, s.Obstacles) }
func (s *Contacts) detach(*ecs.World)             {}

func (s *Contacts) Run(b *Batch) {
	pos, radius, contact, count := s.pos.Of(b), s.radius.Of(b), s.contact.Of(b), s.workers.Of(b)
	body := 0.
	for i := range pos {
		if radius != nil {
			body = radius[i].Metres
		}
		s.meet(pos[i], &contact[i], body, count)
	}
}

// meet counts what one agent ran into since the last step.
func (s *Contacts) meet(pos c.Position, contact *c.Contact, body float64, count *ContactCount) {
	if !contact.Started {
		contact.Last, contact.Started = pos.Vec, true
	}
	way := vec.Sub(pos.Vec, contact.Last)
	length := vec.Norm(way)
	before := contact.Touching
	last := contact.Last
	contact.Last, contact.Touching = pos.Vec, [4]ecs.Entity{}
	if _, near := s.Obstacles.Nearest(pos.Vec, body+length); !near {
		return
	}
	n, inside := 0, false
	s.Obstacles.Within(pos.Vec, body, func(e ecs.Entity, distance float64) bool {
		depth := body - distance
		if depth <= tolerance {
			return true
		}
		count.MaxPenetration = max(count.MaxPenetration, depth)
		inside = inside || distance < 0
		if !holds(&before, e) {
			count.Collisions++
		}
		contact.Touching[n] = e
		n++
		return n < len(contact.Touching)
	})
	if inside {
		count.CentresInside++
	}
	hit, ok := s.Obstacles.Sweep(last, vec.Unit(way), length, max(0, body-tolerance))
	if ok && !holds(&before, hit.Obstacle) && !holds(&contact.Touching, hit.Obstacle) {
		count.Collisions++
	}
}

func holds(list *[4]ecs.Entity, e ecs.Entity) bool {
	return list[0] == e || list[1] == e || list[2] == e || list[3] == e
}

// Count returns what was counted since the frame was initialised.
func (s *Contacts) Count() ContactCount {
	var sum ContactCount
	s.workers.Each(func(n *ContactCount) {
		sum.Collisions += n.Collisions
		sum.CentresInside += n.CentresInside
		sum.MaxPenetration = max(sum.MaxPenetration, n.MaxPenetration)
	})
	return sum
}
