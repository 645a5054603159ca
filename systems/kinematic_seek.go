package systems

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/systems/frame"
	"gonum.org/v1/gonum/spatial/r2"
)

// KinematicSeek sets the velocity of each agent straight at its Target, without
// a force: the agent goes in a straight line and turns at once when the target
// moves.
//
// Reads Position, Target, Limits, KinematicSeek. Writes Velocity.
// Source: "Understanding Steering Behaviors: Seek".
type KinematicSeek struct {
	pos    frame.In[c.Position]
	target frame.In[c.Target]
	limits frame.In[c.Limits]
	seek   frame.In[c.KinematicSeek]
	vel    frame.Out[c.Velocity]
}

func (s *KinematicSeek) Needs(n *frame.Needs) {
	n.Read(&s.pos, &s.target, &s.limits, &s.seek)
	n.Write(&s.vel)
	frame.Before[*Integration](n, "move agents by the velocity of the step before")
	n.Once()
}

func (s *KinematicSeek) Run(b *frame.Batch) {
	pos, target, limits := s.pos.Of(b), s.target.Of(b), s.limits.Of(b)
	par, vel := s.seek.Of(b), s.vel.Of(b)
	for i := range pos {
		if par[i].Gain == 0 {
			continue
		}
		v := kinematicSeek(pos[i].Vec, target[i].Vec, par[i].Gain*limits[i].MaxSpeed)
		setFinite(b, &vel[i].Vec, v)
	}
}

// kinematicSeek returns the velocity that leads straight to the target, zero
// when p is there.
func kinematicSeek(p, target r2.Vec, speed float64) r2.Vec {
	return vec.WithNorm(vec.Sub(target, p), speed)
}

var kinematicSeekEntry = catalog.Of(catalog.Entry{
	Name: "kinematic-seek", Text: "move straight at the target, without a force",
	Source: `"Understanding Steering Behaviors: Seek"`,
	Needs:  []any{c.Target{}, c.Limits{}},
	System: func(catalog.Options) any { return &KinematicSeek{} }, Phase: catalog.Steer,
	Does: catalog.SetsVelocity, Laws: catalog.AllLaws,
	Doing: "seeking",
}, func(b *c.KinematicSeek) []catalog.Param {
	return []catalog.Param{catalog.Number("gain", &b.Gain, "", "share of max-speed").Or(1.).Pausing()}
})
