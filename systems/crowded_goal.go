package systems

import (
	"cmp"
	"math"
	"slices"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/systems/sense"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// CrowdedGoal lets agents stop at a goal that is full. An agent that has made no progress for Patience
// seconds stops if one of these is true:
//
//   - It is within Goal.Radius of the goal.
//   - It touches the goal, or an obstacle that covers the goal.
//   - It touches an agent that has arrived or stopped at the same goal, is in sight, and is within 60° of
//     straight ahead.
//   - The bodies of nearer agents with the same goal cover the fraction Share of the disc around the goal
//     that touches the agent, or of the part of that disc in sight of the goal.
//
// Touching means being at most a quarter of the agent's radius away. After four times Patience, it means at
// most the radius away, in any direction; then the agent also stops if it is no farther from the goal than an
// agent that has arrived or stopped.
//
// A stopped agent's Destination, or else its Target, is its own position, even if the agent is pushed, until
// the agent gets another destination. A stopped agent inside an obstacle leaves it by the shortest path.
//
// Goals are the same if they are equal to the last bit, or are the same box of a field. An agent with
// FlowField stays until its field leads elsewhere. CrowdedGoal ignores agents with Path, Itinerary or
// Follow, and those with FlowField in a frame without FlowFieldFollowing.
//
// Reads Position, Goal and, if present, Radius, Agent, FlowField and Obstacles. Writes CrowdedGoal,
// Target, and Destination if present.
//
// Source: ours.
type CrowdedGoal struct {
	Obstacles *sense.Obstacles // nil means those of the same frame, if any

	rows frame.Walk
	walk goalRows
}

type goalRows struct {
	sees     *sense.Obstacles    // nil means none
	fields   *FlowFieldFollowing // nil means none
	pos      frame.In[c.Position]
	radius   frame.In[c.Radius]
	agent    frame.In[c.Agent]
	goal     frame.In[c.Goal]
	it       frame.In[c.Itinerary]
	path     frame.In[c.Path]
	flow     frame.In[c.FlowField]
	follow   frame.In[c.Follow]
	crowded  frame.Out[c.CrowdedGoal]
	target   frame.Out[c.Target]
	dest     frame.Out[c.Destination]
	visitors []visitor
	widest   float64 // m, maximum radius of the visitors
}

type visitor struct {
	goal     r2.Vec  // m
	distance float64 // m, to the goal
	id       uint64
	radius   float64 // m
	at       r2.Vec  // m
	waits    bool    // not settled, and no progress for Patience seconds
	late     bool    // no progress for four times Patience
	rests    bool    // it has arrived or settled
	ahead    r2.Vec  // direction in which it goes
	to       *r2.Vec // its Destination or Target
	crowded  *c.CrowdedGoal
}

func (s *CrowdedGoal) Attach(f *frame.Frame, w *ecs.World) {
	if s.walk.sees = s.Obstacles; s.walk.sees == nil {
		s.walk.sees, _ = frame.Find[*sense.Obstacles](f)
	}
	s.walk.fields, _ = frame.Find[*FlowFieldFollowing](f)
	s.rows.Attach(f, w, &s.walk)
}

func (s *CrowdedGoal) Detach(w *ecs.World) { s.rows.Detach(w) }

// Observe stops agents at full goals, every 8 steps.
func (s *CrowdedGoal) Observe(w *ecs.World) {
	const every = 8 // steps
	if frame.ClockOf(w).Tick%every != 0 {
		return
	}
	s.walk.visitors, s.walk.widest = s.walk.visitors[:0], 0
	s.rows.RunThen(w, s.settle)
}

func (s *goalRows) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.goal)
	n.Optional(&s.radius, &s.agent, &s.it, &s.path, &s.flow, &s.follow, &s.dest)
	n.Write(&s.crowded, &s.target)
}

func (s *goalRows) Run(b *frame.Batch) {
	flow := s.flow.Of(b)
	if s.it.Of(b) != nil || s.path.Of(b) != nil || s.follow.Of(b) != nil || flow != nil && s.fields == nil {
		return
	}
	pos, radius, arrived := s.pos.Of(b), s.radius.Of(b), s.goal.Of(b)
	agent, crowded, target, dest := s.agent.Of(b), s.crowded.Of(b), s.target.Of(b), s.dest.Of(b)
	for i := range pos {
		if !vec.Finite(pos[i].Vec) {
			continue
		}
		x := &crowded[i]
		v := visitor{at: pos[i].Vec, id: b.ID(agent, i), to: &target[i].Vec, crowded: x}
		if radius != nil {
			v.radius = radius[i].Meters
		}
		if dest != nil {
			v.to = &dest[i].Vec
		}
		goal, stays, nearest := *v.to, *v.to == x.Place, *v.to
		if flow != nil {
			box := s.fields.fields.Goal(flow[i].Index, v.at)
			goal, nearest = vec.Add(box.Min, vec.Scale(0.5, vec.Sub(box.Max, box.Min))), vec.Clamp(v.at, box)
			stays = goal == x.Goal
		}
		sent := goal != x.Goal || x.Nearest == 0
		if x.Settled {
			sent = !stays
		}
		if sent {
			x.Settled, x.Goal, x.Nearest = false, goal, math.MaxFloat64
		}
		if x.Settled {
			x.Place = s.outside(v.at, v.radius)
			*v.to, nearest = x.Place, x.Goal
		}
		v.goal = x.Goal
		if v.distance = vec.Norm(vec.Sub(v.at, nearest)); !(v.distance <= math.MaxFloat64) {
			continue
		}
		to := vec.Sub(target[i].Vec, v.at)
		v.ahead = vec.Unit(to)
		if way := vec.Norm(to); way < x.Nearest-float64(v.radius/2) { // along the route around obstacles, if the agent has one
			x.Nearest, x.Since = max(way, math.SmallestNonzeroFloat64), b.Time
		}
		v.rests = x.Settled || arrived[i].Inside
		v.waits = !x.Settled && b.Time-x.Since >= x.Patience
		v.late = b.Time-x.Since >= lateAfter*x.Patience
		s.visitors, s.widest = append(s.visitors, v), max(s.widest, v.radius)
	}
}

// outside returns p or, if p is inside an obstacle, the position at which a body touches the obstacle from
// outside.
func (s *goalRows) outside(p r2.Vec, radius float64) r2.Vec {
	if s.sees != nil {
		if hit, in := s.sees.Nearest(p, 0); in && hit.Distance < 0 {
			return vec.AddScaled(hit.Contact, radius, hit.Normal)
		}
	}
	return p
}

func (s *CrowdedGoal) settle() {
	all := s.walk.visitors
	slices.SortFunc(all, func(a, b visitor) int {
		return cmp.Or(cmp.Compare(a.goal.X, b.goal.X), cmp.Compare(a.goal.Y, b.goal.Y), cmp.Compare(a.distance, b.distance), cmp.Compare(a.id, b.id))
	})
	covered := 0. // m², area covered by nearer agents, divided by π
	room, farthest := free{in: s.walk.sees}, 0.
	for i := range all {
		v := &all[i]
		if i == 0 || v.goal != all[i-1].goal {
			covered, room, farthest = 0, free{in: s.walk.sees, goal: v.goal}, 0
			for k := i; k < len(all) && all[k].goal == v.goal; k++ {
				if all[k].rests {
					farthest = all[k].distance
				}
			}
		}
		if v.waits && (v.late && v.distance <= farthest || s.walk.touches(i) || full(covered, max(v.distance-v.radius, 0), v.crowded.Share, &room)) {
			v.crowded.Settled, v.crowded.Place = true, v.at
			*v.to = v.at
		}
		covered += float64(v.radius * v.radius)
	}
}

const (
	touchReach, lateReach = 1.25, 2. // radii
	touchAhead            = 0.5      // cosine
	lateAfter             = 4        // multiple of Patience
)

// touches reports whether a visitor has arrived, or touches its goal, an obstacle that covers the goal, or
// an agent that rests at the same goal.
func (s *goalRows) touches(i int) bool {
	v := &s.visitors[i]
	reach, least := touchReach*v.radius, touchAhead
	if v.late {
		reach, least = lateReach*v.radius, -2
	}
	if v.rests || v.distance <= reach {
		return true
	}
	if s.sees != nil {
		if over, is := s.sees.Inside(v.goal); is {
			if hit, near := s.sees.Nearest(v.at, reach); near && hit.Obstacle == over {
				return true
			}
		}
	}
	near := func(k int) bool { // agents that v can touch are at a similar distance from the goal
		return s.visitors[k].goal == v.goal && math.Abs(s.visitors[k].distance-v.distance) <= reach+s.widest
	}
	for k := i - 1; k >= 0 && near(k); k-- {
		if s.meets(v, &s.visitors[k], reach, least) {
			return true
		}
	}
	for k := i + 1; k < len(s.visitors) && near(k); k++ {
		if s.meets(v, &s.visitors[k], reach, least) {
			return true
		}
	}
	return false
}

// meets reports whether o rests in sight and ahead of v, and the surface of o is at most reach from the
// center of v. The parameter least is the minimum cosine of the angle to straight ahead.
func (s *goalRows) meets(v, o *visitor, reach, least float64) bool {
	to := vec.Sub(o.at, v.at)
	if !o.rests || vec.Norm(to) > reach+o.radius || vec.Dot(vec.Unit(to), v.ahead) < least {
		return false
	}
	if s.sees == nil {
		return true
	}
	_, hit := s.sees.Ray(v.at, vec.Unit(to), vec.Norm(to))
	return !hit
}

// full reports whether the fraction share of a disc, or of its part in sight of the goal, is covered. The
// parameter covered is an area divided by π.
func full(covered, radius, share float64, room *free) bool {
	want := share * radius * radius
	return covered >= want || covered >= float64(want*room.share(radius))
}

// free computes the fraction of a disc around a goal that is in sight of the goal.
type free struct {
	in     *sense.Obstacles
	goal   r2.Vec
	radius float64 // m, of the last disc
	part   float64 // fraction of the last disc
}

// share returns the fraction of a disc in sight, but at least 0.1. It samples a grid again only after the
// disc has grown by more than a quarter.
func (f *free) share(radius float64) float64 {
	if f.in == nil || radius == 0 {
		return 1
	}
	if f.part > 0 && radius <= 1.25*f.radius {
		return f.part
	}
	const n = 4 // points per half axis
	all, seen := 0, 0
	for i := -n; i <= n; i++ {
		for k := -n; k <= n; k++ {
			way := r2.Vec{X: radius / n * float64(i), Y: radius / n * float64(k)}
			length := vec.Norm(way)
			if length == 0 || length > radius {
				continue
			}
			all++
			if _, hit := f.in.Ray(f.goal, vec.Scale(1/length, way), length); !hit {
				seen++
			}
		}
	}
	const least = 0.1
	f.radius, f.part = radius, max(float64(seen)/float64(all), least)
	return f.part
}

var crowdedGoalEntry = catalog.Of(catalog.Entry{
	Name: "crowded-goal", Text: "stop short of a goal that other agents fill",
	Source: "ours",
	Needs:  []any{c.Target{}, c.Goal{}},
	System: func(o catalog.Options) any { return &CrowdedGoal{Obstacles: catalog.Get[*sense.Obstacles](o)} }, Phase: catalog.Observe,
	Does: catalog.SeesObstacles, Laws: catalog.AllLaws,
	Doing: "waiting at a full goal", While: frame.While1(func(g *c.CrowdedGoal) bool { return g.Settled }),
}, func(b *c.CrowdedGoal) []catalog.Param {
	return []catalog.Param{
		catalog.Number("share", &b.Share, "", "share of the disc around the goal, out to the agent, that others must cover").Or(0.3),
		catalog.Number("patience", &b.Patience, "s", "time without progress after which the agent may stop").Or(2.),
	}
})
