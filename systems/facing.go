package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// minFacingSpeed is the speed in m/s above which a heading follows the velocity.
const minFacingSpeed = 0.1

// Facing turns the Heading of each agent towards its velocity, as long as that
// is above 0.1 m/s.
//
// The faithful rule blends the unit heading with the raw velocity by the length
// of the step, and so depends on the frame rate. The safe mode turns by the
// share 1-e^(-Rate·dt) of the angle, whatever the frame rate, and to the left
// when the directions are opposite.
//
// Reads Velocity, Facing. Writes Heading.
// Source: "Arrive", a Unity article.
type Facing struct {
	Faithful bool // the rule as its source has it; Rate is then not used

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

// faceFaithful returns lerp(h, v, dt) as a unit vector, with dt limited to
// [0, 1]; h itself where the two cancel.
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
	return []catalog.Param{catalog.Number("rate", &b.Rate, "1/s", "how fast the angle between them shrinks").Pausing()}
})
