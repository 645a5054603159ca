package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// Avoidance pushes each agent with a Threat sideways, to the side that leads
// away from the point where it would hit. An agent that stands still within an
// obstacle is pushed straight out.
//
// In the mode Outward it is the older rule, which pushes out of the obstacle
// from the point ahead: backwards where that point is short of the center, and
// forwards, into the obstacle, where it is past it.
//
// Reads Velocity, Threat, Avoidance. Adds to Steering.
// Source: the side: the cocos2d-x variant of "Understanding Steering Behaviors:
// Collision Avoidance"; Outward: the original.
type Avoidance struct {
	Outward bool // push along the Threat's normal

	vel    frame.In[c.Velocity]
	threat frame.In[c.Threat]
	avoid  frame.In[c.Avoidance]
	steer  frame.Out[c.Steering]
}

func (s *Avoidance) Needs(n *frame.Needs) {
	n.Read(&s.vel, &s.threat, &s.avoid)
	n.Add(&s.steer)
	n.Once()
}

func (s *Avoidance) Run(b *frame.Batch) {
	vel, threat, par, steer := s.vel.Of(b), s.threat.Of(b), s.avoid.Of(b), s.steer.Of(b)
	s.avoid.FetchNext(b)
	var rows [waysAtOnce]uint8
	for first := 0; first < len(threat); first += waysAtOnce {
		end := min(first+waysAtOnce, len(threat))
		s.push(threatened(threat[first:end], &rows), vel[first:end], threat[first:end], par[first:end], steer[first:end])
	}
}

// push pushes those agents that have a threat.
func (s *Avoidance) push(rows []uint8, vel []c.Velocity, threat []c.Threat, par []c.Avoidance, steer []c.Steering) {
	for k := 0; k < len(rows); {
		if !s.Outward {
			k += kernel.Avoid(rows[k:], vel, threat, par, steer)
		}
		for end := kernel.Until(k, len(rows)); k < end; k++ {
			i := rows[k]
			away := threat[i].Normal
			if !s.Outward {
				away = lateral(vel[i].Vec, away)
			}
			steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].MaxForce, away)
		}
	}
}

// lateral returns the unit vector at a right angle to the velocity, on the side
// to which the normal of the obstacle points: the right one if it points to
// neither; and the normal itself for an agent without velocity.
//
// The source asks on which side the center lies. For a circle hit along the
// velocity the normal points from there to the other side, so the answer is
// the same, and it holds for walls too.
func lateral(v, normal r2.Vec) r2.Vec {
	speed := vec.Norm(v)
	if speed < vec.MinNorm {
		return normal
	}
	side := vec.Right(vec.Scale(1/speed, v))
	// Nothing foretells on which side it is, so no branch depends on that.
	turn := 0
	if vec.Dot(normal, side) < 0 {
		turn = 2
	}
	return vec.Scale(float64(1-turn), side)
}

var avoidanceEntry = catalog.Of(catalog.Entry{
	Name: "avoidance", Text: "steer away from the obstacle that threat-scan found",
	Source: `the side: the cocos2d-x variant of "Understanding Steering Behaviors: Collision Avoidance"`,
	Needs:  []any{c.ThreatScan{}}, Adds: []any{c.Steering{}},
	System: func(o catalog.Options) any { return &Avoidance{Outward: settings(o).AvoidOutward} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 30, Laws: catalog.AllLaws,
	Doing: "avoiding", While: frame.While2(func(t *c.Threat, b *c.Avoidance) bool { return !t.Obstacle.IsZero() && b.MaxForce != 0 }),
}, func(b *c.Avoidance) []catalog.Param {
	return []catalog.Param{catalog.Number("max-force", &b.MaxForce, "N", "how hard it pushes").Pausing().AsGain()}
})
