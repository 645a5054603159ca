package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// TurnTowards turns the Heading of each agent to its Target, by at most
// Rate·dt. At exactly half a turn it goes left; at the target it stays.
//
// With Drive this is the turn-limited seek. It circles for ever around a target
// inside one of its turning circles, of radius Speed/Rate.
//
// Reads Position, Target, TurnTowards. Writes Heading.
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
	frame.Before[*Drive](n, "move agents along the heading of the step before")
	n.Once()
}

func (s *TurnTowards) Run(b *frame.Batch) {
	pos, target, par, heading := s.pos.Of(b), s.target.Of(b), s.turn.Of(b), s.heading.Of(b)
	for i := range pos {
		way := vec.Sub(target[i].Vec, pos[i].Vec)
		turn(b, &heading[i].Vec, way, par[i].Rate*b.Dt)
	}
}

// TurnAway turns the Heading of each agent away from the point of its Flee, by
// at most Rate·dt, within the zone of effect. With Drive this is the
// turn-limited flee; while it turns it still comes nearer to the point.
//
// Reads Position, Flee, TurnAway. Writes Heading.
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
	frame.Before[*Drive](n, "move agents along the heading of the step before")
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

// turn turns a heading to a way by at most limit radians, unless one of them is
// not finite.
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
	Name: "turn-away", Text: "turn the heading away from the point of flee at a limited rate",
	Source: `"XNA Series, Modular AI, Flee and Arrival", TurnAway`,
	Needs:  []any{c.Flee{}}, Adds: []any{eastward},
	System: func(catalog.Options) any { return &TurnAway{} }, Phase: catalog.Steer,
	Does: catalog.Turns, Laws: catalog.AllLaws,
}, func(b *c.TurnAway) []catalog.Param {
	return []catalog.Param{catalog.Number("rate", &b.Rate, "rad/s", "").Pausing()}
})
