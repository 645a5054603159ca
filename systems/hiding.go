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

// Hiding steers each agent to the nearest place where an obstacle hides it from a pursuer, and slows the
// agent down there. As seen from the pursuer, the place is behind an obstacle within Range of the agent, with
// a gap of at least Distance between the obstacle and the body. Places nearer to the pursuer than to the
// agent, or where the body would overlap an obstacle, do not count. If there is no such place, the agent
// evades the pursuer.
//
// Hiding itself tracks the pursuer. It adds no force while the pursuer is unseen, dead or beyond the Radius
// of the Hiding component.
//
// Reads Position, Velocity, Limits, Obstacles, the pursuer's Position and Velocity and, if present, Radius
// and Heading. Writes Hiding. Adds to Steering.
//
// Source: Buckland 2005, "Programming Game AI by Example", "hide".
type Hiding struct {
	Obstacles  *sense.Obstacles // of an earlier frame; nil means those of the same frame
	Prediction Prediction       // of the pursuer's position

	obstacleIndex
	from    tracking[c.Hiding]
	pos     frame.In[c.Position]
	vel     frame.In[c.Velocity]
	limits  frame.In[c.Limits]
	par     frame.In[c.Hiding]
	radius  frame.In[c.Radius]
	heading frame.In[c.Heading]
	steer   frame.Out[c.Steering]
}

func (s *Hiding) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.limits, &s.par)
	n.Optional(&s.radius, &s.heading)
	n.Add(&s.steer)
	n.Once()
}

func (s *Hiding) Attach(f *frame.Frame, w *ecs.World) {
	s.find(f, s, s.Obstacles)
	s.from.attach(f, w, func(b *c.Hiding, t *tracker) { b.From = t.track(b.From) })
}

func (s *Hiding) Detach(w *ecs.World) {
	s.from.detach(w)
	s.obstacleIndex.Detach(w)
}

func (s *Hiding) Sense(w *ecs.World) { s.from.sense(w) }

func (s *Hiding) Run(b *frame.Batch) {
	pos, vel, limits, par, steer := s.pos.Of(b), s.vel.Of(b), s.limits.Of(b), s.par.Of(b), s.steer.Of(b)
	radius, heading := s.radius.Of(b), s.heading.Of(b)
	for i := range pos {
		h, p, v, maxSpeed := &par[i], pos[i].Vec, vel[i].Vec, limits[i].MaxSpeed
		if !hides(h, p) {
			continue
		}
		var e r2.Vec
		if place, ok := s.index(s.Obstacles).Cover(p, h.From.At, bodyOf(radius, i), h.Distance, h.Range); ok {
			to := vec.Sub(place, p)
			e = arrive(to, vec.Norm(to), v, maxSpeed, h.SlowingRadius)
		} else {
			away := s.Prediction.away(vec.Sub(h.From.At, p), v, h.From.Velocity, maxSpeed, h.Horizon)
			if away == (r2.Vec{}) {
				away = facing(vel, heading, i)
			}
			e = flee(away, v, maxSpeed)
		}
		steer[i].Vec = vec.AddScaled(steer[i].Vec, h.Gain, e)
	}
}

func hides(h *c.Hiding, p r2.Vec) bool { return h.From.Seen && inZone(p, h.From.At, h.Radius) }

var hidingEntry = catalog.Of(catalog.Entry{
	Name: "hiding", Text: "hide behind an obstacle from a pursuer, or else evade the pursuer",
	Source: `Buckland 2005, "Programming Game AI by Example", "hide"`,
	Needs:  []any{c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(o catalog.Options) any {
		return &Hiding{Obstacles: catalog.Get[*sense.Obstacles](o), Prediction: settings(o).Prediction}
	}, Phase: catalog.Steer,
	Does: catalog.Steers | catalog.SeesObstacles, Priority: 62, Laws: catalog.AllLaws,
	Doing: "hiding", While: frame.While2(func(p *c.Position, h *c.Hiding) bool { return hides(h, p.Vec) }),
	Check: func(b any) (string, string) { return checkTracked("from ", &b.(*c.Hiding).From) },
}, func(b *c.Hiding) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		catalog.Entity("from", &b.From.Entity, "entity to hide from: \"pointer\", or the name of a group"),
		catalog.Number("radius", &b.Radius, "m", "distance to the pursuer within which the agent hides; 0 means any distance").Or(0.),
		catalog.Number("range", &b.Range, "m", "maximum distance to obstacles").Blinding(),
		catalog.Number("distance", &b.Distance, "m", "minimum distance between the surfaces of the obstacle and the body").Or(0.5),
		predicted(&b.Horizon),
		slowingRadius(&b.SlowingRadius),
	}
})

// Interpose steers each agent to the midpoint between the future positions of two other entities, and slows
// the agent down there. With v the agent's velocity, q the midpoint of their positions, w the mean of their
// velocities and T the predicted time, at most the horizon:
//
//	desired = arrival at q + w·T; steering = desired - v
//
// Interpose itself tracks both entities. It adds no force while one of them is unseen or dead.
//
// Reads Position, Velocity, Limits, and Position and Velocity of both entities. Writes Interpose.
// Adds to Steering.
//
// Source: Buckland 2005, "Programming Game AI by Example", "interpose"; the time is computed as for
// Pursuit.
type Interpose struct {
	Prediction Prediction // of the time T

	two    tracking[c.Interpose]
	pos    frame.In[c.Position]
	vel    frame.In[c.Velocity]
	limits frame.In[c.Limits]
	par    frame.In[c.Interpose]
	steer  frame.Out[c.Steering]
}

func (s *Interpose) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.limits, &s.par)
	n.Add(&s.steer)
	n.Once()
}

func (s *Interpose) Attach(f *frame.Frame, w *ecs.World) {
	s.two.attach(f, w, func(b *c.Interpose, t *tracker) { b.First, b.Second = t.track(b.First), t.track(b.Second) })
}

func (s *Interpose) Detach(w *ecs.World) { s.two.detach(w) }

func (s *Interpose) Sense(w *ecs.World) { s.two.sense(w) }

func (s *Interpose) Run(b *frame.Batch) {
	pos, vel, limits, par, steer := s.pos.Of(b), s.vel.Of(b), s.limits.Of(b), s.par.Of(b), s.steer.Of(b)
	for i := range pos {
		first, second := &par[i].First, &par[i].Second
		if !first.Seen || !second.Seen {
			continue
		}
		p, v, maxSpeed := pos[i].Vec, vel[i].Vec, limits[i].MaxSpeed
		to := vec.Sub(middle(first.At, second.At), p)
		lead := s.Prediction.lead(to, v, middle(first.Velocity, second.Velocity), maxSpeed, par[i].Horizon)
		e := arrive(lead, vec.Norm(lead), v, maxSpeed, par[i].SlowingRadius)
		steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
	}
}

func middle(a, b r2.Vec) r2.Vec { return vec.Add(vec.Scale(0.5, a), vec.Scale(0.5, b)) }

var interposeEntry = catalog.Of(catalog.Entry{
	Name: "interpose", Text: "steer to the midpoint between two other entities",
	Source: `Buckland 2005, "Programming Game AI by Example", "interpose"`,
	Needs:  []any{c.Limits{}}, Adds: []any{c.Steering{}},
	System: func(o catalog.Options) any { return &Interpose{Prediction: settings(o).Prediction} }, Phase: catalog.Steer,
	Does: catalog.Steers, Priority: 95, Laws: catalog.AllLaws,
	Doing: "interposing", While: frame.While1(func(b *c.Interpose) bool { return b.First.Seen && b.Second.Seen }),
	Check: func(component any) (key, problem string) {
		b := component.(*c.Interpose)
		if key, problem = checkTracked("first ", &b.First); problem != "" {
			return key, problem
		}
		return checkTracked("second ", &b.Second)
	},
}, func(b *c.Interpose) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		catalog.Entity("first", &b.First.Entity, "one of the two entities: \"pointer\", or the name of a group"),
		catalog.Entity("second", &b.Second.Entity, "the other entity"),
		predicted(&b.Horizon),
		slowingRadius(&b.SlowingRadius),
	}
})
