package systems

import (
	"math"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// boundaryBody explores obstacles by rolling a disc along them. Obstacles between which the disc does
// not fit count as one.
type boundaryBody struct {
	obstacles *sense.Obstacles
	radius    float64 // m, of the disc
	gap       float64 // m, from the disc to what it touches
	step      float64 // m, of a roll
	sight     float64 // m, range of sight
}

// The disc is slightly larger than the body, so the body has room wherever the disc rolls. The minimum
// size ensures that rolling ends.
const (
	boundaryRoom  = 1.05     // radius of the disc, in body radii
	boundaryTight = 1.002    // the same, in narrow gaps
	boundaryBerth = 0.3      // distance from the boundary where there is room, in disc radii
	boundarySight = 0.97     // radius of the disc that tests for sight, in disc radii
	boundaryLeast = 1. / 200 // minimum radius of the disc, in ranges of sight
)

func bodyFor(obstacles *sense.Obstacles, radius, room, sight float64) boundaryBody {
	r := max(float64(room*radius), float64(boundaryLeast*sight))
	return boundaryBody{obstacles, r, 1e-3 * r, 0.5 * r, sight}
}

// roll returns the next boundary point, a step away or at an obstacle ahead. If left is true, the disc
// rolls to the left of an agent that faces the boundary. roll returns false if there is nothing to roll
// on.
//
// With a step of half a radius, the disc never skips a gap that it fits in. Near another obstacle, steps are
// shorter, because the disc swings out around corners.
func (d *boundaryBody) roll(from c.BoundaryPoint, left bool) (to c.BoundaryPoint, ok bool) {
	way := vec.Right(from.Normal)
	if left {
		way = vec.Left(from.Normal)
	}
	way = vec.Scale(-1, way) // the normal is behind an agent that faces the obstacle
	step := d.step
	if hit, ok := d.obstacles.Sweep(from.At, way, step, d.radius); ok {
		short := step / 8
		if hit.Distance <= short {
			return d.touch(from, vec.AddScaled(from.At, hit.Distance, way), hit.Normal), true
		}
		step = max(short, hit.Distance/2)
	}
	at := vec.AddScaled(from.At, step, way)
	down := vec.Scale(-1, from.Normal)
	hit, ok := d.obstacles.Sweep(at, down, d.radius, d.radius)
	if !ok {
		return from, false
	}
	return d.touch(from, vec.AddScaled(at, hit.Distance, down), hit.Normal), true
}

func (d *boundaryBody) touch(from c.BoundaryPoint, at, normal r2.Vec) c.BoundaryPoint {
	at = vec.AddScaled(at, d.gap, normal)
	return c.BoundaryPoint{At: at, Normal: normal, Along: from.Along + vec.Norm(vec.Sub(at, from.At)), Known: from.Known}
}

// beside returns the point to which the body goes: a short distance off the boundary, or in the middle of a
// narrow gap.
func (d *boundaryBody) beside(x *c.BoundaryPoint) r2.Vec {
	berth := float64(boundaryBerth * d.radius)
	if hit, ok := d.obstacles.Sweep(x.At, x.Normal, 2*berth, d.radius); ok {
		berth = hit.Distance / 2
	}
	return vec.AddScaled(x.At, berth, x.Normal)
}

type lookAhead struct {
	free  bool            // no obstacle is in sight, or only one so near the end that no detour is worthwhile
	rest  float64         // m, from the last position seen to the end; 0 if no detour is worthwhile
	first c.BoundaryPoint // where the disc is blocked, if the path is not free
}

func (d *boundaryBody) ahead(from, to r2.Vec) lookAhead {
	way := vec.Sub(to, from)
	length := vec.Norm(way)
	dir := vec.Unit(way)
	hit, ok := d.obstacles.Sweep(from, dir, min(length, d.sight), d.radius)
	if !ok {
		return lookAhead{free: true, rest: max(length-d.sight, 0)}
	}
	at := vec.AddScaled(from, hit.Distance, dir)
	// A destination behind the obstacle is at least two radii beyond the hit.
	if rest := length - hit.Distance; rest < 2*d.radius {
		return lookAhead{free: true}
	}
	first := d.touch(c.BoundaryPoint{At: at}, at, hit.Normal)
	first.Along = 0
	return lookAhead{rest: vec.Norm(vec.Sub(to, first.At)), first: first}
}

// sees reports whether a disc of radius share·d.radius can move straight between two positions.
func (d *boundaryBody) sees(from, to r2.Vec, share float64) bool {
	way := vec.Sub(to, from)
	length := vec.Norm(way)
	_, hit := d.obstacles.Sweep(from, vec.Unit(way), length, share*d.radius)
	return !hit
}

// fit returns a position near p at which the disc fits, preferably beyond p as seen from the destination. It
// returns false if it finds none.
func (d *boundaryBody) fit(p, to r2.Vec) (r2.Vec, bool) {
	near, ok := d.obstacles.Nearest(p, d.radius)
	if !ok {
		return p, true
	}
	q := p
	for range 3 {
		move := d.radius + d.gap - near.Distance
		if near.Distance > 0 && d.blocked(q, near.Normal, move) {
			break
		}
		q = vec.AddScaled(q, move, near.Normal)
		if near, ok = d.obstacles.Nearest(q, d.radius); !ok {
			return q, true
		}
	}
	back := vec.Unit(vec.Sub(p, to))
	const half = math.Sqrt2 / 2
	for _, far := range [...]float64{1, 2} {
		for _, turn := range [...]r2.Vec{{X: 1}, {X: half, Y: half}, {X: half, Y: -half}, {Y: 1}, {Y: -1}, {X: -half, Y: half}, {X: -half, Y: -half}, {X: -1}} {
			dir := vec.Rotate(back, turn.X, turn.Y)
			if q := vec.AddScaled(p, float64(far*d.radius), dir); !d.blocked(p, dir, far*d.radius) {
				if _, ok := d.obstacles.Nearest(q, d.radius); !ok {
					return q, true
				}
			}
		}
	}
	return p, false
}

func (d *boundaryBody) blocked(p, dir r2.Vec, length float64) bool {
	_, hit := d.obstacles.Ray(p, dir, length)
	return hit
}

// BoundaryFollowing leads each agent to its Destination without a map. The agent remembers only the
// obstacle in its way.
//
// An agent goes straight until it sees an obstacle. Then it explores the boundary on both sides, up to
// Range, and picks the side with the shorter path along the boundary and straight on from there. It
// follows that side until, by a small margin,
//
//	distance from here to the Destination - free distance in that direction < d
//
// where d is the distance to the Destination from the nearest boundary point so far. So each obstacle that
// the agent meets is nearer to the Destination than all earlier ones. An agent on its own arrives if there is
// a path.
//
// Obstacles count as one if the body and its clearance, enlarged by 5% and to a radius of at least Range/200,
// do not fit between them. After a tour around the obstacle, the agent tries again with 0.2% instead of 5%.
// After another tour, it assumes that there is no path, goes to the point of the boundary nearest to the
// Destination, and starts again after half a minute.
//
// An agent queries the index of obstacles at most 80 times per step, and usually only in every 4th or
// 8th step.
//
// Reads Position, Destination, Obstacles and, if present, Radius and Agent. Writes
// BoundaryFollowing, Target.
//
// Source: Kamon & Rivlin 1997, "Sensory-based motion planning with global proofs" (DistBug), with the
// look-ahead of TangentBug (Kamon, Rimon, Rivlin 1998); the method of finding the boundary is ours.
type BoundaryFollowing struct {
	Obstacles *sense.Obstacles // of an earlier frame; nil means those of the same frame

	obstacleReach
	pos    frame.In[c.Position]
	dest   frame.In[c.Destination]
	radius frame.In[c.Radius]
	agent  frame.In[c.Agent]
	follow frame.Out[c.BoundaryFollowing]
	target frame.Out[c.Target]
}

// boundaryEvery is the number of steps between checks along a boundary. An agent that goes straight checks half
// as often; one that chooses a side, or is near its Aim, checks in each step.
const boundaryEvery = 4

func (s *BoundaryFollowing) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.dest)
	n.Optional(&s.radius, &s.agent)
	n.Write(&s.follow, &s.target)
	n.Scratch(&s.seen)
	n.Once()
}

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
			x.State = c.BoundaryStraight
			continue
		}
		if dest[i].Direct || (x.State != c.BoundaryStraight || x.Tight) && !near(x.To, to, p) {
			x.State, x.Tight = c.BoundaryStraight, false
		}
		if !dest[i].Direct {
			body := bodyFor(s.index(s.Obstacles), max(bodyOf(radius, i)+par.Clearance, 0), roomOf(x), par.Range)
			follower := boundaryFollower{body, x, to}
			every := uint64(boundaryEvery)
			if x.State == c.BoundaryStraight {
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

// toward returns the point on the ray from p through the point by, at the distance |by-p| + |to-by| from p,
// or the point by if the result is not finite.
func toward(p, by, to r2.Vec) r2.Vec {
	way := vec.Sub(by, p)
	far := vec.AddScaled(by, vec.Norm(vec.Sub(to, by)), vec.Unit(way))
	if !vec.Finite(far) {
		return by
	}
	return far
}

var boundaryFollowingEntry = catalog.Of(catalog.Entry{
	Name: "boundary-following", Text: "go straight to the destination, and along the boundary of an obstacle in the way, on a side that is chosen once",
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
		catalog.Number("clearance", &b.Clearance, "m", "minimum distance kept between obstacles and the body").Or(0.),
		catalog.Number("range", &b.Range, "m", "range of the search ahead and along boundaries").Or(10.).Pausing(),
	}
})
