package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// DefaultBoundaryRange is how far agents of scenes with BoundaryFollowing look, in m.
const DefaultBoundaryRange = 10.

// BoundaryFollowing leads each agent to its Destination with no map, only with a memory of the
// obstacle that is in its way. While it sees none it goes straight. When it does, it looks along the
// boundary on both sides, as far as Range, and chooses the side on which the way along the
// boundary and straight on from there is the shorter one. It keeps to that side until, with d
// the least distance from the boundary that it has followed to the Destination,
//
//	distance from here to the Destination - free way in that direction < d
//
// So each obstacle is met nearer to the Destination than all before it, and an agent that is
// alone arrives if there is a way. If it comes round to where it met the obstacle there
// is none; it goes to the nearest place on the boundary then, and tries again after half a minute.
//
// The boundary is that of all obstacles between which the body does not fit, 5 % and the clearance
// added: they are one. The agent goes to the farthest place of it that it sees.
//
// An agent looks around in one of eight steps with nothing in its way, in one of four along a boundary, and
// in each while it chooses a side or turns a corner. It asks the index of obstacles 80 questions in a step at most.
//
// Reads Position, Destination, Radius and Agent if there are any, and Obstacles. Writes
// BoundaryFollowing, Target.
// Source: Kamon & Rivlin 1997, "Sensory-based motion planning with global proofs" (DistBug),
// with the look ahead of TangentBug (Kamon, Rimon, Rivlin 1998); how the boundary is found is ours.
type BoundaryFollowing struct {
	Obstacles *sense.Obstacles // the snapshot to look into, of a frame that runs before; nil: that of the same frame

	obstacleReach
	pos    frame.In[c.Position]
	dest   frame.In[c.Destination]
	radius frame.In[c.Radius]
	agent  frame.In[c.Agent]
	follow frame.Out[c.BoundaryFollowing]
	target frame.Out[c.Target]
}

// boundaryEvery is how many steps are between two looks of an agent that follows a boundary; with nothing in
// its way it looks half as often.
const boundaryEvery = 4

func (s *BoundaryFollowing) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.dest)
	n.Optional(&s.radius, &s.agent)
	n.Write(&s.follow, &s.target)
	n.Scratch(&s.seen)
	n.Once()
}

// Attach finds the obstacles.
func (s *BoundaryFollowing) Attach(f *frame.Frame, _ *ecs.World) {
	s.find(f, s, s.Obstacles)
}

func (s *BoundaryFollowing) Run(b *frame.Batch) {
	pos, dest, radius, agent := s.pos.Of(b), s.dest.Of(b), s.radius.Of(b), s.agent.Of(b)
	follow, target, seen := s.follow.Of(b), s.target.Of(b), s.seen.Of(b)
	for i := range pos {
		par, x, p, to := &follow[i], &follow[i].Memory, pos[i].Vec, dest[i].Vec
		target[i].Vec = to
		if !vec.Finite(p) || !vec.Finite(to) || s.index(s.Obstacles).Len() == 0 || !(par.Range > 0) {
			x.State = c.BoundaryNone
			continue
		}
		if dest[i].Direct || (x.State != c.BoundaryNone || x.Tight) && !near(x.To, to, p) {
			x.State, x.Tight = c.BoundaryNone, false
		}
		if !dest[i].Direct {
			body := bodyFor(s.index(s.Obstacles), max(bodyOf(radius, i)+par.Clearance, 0), roomOf(x), par.Range)
			follower := boundaryFollower{body, x, to}
			every := uint64(boundaryEvery)
			if x.State == c.BoundaryNone {
				every *= 2
			}
			if (b.Tick+b.ID(agent, i))%every == 0 || follower.urgent(p) {
				seen.look(float64(par.Range/2) + body.radius)
				follower.look(p, boundaryEvery*b.Dt)
			}
		}
		if x.State == c.BoundaryFollowed || x.State == c.BoundaryUnreachable {
			target[i].Vec = toward(p, x.Aim, to)
		}
	}
}

// toward returns the point in the direction of a place by which the way leads, as far away as the
// whole way is long at least.
func toward(p, by, to r2.Vec) r2.Vec {
	way := vec.Sub(by, p)
	far := vec.AddScaled(by, vec.Norm(vec.Sub(to, by)), vec.Unit(way))
	if !vec.Finite(far) {
		return by
	}
	return far
}

var boundaryFollowingEntry = catalog.Of(catalog.Entry{
	Name: "boundary-following", Text: "go straight to the destination, and along the boundary of what is in the way, on a side that is chosen once",
	Source: `Kamon & Rivlin 1997, "Sensory-based motion planning with global proofs"`,
	Needs:  []any{c.Target{}, c.Destination{}},
	System: func(o catalog.Options) any {
		return &BoundaryFollowing{Obstacles: catalog.Get[*sense.Obstacles](o)}
	}, Phase: catalog.Steer,
	Does:    catalog.SetsTarget | catalog.FindsWay | catalog.SeesObstacles,
	Laws:    catalog.AllLaws,
	Special: true,
	Doing:   "following a boundary", While: frame.While1(func(b *c.BoundaryFollowing) bool { return b.Memory.State >= c.BoundaryFollowed }),
}, func(b *c.BoundaryFollowing) []catalog.Param {
	return []catalog.Param{
		catalog.Number("clearance", &b.Clearance, "m", "kept from obstacles beside the body, at least").Or(0.),
		catalog.Number("range", &b.Range, "m", "how far it looks ahead, and along boundaries").Or(DefaultBoundaryRange).Pausing(),
	}
})
