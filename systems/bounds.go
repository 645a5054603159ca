package systems

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/kernel"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/mlange-42/arche/ecs"
	"gonum.org/v1/gonum/spatial/r2"
)

// BoundsMode determines what happens to an agent outside the box.
type BoundsMode int

const (
	BoundsNone     BoundsMode = iota // nothing
	BoundsBounce                     // moves the agent back inside and reflects an outward velocity
	BoundsFaithful                   // reflects the velocity in every step outside
	BoundsWrap                       // moves the agent to the opposite side
	BoundsClamp                      // moves the agent back inside and removes an outward velocity
)

// Bounds keeps agents in a box. With the faithful bounce, agents stick to edges, as in the tutorial: the
// velocity of an agent that cannot return in one step is reflected in every step.
//
// Writes Position, Velocity, and the Heading of agents with Drive.
//
// Source: the cocos2d-x variant of "Understanding Steering Behaviors: Collision Avoidance" for the
// faithful bounce.
type Bounds struct {
	Mode BoundsMode
	Box  r2.Box // m; Attach panics if a side is not finite or not above 0, unless Mode is BoundsNone

	pos     frame.Out[c.Position]
	vel     frame.Out[c.Velocity]
	drive   frame.In[c.Drive]
	heading frame.Out[c.Heading]
}

func (s *Bounds) Needs(n *frame.Needs) {
	n.Write(&s.pos, &s.vel)
	n.Optional(&s.drive, &s.heading)
}

func (s *Bounds) Attach(*frame.Frame, *ecs.World) {
	size := vec.Sub(s.Box.Max, s.Box.Min)
	if s.Mode != BoundsNone && !(size.X > 0 && size.Y > 0 && vec.Finite(size)) {
		panic(fmt.Sprintf("crowd: Bounds.Box is %v, want finite sides above 0", s.Box))
	}
}

func (s *Bounds) Detach(*ecs.World) {}

func (s *Bounds) Run(b *frame.Batch) {
	if s.Mode == BoundsNone {
		return
	}
	pos, vel, drive, heading := s.pos.Of(b), s.vel.Of(b), s.drive.Of(b), s.heading.Of(b)
	for i := 0; i < len(pos); {
		i += kernel.Within(pos[i:], &s.Box)
		for end := kernel.Until(i, len(pos)); i < end; i++ {
			flipX, flipY := s.keep(&pos[i].Vec, &vel[i].Vec)
			if drive == nil || heading == nil {
				continue
			}
			if flipX {
				heading[i].X = -heading[i].X
			}
			if flipY {
				heading[i].Y = -heading[i].Y
			}
		}
	}
}

// keep applies the mode to an agent with finite position and velocity, and reports along which axes it
// reflected v.
func (s *Bounds) keep(p, v *r2.Vec) (flipX, flipY bool) {
	lo, hi := s.Box.Min, s.Box.Max
	if p.X >= lo.X && p.X <= hi.X && p.Y >= lo.Y && p.Y <= hi.Y || !vec.Finite(*p) || !vec.Finite(*v) {
		return false, false
	}
	p.X, v.X, flipX = bound(s.Mode, p.X, v.X, lo.X, hi.X)
	p.Y, v.Y, flipY = bound(s.Mode, p.Y, v.Y, lo.Y, hi.Y)
	return flipX, flipY
}

// bound applies the mode along one axis, and reports whether it reflected v. Edges are inside.
func bound(mode BoundsMode, x, v, lo, hi float64) (float64, float64, bool) {
	below, above := x < lo, x > hi
	if !below && !above {
		return x, v, false
	}
	outward := below && v < 0 || above && v > 0
	switch mode {
	case BoundsFaithful:
		return x, -v, true
	case BoundsWrap:
		return lo + vec.Wrap(x-lo, hi-lo), v, false
	case BoundsBounce:
		if outward {
			v = -v
		}
		return min(max(x, lo), hi), v, outward
	case BoundsClamp:
		if outward {
			v = 0
		}
		return min(max(x, lo), hi), v, false
	}
	return x, v, false
}
