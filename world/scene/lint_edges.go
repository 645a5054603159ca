package scene

import (
	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"gonum.org/v1/gonum/spatial/r2"
)

// edges finds what the bounds make impossible.
func (l *linter) edges() {
	if l.Bounds == systems.BoundsNone {
		return
	}
	outside := func(points []r2.Vec) (r2.Vec, bool) {
		for _, p := range points {
			if p.X < l.Box.Min.X || p.X > l.Box.Max.X || p.Y < l.Box.Min.Y || p.Y > l.Box.Max.Y {
				return p, true
			}
		}
		return r2.Vec{}, false
	}
	if p, is := outside(l.At.Points); is {
		l.warn(l.Bounds == systems.BoundsFaithful, "an agent starts at [%v, %v], outside the box, where faithful-bounce turns it round in every step; start inside, or take bounce", p.X, p.Y)
	}
	if l.Target != nil {
		p, is := outside(l.Target.Points)
		l.warn(is, "the target [%v, %v] is outside the box, where bounds let nobody go; enlarge the box, or leave out bounds", p.X, p.Y)
		b := l.Target.Box
		l.warn(b.Min.X > l.Box.Max.X || b.Max.X < l.Box.Min.X || b.Min.Y > l.Box.Max.Y || b.Max.Y < l.Box.Min.Y,
			"the target [[%v, %v], [%v, %v]] is outside the box, where bounds let nobody go; enlarge the box, or leave out bounds", b.Min.X, b.Min.Y, b.Max.X, b.Max.Y)
	}
	if path, ok := Behavior[c.Path](l.Group); ok && int(path.Index) < len(l.Paths) {
		p, is := outside(l.Paths[path.Index])
		l.warn(is, "the waypoint [%v, %v] is outside the box, where bounds let nobody go; enlarge the box, or leave out bounds", p.X, p.Y)
	}
}
