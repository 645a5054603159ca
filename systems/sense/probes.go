package sense

import (
	"fmt"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/internal/vec"
	"gonum.org/v1/gonum/spatial/r2"
)

// Probe looks for a threat by points ahead: the look-ahead, half of it,
// and with nearestFirst the agent itself. Among the circles that hold
// a point, or among all with nearestFirst, the one with the nearest center
// counts. The threat's contact is the point ahead, and its normal
// leads from the center there.
func (o *Obstacles) Probe(nearestFirst bool, p, dir r2.Vec, lookAhead float64) (c.Threat, bool) {
	if !vec.Finite(p) || !vec.Finite(dir) {
		return c.Threat{}, false
	}
	ahead, half := vec.AddScaled(p, lookAhead, dir), vec.AddScaled(p, lookAhead/2, dir)
	i, ok := o.index.Probes(p, ahead, half)
	if nearestFirst {
		// The nearest circle of all is a threat if it holds a point, so it is the
		// nearest of those that hold one, and no other is nearer.
		i, ok = o.index.Probes(p, ahead, half, p)
		ok = ok && !o.index.CenterNearer(p, i)
	}
	if !ok {
		return c.Threat{}, false
	}
	out := vec.Sub(ahead, o.shapes[i].A)
	if out == (r2.Vec{}) {
		out = vec.Scale(-1, dir) // at the center itself there is no direction out: straight back
	}
	return c.Threat{Contact: ahead, Normal: vec.Unit(out), Distance: lookAhead, Obstacle: o.entities[i]}, true
}

// WantCircles panics if there are obstacles that the tutorials' scans do not
// know.
func (o *Obstacles) WantCircles() {
	for i := range o.shapes {
		if s := &o.shapes[i]; s.Ring != nil || s.A != s.B {
			panic(fmt.Sprintf("crowd: the scan by probes knows circles only; obstacle %v is none", o.entities[i]))
		}
	}
}
