package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// facing returns the heading of agent i, or else the direction of its velocity, or else +x.
func facing(vel []c.Velocity, heading []c.Heading, i int) r2.Vec {
	var h r2.Vec
	if heading != nil {
		h = heading[i].Vec
	}
	if h == (r2.Vec{}) && vel != nil {
		h = vec.Unit(vel[i].Vec)
	}
	if h == (r2.Vec{}) {
		h = r2.Vec{X: 1}
	}
	return h
}

var eastward = c.Heading{Vec: r2.Vec{X: 1}}

const minFacingSpeed = 0.1 // m/s, speed above which a heading follows the velocity

// Facing turns the Heading of each agent toward its velocity while its speed is above 0.1 m/s. The Heading
// turns by the fraction 1-e^(-Rate·dt) of the angle, to the left if the directions are opposite. The faithful
// mode blends the unit heading with the raw velocity, whose weight is dt/(1 s), so the turn depends on the
// frame rate.
//
// Reads Velocity, Facing. Writes Heading.
//
// Source: "Arrive", a Unity article.
type Facing struct {
	Faithful bool // follow the source; Rate has no effect, except that 0 pauses

	vel     frame.In[c.Velocity]
	facing  frame.In[c.Facing]
	heading frame.Out[c.Heading]
}

func (s *Facing) Needs(n *frame.Needs) {
	n.Read(&s.vel, &s.facing)
	n.Write(&s.heading)
	n.Once()
}

func (s *Facing) Run(b *frame.Batch) {
	vel, par, heading := s.vel.Of(b), s.facing.Of(b), s.heading.Of(b)
	for i := range vel {
		if par[i].Rate == 0 || !(vec.Norm(vel[i].Vec) > minFacingSpeed) {
			continue
		}
		h := heading[i].Vec
		if s.Faithful {
			h = faceFaithful(h, vel[i].Vec, b.Dt)
		} else {
			h = vec.TurnShare(h, vel[i].Vec, vec.Decay(par[i].Rate*b.Dt))
		}
		setFinite(b, &heading[i].Vec, h)
	}
}

// faceFaithful returns the unit vector along h + t·(v - h), or h if that sum is zero. Here, t is dt clamped
// to [0, 1].
func faceFaithful(h, v r2.Vec, dt float64) r2.Vec {
	t := max(0, min(dt, 1))
	lerp := vec.AddScaled(h, t, vec.Sub(v, h))
	if lerp == (r2.Vec{}) {
		return h
	}
	return vec.Unit(lerp)
}

var facingEntry = catalog.Of(catalog.Entry{
	Name: "facing", Text: "turn the heading toward the velocity",
	Source: `"Arrive", a Unity article`,
	Adds:   []any{eastward},
	System: func(o catalog.Options) any { return &Facing{Faithful: settings(o).FaithfulFacing} }, Phase: catalog.Move,
	Does: catalog.Turns, Laws: catalog.AllLaws,
}, func(b *c.Facing) []catalog.Param {
	return []catalog.Param{catalog.Number("rate", &b.Rate, "1/s", "rate at which the angle to the velocity shrinks").Pausing()}
})

// TurnTowards turns the Heading of each agent toward its Target, by at most Rate·dt, and to the left if the
// Target is straight behind. An agent at its target does not turn. With Drive, this is turn-limited seek: an
// agent circles forever around a target inside one of its turning circles, of radius Speed/Rate.
//
// Reads Position, Target, TurnTowards. Writes Heading.
//
// Source: "XNA Series, Modular AI", TurnTowards.
type TurnTowards struct {
	pos     frame.In[c.Position]
	target  frame.In[c.Target]
	turn    frame.In[c.TurnTowards]
	heading frame.Out[c.Heading]
}

func (s *TurnTowards) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.target, &s.turn)
	n.Write(&s.heading)
	frame.Before[*Drive](n, "move agents along the heading of the previous step")
	n.Once()
}

func (s *TurnTowards) Run(b *frame.Batch) {
	pos, target, par, heading := s.pos.Of(b), s.target.Of(b), s.turn.Of(b), s.heading.Of(b)
	for i := range pos {
		way := vec.Sub(target[i].Vec, pos[i].Vec)
		turn(b, &heading[i].Vec, way, par[i].Rate*b.Dt)
	}
}

// TurnAway turns the Heading of each agent within Flee.Radius of Flee.From away from that point, by at
// most Rate·dt. With Drive, this is turn-limited flee; the agent may approach the point while it turns.
//
// Reads Position, Flee, TurnAway. Writes Heading.
//
// Source: "XNA Series, Modular AI, Flee and Arrival", TurnAway.
type TurnAway struct {
	pos     frame.In[c.Position]
	flee    frame.In[c.Flee]
	turn    frame.In[c.TurnAway]
	heading frame.Out[c.Heading]
}

func (s *TurnAway) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.flee, &s.turn)
	n.Write(&s.heading)
	frame.Before[*Drive](n, "move agents along the heading of the previous step")
	n.Once()
}

func (s *TurnAway) Run(b *frame.Batch) {
	pos, flee, par, heading := s.pos.Of(b), s.flee.Of(b), s.turn.Of(b), s.heading.Of(b)
	for i := range pos {
		if !inZone(pos[i].Vec, flee[i].From, flee[i].Radius) {
			continue
		}
		way := vec.Sub(pos[i].Vec, flee[i].From)
		turn(b, &heading[i].Vec, way, par[i].Rate*b.Dt)
	}
}

func turn(b *frame.Batch, heading *r2.Vec, way r2.Vec, limit float64) {
	if !vec.Finite(way) {
		b.Skip()
		return
	}
	setFinite(b, heading, vec.TurnTowards(*heading, way, limit))
}

var turnTowardsEntry = catalog.Of(catalog.Entry{
	Name: "turn-towards", Text: "turn the heading toward the target at a limited rate",
	Source: `"XNA Series, Modular AI", TurnTowards`,
	Needs:  []any{c.Target{}}, Adds: []any{eastward},
	System: func(catalog.Options) any { return &TurnTowards{} }, Phase: catalog.Steer,
	Does: catalog.Turns, Laws: catalog.AllLaws,
	Doing: "seeking",
}, func(b *c.TurnTowards) []catalog.Param {
	return []catalog.Param{catalog.Number("rate", &b.Rate, "rad/s", "").Pausing()}
})

var turnAwayEntry = catalog.Of(catalog.Entry{
	Name: "turn-away", Text: "turn the heading away from the point flee.from at a limited rate",
	Source: `"XNA Series, Modular AI, Flee and Arrival", TurnAway`,
	Needs:  []any{c.Flee{}}, Adds: []any{eastward},
	System: func(catalog.Options) any { return &TurnAway{} }, Phase: catalog.Steer,
	Does: catalog.Turns, Laws: catalog.AllLaws,
}, func(b *c.TurnAway) []catalog.Param {
	return []catalog.Param{catalog.Number("rate", &b.Rate, "rad/s", "").Pausing()}
})
