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

// Containment keeps the body of each agent in the box of its Containment, and off obstacles. The gap to
// each side of the box, and to the surface that the body would touch first, must not close in less than
// the horizon:
//
//	outward speed ≤ gap / Horizon; steering = the excess speed, inward
//
// An agent outside, where the gap is negative, returns within the horizon, but not faster than MaxSpeed. With
// gain g and mass m, an agent does not overshoot if Horizon ≥ 4·m/g and MaxForce is high enough. Another
// outward force of F newtons keeps the body F·Horizon/g beyond the surface. For strict limits, use Bounds.
//
// Faithful selects the source's rule: steering is the lateral part of the normal of the surface that the
// agent will reach first, times the agent's speed. It does not brake the agent, and is zero if the agent
// heads straight out.
//
// Reads Position, Velocity, Containment, Obstacles and, if present, Limits and Radius. Adds to Steering.
//
// Source: Reynolds 1999, "containment"; the law of the gap is ours.
type Containment struct {
	Obstacles *sense.Obstacles // of an earlier frame; nil means those of the same frame
	Faithful  bool             // follow the source

	obstacleReach
	pos     frame.In[c.Position]
	vel     frame.In[c.Velocity]
	contain frame.In[c.Containment]
	limits  frame.In[c.Limits]
	radius  frame.In[c.Radius]
	steer   frame.Out[c.Steering]
}

func (s *Containment) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.vel, &s.contain)
	n.Optional(&s.limits, &s.radius)
	n.Add(&s.steer)
	n.Scratch(&s.seen)
	n.Once()
}

func (s *Containment) Attach(f *frame.Frame, _ *ecs.World) {
	s.find(f, s, s.Obstacles)
}

func (s *Containment) Run(b *frame.Batch) {
	pos, vel, par, steer := s.pos.Of(b), s.vel.Of(b), s.contain.Of(b), s.steer.Of(b)
	limits, radius, seen := s.limits.Of(b), s.radius.Of(b), s.seen.Of(b)
	for i := range pos {
		p, v, horizon := pos[i].Vec, vel[i].Vec, par[i].Horizon
		if !(horizon > 0) {
			continue
		}
		k := keeper{v: v, horizon: horizon, maxSpeed: math.Inf(1), body: bodyOf(radius, i)}
		if limits != nil {
			k.maxSpeed = limits[i].MaxSpeed
		}
		var e r2.Vec
		if s.Faithful {
			threat, ok := ahead(s.index(s.Obstacles), p, v, horizon, k.body, seen)
			e = k.turn(p, par[i].Box, threat.Normal, threat.Distance, ok)
		} else {
			if par[i].Box != (r2.Box{}) {
				k.inBox(p, par[i].Box)
			}
			k.offAll(s.index(s.Obstacles), p, seen)
			e = vec.Sub(k.v, v)
		}
		steer[i].Vec = vec.AddScaled(steer[i].Vec, par[i].Gain, e)
	}
}

type keeper struct {
	v        r2.Vec  // m/s, remaining velocity
	horizon  float64 // s, above 0
	maxSpeed float64 // m/s, maximum speed on the way back inside
	body     float64 // m
}

// inBox keeps the body in a box, or sends it to the middle of a box that is too narrow.
func (k *keeper) inBox(p r2.Vec, box r2.Box) {
	k.v.X = k.between(k.v.X, box.Min.X-p.X, box.Max.X-p.X)
	k.v.Y = k.between(k.v.Y, box.Min.Y-p.Y, box.Max.Y-p.Y)
}

func (k *keeper) between(v, low, high float64) float64 {
	middle := low + float64((high-low)/2)
	if low += k.body; low > middle {
		low = middle
	}
	if high -= k.body; high < middle {
		high = middle
	}
	// Not min and max, because NaN must not limit anything.
	if least := min(low/k.horizon, k.maxSpeed); v < least {
		return least
	}
	if most := max(high/k.horizon, -k.maxSpeed); v > most {
		return most
	}
	return v
}

// off limits the speed toward a surface. The gap is negative beyond the surface.
func (k *keeper) off(normal r2.Vec, gap float64) {
	most := max(gap/k.horizon, -k.maxSpeed)
	if speed := -vec.Dot(k.v, normal); speed > most {
		k.v = vec.AddScaled(k.v, speed-most, normal)
	}
}

// offAll limits the speed toward the first obstacle ahead, and then toward those ahead along the remaining
// velocity, as in a corner.
func (k *keeper) offAll(obstacles *sense.Obstacles, p r2.Vec, seen *farSight) {
	const most = 3
	for range most {
		before := k.v
		threat, ok := ahead(obstacles, p, before, k.horizon, k.body, seen)
		if !ok {
			return
		}
		k.off(threat.Normal, vec.Dot(vec.Sub(p, threat.Contact), threat.Normal)-k.body)
		if threat.Distance == 0 {
			// A body that touches an obstacle sees nothing beyond the obstacle, but the body's center does.
			length := float64(vec.Norm(before)*k.horizon) + k.body
			if threat, ok = obstacles.Sweep(p, vec.Unit(before), length, 0); ok {
				k.off(threat.Normal, vec.Dot(vec.Sub(p, threat.Contact), threat.Normal)-k.body)
			}
		}
		if k.v == before {
			return
		}
	}
}

// turn returns the steering by the source's rule. If ok is true, normal and distance are those of an
// obstacle ahead.
func (k *keeper) turn(p r2.Vec, box r2.Box, normal r2.Vec, distance float64, ok bool) r2.Vec {
	speed, course := vec.Norm(k.v), vec.Unit(k.v)
	first := float64(speed * k.horizon)
	if ok {
		first = min(first, distance)
	}
	if box != (r2.Box{}) {
		side := func(gap, towards float64, inwards r2.Vec) {
			if d := max(gap-k.body, 0) / towards; towards > 0 && d < first {
				first, normal, ok = d, inwards, true
			}
		}
		side(p.X-box.Min.X, -course.X, r2.Vec{X: 1})
		side(box.Max.X-p.X, course.X, r2.Vec{X: -1})
		side(p.Y-box.Min.Y, -course.Y, r2.Vec{Y: 1})
		side(box.Max.Y-p.Y, course.Y, r2.Vec{Y: -1})
	}
	if !ok {
		return r2.Vec{}
	}
	across := vec.AddScaled(normal, -vec.Dot(normal, course), course)
	return vec.Scale(speed, across)
}

var containmentEntry = catalog.Of(catalog.Entry{
	Name: "containment", Text: "stay in a box and off obstacles, by looking ahead",
	Source: `Reynolds 1999, "containment"; the law of the gap is ours`,
	Adds:   []any{c.Steering{}},
	System: func(o catalog.Options) any {
		return &Containment{Obstacles: catalog.Get[*sense.Obstacles](o), Faithful: settings(o).FaithfulWalls}
	}, Phase: catalog.Steer,
	Does: catalog.Steers | catalog.SeesObstacles, Priority: 10, Laws: catalog.AllLaws,
}, func(b *c.Containment) []catalog.Param {
	return []catalog.Param{
		catalog.GainOf(&b.Gain),
		catalog.Number("horizon", &b.Horizon, "s", "look-ahead time").InFile(catalog.AboveZero),
		catalog.Area("box", &b.Box, "default: the box of the scene, if it has one").OfScene(),
	}
})
