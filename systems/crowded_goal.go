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

// CrowdedGoal lets agents arrive at a goal that is full: who has not come closer for Patience
// seconds stays where it is, if the disc between it and the goal is full. So a throng stands around
// the point, and nobody pushes for ever. The disc has the goal in its center and touches the
// agent; it is full if the bodies of others with the same goal cover Share of it, or of what is in
// sight of the goal where obstacles hide the rest. Its Destination, or else its Target, is then
// the place where it stands, until it is given another one.
//
// Agents have the same goal if it is the same point to the last bit. Those whose Target another
// behavior sets in each step, such as an Itinerary or a FlowField, are left alone. All are looked at
// every 8 steps, at the end of the step.
//
// Reads Position, Radius, Goal, and Obstacles if there are any. Writes CrowdedGoal, Target, and
// Destination if there is one.
// Source: ours.
type CrowdedGoal struct {
	Obstacles *sense.Obstacles // nil: those of the same frame, if there are any

	rows frame.Walk
	walk goalRows
	sees *sense.Obstacles
}

// goalRows walks over the agents, and lists those that go to a point.
type goalRows struct {
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
}

// visitor is an agent on its way to a goal, or at it.
type visitor struct {
	goal     r2.Vec  // m
	distance float64 // m, to the goal
	id       uint64
	radius   float64 // m
	at       r2.Vec  // m
	waits    bool    // it has not come closer for long
	to       *r2.Vec // its Destination or Target
	crowded  *c.CrowdedGoal
}

// Attach registers the walk over those who go to a goal.
func (s *CrowdedGoal) Attach(f *frame.Frame, w *ecs.World) {
	if s.sees = s.Obstacles; s.sees == nil {
		s.sees, _ = frame.Find[*sense.Obstacles](f)
	}
	s.rows.Attach(f, w, &s.walk)
}

// Detach gives back what Attach took.
func (s *CrowdedGoal) Detach(w *ecs.World) { s.rows.Detach(w) }

// Observe lets those stay who can't come closer.
func (s *CrowdedGoal) Observe(w *ecs.World) {
	const every = 8 // steps
	if frame.ClockOf(w).Tick%every != 0 {
		return
	}
	s.walk.visitors = s.walk.visitors[:0]
	s.rows.RunThen(w, s.settle)
}

func (s *goalRows) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.goal)
	n.Optional(&s.radius, &s.agent, &s.it, &s.path, &s.flow, &s.follow, &s.dest)
	n.Write(&s.crowded, &s.target)
}

func (s *goalRows) Run(b *frame.Batch) {
	if s.it.Of(b) != nil || s.path.Of(b) != nil || s.flow.Of(b) != nil || s.follow.Of(b) != nil {
		return
	}
	pos, radius, goal := s.pos.Of(b), s.radius.Of(b), s.goal.Of(b)
	agent, crowded, target, dest := s.agent.Of(b), s.crowded.Of(b), s.target.Of(b), s.dest.Of(b)
	for i := range pos {
		x := &crowded[i]
		v := visitor{at: pos[i].Vec, id: b.ID(agent, i), to: &target[i].Vec, crowded: x}
		if radius != nil {
			v.radius = radius[i].Meters
		}
		if dest != nil {
			v.to = &dest[i].Vec
		}
		if x.Settled = x.Settled && *v.to == x.Place; !x.Settled && *v.to != x.Goal { // it has a new goal
			x.Goal, x.Nearest = *v.to, math.MaxFloat64
		}
		v.goal = x.Goal
		if v.distance = vec.Norm(vec.Sub(v.at, v.goal)); !(v.distance <= math.MaxFloat64) {
			continue
		}
		if v.distance < x.Nearest-float64(v.radius/2) {
			x.Nearest, x.Since = v.distance, b.Time
		}
		v.waits = !x.Settled && !goal[i].Inside && b.Time-x.Since >= x.Patience
		s.visitors = append(s.visitors, v)
	}
}

// settle goes over those with the same goal, the nearest first.
func (s *CrowdedGoal) settle() {
	all := s.walk.visitors
	slices.SortFunc(all, func(a, b visitor) int {
		return cmp.Or(cmp.Compare(a.goal.X, b.goal.X), cmp.Compare(a.goal.Y, b.goal.Y), cmp.Compare(a.distance, b.distance), cmp.Compare(a.id, b.id))
	})
	covered := 0. // m², and by π, by those that are nearer
	room := free{in: s.sees}
	for i := range all {
		v := &all[i]
		if i == 0 || v.goal != all[i-1].goal {
			covered, room = 0, free{in: s.sees, goal: v.goal}
		}
		if v.waits && full(covered, max(v.distance-v.radius, 0), v.crowded.Share, &room) {
			v.crowded.Settled, v.crowded.Place = true, v.at
			*v.to = v.at
		}
		covered += float64(v.radius * v.radius)
	}
}

// full tells whether a share of the disc with this radius is covered, where the area that is covered is
// divided by π.
func full(covered, radius, share float64, room *free) bool {
	want := share * radius * radius
	return covered >= want || covered >= float64(want*room.share(radius))
}

// free is how much of the discs around a goal is in sight of it.
type free struct {
	in     *sense.Obstacles
	goal   r2.Vec
	radius float64 // m, of the disc that was looked at last
	part   float64 // of it
}

// share returns that of a disc. It looks at points on a grid, and again only when the disc has
// grown by a quarter.
func (f *free) share(radius float64) float64 {
	if f.in == nil || radius == 0 {
		return 1
	}
	if f.part > 0 && radius <= 1.25*f.radius {
		return f.part
	}
	const n = 4 // points to each side
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
	Name: "crowded-goal", Text: "arrive where it stands when others fill the goal",
	Source: "ours",
	Needs:  []any{c.Target{}, c.Goal{}},
	System: func(o catalog.Options) any { return &CrowdedGoal{Obstacles: catalog.Get[*sense.Obstacles](o)} }, Phase: catalog.Observe,
	Does: catalog.SeesObstacles, Laws: catalog.AllLaws,
	Doing: "waiting at a full goal", While: frame.While1(func(g *c.CrowdedGoal) bool { return g.Settled }),
}, func(b *c.CrowdedGoal) []catalog.Param {
	return []catalog.Param{
		catalog.Number("share", &b.Share, "", "of the disc between it and the goal that is covered when the goal is full").Or(0.3),
		catalog.Number("patience", &b.Patience, "s", "for which it has not come closer").Or(2.),
	}
})
